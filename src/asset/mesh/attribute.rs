//! Looks up vertex attributes of a primitive.

use gltf::json;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

/// The accessor of an attribute. `None` if the primitive does not have it.
pub fn attribute(json: &json::mesh::Primitive, semantic: Semantic) -> Option<usize> {
    json.attributes.get(&Checked::Valid(semantic)).map(json::Index::value)
}
