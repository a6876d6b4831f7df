//! Meshes: which attributes a primitive has and needs, that they are as many as its vertices, what its mode makes of them, its
//! morph targets.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Mode;
use serde_json::{Map, Value};

use crate::asset::error::shortened;
use crate::asset::mesh::topology;

use super::attribute::{self, Attribute, NUMBERED, numbered};
use super::read;
use super::subject::{Subject, format};

pub fn check(subject: &mut Subject) {
    for (index, json) in subject.list("meshes").iter().enumerate() {
        let place = format!("/meshes/{index}");
        let primitives = read::list(json, "primitives");
        for (i, primitive) in primitives.iter().enumerate() {
            check_primitive(subject, primitive, &format!("{place}/primitives/{i}"));
        }
        let targets = |primitive: &Value| read::list(primitive, "targets").len();
        let Some(first) = primitives.first().map(targets) else { continue };
        for (i, _) in primitives.iter().enumerate().filter(|(_, primitive)| targets(primitive) != first) {
            let message = format!("This primitive has not as many morph targets as the first one ({first}); missing ones move nothing.");
            subject.error("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &format!("{place}/primitives/{i}"), message);
        }
        if let Some(weights) = json.get("weights").and_then(Value::as_array).filter(|weights| weights.len() != first) {
            let message = format!("{} weights for {first} morph targets: too many are ignored, missing ones are 0.", weights.len());
            subject.error("MESH_INVALID_WEIGHTS_COUNT", &format!("{place}/weights"), message);
        }
    }
}

fn check_primitive(subject: &mut Subject, json: &Value, place: &str) {
    let Some(attributes) = json.get("attributes").and_then(Value::as_object) else { return };
    check_names(subject, attributes, place);
    let count = check_attributes(subject, attributes, place);
    let listed = check_indices(subject, json, &format!("{place}/indices"));
    let mode = read::unsigned(json, "mode").map_or(Some(Mode::Triangles), mode);
    // Indices that are there but cannot be followed say nothing of the count.
    let vertices = if json.get("indices").is_some() { listed } else { count };
    if let (Some(mode), Some(vertices)) = (mode, vertices)
        && (vertices == 0 || topology::left_over(mode, vertices as usize) > 0)
    {
        let message = format!("{vertices} vertices do not go into {mode:?}; those left over are ignored.");
        subject.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", place, message);
    }
    check_material(subject, json, attributes, place);
    for (target, json) in read::list(json, "targets").iter().enumerate() {
        let Some(morphed) = json.as_object() else { continue };
        check_target(subject, morphed, attributes, &format!("{place}/targets/{target}"));
    }
}

fn mode(code: u64) -> Option<Mode> {
    const MODES: [Mode; 7] =
        [Mode::Points, Mode::Lines, Mode::LineLoop, Mode::LineStrip, Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan];
    MODES.get(usize::try_from(code).ok()?).copied()
}

fn check_names(subject: &mut Subject, attributes: &Map<String, Value>, place: &str) {
    let place = format!("{place}/attributes");
    if attributes.is_empty() {
        return;
    }
    if !attributes.contains_key("POSITION") {
        subject.warning("MESH_PRIMITIVE_NO_POSITION", &place, "The primitive has no POSITION; it is not drawn.");
    }
    for name in attributes.keys().filter(|name| !attribute::is_known(name, false)) {
        let message = format!("{:?} is no attribute of glTF; names of one's own begin with an underscore.", shortened(name));
        subject.error("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &format!("{place}/{}", read::escaped(name)), message);
    }
    if attributes.contains_key("TANGENT") && !attributes.contains_key("NORMAL") {
        let message = "Tangents without normals are not used.";
        subject.warning("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", &format!("{place}/TANGENT"), message);
    }
    let count = |word: &str| attributes.keys().filter(|name| numbered(name).is_some_and(|(other, _)| other == word)).count();
    for word in NUMBERED {
        let most = attributes.keys().filter_map(|name| numbered(name)).filter(|(other, _)| *other == word).map(|(_, number)| number).max();
        if most.is_some_and(|most| most + 1 != count(word)) {
            let message = format!("The numbers of {word}_n do not go from 0 upwards without gaps; those behind a gap are ignored.");
            subject.error("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", &place, message);
        }
    }
    let (joints, weights) = (count("JOINTS"), count("WEIGHTS"));
    if joints != weights {
        let message = format!("{joints} sets of joints and {weights} of weights; one without the other is ignored.");
        subject.error("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &place, message);
    }
}

/// Returns how many vertices there are.
fn check_attributes(subject: &mut Subject, attributes: &Map<String, Value>, place: &str) -> Option<u64> {
    let count_of = |accessor: &Value| {
        let accessor = usize::try_from(read::integer(accessor)?).ok()?;
        Some(subject.accessors.get(accessor)?.layout?.count)
    };
    // The others are held against the positions.
    let mut count = attributes.get("POSITION").and_then(count_of);
    for (name, accessor) in attributes {
        let Some(accessor) = read::integer(accessor).and_then(|accessor| usize::try_from(accessor).ok()) else { continue };
        let place = format!("{place}/attributes/{}", read::escaped(name));
        attribute::check(subject, &Attribute { name, accessor, of_target: false, place: &place });
        let Some(found) = subject.accessors.get(accessor).and_then(|accessor| Some(accessor.layout?.count)) else { continue };
        let wanted = *count.get_or_insert(found);
        if found != wanted {
            let message = format!("{name} has {found} elements, another attribute of the primitive {wanted}.");
            subject.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &place, message);
        }
    }
    count
}

/// Returns how many indices there are.
fn check_indices(subject: &mut Subject, json: &Value, place: &str) -> Option<u64> {
    let (_, accessor) = subject.accessor(json, "indices")?;
    let layout = accessor.layout?;
    let unsigned = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
    if !unsigned || layout.shape != Type::Scalar || accessor.normalized {
        let message = format!("Indices cannot be {}.", format(&accessor));
        subject.error("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", place, message);
    }
    Some(layout.count)
}

fn check_target(subject: &mut Subject, morphed: &Map<String, Value>, attributes: &Map<String, Value>, place: &str) {
    for (name, accessor) in morphed {
        let Some(accessor) = read::integer(accessor).and_then(|accessor| usize::try_from(accessor).ok()) else { continue };
        let place = format!("{place}/{}", read::escaped(name));
        if !attribute::is_known(name, true) {
            let message = format!("{:?} is nothing that a morph target can move.", shortened(name));
            subject.error("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &place, message);
            continue;
        }
        attribute::check(subject, &Attribute { name, accessor, of_target: true, place: &place });
        let Some(base) = attributes.get(name) else {
            let message = format!("The primitive has no {name} of its own that could be moved.");
            subject.error("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", &place, message);
            continue;
        };
        let count = |accessor: usize| subject.accessors.get(accessor).and_then(|accessor| Some(accessor.layout?.count));
        let base = read::integer(base).and_then(|base| usize::try_from(base).ok());
        if let (Some(found), Some(wanted)) = (count(accessor), base.and_then(count))
            && found != wanted
        {
            let message = format!("{found} elements for {wanted} vertices.");
            subject.error("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", &place, message);
        }
    }
}

/// Whether the primitive has what its material's textures need.
fn check_material(subject: &mut Subject, json: &Value, attributes: &Map<String, Value>, place: &str) {
    let has_tangents = attributes.contains_key("TANGENT") && attributes.contains_key("NORMAL");
    let unused = |subject: &mut Subject| {
        if attributes.contains_key("TANGENT") {
            let message = "Tangents are of no use without a normal texture.";
            subject.info("UNUSED_MESH_TANGENT", &format!("{place}/attributes/TANGENT"), message);
        }
    };
    let Some(index) = read::index(json, "material") else { return unused(subject) };
    let Some(material) = subject.list("materials").get(index) else { return };
    let place = format!("{place}/material");
    let sets = (0..).take_while(|set| attributes.contains_key(&format!("TEXCOORD_{set}"))).count() as u64;
    let pbr = material.get("pbrMetallicRoughness");
    let of_pbr = ["baseColorTexture", "metallicRoughnessTexture"].map(|key| (key, pbr.and_then(|pbr| pbr.get(key))));
    let own = ["normalTexture", "occlusionTexture", "emissiveTexture"].map(|key| (key, material.get(key)));
    for (key, info) in of_pbr.into_iter().chain(own) {
        let Some(info) = info.filter(|info| info.is_object()) else { continue };
        let transform = read::extension(info, "KHR_texture_transform");
        let moved = transform.and_then(|transform| read::unsigned(transform, "texCoord"));
        let needed = moved.or(read::unsigned(info, "texCoord")).unwrap_or(0);
        if needed >= sets {
            let message = format!("Material {index}'s {key} needs TEXCOORD_{needed}, which the primitive does not have.");
            subject.error("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", &place, message);
        }
    }
    let has_normal_texture = material.get("normalTexture").is_some_and(Value::is_object);
    let coated = read::extension(material, "KHR_materials_clearcoat").is_some_and(|coat| coat.get("clearcoatNormalTexture").is_some());
    if !has_normal_texture && !coated {
        return unused(subject);
    }
    let points_or_lines = read::unsigned(json, "mode").is_some_and(|mode| mode < 4);
    if !has_tangents && !points_or_lines && has_normal_texture {
        let message = "The material has a normal texture, but the primitive no tangents: they are generated, here by MikkTSpace.";
        subject.warning("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", &place, message);
    } else if !has_tangents && !points_or_lines {
        let message = "The material needs tangents, which the primitive does not have and no normal texture could give it.";
        subject.error("MESH_PRIMITIVE_NO_TANGENT_SPACE", &place, message);
    }
}
