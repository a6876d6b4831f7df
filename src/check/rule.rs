//! The table of all checks: the code, severity and meaning of each, and the limits that a configuration can change. `docs/checks.md` shows
//! the same table.

use crate::model::finding::Severity;

/// A check. The variants have the order of [`RULES`]. Findings of the same severity are sorted in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    LoopGap,
    LoopVelocityGap,
    RootDriftInLoop,
    FirstKeyNotAtZero,
    ChannelEndsEarly,
    KeysOffFrameGrid,
    RedundantKeys,
    ConstantChannel,
    ScaleStaysOne,
    NoMotion,
    RotationFlip,
    RotationOver180,
    RotationNotUnit,
    VelocitySpike,
    StepAmongSmooth,
    AnimatedNodeWithoutEffect,
    JointWithoutWeights,
    InfluencesOver4,
    InfluencesOver8,
    WeightsNotNormalized,
    VertexWithoutWeight,
    NonUniformScale,
    NegativeScale,
    RestFarFromBind,
    SkinUnderTransformedParent,
    UnlikelyUnit,
    UnlikelyAxis,
    OffOrigin,
    FootSlide,
    FootBelowGround,
    DuplicateName,
    EmptyName,
    MorphNeverDriven,
    MorphOutOfRange,
    ProfileInfluences,
    ProfileJoints,
    ProfileNames,
    ProfileUnit,
    ProfileExtension,
    CheckIncomplete,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct RuleEntry {
    pub rule: Rule,
    /// The code in reports, configurations and documentation.
    pub code: &'static str,
    /// The usual severity. A few checks lower or raise it, as their meaning says.
    pub severity: Severity,
    /// The meaning of the finding, in sentences.
    pub meaning: &'static str,
}

/// A number that determines whether a check reports a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    LoopGapDistance,
    LoopGapAngle,
    LoopGapScale,
    LoopGapWeight,
    LoopClosure,
    LoopVelocity,
    RootDrift,
    FirstKeyTime,
    EndsEarlyTime,
    OffFrameTime,
    RedundantShare,
    RedundantDistance,
    RedundantAngle,
    RedundantBytes,
    TurnAngle,
    UnitLength,
    SpikeDistance,
    SpikeRatio,
    SpikeInterval,
    StepShare,
    ScaleRatio,
    RestBindAngle,
    RestBindDistance,
    ParentDistance,
    MinHeight,
    MaxHeight,
    UprightAngle,
    OriginDistance,
    FootSlide,
    FootDepth,
    MorphExcess,
}

/// A row of the table of limits.
#[derive(Debug, Clone, Copy)]
pub struct LimitEntry {
    pub limit: Limit,
    /// The check that uses the limit.
    pub rule: Rule,
    /// The key in a configuration.
    pub key: &'static str,
    pub default: f64,
    /// The unit of the number, in words.
    pub unit: &'static str,
}

/// Makes a row of [`RULES`].
const fn row(rule: Rule, code: &'static str, severity: Severity, meaning: &'static str) -> RuleEntry {
    RuleEntry { rule, code, severity, meaning }
}

