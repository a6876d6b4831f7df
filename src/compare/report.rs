//! The result of a comparison as `sinew diff --json` prints it. Nodes and animations have their file's own indices.

use serde::Serialize;

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::Comparison;
use super::differences::Difference;

/// How far two files may be apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// Largest distance, in meters.
    pub distance: f64,
    /// Largest angle, in degrees.
    pub angle: f64,
}

/// The report. Numbers that are not finite are printed as null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub schema: u32,
    /// The paths of the files, as given.
    pub a: String,
    pub b: String,
    pub animation: PerSide<Option<usize>>,
    /// In seconds.
    pub duration: PerSide<f64>,
    /// Height of A at rest, in meters; null if nothing in it has a size.
    pub height: Option<f64>,
    /// Number of times at which the joints were compared.
    pub samples: usize,
    /// Nodes without a counterpart.
    pub unmatched: PerSide<Vec<usize>>,
    /// Every bound node, the worst first.
    pub joints: Vec<JointReport>,
    pub distance_max: f64,
    pub angle_max: f64,
    /// Null if no primitive has the same topology in both files.
    pub vertices: Option<VertexReport>,
    pub within_tolerance: bool,
    pub differences: Vec<Difference>,
}

/// A value of each file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PerSide<T> {
    pub a: T,
    pub b: T,
}

/// How far a node is from its counterpart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointReport {
    pub a: usize,
    pub b: usize,
    /// Name in A.
    pub name: Option<String>,
    /// In meters.
    pub distance_max: f64,
    pub distance_mean: f64,
    /// In degrees.
    pub angle_max: f64,
    /// When it is worst, in seconds of A.
    pub time: f64,
}

/// How far the same vertices are apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VertexReport {
    /// In meters.
    pub distance_max: f64,
    pub distance_mean: f64,
    /// Where the largest distance is, in A.
    pub node: usize,
    pub primitive: usize,
    pub vertex: usize,
    /// When it occurs, in seconds of A.
    pub time: f64,
    /// Number of vertices that were compared, and of those whose topology differs.
    pub compared: usize,
    pub skipped: usize,
}

/// Makes the report. `models` and `files` are those of A and B.
pub fn report(comparison: &Comparison, [a, b]: [&Model; 2], files: [String; 2], tolerance: Tolerance) -> Report {
    let Comparison { animations, binding, measured, vertices, differences, height, .. } = comparison;
    let source = |model: &Model, node: NodeIndex| model.node(node).source;
    let sorted = |model: &Model, nodes: &mut dyn Iterator<Item = NodeIndex>| {
        let mut sources: Vec<usize> = nodes.map(|node| source(model, node)).collect();
        sources.sort_unstable();
        sources
    };
    let joints = measured.joints.iter().map(|joint| JointReport {
        a: source(a, joint.a),
        b: source(b, joint.b),
        name: a.node(joint.a).name.clone(),
        distance_max: joint.distance_max,
        distance_mean: joint.distance_mean,
        angle_max: joint.angle_max,
        time: joint.time,
    });
    let vertices = vertices.map(|errors| VertexReport {
        distance_max: errors.distance_max,
        distance_mean: errors.distance_mean,
        node: source(a, errors.node),
        primitive: errors.primitive,
        vertex: errors.vertex,
        time: errors.time,
        compared: errors.compared,
        skipped: errors.skipped,
    });
    let [file_a, file_b] = files;
    let duration = |model: &Model, animation: Option<usize>| {
        animation.and_then(|animation| model.animations.get(animation)).map_or(0.0, |animation| animation.duration)
    };
    Report {
        schema: 1,
        a: file_a,
        b: file_b,
        animation: PerSide { a: animations[0], b: animations[1] },
        duration: PerSide { a: duration(a, animations[0]), b: duration(b, animations[1]) },
        height: *height,
        samples: measured.curve.times.len(),
        unmatched: PerSide { a: sorted(a, &mut binding.only_in_a()), b: sorted(b, &mut binding.only_in_b()) },
        joints: joints.collect(),
        distance_max: measured.distance_max,
        angle_max: measured.angle_max,
        vertices,
        within_tolerance: is_within(comparison, a, tolerance),
        differences: differences.clone(),
    }
}

/// Returns whether joints and vertices are within the tolerance. A joint of A without counterpart is beyond any tolerance.
fn is_within(comparison: &Comparison, a: &Model, tolerance: Tolerance) -> bool {
    let joints = a.joints();
    let is_whole = !comparison.binding.only_in_a().any(|node| joints.get(node.index()).copied().unwrap_or_default());
    let near = |distance: f64| distance <= tolerance.distance;
    let measured = &comparison.measured;
    let vertices = comparison.vertices.is_none_or(|vertices| near(vertices.distance_max));
    is_whole && near(measured.distance_max) && measured.angle_max <= tolerance.angle && vertices
}
