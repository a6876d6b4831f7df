//! Geometry (glTF 2.0, 3.7). Attributes are decoded to `f32`; strips, fans and loops are expanded to lists.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

/// A mesh of the file.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The name in the file.
    pub name: Option<String>,
    /// The parts of the mesh, each with its own material.
    pub primitives: Vec<Primitive>,
    /// Number of morph targets, equal for all primitives.
    pub target_count: usize,
    /// Names of morph targets, which exporters store in `extras.targetNames`. May be shorter than `target_count`.
    pub target_names: Vec<String>,
}

/// The kind of element that a primitive consists of. Strips, fans and loops are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    Points,
    Lines,
    #[default]
    Triangles,
}

impl Topology {
    /// One element in words, for messages.
    pub fn element(self) -> &'static str {
        match self {
            Self::Points => "a point",
            Self::Lines => "a line",
            Self::Triangles => "a triangle",
        }
    }

    /// The elements in words, for messages.
    pub fn elements(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Lines => "lines",
            Self::Triangles => "triangles",
        }
    }
}

/// A list of points, lines or triangles over vertices.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// Index of the primitive in the file's mesh. It differs from the index in [`Mesh::primitives`] if loading skipped a primitive.
    pub source: usize,
    /// Whether the indices form points, lines or triangles.
    pub topology: Topology,
    /// Index of its material; the default material of the specification if `None`.
    pub material: Option<usize>,
    /// Variants and the materials they assign, in ascending order of variants.
    pub variants: Vec<(usize, usize)>,
    /// Number of vertices in the file. After these, the arrays may contain copies of vertices that need a second tangent.
    pub source_vertex_count: usize,
    /// The vertices. Primitives with the same accessors share them.
    pub vertices: Arc<Vertices>,
    /// Indices of vertices: 1, 2 or 3 for each point, line or triangle. They are generated if the file has none.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// Returns whether the mesh has a surface, not only points and lines.
    pub fn has_triangles(&self) -> bool {
        self.primitives.iter().any(|primitive| primitive.triangle_count() > 0)
    }
}

impl Primitive {
    /// The number of triangles; 0 for points and lines.
    pub fn triangle_count(&self) -> usize {
        if self.topology == Topology::Triangles { self.indices.len() / 3 } else { 0 }
    }

    /// The material of the primitive in a variant; `None` selects the material without variants.
    pub fn material_in(&self, variant: Option<usize>) -> Option<usize> {
        variant_material(&self.variants, variant).or(self.material)
    }

    /// The vertex in the file that this vertex is, or is a copy of.
    pub fn source_vertex(&self, vertex: u32) -> u32 {
        let copy = (vertex as usize).checked_sub(self.source_vertex_count);
        copy.and_then(|copy| self.vertices.originals.get(copy)).copied().unwrap_or(vertex)
    }

    /// Every material that the primitive may have.
    pub fn materials(&self) -> impl Iterator<Item = usize> {
        self.material.into_iter().chain(self.variants.iter().map(|(_, material)| *material))
    }
}

/// The material that a variant assigns; `None` if it assigns none, or without a variant. `variants` are [`Primitive::variants`].
pub fn variant_material(variants: &[(usize, usize)], variant: Option<usize>) -> Option<usize> {
    let position = variants.binary_search_by_key(&variant?, |(variant, _)| *variant).ok()?;
    Some(variants[position].1)
}

