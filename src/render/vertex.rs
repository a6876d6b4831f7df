//! A primitive's attributes packed as the vertex stage reads them: interleaved vertices, the first set of influences beside
//! them, further sets as words, and morph targets turned round to the deltas of each vertex.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};

use crate::model::mesh::{Influences, MorphTarget, Primitive};

/// Keep in sync with `Attributes` in mesh.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: [f32; 4],
    pub tex_coords: [Vec2; 2],
    /// 0 to 65535 for 0 to 1.
    pub color: [u16; 4],
}

impl Vertex {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32x4, 4 => Unorm16x4];
}

/// Keep in sync with `FirstInfluences` in mesh.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FirstInfluences {
    pub joints: [u16; 4],
    pub weights: [f32; 4],
}

impl FirstInfluences {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![5 => Uint16x4, 6 => Float32x4];
}

/// What one morph target changes of one vertex. Keep in sync with `MorphDelta` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MorphDelta {
    pub target: u32,
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: Vec3,
}

pub fn vertices(primitive: &Primitive) -> Vec<Vertex> {
    let [uv0, uv1] = &primitive.tex_coords;
    // A second set that a file lacks reads as the first, as a first that it lacks reads as zeros.
    let uv = |set: &[Vec2], i: usize| set.get(i).copied();
    let unorm = |c: f32| (c.clamp(0.0, 1.0) * 65535.0).round() as u16;
    primitive
        .positions
        .iter()
        .enumerate()
        .map(|(i, &position)| {
            let first = uv(uv0, i).unwrap_or_default();
            Vertex {
                position,
                normal: primitive.normals.get(i).copied().unwrap_or_default(),
                tangent: primitive.tangents.get(i).copied().unwrap_or_default().to_array(),
                tex_coords: [first, uv(uv1, i).unwrap_or(first)],
                color: primitive.colors.get(i).copied().unwrap_or(Vec4::ONE).to_array().map(unorm),
            }
        })
        .collect()
}

/// The first set of each vertex; empty without skinning.
pub fn first_influences(influences: &Influences) -> Vec<FirstInfluences> {
    let sets = influences.joints.iter().zip(&influences.weights);
    sets.step_by(influences.sets.max(1)).map(|(&joints, &weights)| FirstInfluences { joints, weights }).collect()
}

/// All further sets, six words each: two joints to a word, then the weights as bits.
pub fn extra_influences(influences: &Influences) -> Vec<u32> {
    let mut words = Vec::new();
    if influences.sets < 2 {
        return words;
    }
    words.reserve(influences.joints.len() * 6);
    for (i, (joints, weights)) in influences.joints.iter().zip(&influences.weights).enumerate() {
        if i % influences.sets == 0 {
            continue;
        }
        let [a, b, c, d] = joints.map(u32::from);
        words.extend([a | b << 16, c | d << 16]);
        words.extend(weights.map(f32::to_bits));
    }
    words
}

/// For each vertex where its deltas begin (and last where they end), and the deltas that are not zero.
pub fn morph_deltas(vertex_count: usize, targets: &[MorphTarget]) -> (Vec<u32>, Vec<MorphDelta>) {
    let mut offsets = Vec::with_capacity(vertex_count + 1);
    let mut deltas = Vec::new();
    let at = |values: &[Vec3], vertex: usize| values.get(vertex).copied().unwrap_or_default();
    let moving: Vec<_> = targets
        .iter()
        .enumerate()
        .filter(|(_, target)| !(target.positions.is_empty() && target.normals.is_empty() && target.tangents.is_empty()))
        .collect();
    for vertex in 0..vertex_count {
        offsets.push(deltas.len() as u32);
        for (i, target) in &moving {
            let delta = MorphDelta {
                target: *i as u32,
                position: at(&target.positions, vertex),
                normal: at(&target.normals, vertex),
                tangent: at(&target.tangents, vertex),
            };
            if [delta.position, delta.normal, delta.tangent] != [Vec3::ZERO; 3] {
                deltas.push(delta);
            }
        }
    }
    offsets.push(deltas.len() as u32);
    (offsets, deltas)
}

/// The joints that move at least one vertex, ascending.
pub fn used_joints(influences: &Influences) -> Vec<u16> {
    let mut used = Vec::new();
    for (joints, weights) in influences.joints.iter().zip(&influences.weights) {
        for (&joint, &weight) in joints.iter().zip(weights) {
            if weight > 0.0 {
                let joint_index = usize::from(joint);
                if used.len() <= joint_index {
                    used.resize(joint_index + 1, false);
                }
                used[joint_index] = true;
            }
        }
    }
    used.iter().enumerate().filter(|(_, used)| **used).map(|(joint, _)| joint as u16).collect()
}
