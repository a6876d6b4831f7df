//! Finds primitives that lack the vertex attribute or the material value that a shading mode shows. They are drawn hatched, and the
//! inspector says why.

use crate::model::Model;
use crate::model::material::Material;
use crate::model::mesh::{Primitive, Topology};
use crate::session::view::display::Shading;

/// The number of primitives that lack the attribute or value that the shading mode shows, the number of all primitives, and the name of
/// that attribute or value. `None` if no primitive lacks it. `variant` decides which materials the primitives have.
pub fn lacking(model: &Model, shading: Shading, variant: Option<usize>) -> Option<(usize, usize, &'static str)> {
    let what = match shading {
        Shading::Normals => "normals",
        Shading::Tangents => "tangents",
        Shading::Uv => "texture coordinates",
        Shading::VertexColors => "vertex colors",
        Shading::Metallic => "metalness",
        Shading::Specular => "specular",
        _ => return None,
    };
    let lacking = model.primitives().filter(|primitive| lacks(model, primitive, shading, variant)).count();
    (lacking > 0).then(|| (lacking, model.primitives().count(), what))
}

/// Returns whether a primitive lacks the attribute or value that a shading mode shows.
fn lacks(model: &Model, primitive: &Primitive, shading: Shading, variant: Option<usize>) -> bool {
    let vertices = &primitive.vertices;
    let material = primitive.material_in(variant).and_then(|material| model.materials.get(material));
    match shading {
        // Triangles without normals get flat ones.
        Shading::Normals => vertices.normals.is_empty() && primitive.topology != Topology::Triangles,
        Shading::Tangents => vertices.tangents.is_empty(),
        Shading::Uv => vertices.tex_coords[0].is_empty(),
        Shading::VertexColors => vertices.colors.is_empty(),
        Shading::Metallic => material.is_some_and(|material| material.specular_glossiness.is_some()),
        Shading::Specular => !material.is_some_and(Material::has_specular),
        _ => false,
    }
}
