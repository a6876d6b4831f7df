//! Meshes (glTF 2.0, 3.7.2): required and known attributes, their counts, the number of vertices for each mode, and morph
//! targets.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Mode;
use serde_json::{Map, Value};

use crate::asset::error::shortened;
use crate::asset::mesh::topology;
use crate::numbers::{agreeing, counted, grouped};

use crate::validate::attribute::{self, Attribute, NUMBERED, numbered};
use crate::validate::context::{ValidationContext, format};
use crate::validate::read;
use crate::validate::texture;

/// Checks all meshes.
pub fn check(context: &mut ValidationContext) {
    for (index, json) in context.list("meshes").iter().enumerate() {
        let pointer = format!("/meshes/{index}");
        let primitives = read::list(json, "primitives");
        for (i, primitive) in primitives.iter().enumerate() {
            check_primitive(context, primitive, &format!("{pointer}/primitives/{i}"));
        }
        let targets = |primitive: &Value| read::list(primitive, "targets").len();
        if !primitives.iter().all(Value::is_object) {
            continue;
        }
        let Some(first_count) = primitives.first().map(targets) else { continue };
        for (i, _) in primitives.iter().enumerate().filter(|(_, primitive)| targets(primitive) != first_count) {
            let message =
                format!("The primitive has fewer or more morph targets than the first one ({first_count}); missing ones have no effect.");
            context.error("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &format!("{pointer}/primitives/{i}"), message);
        }
        if let Some(weights) = json.get("weights").and_then(Value::as_array).filter(|weights| weights.len() != first_count) {
            let [weights, targets] = [counted(weights.len(), "weight"), counted(first_count, "morph target")];
            let message = format!("{weights} for {targets}: excess ones are ignored, missing ones are 0.");
            context.error("MESH_INVALID_WEIGHTS_COUNT", &format!("{pointer}/weights"), message);
        }
    }
}

/// Checks a primitive: attributes, indices, material and morph targets.
fn check_primitive(context: &mut ValidationContext, json: &Value, pointer: &str) {
    let Some(attributes) = json.get("attributes").and_then(Value::as_object) else { return };
    check_names(context, attributes, pointer);
    let count = check_attributes(context, attributes, pointer);
    let index_count = check_indices(context, json, &format!("{pointer}/indices"));
    let mode = read::unsigned(json, "mode").map_or(Some((Mode::Triangles, "TRIANGLES")), mode);
    // If the index accessor is invalid, the number of drawn vertices is unknown.
    let vertices = if json.get("indices").is_some() { index_count } else { count };
    if let (Some((mode, name)), Some(vertices)) = (mode, vertices)
        && (vertices == 0 || topology::excess(mode, vertices as usize) > 0)
    {
        let fit = agreeing(vertices as usize, "does", "do");
        let message = format!("{} {fit} not fit mode {name}; the excess is ignored.", counted(vertices as usize, "vertex"));
        context.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", pointer, message);
    }
    texture::check_primitive(context, json, attributes, pointer);
    for (target, json) in read::list(json, "targets").iter().enumerate() {
        let Some(morphed) = json.as_object() else { continue };
        check_target(context, morphed, attributes, &format!("{pointer}/targets/{target}"));
    }
}

/// The primitive mode with this code, and its name in the specification. `None` if there is none.
fn mode(code: u64) -> Option<(Mode, &'static str)> {
    const MODES: [(Mode, &str); 7] = [
        (Mode::Points, "POINTS"),
        (Mode::Lines, "LINES"),
        (Mode::LineLoop, "LINE_LOOP"),
        (Mode::LineStrip, "LINE_STRIP"),
        (Mode::Triangles, "TRIANGLES"),
        (Mode::TriangleStrip, "TRIANGLE_STRIP"),
        (Mode::TriangleFan, "TRIANGLE_FAN"),
    ];
    MODES.get(usize::try_from(code).ok()?).copied()
}

/// Checks the names of the attributes, and that none is missing.
fn check_names(context: &mut ValidationContext, attributes: &Map<String, Value>, pointer: &str) {
    let pointer = format!("{pointer}/attributes");
    if attributes.is_empty() {
        return;
    }
    if !attributes.contains_key("POSITION") {
        context.warning("MESH_PRIMITIVE_NO_POSITION", &pointer, "The primitive has no POSITION; it is not drawn.");
    }
    for name in attributes.keys().filter(|name| !attribute::is_known(name, false)) {
        let message = format!("{:?} is not an attribute of glTF; custom names must begin with an underscore.", shortened(name));
        context.error("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &format!("{pointer}/{}", read::escaped(name)), message);
    }
    if attributes.contains_key("TANGENT") && !attributes.contains_key("NORMAL") {
        let message = "Tangents have no effect without normals.";
        context.warning("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", &format!("{pointer}/TANGENT"), message);
    }
    let count = |base_name: &str| attributes.keys().filter(|name| numbered(name).is_some_and(|(other, _)| other == base_name)).count();
    // The greatest number must be one less than the count, otherwise there is a gap.
    for base_name in NUMBERED {
        let max =
            attributes.keys().filter_map(|name| numbered(name)).filter(|(other, _)| *other == base_name).map(|(_, number)| number).max();
        if max.is_some_and(|max| max.checked_add(1) != Some(count(base_name))) {
            let message = format!("The numbers of {base_name}_n must be 0, 1, 2, ...; those after a gap are ignored.");
            context.error("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", &pointer, message);
        }
    }
    let (joints, weights) = (count("JOINTS"), count("WEIGHTS"));
    if joints != weights {
        let message = format!("There are {joints} sets of joints, but {weights} sets of weights; unpaired ones are ignored.");
        context.error("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &pointer, message);
    }
}

/// Checks the attributes. Returns the number of vertices, if it is known.
fn check_attributes(context: &mut ValidationContext, attributes: &Map<String, Value>, pointer: &str) -> Option<u64> {
    let count_of = |accessor: &Value| {
        let accessor = usize::try_from(read::integer(accessor)?).ok()?;
        Some(context.accessors.get(accessor)?.layout?.count)
    };
    // The other attributes are compared with the positions, or with the first attribute if there are no positions.
    let mut count = attributes.get("POSITION").and_then(count_of);
    for (name, accessor) in attributes {
        let Some(accessor) = read::integer(accessor).and_then(|accessor| usize::try_from(accessor).ok()) else { continue };
        let pointer = format!("{pointer}/attributes/{}", read::escaped(name));
        attribute::check(context, &Attribute { name, accessor, in_morph_target: false, pointer: &pointer });
        let Some(element_count) = context.accessors.get(accessor).and_then(|accessor| Some(accessor.layout?.count)) else { continue };
        let vertex_count = *count.get_or_insert(element_count);
        if element_count != vertex_count {
            let (elements, vertices) = (counted(element_count as usize, "element"), grouped(vertex_count));
            let message = format!("{name} has {elements}, but another attribute has {vertices}.");
            context.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &pointer, message);
        }
    }
    count
}

/// Checks the indices. Returns their number, if it is known.
fn check_indices(context: &mut ValidationContext, json: &Value, pointer: &str) -> Option<u64> {
    let (_, accessor) = context.accessor(json, "indices")?;
    let layout = accessor.layout?;
    let unsigned = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
    if !unsigned || layout.shape != Type::Scalar || accessor.normalized {
        let message = format!("Indices cannot be {}.", format(&accessor));
        context.error("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", pointer, message);
    }
    Some(layout.count)
}

/// Checks the attributes of a morph target (`morphed`) against those of the primitive.
fn check_target(context: &mut ValidationContext, morphed: &Map<String, Value>, attributes: &Map<String, Value>, pointer: &str) {
    for (name, accessor) in morphed {
        let Some(accessor) = read::integer(accessor).and_then(|accessor| usize::try_from(accessor).ok()) else { continue };
        let pointer = format!("{pointer}/{}", read::escaped(name));
        if !attribute::is_known(name, true) {
            let message = format!("{:?} is not an attribute that a morph target can change.", shortened(name));
            context.error("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &pointer, message);
            continue;
        }
        attribute::check(context, &Attribute { name, accessor, in_morph_target: true, pointer: &pointer });
        let accessors = context.accessors.len();
        if accessor >= accessors {
            continue;
        }
        let base = attributes.get(name).and_then(read::integer).and_then(|base| usize::try_from(base).ok());
        let Some(base) = base.filter(|base| *base < accessors) else {
            let message = format!("The primitive has no {name} that the morph target could change.");
            context.error("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", &pointer, message);
            continue;
        };
        let count = |accessor: usize| context.accessors.get(accessor).and_then(|accessor| Some(accessor.layout?.count));
        if let (Some(target_count), Some(vertex_count)) = (count(accessor), count(base))
            && target_count != vertex_count
        {
            let (elements, vertices) = (counted(target_count as usize, "element"), counted(vertex_count as usize, "vertex"));
            let message = format!("The attribute has {elements}, but the primitive has {vertices}.");
            context.error("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", &pointer, message);
        }
    }
}
