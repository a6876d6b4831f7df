//! Parses the JSON to `gltf::json` types. A file that needs no repair is parsed directly ([`super::direct`]). In other files, the JSON is
//! first changed where the types are too strict or too lax:
//! - Integers with a fraction of 0 or an exponent, such as 3.0, become plain integers, because the types refuse others.
//! - Indices above 32 bits become the largest index, because the types would drop their upper bits.
//! - Missing optional arrays are added, as are missing samplers and target nodes of channels.
//! - Numbers too large for `f64` become strings, and lone surrogates in strings become U+FFFD.
//! - Names that are not strings are removed.
//! - Extensions that Sinew does not read are removed, because a fault in them is no reason to refuse a file.
//!
//! Indices are checked later, where they are used.

use gltf::json;
use serde_json::{Map, Value};

use crate::asset::error::LoadError;
use crate::asset::file::foreign;
use crate::asset::findings::Findings;

use super::direct;
use super::extensions;
use super::infinite_number;
use super::integer;
use super::lone_surrogate;
use super::morph_attributes;
use super::object_count;
use super::raw_pointers::RawPointers;
use super::typed::{self, Omitted};

/// Properties that hold an index or an array of indices.
const INDEX_PROPERTIES: [&str; 19] = [
    "mesh",
    "skin",
    "camera",
    "node",
    "nodes",
    "children",
    "joints",
    "skeleton",
    "scene",
    "source",
    "sampler",
    "index",
    "material",
    "indices",
    "bufferView",
    "buffer",
    "input",
    "output",
    "light",
];
/// Properties in whose values every number is an index, at any depth.
const NESTED_INDEX_PROPERTIES: [&str; 3] = ["attributes", "targets", "inverseBindMatrices"];

/// The parsed JSON of a file.
pub struct Document {
    /// The file's elements as types. Materials have only extensions that Sinew reads.
    pub root: json::Root,
    /// Animation pointers, which the types cannot hold.
    pub raw_pointers: RawPointers,
    /// Invalid channels and skins. They are replaced by empty elements.
    pub omitted: Omitted,
}

/// Parses the JSON of a file. Returns an error if it is not JSON, not glTF 2.0, or does not match the schema.
pub fn parse(bytes: &[u8], findings: &mut Findings) -> Result<Document, LoadError> {
    if let Some(root) = direct::read(bytes) {
        check_version(Some(&root.asset.version), root.asset.min_version.as_deref(), false)?;
        morph_attributes::report(bytes, &root, findings);
        return Ok(Document { root, raw_pointers: RawPointers::default(), omitted: Omitted::default() });
    }
    object_count::check_repaired(bytes)?;
    let value = parse_value(bytes, "", findings).map_err(|error| LoadError::Json(error.to_string()))?;
    // The types drop some of the values that pointers lead to, so look them up in the raw JSON.
    let raw_pointers = RawPointers::read(&value);
    let Value::Object(mut object) = value else { return Err(LoadError::Json("expected an object".into())) };
    let asset = object.get("asset").and_then(Value::as_object);
    let declared = |key: &str| asset.and_then(|asset| asset.get(key)).and_then(Value::as_str);
    // A glTF 1.0 file may lack a version. It is recognized because it stores elements in objects by name, not in arrays.
    let is_first = object.get("meshes").is_some_and(Value::is_object);
    if asset.and_then(|asset| asset.get("version")).is_some_and(|version| !version.is_string()) {
        let message = "expected a text such as \"2.0\"".into();
        return Err(LoadError::Schema { pointer: "/asset/version".into(), message });
    }
    check_version(declared("version"), declared("minVersion"), is_first)?;
    normalize_object(&mut object);
    add_missing(&mut object);
    let (root, omitted) = typed::root(object, findings)?;
    morph_attributes::report(bytes, &root, findings);
    Ok(Document { root, raw_pointers, omitted })
}

