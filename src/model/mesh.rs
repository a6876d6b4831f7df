//! Geometry, decoded to `f32` and expanded to lists: what the renderer uploads and `pose` deforms.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

#[derive(Debug, Clone, Default)]
pub struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
    /// Morph targets of every primitive (they all have as many).
    pub target_count: usize,
    /// `extras.targetNames`, the custom that every exporter follows; may be shorter than `target_count`.
    pub target_names: Vec<String>,
}

/// What is drawn, after strips, fans and loops are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Topology {
    Points,
    Lines,
    #[default]
    Triangles,
}

/// A list of points, lines or triangles over vertices.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// Index in the file's mesh (a primitive that could not be read is left out, so places may differ).
    pub source: usize,
    pub topology: Topology,
    pub material: Option<usize>,
    /// A variant and the material that it puts in place of this one, by ascending variants.
    pub variants: Vec<(usize, usize)>,
    /// How many vertices the file has. Those after them in the arrays are copies, made where a vertex needed two tangents.
    pub source_vertex_count: usize,
    /// Shared by all primitives that name the same accessors.
    pub vertices: Arc<Vertices>,
    /// Always there and always in range; 1, 2 or 3 per element by `topology`.
    pub indices: Vec<u32>,
}

impl Primitive {
    pub fn triangles(&self) -> usize {
        if self.topology == Topology::Triangles { self.indices.len() / 3 } else { 0 }
    }

    /// The material of the primitive in a variant; none: as the file has it.
    pub fn material_in(&self, variant: Option<usize>) -> Option<usize> {
        let place = variant.and_then(|variant| self.variants.binary_search_by_key(&variant, |(variant, _)| *variant).ok());
        place.map_or(self.material, |place| Some(self.variants[place].1))
    }

    /// Every material that it may have.
    pub fn materials(&self) -> impl Iterator<Item = usize> {
        self.material.into_iter().chain(self.variants.iter().map(|(_, material)| *material))
    }
}

/// Attributes: each empty where the file has none, else one per vertex.
#[derive(Debug, Clone, Default)]
pub struct Vertices {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length. Empty: flat, to be taken from the deformed triangle (glTF 2.0, 3.7.2.1).
    pub normals: Vec<Vec3>,
    /// xyz of unit length, w the handedness (+1 or -1).
    pub tangents: Vec<Vec4>,
    /// The two sets that its materials name ([`super::material::Material::tex_coords`]); else TEXCOORD_0 and TEXCOORD_1.
    pub tex_coords: [Vec<Vec2>; 2],
    /// COLOR_0, linear, alpha 1 where the file has none.
    pub colors: Vec<Vec4>,
    pub influences: Influences,
    pub uneven_weights: UnevenWeights,
    pub targets: Vec<MorphTarget>,
}

/// Vertices whose weights do not sum to one in the file.
#[derive(Debug, Clone, Default)]
pub struct UnevenWeights {
    /// The first [`Self::MOST`] of them, and what they sum to there.
    pub first: Vec<(u32, f32)>,
    pub count: usize,
}

impl UnevenWeights {
    pub const MOST: usize = 1000;

    pub fn add(&mut self, vertex: u32, sum: f32) {
        self.count += 1;
        if self.first.len() < Self::MOST {
            self.first.push((vertex, sum));
        }
    }
}

/// All JOINTS_n and WEIGHTS_n: for vertex v the sets v * sets .. (v + 1) * sets.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// How many sets of four a vertex has; 0 without skinning.
    pub sets: usize,
    /// Indices into the skin's joints. Every index is below the shortest joint list of the skins that use this mesh.
    pub joints: Vec<[u16; 4]>,
    /// Not negative, and over all sets of a vertex summing to one within 0.1 % (else renormalised at load; all zero became 1 for joint 0).
    pub weights: Vec<[f32; 4]>,
}

/// Differences from the base attributes; empty where the target does not touch that attribute.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub tangents: Vec<Vec3>,
}
