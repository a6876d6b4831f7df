//! Indices, joints and weights: several accessors held against each other, vertex by vertex.

use std::collections::{HashMap, HashSet};

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::asset::file::buffer::Bytes;

use super::elements::{Budget, Elements, MOST};
use super::read;
use super::subject::{Layout, Subject};

pub fn check(subject: &mut Subject, views: &[Option<Bytes>], budget: &mut Budget) {
    let shortest = shortest_skins(subject);
    let mut indices = Indices { views, known: HashMap::new() };
    let mut done = HashSet::new();
    for (mesh, json) in subject.list("meshes").iter().enumerate() {
        for (primitive, json) in read::list(json, "primitives").iter().enumerate() {
            let place = format!("/meshes/{mesh}/primitives/{primitive}");
            let Some(attributes) = json.get("attributes") else { continue };
            let vertices = subject.accessor(attributes, "POSITION").and_then(|(_, accessor)| Some(accessor.layout?.count));
            let Some(vertices) = vertices else { continue };
            indices.check(subject, json, vertices, budget, &format!("{place}/indices"));
            let Some(&(skin, joints)) = shortest.get(&mesh) else { continue };
            let Some(sets) = Sets::new(subject, attributes, vertices) else { continue };
            if !sets.0.is_empty() && done.insert((sets.0.clone(), joints)) {
                sets.check(subject, views, budget, Skin { skin, joints, place: &format!("{place}/attributes") });
            }
        }
    }
}

/// For each mesh, of the skins that it is drawn with the one with the fewest joints.
fn shortest_skins(subject: &Subject) -> HashMap<usize, (usize, u64)> {
    let mut shortest: HashMap<usize, (usize, u64)> = HashMap::new();
    for node in subject.list("nodes") {
        let (Some(mesh), Some(skin)) = (read::index(node, "mesh"), read::index(node, "skin")) else { continue };
        let joints = subject.list("skins").get(skin).map_or(0, |skin| read::list(skin, "joints").len() as u64);
        if joints > 0 && shortest.get(&mesh).is_none_or(|&(_, least)| joints < least) {
            shortest.insert(mesh, (skin, joints));
        }
    }
    shortest
}

/// What is known of an accessor of indices.
#[derive(Clone, Copy)]
struct Found {
    greatest: u64,
    /// Where it stands first.
    at: u64,
    restarts: bool,
    degenerate: u64,
}

struct Indices<'a> {
    views: &'a [Option<Bytes>],
    known: HashMap<usize, Option<Found>>,
}

impl Indices<'_> {
    fn check(&mut self, subject: &mut Subject, primitive: &Value, vertices: u64, budget: &mut Budget, place: &str) {
        let Some((index, _)) = subject.accessor(primitive, "indices") else { return };
        let found = match self.known.get(&index) {
            Some(&found) => found,
            None => {
                let elements = Elements::new(subject, self.views, index, budget);
                let found = elements.filter(|elements| elements.layout.shape == Type::Scalar).map(|elements| find(&elements));
                self.known.insert(index, found);
                found
            }
        };
        let Some(found) = found else { return };
        if found.greatest >= vertices {
            let message = format!("Index {} names vertex {} of {vertices}.", found.at, found.greatest);
            subject.error("ACCESSOR_INDEX_OOB", place, message);
        }
        if found.restarts {
            let message = "The greatest index of its type means a restart, which glTF does not have.";
            subject.error("ACCESSOR_INDEX_PRIMITIVE_RESTART", place, message);
        }
        let is_triangles = primitive.get("mode").is_none_or(|mode| mode == 4);
        if found.degenerate > 0 && is_triangles {
            let message = format!("{} triangles name a vertex twice; nothing is seen of them.", found.degenerate);
            subject.info("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", place, message);
        }
    }
}

fn find(elements: &Elements) -> Found {
    let restart = match elements.layout.component {
        ComponentType::U8 => f64::from(u8::MAX),
        ComponentType::U16 => f64::from(u16::MAX),
        _ => f64::from(u32::MAX),
    };
    let mut found = Found { greatest: 0, at: 0, restarts: false, degenerate: 0 };
    let mut numbers = [0.0; MOST];
    let mut triangle = [0.0; 3];
    for element in 0..elements.layout.count {
        elements.element(element, &mut numbers);
        let index = numbers[0];
        found.restarts |= index == restart;
        if index as u64 > found.greatest {
            (found.greatest, found.at) = (index as u64, element);
        }
        triangle[(element % 3) as usize] = index;
        let [a, b, c] = triangle;
        found.degenerate += u64::from(element % 3 == 2 && (a == b || b == c || c == a));
    }
    found
}

/// Accessors of JOINTS_n and WEIGHTS_n, as far as both go.
struct Sets(Vec<(usize, usize)>);

