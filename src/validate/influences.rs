//! Indices, joints and weights: several accessors checked against each other, vertex by vertex (glTF 2.0, 3.7.2.1 and
//! 3.7.3.3).

use std::collections::{HashMap, HashSet};

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::asset::file::bytes::Bytes;
use crate::numbers::{agreeing, counted, three_digits};

use crate::validate::accessor::elements::{Budget, Elements, MAX_COMPONENTS};
use crate::validate::context::{AccessorLayout, ValidationContext};
use crate::validate::read;

/// Checks the indices of all primitives, and the influences of those that are drawn with a skin.
pub fn check(context: &mut ValidationContext, views: &[Option<Bytes>], budget: &mut Budget) {
    // A mesh may be drawn with several skins. If the joints exist in the skin with the fewest joints, they exist in all skins.
    let shortest = shortest_skins(context);
    let mut indices = Indices { views, stats_by_accessor: HashMap::new() };
    // Primitives often share their influences. Each combination of influences and skin is checked once.
    let mut checked_combinations = HashSet::new();
    for (mesh, json) in context.list("meshes").iter().enumerate() {
        for (primitive, json) in read::list(json, "primitives").iter().enumerate() {
            let pointer = format!("/meshes/{mesh}/primitives/{primitive}");
            let Some(attributes) = json.get("attributes") else { continue };
            let vertices = context.accessor(attributes, "POSITION").and_then(|(_, accessor)| Some(accessor.layout?.count));
            let Some(vertices) = vertices else { continue };
            indices.check(context, json, vertices, budget, &format!("{pointer}/indices"));
            let Some(&(skin, joints)) = shortest.get(&mesh) else { continue };
            let Some(sets) = InfluenceSets::new(context, attributes, vertices) else { continue };
            if !sets.0.is_empty() && checked_combinations.insert((sets.0.clone(), joints)) {
                sets.check(context, views, budget, SkinLimit { skin, joints, pointer: &format!("{pointer}/attributes") });
            }
        }
    }
}

/// For each mesh, the skin with the fewest joints among the skins that the mesh is drawn with, and its number of joints.
fn shortest_skins(context: &ValidationContext) -> HashMap<usize, (usize, u64)> {
    let mut shortest: HashMap<usize, (usize, u64)> = HashMap::new();
    for node in context.list("nodes") {
        let (Some(mesh), Some(skin)) = (read::index(node, "mesh"), read::index(node, "skin")) else { continue };
        let joints = context.list("skins").get(skin).map_or(0, |skin| read::list(skin, "joints").len() as u64);
        if joints > 0 && shortest.get(&mesh).is_none_or(|&(_, min)| joints < min) {
            shortest.insert(mesh, (skin, joints));
        }
    }
    shortest
}

/// The result of reading an index accessor.
#[derive(Clone, Copy)]
struct IndexStats {
    /// The greatest vertex that an index refers to.
    greatest: u64,
    /// The first element that has the greatest index.
    greatest_element: u64,
    /// Whether an index has the value that some graphics APIs interpret as primitive restart.
    has_restart: bool,
    /// Triangles that use a vertex twice, if the indices are read as a list of triangles.
    degenerate: usize,
}

/// Checks indices. Results are kept by accessor, because primitives share index accessors.
struct Indices<'a> {
    views: &'a [Option<Bytes>],
    stats_by_accessor: HashMap<usize, Option<IndexStats>>,
}

