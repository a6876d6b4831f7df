//! The edges of a mesh's triangles in the coordinates of a texture. The number of edges is limited, so computing and painting them takes
//! little time for any mesh.

use std::collections::HashSet;

use glam::Vec2;

use crate::model::mesh::Primitive;
use crate::ui::context::Context;
use crate::ui::context::window_state::TextureUse;

/// Maximum number of edges.
const MAX_EDGES: usize = 60_000;

/// The edges of the triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct UvOutline {
    /// Both ends of each edge, in texture coordinates after the texture transform.
    pub edges: Vec<[Vec2; 2]>,
    /// The outline has one of every `step` triangles. 1 means that it has all triangles.
    pub step: usize,
}

impl UvOutline {
    /// Collects the edges of the primitives that have the material. An edge that several triangles share is collected once.
    pub fn new(context: &Context, texture_use: TextureUse) -> Self {
        let model = &context.document.model;
        let texture = model.materials.get(texture_use.material).and_then(|material| material.texture(texture_use.slot));
        let (Some(mesh), Some(texture)) = (model.meshes.get(texture_use.mesh), texture) else { return Self { edges: Vec::new(), step: 1 } };
        let variant = context.view.display.variant;
        let has_material =
            |primitive: &&Primitive| primitive.material_in(variant) == Some(texture_use.material) && primitive.triangle_count() > 0;
        let primitives: Vec<_> = mesh.primitives.iter().filter(has_material).collect();
        let triangles: usize = primitives.iter().map(|primitive| primitive.triangle_count()).sum();
        // A closed surface has three edges for two triangles. If triangles are skipped, the others may share no edges.
        let step = if triangles * 3 / 2 <= MAX_EDGES { 1 } else { (triangles * 3).div_ceil(MAX_EDGES) };
        let mut edges = Vec::new();
        for primitive in primitives {
            let Some(uvs) = primitive.vertices.tex_coords.get(texture.tex_coord) else { continue };
            let mut collected = HashSet::new();
            for triangle in primitive.indices.as_chunks::<3>().0.iter().step_by(step) {
                for [a, b] in [[0, 1], [1, 2], [2, 0]].map(|ends| ends.map(|corner: usize| triangle[corner])) {
                    if edges.len() >= MAX_EDGES || !collected.insert((a.min(b), a.max(b))) {
                        continue;
                    }
                    let ends = [a, b].map(|vertex| uvs.get(vertex as usize).map(|uv| texture.transform.transformed(*uv)));
                    if let [Some(a), Some(b)] = ends {
                        edges.extend((a.is_finite() && b.is_finite()).then_some([a, b]));
                    }
                }
            }
        }
        Self { edges, step }
    }
}
