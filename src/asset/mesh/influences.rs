//! Reads JOINTS_n and WEIGHTS_n (glTF 2.0, 3.7.3.3): interleaves the sets of each vertex, normalizes weights and checks joint
//! indices.

use std::collections::HashSet;
use std::sync::Arc;

use gltf::json;
use gltf::json::mesh::Semantic;

use crate::asset::accessor::{AccessorRequest, Reader};
use crate::asset::error::{AccessorProblem, At, LoadError, Location, Problem};
use crate::model::Model;
use crate::model::finding::Severity;
use crate::model::label;
use crate::model::mesh::{Influences, UnevenWeights};
use crate::numbers::{agreeing, counted, three_digits};

use super::attribute::attribute;

/// Reads the sets 0, 1, ... of a primitive, and stops at the first that lacks joints or weights. Also returns the vertices whose
/// weights do not sum to 1.
pub fn read(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    vertex_count: usize,
    location: &Location,
) -> Result<(Influences, UnevenWeights), Problem> {
    let mut sets = Vec::new();
    while let (Some(joints), Some(weights)) =
        (attribute(json, Semantic::Joints(sets.len() as u32)), attribute(json, Semantic::Weights(sets.len() as u32)))
    {
        let (joints_role, weights_role) = (format!("JOINTS_{}", sets.len()), format!("WEIGHTS_{}", sets.len()));
        let joints_request = AccessorRequest { role: &joints_role, accessor: joints };
        let weights_request = AccessorRequest { role: &weights_role, accessor: weights };
        for request in [joints_request, weights_request] {
            let found = reader.count(request)?;
            if found != vertex_count {
                return Err(request.problem(AccessorProblem::Count { found, wanted: vertex_count }));
            }
        }
        sets.push((reader.joints(joints_request)?, reader.floats::<[f32; 4], 4>(weights_request)?));
    }
    let set = sets.len() as u32;
    if attribute(json, Semantic::Joints(set)).is_some() != attribute(json, Semantic::Weights(set)).is_some() {
        let message = format!("{} has only one of JOINTS_{set} and WEIGHTS_{set}; it is ignored.", location.words);
        reader.findings.error("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &format!("{}/attributes", location.pointer), message);
    }
    let mut influences = interleave(sets);
    let uneven = normalize(&mut influences, reader, location);
    Ok((influences, uneven))
}

/// JOINTS_n and WEIGHTS_n of one set, one element per vertex.
type JointsAndWeights = (Vec<[u16; 4]>, Vec<[f32; 4]>);

/// Puts the sets of each vertex side by side: all sets of vertex 0, then those of vertex 1.
fn interleave(mut sets: Vec<JointsAndWeights>) -> Influences {
    match sets.len() {
        0 => Influences::default(),
        1 => sets.pop().map_or_else(Influences::default, |(joints, weights)| Influences { sets: 1, joints, weights }),
        count => {
            let vertex_count = sets[0].0.len();
            let vertex_sets = || (0..vertex_count).flat_map(|vertex| sets.iter().map(move |set| (set, vertex)));
            Influences {
                sets: count,
                joints: vertex_sets().map(|((joints, _), vertex)| joints[vertex]).collect(),
                weights: vertex_sets().map(|((_, weights), vertex)| weights[vertex]).collect(),
            }
        }
    }
}

/// Replaces negative weights by 0, then normalizes the weights of each vertex whose sum is outside the tolerance. A vertex without weights
/// follows joint 0. Joints without weight become joint 0, because skins may lack them. Returns the vertices whose sums were outside the
/// tolerance, with these sums.
fn normalize(influences: &mut Influences, reader: &mut Reader, location: &Location) -> UnevenWeights {
    // Numbers of vertices, and the largest deviation of a sum from 1.
    let (mut negative, mut uneven, mut zero, mut max_deviation) = (0, 0, 0, 0.0f32);
    let mut uneven_weights = UnevenWeights::default();
    // A vertex has `sets` times four weights, which are normalized together.
    let sets = influences.sets.max(1);
    let vertices = influences.joints.chunks_exact_mut(sets).zip(influences.weights.chunks_exact_mut(sets));
    for (vertex, (joints, weights)) in (0u32..).zip(vertices) {
        let weights = weights.as_flattened_mut();
        if weights.iter().any(|&weight| weight < 0.0) {
            negative += 1;
            weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        }
        // Sum in f64, since large weights could overflow.
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        if (sum - 1.0).abs() > UnevenWeights::SUM_TOLERANCE {
            uneven_weights.add(vertex, sum as f32);
        }
        if sum <= 0.0 {
            zero += 1;
            joints.as_flattened_mut()[0] = 0;
            weights[0] = 1.0;
        } else if (sum - 1.0).abs() > UnevenWeights::SUM_TOLERANCE {
            uneven += 1;
            max_deviation = max_deviation.max((sum - 1.0).abs() as f32);
            weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) / sum) as f32);
        }
        for (joint, _) in joints.as_flattened_mut().iter_mut().zip(weights).filter(|(_, weight)| **weight == 0.0) {
            *joint = 0;
        }
    }
    let pointer = format!("{}/attributes/WEIGHTS_0", location.pointer);
    let mut report = |count: usize, code: &'static str, severity: Severity, message: String| {
        if count > 0 {
            reader.findings.add(severity, code, &pointer, label::capitalized(&format!("{}: {message}", location.words)));
        }
    };
    let have = agreeing(negative, "has", "have");
    let message = format!("{} {have} negative weights; they are replaced by 0.", counted(negative, "vertex"));
    report(negative, "ACCESSOR_WEIGHTS_NEGATIVE", Severity::Error, message);
    let have = agreeing(zero, "has no weights; it follows", "have no weights; they follow");
    let message = format!("{} {have} joint 0.", counted(zero, "vertex"));
    report(zero, "ACCESSOR_WEIGHTS_ALL_ZERO", Severity::Warning, message);
    let vertices = counted(uneven, "vertex");
    let message = format!(
        "the weights of {vertices} do not sum to 1 (they are off by up to {}); they are normalized.",
        three_digits(max_deviation.into())
    );
    report(uneven, "ACCESSOR_WEIGHTS_NON_NORMALIZED", Severity::Error, message);
    uneven_weights
}

