//! JOINTS_n and WEIGHTS_n: all sets of a vertex side by side, weights that sum to one, joints that exist.

use std::sync::Arc;

use gltf::json;
use gltf::json::mesh::Semantic;

use crate::asset::accessor::{Reader, Want};
use crate::asset::error::{AccessorProblem, At, LoadError, Place, Problem};
use crate::model::Model;
use crate::model::finding::Severity;
use crate::model::mesh::{Influences, UnevenWeights};

use super::primitive::attribute;

/// Weights that sum to one but for this much (quantization does that) are left as the file has them.
const ROUNDING: f64 = 1e-3;

/// Reads the sets 0, 1, ... as far as both joints and weights are there; beside them what weights sum to, where that is not one.
pub fn read(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    vertices: usize,
    place: &Place,
) -> Result<(Influences, UnevenWeights), Problem> {
    let mut sets = Vec::new();
    while let (Some(joints), Some(weights)) =
        (attribute(json, Semantic::Joints(sets.len() as u32)), attribute(json, Semantic::Weights(sets.len() as u32)))
    {
        let (joints_role, weights_role) = (format!("JOINTS_{}", sets.len()), format!("WEIGHTS_{}", sets.len()));
        let joints_want = Want { role: &joints_role, accessor: joints };
        let weights_want = Want { role: &weights_role, accessor: weights };
        for want in [joints_want, weights_want] {
            let found = reader.count(want)?;
            if found != vertices {
                return Err(want.problem(AccessorProblem::Count { found, wanted: vertices }));
            }
        }
        sets.push((reader.joints(joints_want)?, reader.floats::<[f32; 4], 4>(weights_want)?));
    }
    let set = sets.len() as u32;
    if attribute(json, Semantic::Joints(set)).is_some() != attribute(json, Semantic::Weights(set)).is_some() {
        let message = format!("{} has only one of JOINTS_{set} and WEIGHTS_{set}; it is ignored.", place.words);
        reader.findings.error("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &format!("{}/attributes", place.pointer), message);
    }
    let mut influences = interleave(sets);
    let uneven = normalize(&mut influences, reader, place);
    Ok((influences, uneven))
}

/// JOINTS_n and WEIGHTS_n as the file has them.
type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

fn interleave(mut sets: Vec<Set>) -> Influences {
    match sets.len() {
        0 => Influences::default(),
        1 => sets.pop().map_or_else(Influences::default, |(joints, weights)| Influences { sets: 1, joints, weights }),
        count => {
            let vertices = sets[0].0.len();
            let each = || (0..vertices).flat_map(|vertex| sets.iter().map(move |set| (set, vertex)));
            Influences {
                sets: count,
                joints: each().map(|(set, vertex)| set.0[vertex]).collect(),
                weights: each().map(|(set, vertex)| set.1[vertex]).collect(),
            }
        }
    }
}

/// Makes the weights of every vertex sum to one, if they are far from it; a vertex without any belongs to joint 0. Tells of which
/// vertices they were, and what they summed to.
fn normalize(influences: &mut Influences, reader: &mut Reader, place: &Place) -> UnevenWeights {
    let (mut negative, mut uneven, mut worst, mut zero) = (0, 0, 0.0f32, 0);
    let mut sums = UnevenWeights::default();
    let sets = influences.sets.max(1);
    let vertices = influences.joints.chunks_exact_mut(sets).zip(influences.weights.chunks_exact_mut(sets));
    for (vertex, (joints, weights)) in (0u32..).zip(vertices) {
        let weights = weights.as_flattened_mut();
        if weights.iter().any(|&weight| weight < 0.0) {
            negative += 1;
            weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        }
        // In f64: many large weights must not overflow.
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        if (sum - 1.0).abs() > ROUNDING {
            sums.add(vertex, sum as f32);
        }
        if sum <= 0.0 {
            zero += 1;
            joints.as_flattened_mut()[0] = 0;
            weights[0] = 1.0;
        } else if (sum - 1.0).abs() > ROUNDING {
            uneven += 1;
            worst = worst.max((sum - 1.0).abs() as f32);
            weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) / sum) as f32);
        }
    }
    let pointer = format!("{}/attributes/WEIGHTS_0", place.pointer);
    let mut say = |count: usize, code: &'static str, severity: Severity, what: String| {
        if count > 0 {
            reader.findings.add(severity, code, &pointer, format!("{}: {what}", place.words));
        }
    };
    let what = format!("{negative} vertices have negative weights; they count as 0.");
    say(negative, "ACCESSOR_WEIGHTS_NEGATIVE", Severity::Error, what);
    let what = format!("{zero} vertices have no weights; they follow joint 0.");
    say(zero, "ACCESSOR_WEIGHTS_ALL_ZERO", Severity::Warning, what);
    let what = format!("the weights of {uneven} vertices do not sum to 1 (by up to {worst}); they were normalised.");
    say(uneven, "ACCESSOR_WEIGHTS_NON_NORMALIZED", Severity::Error, what);
    sums
}

/// Holds every joint of every mesh against the skins that it is drawn with. A joint without weight may be any number.
pub fn check(model: &mut Model) -> Result<(), LoadError> {
    let mut shortest: Vec<Option<(usize, usize)>> = vec![None; model.meshes.len()];
    for node in &model.nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            let count = model.skins[skin].joints.len();
            if shortest[mesh].is_none_or(|(_, least)| count < least) {
                shortest[mesh] = Some((skin, count));
            }
        }
    }
    for (index, mesh) in model.meshes.iter_mut().enumerate() {
        let Some((skin, count)) = shortest[index] else { continue };
        for primitive in &mut mesh.primitives {
            let influences = &primitive.vertices.influences;
            let joints = influences.joints.as_flattened().iter().zip(influences.weights.as_flattened());
            let mut beyond = joints.enumerate().filter(|(_, (joint, _))| usize::from(**joint) >= count).peekable();
            if beyond.peek().is_none() {
                continue;
            }
            if let Some((i, (&joint, _))) = beyond.find(|(_, (_, weight))| **weight > 0.0) {
                let problem = Problem::JointIndex { vertex: i / (4 * influences.sets.max(1)), joint, skin, count };
                let place = Place::new("mesh", "meshes", index, mesh.name.as_deref());
                return Err(problem).at(&place.child("primitive", "primitives", primitive.source));
            }
            let joints = Arc::make_mut(&mut primitive.vertices).influences.joints.as_flattened_mut();
            joints.iter_mut().filter(|joint| usize::from(**joint) >= count).for_each(|joint| *joint = 0);
        }
    }
    Ok(())
}