impl Indices<'_> {
    /// Checks the indices of a primitive that has `vertices` vertices.
    fn check(&mut self, context: &mut ValidationContext, primitive: &Value, vertices: u64, budget: &mut Budget, pointer: &str) {
        let Some((index, _)) = context.accessor(primitive, "indices") else { return };
        let stats = match self.stats_by_accessor.get(&index) {
            Some(&stats) => stats,
            None => {
                let elements = Elements::new(context, self.views, index, budget);
                let stats = elements.filter(|elements| elements.layout.shape == Type::Scalar).map(|elements| index_stats(&elements));
                self.stats_by_accessor.insert(index, stats);
                stats
            }
        };
        let Some(stats) = stats else { return };
        if stats.greatest >= vertices {
            let (are, vertices) = (agreeing(vertices as usize, "is", "are"), counted(vertices as usize, "vertex"));
            let message = format!("Index {} refers to vertex {}, but there {are} {vertices}.", stats.greatest_element, stats.greatest);
            context.error("ACCESSOR_INDEX_OOB", pointer, message);
        }
        if stats.has_restart {
            let message = "The maximum value of the index type is primitive restart, which glTF does not allow.";
            context.error("ACCESSOR_INDEX_PRIMITIVE_RESTART", pointer, message);
        }
        let is_triangles = primitive.get("mode").is_none_or(|mode| mode == 4);
        if stats.degenerate > 0 && is_triangles {
            let (triangles, use_it) = (counted(stats.degenerate, "triangle"), agreeing(stats.degenerate, "uses", "use"));
            let message = format!("{triangles} {use_it} a vertex twice; {} invisible.", agreeing(stats.degenerate, "it is", "they are"));
            context.info("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", pointer, message);
        }
    }
}

/// Reads all indices once.
fn index_stats(elements: &Elements) -> IndexStats {
    let restart = match elements.layout.component {
        ComponentType::U8 => f64::from(u8::MAX),
        ComponentType::U16 => f64::from(u16::MAX),
        _ => f64::from(u32::MAX),
    };
    let mut stats = IndexStats { greatest: 0, greatest_element: 0, has_restart: false, degenerate: 0 };
    let mut numbers = [0.0; MAX_COMPONENTS];
    let mut triangle = [0.0; 3];
    for element in 0..elements.layout.count {
        elements.element(element, &mut numbers);
        let index = numbers[0];
        stats.has_restart |= index == restart;
        if index as u64 > stats.greatest {
            (stats.greatest, stats.greatest_element) = (index as u64, element);
        }
        triangle[(element % 3) as usize] = index;
        let [a, b, c] = triangle;
        stats.degenerate += usize::from(element % 3 == 2 && (a == b || b == c || c == a));
    }
    stats
}

/// The accessors of JOINTS_n and WEIGHTS_n. n starts at 0 and increases as long as both exist.
struct InfluenceSets(Vec<(usize, usize)>);

/// The skin that joints are checked against, its number of joints, and the JSON pointer of the attributes.
struct SkinLimit<'a> {
    skin: usize,
    joints: u64,
    pointer: &'a str,
}

/// The number of times that each fault occurs in one set.
#[derive(Default, Clone, Copy)]
struct InfluenceFaults {
    /// Joints that the skin does not have.
    outside: u64,
    /// Joints that a vertex uses twice.
    duplicate: u64,
    /// Joints with weight 0, except joint 0.
    unweighted: u64,
    /// Weights below 0.
    negative: u64,
}

impl InfluenceSets {
    /// The sets of a primitive. `None` if their counts or formats are wrong, which other checks report.
    fn new(context: &ValidationContext, attributes: &Value, vertices: u64) -> Option<Self> {
        let mut sets = Vec::new();
        while let (Some((joints, joint_accessor)), Some((weights, weight_accessor))) = (
            context.accessor(attributes, &format!("JOINTS_{}", sets.len())),
            context.accessor(attributes, &format!("WEIGHTS_{}", sets.len())),
        ) {
            let (joint_layout, weight_layout) = (joint_accessor.layout?, weight_accessor.layout?);
            let fits = |layout: AccessorLayout| layout.count == vertices && layout.shape == Type::Vec4;
            let are_joints = matches!(joint_layout.component, ComponentType::U8 | ComponentType::U16);
            (fits(joint_layout) && fits(weight_layout) && are_joints).then_some(())?;
            sets.push((joints, weights));
        }
        Some(Self(sets))
    }

