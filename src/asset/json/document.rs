//! The JSON as `gltf::json` types. What those are too strict or too lax for is mended on the way: indices beyond 32 bits
//! (which they would cut off), arrays that may be absent, channels without sampler or target node, names that are none, extensions that this program
//! does not look at (a mistake in those is no reason to refuse a file). Indices are not checked here: whoever follows one
//! does.

use gltf::json;
use serde_json::{Map, Value};

use crate::asset::error::LoadError;
use crate::asset::file::foreign;
use crate::asset::findings::Findings;

use super::extensions;
use super::pointed::Pointed;
use super::typed::{self, Omitted};

/// Properties whose numbers are indices.
const INDICES: [&str; 19] = [
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
/// Objects of which every number is an index, however it is called.
const INDEX_OBJECTS: [&str; 3] = ["attributes", "targets", "inverseBindMatrices"];

/// The JSON of a file.
pub struct Document {
    pub root: json::Root,
    /// What the types have no place for.
    pub pointed: Pointed,
    /// What was no animation, channel or skin; something empty has its place.
    pub left_out: Omitted,
}

/// Parses the JSON of a file.
pub fn parse(bytes: &[u8], findings: &mut Findings) -> Result<Document, LoadError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| LoadError::Json(error.to_string()))?;
    let pointed = Pointed::read(&value);
    let Value::Object(mut object) = value else { return Err(LoadError::Json("the file is no JSON object".into())) };
    check_version(&object)?;
    mend_object(&mut object);
    mend_absent(&mut object);
    let (root, left_out) = typed::root(object, findings)?;
    Ok(Document { root, pointed, left_out })
}

fn check_version(object: &Map<String, Value>) -> Result<(), LoadError> {
    let asset = object.get("asset").and_then(Value::as_object);
    let said = |key: &str| asset.and_then(|asset| asset.get(key)).and_then(Value::as_str);
    let Some(version) = said("version") else {
        // glTF 1.0 may do without; it keeps everything in objects by name.
        if object.get("meshes").is_some_and(Value::is_object) {
            return Err(foreign::gltf_1());
        }
        return Err(LoadError::Schema { pointer: "/asset".into(), message: "asset.version is missing: this is not glTF 2.0".into() });
    };
    let needed = said("minVersion").unwrap_or(version);
    match needed.split_once('.').map_or((needed, "0"), |parts| parts) {
        ("2", "0") => Ok(()),
        // A later minor version stays readable unless the file says otherwise.
        ("2", _) if said("minVersion").is_none() => Ok(()),
        ("0" | "1", _) => Err(foreign::gltf_1()),
        _ => Err(LoadError::Version { version: needed.to_owned() }),
    }
}

/// Passes over an object and all below it: forgets extensions that nobody reads, and saturates indices.
fn mend_object(object: &mut Map<String, Value>) {
    // Nothing depends on a name.
    if object.get("name").is_some_and(|name| !name.is_string()) {
        object.remove("name");
    }
    if let Some(Value::Object(extensions)) = object.get_mut("extensions") {
        extensions.retain(|name, _| extensions::is_read(name));
    }
    for (key, value) in object.iter_mut().filter(|(key, _)| *key != "extras") {
        if INDEX_OBJECTS.contains(&key.as_str()) {
            saturate_all(value);
        } else {
            mend(value, INDICES.contains(&key.as_str()));
        }
    }
}

fn mend(value: &mut Value, is_index: bool) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| mend(element, is_index)),
        Value::Object(object) => mend_object(object),
        number if is_index => saturate(number),
        _ => {}
    }
}

fn saturate_all(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(saturate_all),
        Value::Object(object) => object.values_mut().for_each(saturate_all),
        number => saturate(number),
    }
}

/// `gltf::json` keeps 32 bits of an index: 2^32 would become 0. The largest index exists nowhere, either.
fn saturate(value: &mut Value) {
    if value.as_u64().is_some_and(|index| index > u64::from(u32::MAX)) {
        *value = u32::MAX.into();
    }
}

/// The types insist on arrays that may be absent, and on targets that may have no node.
fn mend_absent(object: &mut Map<String, Value>) {
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
            if !has_sampler || !target.contains_key("node") || !target.contains_key("path") {
                // An unknown path: such a channel is passed over, whatever its node.
                target.insert("path".into(), "".into());
                target.entry("node").or_insert(0.into());
            }
        }
    }
}

fn objects<'a>(object: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    object.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}
