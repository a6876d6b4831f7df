//! The result of a comparison as `sinew diff --json` prints it. Indices of nodes and animations are those of their file.

use std::collections::HashSet;

use serde::Serialize;

use crate::model::Model;
use crate::model::mesh::Mesh;
use crate::model::node::NodeIndex;

use super::deformation::joint_weights::WeightError;
use super::deformation::morph_targets::TargetError;
use super::differences::Difference;
use super::measure::JointError;
use super::supplement::{AnimationErrors, LargestErrors, Supplement};
use super::vertices::VertexErrors;
use super::{Comparison, pairing};

/// The largest errors at which two files still count as equal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// Largest distance, in meters.
    pub distance: f64,
    /// Largest angle, in degrees.
    pub angle: f64,
    /// Whether B may lack animations of A.
    pub lost_animations: bool,
}

/// A reason why two files do not count as equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Excess {
    /// An animation of A has no counterpart in B.
    LostAnimation,
    /// A joint of A has no counterpart in B.
    LostJoint,
    /// A node of A that has a mesh, or that a compared animation drives, has no counterpart in B. Or no node of A has one.
    LostNode,
    /// A node of A has a mesh, but neither its counterpart nor a new child of the counterpart has one. Or only A's mesh has triangles.
    /// Or no node of B has one.
    LostMesh,
    /// Only one file shows the meshes of a node and its counterpart.
    MeshHidden,
    /// The largest distance of instances exceeds the tolerance, or a node has another number of them in B.
    Instances,
    /// The largest distance of joints exceeds the tolerance.
    JointDistance,
    /// The largest angle of joints exceeds the tolerance.
    JointAngle,
    /// The largest distance of vertices exceeds the tolerance.
    VertexDistance,
    /// The largest difference of the bounds of a mesh whose topology or node differs exceeds the tolerance of distances.
    BoundsDistance,
    /// The largest distance of a morph target's deltas exceeds the tolerance of distances.
    MorphTarget,
    /// The largest distance that joint weights make exceeds the tolerance of distances; see [`super::deformation::joint_weights`].
    JointWeights,
}

impl Excess {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::LostAnimation => "B lacks animations of A",
            Self::LostJoint => "B lacks joints of A",
            Self::LostNode => "B lacks nodes of A",
            Self::LostMesh => "B lacks meshes of A",
            Self::MeshHidden => "hidden meshes",
            Self::Instances => "instances",
            Self::JointDistance => "distance of joints",
            Self::JointAngle => "angle of joints",
            Self::VertexDistance => "distance of vertices",
            Self::BoundsDistance => "distance of bounds",
            Self::MorphTarget => "morph targets",
            Self::JointWeights => "joint weights",
        }
    }
}

/// The report. Numbers that are not finite are printed as null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffReport {
    /// Version of this format: 1.
    pub schema: u32,
    /// The paths of the files, as given.
    pub a: String,
    pub b: String,
    /// The compared animations; null for the rest pose.
    pub animation: PerSide<Option<usize>>,
    /// Names of the compared animations.
    #[serde(skip)]
    pub animation_name: PerSide<Option<String>>,
    /// Durations of the animations, in seconds.
    pub duration: PerSide<f64>,
    /// Height of A at rest, in meters; null if A has no size.
    pub height: Option<f64>,
    /// Number of times at which the joints were compared.
    pub samples: usize,
    /// Nodes without a counterpart.
    pub unmatched: PerSide<Vec<usize>>,
    /// The errors of every paired node, the largest first.
    pub joints: Vec<JointReport>,
    /// The largest distance of all joints, in meters.
    pub distance_max: f64,
    /// The largest angle of all joints, in degrees.
    pub angle_max: f64,
    /// The errors of vertices; null if no primitive has the same topology in both files.
    pub vertices: Option<VertexReport>,
    /// The largest difference between the bounds of meshes whose topology or node differs, in meters; null if there are none.
    pub bounds_distance_max: Option<f64>,
    /// The node of A with this mesh.
    pub bounds_node: Option<usize>,
    /// Time of the largest difference of bounds, in seconds of A.
    pub bounds_time: Option<f64>,
    /// The largest difference of morph targets; null if no primitive with the same topology in both files has any.
    pub morph_targets: Option<TargetReport>,
    /// The largest difference of joint weights; null if no primitive with the same topology in both files has any.
    pub joint_weights: Option<WeightReport>,
    /// Whether a node of A, and a node of B, has a mesh.
    #[serde(skip)]
    pub has_meshes: [bool; 2],
    /// Whether a node of A with a mesh has a counterpart with a mesh in B.
    #[serde(skip)]
    pub has_mesh_pairs: bool,
    /// The errors of the other animations of A that have a counterpart in B, in the order of A. Empty if the user chose an animation.
    pub other_animations: Vec<AnimationReport>,
    /// Whether B counts as equal to A: `exceeded` is empty.
    pub within_tolerance: bool,
    /// The reasons why B does not count as equal to A.
    pub exceeded: Vec<Excess>,
    /// The differences that do not depend on the time.
    pub differences: Vec<Difference>,
}