/// All checks, in the order of [`Rule`].
pub const RULES: [RuleEntry; 40] = {
    use Severity::{Error, Info, Warning};
    [
        row(
            Rule::LoopGap,
            "LOOP_GAP",
            Warning,
            "The animation almost closes, but its last pose differs from its first by a position, rotation, scale or morph weight, so a \
             loop jumps. Only animations that come near their first pose, or that are named loop or cycle, are checked.",
        ),
        row(
            Rule::LoopVelocityGap,
            "LOOP_VELOCITY_GAP",
            Warning,
            "The poses at both ends agree, but the velocity of a joint (of its position) changes there more than twice as much as anywhere else.",
        ),
        row(
            Rule::RootDriftInLoop,
            "ROOT_DRIFT_IN_LOOP",
            Warning,
            "The animation loops in place, but its root does not end where it starts, so the character jumps or drifts.",
        ),
        row(
            Rule::FirstKeyNotAtZero,
            "FIRST_KEY_NOT_AT_ZERO",
            Warning,
            "No channel has a key at 0, so players hold the first pose until the first key.",
        ),
        row(
            Rule::ChannelEndsEarly,
            "CHANNEL_ENDS_EARLY",
            Info,
            "Moving channels end before the animation. A warning if all of them do: the animation then stands still at its end.",
        ),
        row(Rule::KeysOffFrameGrid, "KEYS_OFF_FRAME_GRID", Info, "Most keys lie on the frames of one rate, and a few between them."),
        row(Rule::RedundantKeys, "REDUNDANT_KEYS", Info, "Many keys lie where interpolation between their neighbors would put them."),
        row(
            Rule::ConstantChannel,
            "CONSTANT_CHANNEL",
            Info,
            "Channels have several keys whose values are equal, apart from rounding. Reported if the redundant keys take at least `redundant_bytes`.",
        ),
        row(
            Rule::ScaleStaysOne,
            "SCALE_STAYS_ONE",
            Info,
            "Scale channels never leave 1, and neither does the rest pose. Reported if the redundant keys take at least `redundant_bytes`.",
        ),
        row(Rule::NoMotion, "NO_MOTION", Warning, "Nothing moves during the animation. An info if it is a single pose."),
        row(
            Rule::RotationFlip,
            "ROTATION_FLIP",
            Info,
            "Neighboring keys hold similar rotations with opposite signs. Players that follow glTF correct this for LINEAR; a warning for \
             CUBICSPLINE, where the joint spins.",
        ),
        row(
            Rule::RotationOver180,
            "ROTATION_OVER_180",
            Warning,
            "A joint rotates by more than half a turn between two LINEAR keys. Players rotate it the shorter way, in the opposite direction.",
        ),
        row(Rule::RotationNotUnit, "ROTATION_NOT_UNIT", Warning, "Rotation keys are not unit quaternions."),
        row(
            Rule::VelocitySpike,
            "VELOCITY_SPIKE",
            Warning,
            "A joint pops: between two keys, its own translation, rotation or scale changes much more than just before and after. Joints \
             below, which only follow, are not listed. The keys are at most one frame apart, or farther if the keys around have the same \
             spacing.",
        ),
        row(
            Rule::StepAmongSmooth,
            "STEP_AMONG_SMOOTH",
            Warning,
            "A channel with a gradual change uses STEP, while most moving channels of the animation interpolate.",
        ),
        row(
            Rule::AnimatedNodeWithoutEffect,
            "ANIMATED_NODE_WITHOUT_EFFECT",
            Info,
            "Channels drive nodes that move no vertex, mesh, camera or light.",
        ),
        row(
            Rule::JointWithoutWeights,
            "JOINT_WITHOUT_WEIGHTS",
            Info,
            "Neither these joints nor the joints below them move a vertex or carry a mesh.",
        ),
        row(Rule::InfluencesOver4, "INFLUENCES_OVER_4", Info, "Vertices follow more than 4 joints. Many engines keep only the 4 heaviest."),
        row(Rule::InfluencesOver8, "INFLUENCES_OVER_8", Warning, "Vertices follow more than 8 joints, more than most engines support."),
        row(
            Rule::WeightsNotNormalized,
            "WEIGHTS_NOT_NORMALIZED",
            Warning,
            "The weights of vertices do not sum to 1. Players normalize them, or the mesh is pulled towards the origin.",
        ),
        row(
            Rule::VertexWithoutWeight,
            "VERTEX_WITHOUT_WEIGHT",
            Warning,
            "Vertices of a skinned mesh have no weight at all. They stay behind, or follow the first joint.",
        ),
        row(
            Rule::NonUniformScale,
            "NON_UNIFORM_SCALE",
            Warning,
            "A node above joints is scaled differently along its axes at rest. Rotated children are sheared, which engines cannot represent.",
        ),
        row(
            Rule::NegativeScale,
            "NEGATIVE_SCALE",
            Warning,
            "A node of the skeleton is mirrored by a negative scale. Two negative axes are half a turn, and not reported.",
        ),
        row(
            Rule::RestFarFromBind,
            "REST_FAR_FROM_BIND",
            Info,
            "The rest pose differs from the bind pose, so the mesh is deformed before any animation plays.",
        ),
        row(
            Rule::SkinUnderTransformedParent,
            "SKIN_UNDER_TRANSFORMED_PARENT",
            Info,
            "The node of a skinned mesh or an ancestor has a transform. glTF ignores it, but some engines apply it. A warning if the \
             joints do not have the same transform.",
        ),
        row(Rule::UnlikelyUnit, "UNLIKELY_UNIT", Warning, "The size of a rig suggests another unit than meters."),
        row(
            Rule::UnlikelyAxis,
            "UNLIKELY_AXIS",
            Warning,
            "A standing character does not stand upright along +Y at rest: another axis was up on export.",
        ),
        row(Rule::OffOrigin, "OFF_ORIGIN", Info, "A rig stands far from the origin at rest."),
        row(Rule::FootSlide, "FOOT_SLIDE", Warning, "A foot slides while it stands on the ground."),
        row(Rule::FootBelowGround, "FOOT_BELOW_GROUND", Warning, "A standing foot sinks below the ground of the rest pose."),
        row(
            Rule::DuplicateName,
            "DUPLICATE_NAME",
            Warning,
            "Several animations have the same name. Engines that find animations by name keep one of them.",
        ),
        row(Rule::EmptyName, "EMPTY_NAME", Info, "Animations have no name. Engines that find animations by name invent one."),
        row(
            Rule::MorphNeverDriven,
            "MORPH_NEVER_DRIVEN",
            Info,
            "No animation of the file drives these morph targets, and their weight at rest is 0.",
        ),
        row(
            Rule::MorphOutOfRange,
            "MORPH_OUT_OF_RANGE",
            Warning,
            "An animation drives a morph weight below 0 or above 1. Some engines clamp it.",
        ),
        row(
            Rule::ProfileInfluences,
            "PROFILE_INFLUENCES",
            Error,
            "Vertices follow more joints than the profile supports, or joints of a set that it does not read.",
        ),
        row(Rule::ProfileJoints, "PROFILE_JOINTS", Warning, "A skin has more joints than the profile supports by default."),
        row(
            Rule::ProfileNames,
            "PROFILE_NAMES",
            Info,
            "The import changes names of nodes, because it does not keep all of their characters.",
        ),
        row(
            Rule::ProfileUnit,
            "PROFILE_UNIT",
            Warning,
            "The profile uses centimeters, and the file seems to be in centimeters already. The import multiplies it by 100 again.",
        ),
        row(Rule::ProfileExtension, "PROFILE_EXTENSION", Error, "The file requires an extension that the profile does not support."),
        row(
            Rule::CheckIncomplete,
            "CHECK_INCOMPLETE",
            Info,
            "The file has more motion than is sampled; some animations were checked coarsely, or only by their keys.",
        ),
    ]
};