    /// Checks all vertices: joints exist and are distinct, weights are not negative and sum to 1.
    fn check(&self, context: &mut ValidationContext, views: &[Option<Bytes>], budget: &mut Budget, skin: SkinLimit) {
        let mut elements = |accessor| Elements::new(context, views, accessor, budget);
        let sets = self.0.iter().map(|&(joints, weights)| Some((elements(joints)?, elements(weights)?)));
        let Some(sets) = sets.collect::<Option<Vec<_>>>() else { return };
        let mut faults = vec![InfluenceFaults::default(); sets.len()];
        let (mut uneven, mut worst) = (0u64, 0.0f64);
        // For each joint, the last vertex that used it.
        let mut last_vertex = vec![u64::MAX; skin.joints.min(1 << 16) as usize];
        let (mut joints, mut weights) = ([0.0; MAX_COMPONENTS], [0.0; MAX_COMPONENTS]);
        for vertex in 0..sets[0].0.layout.count {
            // The Khronos validator sums in f32, and allows 2e-7 per weight that is not zero (glTF 2.0, 3.7.3.3).
            let (mut sum, mut tolerance) = (0.0f32, 0.0);
            for ((joint_elements, weight_elements), faults) in sets.iter().zip(&mut faults) {
                joint_elements.element(vertex, &mut joints);
                weight_elements.element(vertex, &mut weights);
                for (&joint, &weight) in joints[..4].iter().zip(&weights[..4]) {
                    let (joint, weight) = (joint as u64, weight_elements.fraction(weight));
                    if joint >= skin.joints {
                        faults.outside += 1;
                        continue;
                    }
                    if weight == 0.0 {
                        faults.unweighted += u64::from(joint != 0);
                        continue;
                    }
                    // The joint is new if another vertex used it last, or if no vertex has used it.
                    let is_new = last_vertex.get_mut(joint as usize).is_some_and(|last| std::mem::replace(last, vertex) != vertex);
                    faults.duplicate += u64::from(!is_new);
                    faults.negative += u64::from(weight < 0.0);
                    if weight > 0.0 && is_new {
                        (sum, tolerance) = (sum + weight as f32, tolerance + 2e-7);
                    }
                }
            }
            // Numbers that are not finite are reported elsewhere.
            let deviation = (f64::from(sum) - 1.0).abs();
            if deviation > tolerance && deviation.is_finite() {
                (uneven, worst) = (uneven + 1, worst.max(deviation));
            }
        }
        report(context, &faults, uneven, worst, &skin);
    }
}

/// Reports the faults of each set. The sum of weights concerns all sets of the primitive.
fn report(context: &mut ValidationContext, faults: &[InfluenceFaults], uneven: u64, worst: f64, skin: &SkinLimit) {
    for (set, faults) in faults.iter().enumerate() {
        let (joints, weights) = (format!("{}/JOINTS_{set}", skin.pointer), format!("{}/WEIGHTS_{set}", skin.pointer));
        if faults.outside > 0 {
            let exist = agreeing(faults.outside as usize, "index does", "indices do");
            let joint_count = counted(skin.joints as usize, "joint");
            let message = format!("{} joint {exist} not exist in skin {}, which has {joint_count}.", faults.outside, skin.skin);
            context.error("ACCESSOR_JOINTS_INDEX_OOB", &joints, message);
        }
        if faults.duplicate > 0 {
            let are = agreeing(faults.duplicate as usize, "is", "are");
            let message = format!("{} {are} used twice by a vertex.", counted(faults.duplicate as usize, "joint"));
            context.error("ACCESSOR_JOINTS_INDEX_DUPLICATE", &joints, message);
        }
        if faults.unweighted > 0 {
            let have = agreeing(faults.unweighted as usize, "index has", "indices have");
            let message = format!("{} joint {have} weight 0; such indices should be 0.", faults.unweighted);
            context.warning("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", &joints, message);
        }
        if faults.negative > 0 {
            let are = agreeing(faults.negative as usize, "is negative; it is", "are negative; they are");
            let message = format!("{} {are} replaced by 0.", counted(faults.negative as usize, "weight"));
            context.error("ACCESSOR_WEIGHTS_NEGATIVE", &weights, message);
        }
        if uneven > 0 {
            let vertices = counted(uneven as usize, "vertex");
            let once = if faults.duplicate > 0 { ", if each joint counts once" } else { "" };
            let message = format!("The weights of {vertices} do not sum to 1 (they are off by up to {}{once}).", three_digits(worst));
            context.error("ACCESSOR_WEIGHTS_NON_NORMALIZED", &weights, message);
        }
    }
}
