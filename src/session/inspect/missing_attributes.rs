//! Finds primitives that lack the vertex attribute of a shading mode. They are drawn hatched, and the inspector says why.

use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::session::view::display::Shading;

/// The number of primitives without the attribute, the number of all primitives, and the attribute's name. `None` if none lacks it.
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

/// Returns whether a primitive lacks the attribute that a shading mode shows.
fn lacks(primitive: &Primitive, shading: Shading) -> bool {
    let vertices = &primitive.vertices;
    match shading {
        // Triangles without normals get flat ones.
        Shading::Normals => vertices.normals.is_empty() && primitive.topology != Topology::Triangles,
        Shading::Tangents => vertices.tangents.is_empty(),
        Shading::Uv => vertices.tex_coords[0].is_empty(),
        Shading::VertexColors => vertices.colors.is_empty(),
        Shading::Lit | Shading::BaseColor | Shading::Clay => false,
    }
}