/// Vertex attributes. Their arrays have one element per vertex, or are empty if the file does not have the attribute.
#[derive(Debug, Clone, Default)]
pub struct Vertices {
    /// Positions in meters, in the space of the mesh.
    pub positions: Vec<Vec3>,
    /// Unit normals. If there are none, flat normals are computed from the deformed triangles (glTF 2.0, 3.7.2.1).
    pub normals: Vec<Vec3>,
    /// Tangents: x, y and z have unit length, and w is the handedness (+1 or -1).
    pub tangents: Vec<Vec4>,
    /// The two sets that the materials use ([`super::material::Material::tex_coords`]), by default TEXCOORD_0 and TEXCOORD_1.
    pub tex_coords: [Vec<Vec2>; 2],
    /// COLOR_0, linear RGBA; alpha is 1 if the file has none.
    pub colors: Vec<Vec4>,
    /// Joints and weights for skinning.
    pub influences: Influences,
    /// Vertices whose weights do not sum to one in the file.
    pub uneven_weights: UnevenWeights,
    /// The morph targets, in the order of the mesh's weights.
    pub targets: Vec<MorphTarget>,
    /// The vertex that each copy is made from. The copies come after the vertices of the file ([`Primitive::source_vertex_count`]).
    pub originals: Vec<u32>,
}

/// Vertices whose weights do not sum to one in the file.
#[derive(Debug, Clone, Default)]
pub struct UnevenWeights {
    /// Up to [`Self::MAX_VERTICES`] of these vertices, each with the sum of its weights. The rest are only counted.
    pub listed: Vec<(u32, f32)>,
    /// Number of all vertices whose weights do not sum to one.
    pub count: usize,
    /// Number of vertices whose weights sum to zero.
    pub zero: usize,
}

impl UnevenWeights {
    /// Largest difference between 1 and the sum of a vertex's weights that loading does not correct, because quantized weights rarely sum
    /// to exactly 1.
    pub const SUM_TOLERANCE: f64 = 1e-3;
    /// Maximum number of vertices to list.
    pub const MAX_VERTICES: usize = 1000;

    /// Counts a vertex whose weights have this sum, and lists it unless the list is full.
    pub fn add(&mut self, vertex: u32, sum: f32) {
        self.count += 1;
        self.zero += usize::from(sum <= 0.0);
        if self.listed.len() < Self::MAX_VERTICES {
            self.listed.push((vertex, sum));
        }
    }
}

/// All JOINTS_n and WEIGHTS_n, interleaved: vertex v has the elements v * sets .. (v + 1) * sets.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// Number of sets per vertex. Each set has four joints and their weights. 0 without skinning.
    pub sets: usize,
    /// Indices into the skin's joints, in range for every skin that is used with this mesh.
    pub joints: Vec<[u16; 4]>,
    /// Weights of the joints, at least 0. The weights of each vertex sum to one within [`UnevenWeights::SUM_TOLERANCE`], because loading
    /// normalizes all others.
    pub weights: Vec<[f32; 4]>,
}

impl Influences {
    /// The joints with a weight above 0 on a vertex, as indices in the skin's joints, each with its weight. A joint may occur more than
    /// once.
    pub fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let sets = vertex * self.sets..(vertex + 1) * self.sets;
        let joints = self.joints.get(sets.clone()).unwrap_or_default().as_flattened();
        let weights = self.weights.get(sets).unwrap_or_default().as_flattened();
        joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(joint, weight)| (usize::from(*joint), *weight))
    }

    /// The number of different joints that move a vertex. `joints` is reused memory.
    pub fn joint_count(&self, vertex: usize, joints: &mut Vec<usize>) -> usize {
        joints.clear();
        joints.extend(self.of_vertex(vertex).map(|(joint, _)| joint));
        // The number of sets is unlimited, so comparing each joint with all others would take too long.
        joints.sort_unstable();
        joints.dedup();
        joints.len()
    }
}

/// Displacements of vertex attributes. Each array has one displacement per vertex, or is empty if the target does not change the attribute
/// (glTF 2.0, 3.7.2.2).
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    /// Added to the positions, in meters, in the space of the mesh.
    pub positions: Vec<Vec3>,
    /// Added to the normals before they are normalized.
    pub normals: Vec<Vec3>,
    /// Added to the tangents; the handedness does not change.
    pub tangents: Vec<Vec3>,
}