/// A value of each file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerSide<T> {
    pub a: T,
    pub b: T,
}

/// The errors of a node of A and its counterpart in B.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointReport {
    /// Indices of the nodes.
    pub a: usize,
    pub b: usize,
    /// Name in A.
    pub name: Option<String>,
    /// Largest and mean distance, in meters.
    pub distance_max: f64,
    pub distance_mean: f64,
    /// Largest angle, in degrees.
    pub angle_max: f64,
    /// Time of the largest distance, or of the largest angle if the distance is always 0, in seconds of A.
    pub time: f64,
}

/// The errors of vertices; see [`super::vertices::VertexErrors`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VertexReport {
    /// Largest and mean distance, in meters.
    pub distance_max: f64,
    pub distance_mean: f64,
    /// The vertex of A with the largest distance.
    pub node: usize,
    pub primitive: usize,
    pub vertex: usize,
    /// Time of the largest distance, in seconds of A.
    pub time: f64,
    /// Number of vertices that were compared.
    pub compared: usize,
    /// Number of vertices of A that were not compared, because their topology differs, B lacks their mesh, or there are too many.
    pub skipped: usize,
}

/// The largest error of morph targets; see [`super::deformation::morph_targets::TargetError`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetReport {
    /// Largest distance, in meters.
    pub distance_max: f64,
    /// The node of A, its primitive, the morph target and the vertex with the largest distance.
    pub node: usize,
    pub primitive: usize,
    pub target: usize,
    pub vertex: usize,
}

/// The largest error of joint weights; see [`super::deformation::joint_weights::WeightError`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeightReport {
    /// Largest distance that a vertex would be from its counterpart if one joint alone turned by 60 degrees, in meters.
    pub distance_max: f64,
    /// The node of A, its primitive and the vertex with the largest distance.
    pub node: usize,
    pub primitive: usize,
    pub vertex: usize,
}

/// The largest errors of an animation of A and its counterpart in B.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnimationReport {
    pub animation: PerSide<usize>,
    pub name: PerSide<Option<String>>,
    /// Durations of the animations, in seconds.
    pub duration: PerSide<f64>,
    /// The largest distance of all joints, in meters.
    pub distance_max: f64,
    /// The largest angle of all joints, in degrees.
    pub angle_max: f64,
    /// The largest distance of vertices, in meters; null if no primitive has the same topology in both files.
    pub vertex_distance_max: Option<f64>,
    /// The largest difference of bounds, in meters; null if no mesh has another topology in B.
    pub bounds_distance_max: Option<f64>,
    /// Whether these errors are within the tolerance.
    pub within_tolerance: bool,
}

impl JointReport {
    /// Describes the errors of a joint. The models are A and B.
    fn new(joint: &JointError, [a, b]: [&Model; 2]) -> Self {
        Self {
            a: source(a, joint.a),
            b: source(b, joint.b),
            name: a.node(joint.a).name.clone(),
            distance_max: joint.distance_max,
            distance_mean: joint.distance_mean,
            angle_max: joint.angle_max,
            time: joint.time,
        }
    }
}

impl VertexReport {
    /// Describes the errors of the vertices of model A.
    fn new(errors: &VertexErrors, a: &Model) -> Self {
        Self {
            distance_max: errors.distance_max,
            distance_mean: errors.distance_mean,
            node: source(a, errors.node),
            primitive: errors.primitive,
            vertex: errors.vertex,
            time: errors.time,
            compared: errors.compared,
            skipped: errors.skipped,
        }
    }
}