/// Makes a row of [`LIMITS`].
const fn limit(limit: Limit, rule: Rule, key: &'static str, default: f64, unit: &'static str) -> LimitEntry {
    LimitEntry { limit, rule, key, default, unit }
}

/// All limits, in the order of [`Limit`]. Limits with the unit "of the size" are fractions of the size of the largest rig, which is the
/// diagonal of the bounding box of its joints at rest.
pub const LIMITS: [LimitEntry; 31] = [
    limit(Limit::LoopGapDistance, Rule::LoopGap, "loop_gap_distance", 0.005, "of the size"),
    limit(Limit::LoopGapAngle, Rule::LoopGap, "loop_gap_angle", 2.0, "degrees"),
    limit(Limit::LoopGapScale, Rule::LoopGap, "loop_gap_scale", 0.02, "of the scale at rest"),
    limit(Limit::LoopGapWeight, Rule::LoopGap, "loop_gap_weight", 0.02, "difference of a morph weight"),
    limit(Limit::LoopClosure, Rule::LoopGap, "loop_closure", 0.3, "largest ratio of gap to range of motion in a loop"),
    limit(Limit::LoopVelocity, Rule::LoopVelocityGap, "loop_velocity", 0.25, "of the size per second"),
    limit(Limit::RootDrift, Rule::RootDriftInLoop, "root_drift", 0.005, "of the size"),
    limit(Limit::FirstKeyTime, Rule::FirstKeyNotAtZero, "first_key_time", 0.001, "seconds"),
    limit(Limit::EndsEarlyTime, Rule::ChannelEndsEarly, "ends_early_time", 0.1, "seconds"),
    limit(Limit::OffFrameTime, Rule::KeysOffFrameGrid, "off_frame_time", 0.0005, "seconds"),
    limit(Limit::RedundantShare, Rule::RedundantKeys, "redundant_share", 0.5, "of the keys"),
    limit(
        Limit::RedundantDistance,
        Rule::RedundantKeys,
        "redundant_distance",
        0.0001,
        "of the size; for scale, of the scale at rest; for weights, the number itself",
    ),
    limit(Limit::RedundantAngle, Rule::RedundantKeys, "redundant_angle", 0.01, "degrees"),
    limit(
        Limit::RedundantBytes,
        Rule::RedundantKeys,
        "redundant_bytes",
        1024.0,
        "smallest total size that is reported, in bytes; also of CONSTANT_CHANNEL and SCALE_STAYS_ONE",
    ),
    limit(Limit::TurnAngle, Rule::RotationOver180, "turn_angle", 181.0, "degrees"),
    limit(Limit::UnitLength, Rule::RotationNotUnit, "unit_length", 0.001, "difference of the length from 1"),
    limit(Limit::SpikeDistance, Rule::VelocitySpike, "spike_distance", 0.04, "of the size, at the end of the joint's branch"),
    limit(Limit::SpikeRatio, Rule::VelocitySpike, "spike_ratio", 6.0, "times the distance just before and after"),
    limit(Limit::SpikeInterval, Rule::VelocitySpike, "spike_interval", 0.25, "seconds between two of evenly spaced keys"),
    limit(Limit::StepShare, Rule::StepAmongSmooth, "step_share", 0.8, "of all moving channels"),
    limit(Limit::ScaleRatio, Rule::NonUniformScale, "scale_ratio", 1.01, "ratio of the largest to the smallest axis"),
    limit(Limit::RestBindAngle, Rule::RestFarFromBind, "rest_bind_angle", 35.0, "degrees"),
    limit(Limit::RestBindDistance, Rule::RestFarFromBind, "rest_bind_distance", 0.1, "of the size"),
    limit(Limit::ParentDistance, Rule::SkinUnderTransformedParent, "parent_distance", 0.0001, "difference of any number of the matrix"),
    limit(Limit::MinHeight, Rule::UnlikelyUnit, "min_height", 0.05, "meters"),
    limit(Limit::MaxHeight, Rule::UnlikelyUnit, "max_height", 50.0, "meters"),
    limit(Limit::UprightAngle, Rule::UnlikelyAxis, "upright_angle", 60.0, "degrees from +Y"),
    limit(Limit::OriginDistance, Rule::OffOrigin, "origin_distance", 1.0, "of the diagonal of the box around joints and vertices"),
    limit(Limit::FootSlide, Rule::FootSlide, "foot_slide", 0.04, "of the size"),
    limit(Limit::FootDepth, Rule::FootBelowGround, "foot_depth", 0.03, "of the size"),
    limit(Limit::MorphExcess, Rule::MorphOutOfRange, "morph_excess", 0.01, "beyond 0 or 1"),
];

impl Rule {
    /// The row of the check.
    pub fn entry(self) -> &'static RuleEntry {
        &RULES[self as usize]
    }

    /// The check with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        RULES.iter().find(|entry| entry.code == code).map(|entry| entry.rule)
    }
}

impl Limit {
    /// The row of the limit.
    pub fn entry(self) -> &'static LimitEntry {
        &LIMITS[self as usize]
    }
}
