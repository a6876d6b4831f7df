//! Packs the vertices of a primitive for the GPU: the common attributes, the optional attributes, the first set of influences, the extra
//! sets as words, and the morph targets as lists of deltas per vertex.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};

use crate::model::mesh::{Influences, Vertices};

/// The attributes that every vertex has, 24 bytes. Keep in sync with `Attributes` in mesh.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Position in mesh space, in meters.
    pub position: Vec3,
    /// Normal, packed by [`octahedral`]. Without normals it is unused.
    pub normal: [i16; 2],
    /// The first set of texture coordinates.
    pub tex_coord: Vec2,
}

impl Vertex {
    /// Attributes of vertex buffer 0.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm16x2, 2 => Float32x2];

    /// Packs one vertex. Missing attributes are 0.
    pub fn from_vertices(vertices: &Vertices, vertex: usize) -> Self {
        Self {
            position: vertices.positions[vertex],
            normal: vertices.normals.get(vertex).copied().map(octahedral).unwrap_or_default(),
            tex_coord: vertices.tex_coords[0].get(vertex).copied().unwrap_or_default(),
        }
    }
}

/// Encodes a direction of any length by octahedral mapping, with components from -32767 to 32767, which stand for -1 to 1. The error is at
/// most 0.005 degrees. `from_octahedron` in deform.wgsl decodes it.
pub fn octahedral(direction: Vec3) -> [i16; 2] {
    let flat = direction / (direction.x.abs() + direction.y.abs() + direction.z.abs()).max(f32::MIN_POSITIVE);
    let upper = flat.truncate();
    let lower = (Vec2::ONE - Vec2::new(flat.y.abs(), flat.x.abs())) * Vec2::ONE.copysign(upper);
    (if flat.z < 0.0 { lower } else { upper }).to_array().map(snorm)
}

/// Packs a number from -1 to 1. NaN becomes 0.
fn snorm(component: f32) -> i16 {
    (component.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

/// The optional attributes, 24 bytes, in a separate vertex buffer. Keep in sync with `OptionalAttributes` in mesh.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct OptionalAttributes {
    /// Tangent and handedness. Components from -32767 to 32767 stand for -1 to 1.
    pub tangent: [i16; 4],
    /// The second set of texture coordinates.
    pub tex_coord: Vec2,
    /// Linear RGBA (glTF 2.0, `COLOR_0`). Components from 0 to 65535 stand for 0 to 1.
    pub color: [u16; 4],
}

impl OptionalAttributes {
    /// Attributes of vertex buffer 2.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![3 => Snorm16x4, 4 => Float32x2, 5 => Unorm16x4];

    /// Returns whether the vertices have any optional attribute.
    pub fn is_in(vertices: &Vertices) -> bool {
        !(vertices.tangents.is_empty() && vertices.tex_coords[1].is_empty() && vertices.colors.is_empty())
    }

    /// Packs one vertex. A missing second set of texture coordinates repeats the first; a missing color is white.
    pub fn from_vertices(vertices: &Vertices, vertex: usize) -> Self {
        let [first, second] = &vertices.tex_coords;
        Self {
            tangent: vertices.tangents.get(vertex).copied().unwrap_or_default().to_array().map(snorm),
            tex_coord: second.get(vertex).or(first.get(vertex)).copied().unwrap_or_default(),
            color: vertices.colors.get(vertex).copied().unwrap_or(Vec4::ONE).to_array().map(unorm),
        }
    }
}

/// Packs a number from 0 to 1. NaN becomes 0.
fn unorm(component: f32) -> u16 {
    (component.clamp(0.0, 1.0) * 65535.0).round() as u16
}

/// The first four influences of a skinned vertex, 16 bytes. Keep in sync with `FirstInfluences` in mesh.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FirstInfluences {
    /// Indices in the skin's joints.
    pub joints: [u16; 4],
    /// Joint weights, where [`WEIGHT_ONE`] stands for 1. Rounding preserves the sum of the file's weights.
    pub weights: [u16; 4],
}

/// The packed value of weight 1. It is less than `u16::MAX`, because the weights of a file may add up to slightly more than 1. Keep in sync
/// with mesh.wgsl.
pub const WEIGHT_ONE: u16 = 65469;

impl FirstInfluences {
    /// Attributes of vertex buffer 1.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![6 => Uint16x4, 7 => Unorm16x4];
}

/// The deltas of one morph target for one vertex, in mesh space. Keep in sync with `MorphDelta` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MorphDelta {
    /// Index of the morph target.
    pub target: u32,
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: Vec3,
}

/// Packs the first influence set of a vertex. The primitive must have influences.
pub fn first_influences(influences: &Influences, vertex: usize) -> FirstInfluences {
    let first = vertex * influences.sets;
    FirstInfluences { joints: influences.joints[first], weights: packed_weights(influences.weights[first]) }
}

/// Packs four weights. The largest weight absorbs the rounding error. Otherwise the sum would change, and vertices far from the origin
/// would move.
fn packed_weights(weights: [f32; 4]) -> [u16; 4] {
    let units = |weight: f32| (weight * f32::from(WEIGHT_ONE)).round() as u16;
    let mut packed = weights.map(units);
    let rounded: i32 = packed.iter().copied().map(i32::from).sum();
    if let Some(largest) = packed.iter_mut().max() {
        *largest = (i32::from(*largest) + i32::from(units(weights.iter().sum())) - rounded).clamp(0, u16::MAX.into()) as u16;
    }
    packed
}