impl TargetReport {
    /// Describes the error of a morph target of model A.
    fn new(error: &TargetError, a: &Model) -> Self {
        Self {
            distance_max: error.distance,
            node: source(a, error.node),
            primitive: error.primitive,
            target: error.target,
            vertex: error.vertex,
        }
    }
}

impl WeightReport {
    /// Describes the error of the joint weights of a primitive of model A.
    fn new(error: &WeightError, a: &Model) -> Self {
        Self { distance_max: error.distance, node: source(a, error.node), primitive: error.primitive, vertex: error.vertex }
    }
}

/// Returns the index of a node in its file.
fn source(model: &Model, node: NodeIndex) -> usize {
    model.node(node).source
}

/// Makes the report. Models and files are those of A and B.
pub fn report(
    comparison: &Comparison,
    supplement: &Supplement,
    [a, b]: [&Model; 2],
    files: [String; 2],
    tolerance: Tolerance,
) -> DiffReport {
    let Comparison { animations, node_pairs, measured, vertices, deformation, differences, height, .. } = comparison;
    let sorted = |model: &Model, nodes: &mut dyn Iterator<Item = NodeIndex>| {
        let mut sources: Vec<usize> = nodes.map(|node| source(model, node)).collect();
        sources.sort_unstable();
        sources
    };
    let [file_a, file_b] = files;
    let exceeded = excesses(comparison, supplement, [a, b], tolerance);
    DiffReport {
        schema: 1,
        a: file_a,
        b: file_b,
        animation: PerSide { a: animations[0], b: animations[1] },
        animation_name: names([a, b], *animations),
        duration: durations([a, b], *animations),
        height: *height,
        samples: measured.curve.times.len(),
        unmatched: PerSide { a: sorted(a, &mut node_pairs.only_in_a()), b: sorted(b, &mut node_pairs.only_in_b()) },
        joints: measured.joints.iter().map(|joint| JointReport::new(joint, [a, b])).collect(),
        distance_max: measured.distance_max,
        angle_max: measured.angle_max,
        vertices: vertices.as_ref().map(|errors| VertexReport::new(errors, a)),
        bounds_distance_max: supplement.bounds.map(|bounds| bounds.distance_max),
        bounds_node: supplement.bounds.map(|bounds| source(a, bounds.node)),
        bounds_time: supplement.bounds.map(|bounds| bounds.time),
        morph_targets: deformation.worst_target().map(|error| TargetReport::new(error, a)),
        joint_weights: deformation.worst_weights().map(|error| WeightReport::new(error, a)),
        has_meshes: [a, b].map(has_meshes),
        has_mesh_pairs: node_pairs.pairs().any(|(in_a, in_b)| a.node(in_a).mesh.is_some() && b.node(in_b).mesh.is_some()),
        other_animations: supplement.other_animations.iter().map(|other| animation_report(other, [a, b], tolerance)).collect(),
        within_tolerance: exceeded.is_empty(),
        exceeded,
        differences: differences.clone(),
    }
}

/// The report on one of the other animations.
fn animation_report(other: &AnimationErrors, models: [&Model; 2], tolerance: Tolerance) -> AnimationReport {
    let AnimationErrors { animations, errors } = other;
    AnimationReport {
        animation: PerSide { a: animations[0], b: animations[1] },
        name: names(models, animations.map(Some)),
        duration: durations(models, animations.map(Some)),
        distance_max: errors.joint_distance,
        angle_max: errors.joint_angle,
        vertex_distance_max: errors.vertex_distance,
        bounds_distance_max: errors.bounds_distance,
        within_tolerance: measured_excesses(*errors, tolerance).next().is_none(),
    }
}

/// The names of an animation of A and one of B.
fn names([a, b]: [&Model; 2], animations: [Option<usize>; 2]) -> PerSide<Option<String>> {
    let name = |model: &Model, animation: Option<usize>| pairing::name(model, animation?).map(str::to_owned);
    PerSide { a: name(a, animations[0]), b: name(b, animations[1]) }
}

/// The durations of an animation of A and one of B, in seconds; 0 for the rest pose.
fn durations([a, b]: [&Model; 2], animations: [Option<usize>; 2]) -> PerSide<f64> {
    PerSide { a: a.animation_duration(animations[0]), b: b.animation_duration(animations[1]) }
}

/// Returns whether a node of the model has a mesh.
fn has_meshes(model: &Model) -> bool {
    model.nodes.iter().any(|node| node.mesh.is_some())
}