/// The skin that joints are held against.
struct Skin<'a> {
    skin: usize,
    joints: u64,
    place: &'a str,
}

/// How often something is wrong in one set.
#[derive(Default, Clone, Copy)]
struct Wrong {
    outside: u64,
    duplicate: u64,
    unweighted: u64,
    negative: u64,
}

impl Sets {
    /// None where one of them is not as long as the others.
    fn new(subject: &Subject, attributes: &Value, vertices: u64) -> Option<Self> {
        let mut sets = Vec::new();
        while let (Some((joints, of_joints)), Some((weights, of_weights))) = (
            subject.accessor(attributes, &format!("JOINTS_{}", sets.len())),
            subject.accessor(attributes, &format!("WEIGHTS_{}", sets.len())),
        ) {
            let (of_joints, of_weights) = (of_joints.layout?, of_weights.layout?);
            let fits = |layout: Layout| layout.count == vertices && layout.shape == Type::Vec4;
            let are_joints = matches!(of_joints.component, ComponentType::U8 | ComponentType::U16);
            (fits(of_joints) && fits(of_weights) && are_joints).then_some(())?;
            sets.push((joints, weights));
        }
        Some(Self(sets))
    }

    fn check(&self, subject: &mut Subject, views: &[Option<Bytes>], budget: &mut Budget, skin: Skin) {
        let mut elements = |accessor| Elements::new(subject, views, accessor, budget);
        let sets = self.0.iter().map(|&(joints, weights)| Some((elements(joints)?, elements(weights)?)));
        let Some(sets) = sets.collect::<Option<Vec<_>>>() else { return };
        let mut wrong = vec![Wrong::default(); sets.len()];
        let (mut uneven, mut worst) = (0u64, 0.0f64);
        // By joint, the last vertex that named it.
        let mut named = vec![u64::MAX; skin.joints.min(1 << 16) as usize];
        let (mut joints, mut weights) = ([0.0; MOST], [0.0; MOST]);
        for vertex in 0..sets[0].0.layout.count {
            let (mut sum, mut slack) = (0.0f32, 0.0);
            for ((of_joints, of_weights), wrong) in sets.iter().zip(&mut wrong) {
                of_joints.element(vertex, &mut joints);
                of_weights.element(vertex, &mut weights);
                for (&joint, &weight) in joints[..4].iter().zip(&weights[..4]) {
                    let (joint, weight) = (joint as u64, of_weights.fraction(weight));
                    if joint >= skin.joints {
                        wrong.outside += 1;
                        continue;
                    }
                    if weight == 0.0 {
                        wrong.unweighted += u64::from(joint != 0);
                        continue;
                    }
                    let is_new = named.get_mut(joint as usize).is_some_and(|last| std::mem::replace(last, vertex) != vertex);
                    wrong.duplicate += u64::from(!is_new);
                    wrong.negative += u64::from(weight < 0.0);
                    if weight > 0.0 && is_new {
                        (sum, slack) = (sum + weight as f32, slack + 2e-7);
                    }
                }
            }
            // What is no number is said elsewhere.
            let off = (f64::from(sum) - 1.0).abs();
            if off > slack && off.is_finite() {
                (uneven, worst) = (uneven + 1, worst.max(off));
            }
        }
        say(subject, &wrong, (uneven, worst), &skin);
    }
}

fn say(subject: &mut Subject, wrong: &[Wrong], (uneven, worst): (u64, f64), skin: &Skin) {
    for (set, wrong) in wrong.iter().enumerate() {
        let (joints, weights) = (format!("{}/JOINTS_{set}", skin.place), format!("{}/WEIGHTS_{set}", skin.place));
        if wrong.outside > 0 {
            let message =
                format!("{} times a joint is named that skin {} does not have; it has {}.", wrong.outside, skin.skin, skin.joints);
            subject.error("ACCESSOR_JOINTS_INDEX_OOB", &joints, message);
        }
        if wrong.duplicate > 0 {
            let message = format!("{} times a vertex names the same joint twice.", wrong.duplicate);
            subject.error("ACCESSOR_JOINTS_INDEX_DUPLICATE", &joints, message);
        }
        if wrong.unweighted > 0 {
            let message = format!("{} joints have no weight; such a joint is written as 0.", wrong.unweighted);
            subject.warning("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", &joints, message);
        }
        if wrong.negative > 0 {
            subject.error("ACCESSOR_WEIGHTS_NEGATIVE", &weights, format!("{} weights are negative; they count as 0.", wrong.negative));
        }
        if uneven > 0 {
            let message = format!("The weights of {uneven} vertices do not sum to 1 (by up to {worst}).");
            subject.error("ACCESSOR_WEIGHTS_NON_NORMALIZED", &weights, message);
        }
    }
}
