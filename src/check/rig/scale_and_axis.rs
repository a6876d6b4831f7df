//! Checks unit, up axis and position of a rig at rest.

use std::ops::Range;

use glam::{DVec3, Vec3Swizzles};

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};

/// Words in the names of the joints of hips, head and feet.
const HIPS_WORDS: [&str; 2] = ["hips", "pelvis"];
const HEAD_WORDS: [&str; 1] = ["head"];
const FEET_WORDS: [&str; 3] = ["foot", "ankle", "toe"];
/// Minimum angle, at the hips of a standing character, between the directions to the head and to the feet. For an animal on four legs, this
/// angle is about 90 degrees.
const MIN_BODY_ANGLE_DEGREES: f64 = 135.0;

/// Checks the rig.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    check_unit(context, findings);
    check_axis(context, findings);
    check_origin(context, findings);
}

/// Reports a rig that is tiny or huge.
fn check_unit(context: &CheckContext, findings: &mut Findings) {
    let (Some(height), Some(extent)) = (context.height(), context.extent()) else { return };
    let [min, max] = [Limit::MinHeight, Limit::MaxHeight].map(|limit| context.settings.limit(limit));
    let (threshold, probable_reason) = match height {
        height if height > max => (max, "glTF is in meters: if the model is in centimeters, export it at scale 0.01."),
        height if height < min => (min, "glTF is in meters: the export probably scaled it down, such as by 0.01 twice."),
        _ => return,
    };
    let word = if extent.y < height { "long" } else { "tall" };
    let message = format!("The rig is {} {word}. {probable_reason}", context.length(height));
    findings.add(CheckFinding {
        value: Some(height),
        threshold: Some(threshold),
        unit: Some(Unit::Meters),
        ..CheckFinding::new(Rule::UnlikelyUnit, message)
    });
}

/// Reports a character that does not stand upright, the worst of several.
fn check_axis(context: &CheckContext, findings: &mut Findings) {
    let angles = context.rest.rigs.iter().filter_map(|rig| spine_angle(context, rig));
    let (Some(angle), limit) = (angles.max_by(f64::total_cmp), context.settings.limit(Limit::UprightAngle)) else { return };
    if angle > limit {
        let pose = if angle > 180.0 - limit { "is upside down" } else { "lies on its side, back or front" };
        let message =
            format!("The character {pose} at rest: its spine is {angle:.0} degrees from +Y, which is up in glTF. Export it with Y up.");
        findings.add(CheckFinding {
            value: Some(angle),
            threshold: Some(limit),
            unit: Some(Unit::Degrees),
            ..CheckFinding::new(Rule::UnlikelyAxis, message)
        });
    }
}

/// The angle between the spine of a rig and +Y, in degrees. `None` if the rig is no standing character.
fn spine_angle(context: &CheckContext, rig: &Range<usize>) -> Option<f64> {
    let position = |words: &[&str]| mean_position(context, rig, words);
    let (hips, head, feet) = (position(&HIPS_WORDS)?, position(&HEAD_WORDS)?, position(&FEET_WORDS)?);
    let (to_head, to_feet) = (head - hips, feet - hips);
    let is_standing = to_head.length() >= 1e-6 * context.rest.size && to_head.angle_between(to_feet).to_degrees() >= MIN_BODY_ANGLE_DEGREES;
    is_standing.then(|| to_head.angle_between(DVec3::Y).to_degrees())
}

/// The mean position at rest of the joints of a rig whose names contain one of these words. `None` if there are no such joints.
fn mean_position(context: &CheckContext, rig: &Range<usize>, words: &[&str]) -> Option<DVec3> {
    let has_word = |name: &str| {
        // Names may have megabytes, so only their beginning is searched.
        let name: String = name.chars().take(200).collect::<String>().to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let joints = rig.clone().filter(|&node| context.rest.joints[node]);
    let named = joints.filter(|&node| context.model.nodes[node].name.as_deref().is_some_and(has_word));
    let positions: Vec<DVec3> =
        named.map(|node| context.rest.compiled.rest_globals[node].translation).filter(|position| position.is_finite()).collect();
    (!positions.is_empty()).then(|| positions.iter().sum::<DVec3>() / positions.len() as f64)
}

/// Reports rigs far from the origin. Several rigs of a scene may stand apart, so their common center counts.
fn check_origin(context: &CheckContext, findings: &mut Findings) {
    let Some(bounds) = context.rest.bounds else { return };
    let (size, limit) = ((bounds.max - bounds.min).length(), context.settings.limit(Limit::OriginDistance));
    let distance = bounds.center().xz().length();
    if distance > limit * size && distance.is_finite() {
        let message = format!(
            "The rig stands {} from the origin, {:.1} times its size. Engines place it by the origin.",
            context.length(distance),
            distance / size
        );
        findings.add(CheckFinding {
            value: Some(distance),
            threshold: Some(limit * size),
            unit: Some(Unit::Meters),
            ..CheckFinding::new(Rule::OffOrigin, message)
        });
    }
}
