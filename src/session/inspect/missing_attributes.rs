//! Which primitives have nothing of what a shading mode shows: those are hatched, and the inspector says why.

use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::session::view::display::Shading;

/// How many primitives, of how many, and what they have none of. None where all have it.
pub fn lacking(model: &Model, shading: Shading) -> Option<(usize, usize, &'static str)> {
    let what = match shading {
        Shading::Normals => "normals",
        Shading::Tangents => "tangents",
        Shading::Uv => "texture coordinates",
        Shading::VertexColors => "vertex colours",
        Shading::Lit | Shading::BaseColor | Shading::Clay => return None,
    };
    let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let lacking = primitives().filter(|primitive| lacks(primitive, shading)).count();
    (lacking > 0).then(|| (lacking, primitives().count(), what))
}

fn lacks(primitive: &Primitive, shading: Shading) -> bool {
    let vertices = &primitive.vertices;
    match shading {
        // Triangles have normals of their own.
        Shading::Normals => vertices.normals.is_empty() && primitive.topology != Topology::Triangles,
        Shading::Tangents => vertices.tangents.is_empty(),
        Shading::Uv => vertices.tex_coords[0].is_empty(),
        Shading::VertexColors => vertices.colors.is_empty(),
        Shading::Lit | Shading::BaseColor | Shading::Clay => false,
    }
}