/// The number of words of an influence set in [`extra_influences`].
const EXTRA_SET_WORDS: usize = 6;

/// Returns the number of words of [`extra_influences`].
pub fn extra_influence_words(influences: &Influences) -> usize {
    let vertices = influences.joints.len() / influences.sets.max(1);
    (influences.joints.len() - vertices) * EXTRA_SET_WORDS
}

/// Packs the influence sets beyond the first, vertex by vertex. A set takes six words: two words with two joints each, then four weights as
/// float bits.
pub fn extra_influences(influences: &Influences) -> Vec<u32> {
    let mut words = Vec::with_capacity(extra_influence_words(influences));
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

/// Returns two lists. The first has the index of each vertex's first delta, and at its end the number of deltas. The second has the nonzero
/// deltas, sorted by vertex. Both lists are empty without targets.
///
/// # Errors
///
/// Returns the number of nonzero deltas if there are more than `max`. Targets may share their data, so a small file can have very many.
pub fn morph_deltas(vertices: &Vertices, max: usize) -> Result<(Vec<u32>, Vec<MorphDelta>), usize> {
    let (vertex_count, targets) = (vertices.positions.len(), &vertices.targets);
    if targets.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut offsets = Vec::with_capacity(vertex_count + 1);
    let (mut deltas, mut count) = (Vec::new(), 0);
    let value_or_zero = |values: &[Vec3], vertex: usize| values.get(vertex).copied().unwrap_or_default();
    // Targets without any data need no lookup per vertex.
    let nonempty: Vec<_> = targets
        .iter()
        .enumerate()
        .filter(|(_, target)| !(target.positions.is_empty() && target.normals.is_empty() && target.tangents.is_empty()))
        .collect();
    for vertex in 0..vertex_count {
        offsets.push(deltas.len() as u32);
        for (i, target) in &nonempty {
            let delta = MorphDelta {
                target: *i as u32,
                position: value_or_zero(&target.positions, vertex),
                normal: value_or_zero(&target.normals, vertex),
                tangent: value_or_zero(&target.tangents, vertex),
            };
            if [delta.position, delta.normal, delta.tangent] != [Vec3::ZERO; 3] {
                count += 1;
                if count <= max {
                    deltas.push(delta);
                }
            }
        }
    }
    offsets.push(deltas.len() as u32);
    if count > max { Err(count) } else { Ok((offsets, deltas)) }
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{Layout, assert_fed, assert_same, layout};

    use super::*;
    use crate::model::mesh::MorphTarget;

    #[test]
    fn deltas_beyond_the_limit_are_counted_but_not_stored() {
        let target = MorphTarget { positions: vec![Vec3::X, Vec3::ZERO, Vec3::Y], ..MorphTarget::default() };
        let vertices = Vertices { positions: vec![Vec3::ZERO; 3], targets: vec![target; 50], ..Vertices::default() };
        let (offsets, deltas) = morph_deltas(&vertices, 100).expect("the limit is exactly reached");
        assert_eq!((offsets, deltas.len()), (vec![0, 50, 50, 100], 100));
        assert_eq!(morph_deltas(&vertices, 99), Err(100));
    }

    #[test]
    fn only_influence_sets_beyond_the_first_take_extra_words() {
        for (sets, words) in [(0, 0), (1, 0), (2, 5 * 6), (4, 5 * 18)] {
            let influences = Influences { sets, joints: vec![[0; 4]; 5 * sets], weights: vec![[0.25; 4]; 5 * sets] };
            assert_eq!(extra_influence_words(&influences), words, "{sets} sets");
            assert_eq!(extra_influences(&influences).len(), words, "{sets} sets");
        }
    }

    #[test]
    fn shaders_read_the_same_layout() {
        assert_fed(
            &Program::Surface.source(false),
            "Attributes",
            &layout!(Vertex { position: position, normal: normal, uv: tex_coord }),
            &Vertex::ATTRIBUTES,
        );
        assert_fed(
            &Program::Surface.source(false),
            "OptionalAttributes",
            &layout!(OptionalAttributes { tangent: tangent, uv: tex_coord, color: color }),
            &OptionalAttributes::ATTRIBUTES,
        );
        assert_fed(
            &Program::Surface.source(false),
            "FirstInfluences",
            &layout!(FirstInfluences { joints, weights }),
            &FirstInfluences::ATTRIBUTES,
        );
        let rust = layout!(MorphDelta { target, position, normal, tangent });
        // WGSL has a scalar for each component of a vector.
        let components = ["morph_target", "px", "py", "pz", "nx", "ny", "nz", "tx", "ty", "tz"];
        let members = components.into_iter().zip((0..).step_by(4)).collect();
        assert_eq!(rust.members.iter().map(|(_, offset)| *offset).collect::<Vec<_>>(), [0, 4, 16, 28]);
        assert_same(&Program::Deform.source(false), "MorphDelta", &Layout { members, ..rust });
    }
}
