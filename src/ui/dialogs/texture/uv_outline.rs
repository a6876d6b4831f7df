//! The edges of a mesh's triangles in the coordinates of a texture. The number of edges is limited, so computing and painting them takes
//! little time for any mesh.

use std::collections::HashSet;

use glam::Vec2;

use crate::model::mesh::Primitive;
use crate::model::texture::Texture;
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
        if let Some(edges) = edges(&primitives, texture, 1) {
            return Self { edges, step: 1 };
        }
        // If triangles are skipped, the others may share no edges.
        let triangles: usize = primitives.iter().map(|primitive| primitive.triangle_count()).sum();
        let step = (triangles * 3).div_ceil(MAX_EDGES);
        Self { edges: edges(&primitives, texture, step).unwrap_or_default(), step }
    }
}

/// The edges of one of every `step` triangles, in the coordinates of the texture. `None` if there are more than [`MAX_EDGES`].
fn edges(primitives: &[&Primitive], texture: &Texture, step: usize) -> Option<Vec<[Vec2; 2]>> {
    let mut edges = Vec::new();
    let mut collected = HashSet::new();
    let triangles = primitives.iter().enumerate().flat_map(|(number, primitive)| {
        let triangles = primitive.indices.as_chunks::<3>().0;
        triangles.iter().map(move |triangle| (number, triangle))
    });
    for (number, triangle) in triangles.step_by(step) {
        let Some(uvs) = primitives[number].vertices.tex_coords.get(texture.tex_coord) else { continue };
        for [a, b] in [[0, 1], [1, 2], [2, 0]].map(|ends| ends.map(|corner: usize| triangle[corner])) {
            if !collected.insert((number, a.min(b), a.max(b))) {
                continue;
            }
            let ends = [a, b].map(|vertex| uvs.get(vertex as usize).map(|uv| texture.transform.transformed(*uv)));
            if let [Some(a), Some(b)] = ends
                && a.is_finite()
                && b.is_finite()
            {
                if edges.len() == MAX_EDGES {
                    return None;
                }
                edges.push([a, b]);
            }
        }
    }
    Some(edges)
}
