//! Compares two models: pairs their nodes, measures the distances and angles between them while animations play, and lists other
//! differences.
//!
//! [`compare`] does all of this. Both models are posed by [`crate::session::pose::pose`], so the numbers describe the poses that the
//! window shows. A model compared with itself gives exactly zero everywhere.

pub mod bounds;
pub mod counterpart;
pub mod deformation;
pub mod differences;
pub mod heat;
pub mod instances;
pub mod measure;
pub mod node_pairs;
pub mod pairing;
pub mod report;
pub mod supplement;
pub mod text;
pub mod time_map;
pub mod vertices;

use crate::session::bounds::RestSize;
use crate::session::document::Document;
use crate::session::pose::Rig;
use crate::session::view::View;

use deformation::Deformation;
use differences::Difference;
use heat::FollowedPrimitive;
use measure::Measured;
use node_pairs::NodePairs;
use time_map::TimeMap;
use vertices::{EqualPrimitives, MAX_DEFORMED_VERTICES, VertexErrors};

/// One of the two compared models, in the animation that is compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub rig: Rig<'a>,
    /// The compared animation; the rest pose if `None`.
    pub animation: Option<usize>,
}

impl Side<'_> {
    /// Duration of the animation, in seconds; 0 for the rest pose.
    pub fn duration(&self) -> f64 {
        self.rig.model.animation_duration(self.animation)
    }

    /// The view that poses the model for the comparison: the animation without layers and joint switches.
    pub fn view(&self) -> View {
        View { animation: self.animation, ..View::default() }
    }
}

/// The two sides of a comparison. A is the open file, B the one that it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
}

impl<'a> Sides<'a> {
    /// Two documents in these animations; in the rest pose if `None`.
    pub fn new([a, b]: [&'a Document; 2], animations: [Option<usize>; 2]) -> Self {
        Self { a: Side { rig: a.rig(), animation: animations[0] }, b: Side { rig: b.rig(), animation: animations[1] } }
    }

    /// The durations of both animations, in seconds.
    pub fn durations(&self) -> [f64; 2] {
        [self.a.duration(), self.b.duration()]
    }
}

/// The result of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The compared animations of A and B; the rest pose if `None`.
    pub animations: [Option<usize>; 2],
    /// The map from times of A to times of B.
    pub time_map: TimeMap,
    /// The pairs of nodes.
    pub node_pairs: NodePairs,
    /// Distances and angles of the joints.
    pub measured: Measured,
    /// Distances of vertices; `None` if no primitive has the same topology in both files.
    pub vertices: Option<VertexErrors>,
    /// Differences of morph targets and joint weights at rest.
    pub deformation: Deformation,
    /// The largest distance of an instance; see [`instances::measure`].
    pub instance_distance: f64,
    /// Primitives whose vertices the difference view colors by their individual distances.
    pub followed: Vec<FollowedPrimitive>,
    /// The differences that do not depend on the time.
    pub differences: Vec<Difference>,
    /// Height of A at rest, in meters; `None` if A has no size.
    pub height: Option<f64>,
}

impl Comparison {
    /// The largest distance of all joints and vertices, in meters. The difference view shows it in the brightest color.
    pub fn largest_distance(&self) -> f64 {
        self.vertices.map_or(0.0, |vertices| vertices.distance_max).max(self.measured.distance_max)
    }
}

/// Compares two documents. `None` if `keep_going` returns false before the end.
pub fn compare(a: &Document, b: &Document, choices: &Choices, keep_going: &dyn Fn() -> bool) -> Option<Comparison> {
    let [of_a, of_b] = choices.animations;
    let animations = [a.model.existing_animation(of_a), b.model.existing_animation(of_b)];
    let sides = Sides::new([a, b], animations);
    let node_pairs = NodePairs::new(&a.model, &b.model);
    let time_map = choices.timing.map(sides.durations());
    let times = time_map::sample_times(&sides, &time_map, time_map::max_samples(&sides));
    let measured = measure::measure(&sides, &node_pairs, &time_map, &times, keep_going)?;
    let primitives = EqualPrimitives::new([&a.model, &b.model], &node_pairs);
    let vertex_times = vertices::times(&measured.curve, primitives.vertex_count(), MAX_DEFORMED_VERTICES);
    let vertices = vertices::measure(&sides, &time_map, &primitives, &vertex_times, keep_going)?;
    let deformation = deformation::measure([a, b], &node_pairs, &primitives, keep_going)?;
    let instance_distance = instances::measure([a, b], &node_pairs);
    let differences = differences::find([&a.model, &b.model], &node_pairs, animations, &deformation);
    let followed = heat::followed([&a.model, &b.model], &node_pairs);
    let size = RestSize::new(a.rig(), a.model.scene_or_default(choices.scene), &a.mesh_bounds).size;
    let height = size.map(|size| if size.y > 0.0 { size.y } else { size.max_element() });
    Some(Comparison { animations, time_map, node_pairs, measured, vertices, deformation, instance_distance, followed, differences, height })
}

/// The user's choices for a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Choices {
    /// The animations of A and B; the rest pose if `None`.
    pub animations: [Option<usize>; 2],
    /// The matching of the animations' times.
    pub timing: time_map::Timing,
    /// The scene of A whose height is measured; the file's default scene if `None`.
    pub scene: Option<usize>,
}