/// Checks every joint index of every mesh against the skins that the mesh is drawn with. An index that the skin does not have is an error
/// if its weight is above 0.
pub fn check_joints(model: &Model) -> Result<(), LoadError> {
    // For each mesh, the skin with the fewest joints, and the number of these joints. An index that this skin has exists in the
    // other skins, too.
    let mut smallest_skins: Vec<Option<(usize, usize)>> = vec![None; model.meshes.len()];
    for node in &model.nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            let count = model.skins[skin].joints.len();
            if smallest_skins[mesh].is_none_or(|(_, min)| count < min) {
                smallest_skins[mesh] = Some((skin, count));
            }
        }
    }
    // Primitives can share their vertices. These are checked once for each number of joints.
    let mut checked = HashSet::new();
    for (index, mesh) in model.meshes.iter().enumerate() {
        let Some((skin, count)) = smallest_skins[index] else { continue };
        for primitive in mesh.primitives.iter().filter(|primitive| checked.insert((Arc::as_ptr(&primitive.vertices), count))) {
            let influences = &primitive.vertices.influences;
            let mut joints = influences.joints.as_flattened().iter().zip(influences.weights.as_flattened()).enumerate();
            // A joint with a weight above 0 would move the vertex, so the file is invalid. Four joints make a set.
            if let Some((position, (&joint, _))) = joints.find(|(_, (joint, weight))| usize::from(**joint) >= count && **weight > 0.0) {
                let problem = Problem::JointIndex { vertex: position / (4 * influences.sets.max(1)), joint, skin, count };
                let location = Location::new("mesh", "meshes", index, mesh.name.as_deref());
                return Err(problem).at(&location.child("primitive", "primitives", primitive.source));
            }
        }
    }
    Ok(())
}