/// Parses JSON. What the parser refuses, but is no reason to refuse a file, is replaced: lone surrogates in strings, with a finding, and
/// numbers too large for `f64`, which become strings that begin with `infinite_mark`. They are then an error where the types need a number.
pub fn parse_value(bytes: &[u8], infinite_mark: &str, findings: &mut Findings) -> serde_json::Result<Value> {
    serde_json::from_slice(bytes).or_else(|error| {
        let paired = lone_surrogate::replace(bytes);
        let quoted = infinite_number::quote_infinite(paired.as_deref().unwrap_or(bytes), infinite_mark);
        if paired.is_some() {
            findings.error("INVALID_JSON", "", "The JSON has half of a surrogate pair; it is replaced by U+FFFD.");
        }
        let repaired = quoted.or(paired).and_then(|repaired| serde_json::from_slice(&repaired).ok());
        repaired.ok_or(error)
    })
}

/// Returns an error unless `asset` declares a version that Sinew reads (glTF 2.0, 3.2). `is_first` tells whether the file looks like
/// glTF 1.0.
fn check_version(version: Option<&str>, min_version: Option<&str>, is_first: bool) -> Result<(), LoadError> {
    let Some(version) = version else {
        if is_first {
            return Err(foreign::gltf_1());
        }
        return Err(LoadError::Schema { pointer: "/asset".into(), message: "asset.version is missing: not a glTF 2.0 file".into() });
    };
    let needed = min_version.unwrap_or(version);
    match needed.split_once('.').map_or((needed, "0"), |parts| parts) {
        ("2", "0") => Ok(()),
        // A later minor version is compatible unless the file sets minVersion.
        ("2", _) if min_version.is_none() => Ok(()),
        ("0" | "1", _) => Err(foreign::gltf_1()),
        _ => Err(LoadError::Version { version: needed.to_owned() }),
    }
}

/// Removes invalid names and unsupported extensions, simplifies integers, and saturates indices, in an object and in all values inside it.
fn normalize_object(object: &mut Map<String, Value>) {
    // A name is only a label, so an invalid one is dropped.
    if object.get("name").is_some_and(|name| !name.is_string()) {
        object.remove("name");
    }
    if let Some(Value::Object(extensions)) = object.get_mut("extensions") {
        extensions.retain(|name, _| extensions::is_read(name));
    }
    // Extras may hold any JSON, so leave them unchanged.
    for (key, value) in object.iter_mut().filter(|(key, _)| *key != "extras") {
        if NESTED_INDEX_PROPERTIES.contains(&key.as_str()) {
            normalize_indices(value);
        } else {
            normalize_value(value, INDEX_PROPERTIES.contains(&key.as_str()));
        }
    }
}

/// Normalizes a value and all values inside it. `is_index` tells whether a number here is an index.
fn normalize_value(value: &mut Value, is_index: bool) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| normalize_value(element, is_index)),
        Value::Object(object) => normalize_object(object),
        number => normalize_number(number, is_index),
    }
}

/// Normalizes every number in a value, at any depth, as an index.
fn normalize_indices(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(normalize_indices),
        Value::Object(object) => object.values_mut().for_each(normalize_indices),
        number => normalize_number(number, true),
    }
}

/// Writes an integer without fraction and exponent. Where a fraction is allowed, the types accept an integer, too. An index is limited to
/// 32 bits, since `gltf::json` would truncate 2^32 to 0. No file has that many elements, so the index stays invalid.
fn normalize_number(value: &mut Value, is_index: bool) {
    if let Some(integer) = integer(value) {
        *value = if is_index { integer.min(u32::MAX.into()) } else { integer }.into();
    }
}

/// Adds optional properties that the types require: arrays of scenes and animations, and samplers, targets and target nodes of channels.
fn add_missing(object: &mut Map<String, Value>) {
    for scene in objects(object, "scenes") {
        scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
    }
    for animation in objects(object, "animations") {
        for key in ["channels", "samplers"] {
            animation.entry(key).or_insert_with(|| Value::Array(Vec::new()));
        }
        for channel in objects(animation, "channels") {
            let has_sampler = channel.contains_key("sampler");
            channel.entry("sampler").or_insert(0.into());
            let Some(target) = channel.entry("target").or_insert_with(|| Value::Object(Map::new())).as_object_mut() else { continue };
            // A channel with KHR_animation_pointer has no node; `parse` has read its pointer already.
            if !has_sampler || !target.contains_key("node") || !target.contains_key("path") {
                // Channels with an unknown path are skipped, whatever their node.
                target.insert("path".into(), "".into());
                target.entry("node").or_insert(0.into());
            }
        }
    }
}

/// The objects in an array property. Other elements are skipped.
fn objects<'a>(object: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    object.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}