/// The reasons why B does not count as equal to A.
fn excesses(comparison: &Comparison, supplement: &Supplement, [a, b]: [&Model; 2], tolerance: Tolerance) -> Vec<Excess> {
    let joints = a.joints();
    let lost_joint = comparison.node_pairs.only_in_a().any(|node| joints[node.index()]);
    let differs = |code| comparison.differences.iter().any(|difference| difference.code == code);
    let loses_mesh = differs("MESH_ONLY_IN_A") || (has_meshes(a) && !has_meshes(b)) || loses_triangles(comparison, [a, b]);
    let first = LargestErrors::new(&comparison.measured, comparison.vertices, supplement.bounds);
    let others = supplement.other_animations.iter().map(|other| other.errors);
    let measured: Vec<Excess> = [first].into_iter().chain(others).flat_map(|errors| measured_excesses(errors, tolerance)).collect();
    let measured = MEASURED_EXCESSES.map(|reason| (reason, measured.contains(&reason)));
    let Comparison { deformation, .. } = comparison;
    let target_distance = deformation.worst_target().map_or(0.0, |error| error.distance);
    let weight_distance = deformation.worst_weights().map_or(0.0, |error| error.distance);
    let reasons = [
        (Excess::LostAnimation, !tolerance.lost_animations && pairing::counterparts(a, b).contains(&None)),
        (Excess::LostJoint, lost_joint),
        (Excess::LostNode, loses_node(comparison, supplement, a)),
        (Excess::LostMesh, loses_mesh),
        (Excess::MeshHidden, differs("MESH_HIDDEN")),
        (Excess::Instances, comparison.instance_distance > tolerance.distance),
        (Excess::MorphTarget, target_distance > tolerance.distance),
        (Excess::JointWeights, weight_distance > tolerance.distance),
    ];
    reasons.into_iter().chain(measured).filter(|(_, applies)| *applies).map(|(reason, _)| reason).collect()
}

/// The reasons that [`measured_excesses`] gives, in the order of its errors.
const MEASURED_EXCESSES: [Excess; 4] = [Excess::JointDistance, Excess::JointAngle, Excess::VertexDistance, Excess::BoundsDistance];

/// The tolerances that errors exceed.
fn measured_excesses(errors: LargestErrors, tolerance: Tolerance) -> impl Iterator<Item = Excess> {
    let LargestErrors { joint_distance, joint_angle, vertex_distance, bounds_distance } = errors;
    let is_far = |distance: f64| distance > tolerance.distance;
    let exceeds =
        [is_far(joint_distance), joint_angle > tolerance.angle, vertex_distance.is_some_and(is_far), bounds_distance.is_some_and(is_far)];
    MEASURED_EXCESSES.into_iter().zip(exceeds).filter(|(_, exceeds)| *exceeds).map(|(reason, _)| reason)
}

/// Returns whether the mesh of a node has triangles in A, but only points and lines in B.
fn loses_triangles(comparison: &Comparison, [a, b]: [&Model; 2]) -> bool {
    let has_triangles = |model: &Model, node: NodeIndex| pairing::mesh(model, node).is_some_and(Mesh::has_triangles);
    comparison.node_pairs.pairs().filter(|&(in_a, _)| has_triangles(a, in_a)).any(|(_, in_b)| {
        let nodes = pairing::mesh_nodes(b, &comparison.node_pairs, in_b);
        !nodes.is_empty() && !nodes.into_iter().any(|node| has_triangles(b, node))
    })
}

/// Returns whether a node of A that has a mesh, or that a compared animation drives, has no counterpart in B, or no node of A has one.
fn loses_node(comparison: &Comparison, supplement: &Supplement, a: &Model) -> bool {
    let others = supplement.other_animations.iter().map(|other| other.animations[0]);
    let animations = comparison.animations[0].into_iter().chain(others).filter_map(|animation| a.animations.get(animation));
    let channels = animations.flat_map(|animation| &animation.channels);
    let driven: HashSet<NodeIndex> = channels.filter_map(|channel| channel.target.node()).collect();
    let matters = |node: NodeIndex| a.node(node).mesh.is_some() || driven.contains(&node);
    let matches_none = !a.nodes.is_empty() && comparison.node_pairs.pairs().next().is_none();
    matches_none || comparison.node_pairs.only_in_a().any(matters)
}
