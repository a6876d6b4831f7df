//! Converts the JSON object of a file to `gltf::json` types, element by element. A value that does not match the schema is an
//! error with its location. Invalid animations, channels, skins and texture transforms are omitted instead, since the model can be shown
//! without them.

use std::collections::HashSet;

use gltf::json;
use gltf::json::extensions::texture::TextureTransform;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::asset::error::{LoadError, Location};
use crate::asset::findings::Findings;
use crate::numbers::counted;

use super::fault::{self, Fault};
use super::with_plain_integers;

/// Elements that were replaced by empty ones. Findings give the reasons.
#[derive(Debug, Default)]
pub struct Omitted {
    /// Indices of animation and channel.
    pub channels: HashSet<(usize, usize)>,
    /// Indices of skins.
    pub skins: HashSet<usize>,
}

/// The core textures whose type includes KHR_texture_transform, as JSON pointers below the material.
const TYPED_TRANSFORM_TEXTURES: [&str; 3] =
    ["/pbrMetallicRoughness/baseColorTexture", "/pbrMetallicRoughness/metallicRoughnessTexture", "/emissiveTexture"];

/// The reason why a value does not match its type.
struct SchemaMismatch {
    /// The validator's code for this kind of mismatch.
    code: &'static str,
    /// JSON pointer below the element.
    pointer: String,
    message: String,
}

/// Converts the root object. Returns an error if an element other than an animation, channel, skin or texture transform is invalid.
pub fn root(mut object: Map<String, Value>, findings: &mut Findings) -> Result<(json::Root, Omitted), LoadError> {
    let object = &mut object;
    let mut omitted = Omitted::default();
    let root = json::Root {
        asset: property(object, "asset")?.unwrap_or_default(),
        scene: property(object, "scene")?,
        extensions: property(object, "extensions")?,
        extensions_used: property(object, "extensionsUsed")?.unwrap_or_default(),
        extensions_required: property(object, "extensionsRequired")?.unwrap_or_default(),
        accessors: array(object, "accessors")?,
        animations: animations(object, findings, &mut omitted)?,
        buffers: array(object, "buffers")?,
        buffer_views: array(object, "bufferViews")?,
        cameras: array(object, "cameras")?,
        images: array(object, "images")?,
        materials: materials(object, findings)?,
        meshes: array(object, "meshes")?,
        nodes: array(object, "nodes")?,
        samplers: array(object, "samplers")?,
        scenes: array(object, "scenes")?,
        skins: skins(object, findings, &mut omitted)?,
        textures: array(object, "textures")?,
        extras: None,
    };
    Ok((root, omitted))
}

/// A property of the root. `None` if the file does not have it.
fn property<T: DeserializeOwned>(object: &mut Map<String, Value>, key: &str) -> Result<Option<T>, LoadError> {
    object.remove(key).map(|value| typed(&value).map_err(|mismatch| mismatch.into_error(&format!("/{key}")))).transpose()
}

/// An array of the root, empty if the file does not have it. An error names the invalid element.
fn array<T: DeserializeOwned>(object: &mut Map<String, Value>, key: &str) -> Result<Vec<T>, LoadError> {
    let element = |(index, value)| typed(&value).map_err(|mismatch| mismatch.into_error(&format!("/{key}/{index}")));
    elements(object, key)?.into_iter().enumerate().map(element).collect()
}

/// The elements of an array of the root, as unconverted JSON.
fn elements(object: &mut Map<String, Value>, key: &str) -> Result<Vec<Value>, LoadError> {
    match object.remove(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(LoadError::Schema { pointer: format!("/{key}"), message: "expected an array".into() }),
    }
}

/// The animations. An invalid channel is replaced by a channel without a path. An animation that is invalid for another reason is replaced
/// by an empty one.
fn animations(object: &mut Map<String, Value>, findings: &mut Findings, omitted: &mut Omitted) -> Result<Vec<json::Animation>, LoadError> {
    let mut animation = |(index, mut value): (usize, Value)| {
        // Most animations are valid, so look for the fault only if there is one.
        if let Ok(animation) = typed(&value) {
            return animation;
        }
        let location = Location::new("animation", "animations", index, name(&value));
        let channels = value.get_mut("channels").and_then(Value::as_array_mut);
        for (channel_index, channel) in channels.into_iter().flatten().enumerate() {
            if let Err(mismatch) = typed::<json::animation::Channel>(channel) {
                mismatch.report(&location.child("channel", "channels", channel_index), findings);
                omitted.channels.insert((index, channel_index));
                // Channels keep their indices, which findings and pointers refer to. A channel with an unknown path is skipped.
                *channel = serde_json::json!({ "sampler": 0, "target": { "node": 0, "path": "" } });
            }
        }
        typed(&value).unwrap_or_else(|mismatch| {
            mismatch.report(&location, findings);
            json::Animation {
                extensions: None,
                extras: None,
                channels: Vec::new(),
                name: name(&value).map(str::to_owned),
                samplers: Vec::new(),
            }
        })
    };
    Ok(elements(object, "animations")?.into_iter().enumerate().map(&mut animation).collect())
}

/// The materials. Invalid texture transforms are removed.
fn materials(object: &mut Map<String, Value>, findings: &mut Findings) -> Result<Vec<json::Material>, LoadError> {
    let mut material = |(index, mut value): (usize, Value)| {
        // Most materials are valid, so look for the fault only if there is one.
        if let Ok(material) = typed(&value) {
            return Ok(material);
        }
        let location = Location::new("material", "materials", index, name(&value));
        for path in TYPED_TRANSFORM_TEXTURES {
            let extensions = value.pointer_mut(&format!("{path}/extensions")).and_then(Value::as_object_mut);
            let Some(extensions) = extensions else { continue };
            let location = Location { pointer: format!("{}{path}", location.pointer), ..location.clone() };
            if texture_transform(extensions, &location, findings).is_none() {
                extensions.remove("KHR_texture_transform");
            }
        }
        typed(&value).map_err(|mismatch| mismatch.into_error(&location.pointer))
    };
    elements(object, "materials")?.into_iter().enumerate().map(&mut material).collect()
}

/// The transform of a texture whose reference has these extensions. `None` if there is none, or, with a finding, if it is invalid.
/// `location` has the words of the material and the pointer of the reference.
pub fn texture_transform(extensions: &Map<String, Value>, location: &Location, findings: &mut Findings) -> Option<TextureTransform> {
    let words = format!("the texture transform of {}", location.words);
    let location = Location { words, pointer: format!("{}/extensions/KHR_texture_transform", location.pointer) };
    typed(&with_plain_integers(extensions.get("KHR_texture_transform")?)).map_err(|mismatch| mismatch.report(&location, findings)).ok()
}

/// The skins. An invalid one is replaced by a skin without joints.
fn skins(object: &mut Map<String, Value>, findings: &mut Findings, omitted: &mut Omitted) -> Result<Vec<json::Skin>, LoadError> {
    let mut skin = |(index, value): (usize, Value)| {
        typed(&value).unwrap_or_else(|mismatch| {
            let name = name(&value);
            mismatch.report(&Location::new("skin", "skins", index, name), findings);
            omitted.skins.insert(index);
            let name = name.map(str::to_owned);
            json::Skin { extensions: None, extras: None, inverse_bind_matrices: None, joints: Vec::new(), name, skeleton: None }
        })
    };
    Ok(elements(object, "skins")?.into_iter().enumerate().map(&mut skin).collect())
}

/// The name of an element, for messages.
fn name(value: &Value) -> Option<&str> {
    value.get("name").and_then(Value::as_str)
}

/// Converts a value. An error carries the JSON pointer of the fault, relative to the value.
fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, SchemaMismatch> {
    fault::converted(value).map_err(SchemaMismatch::new)
}

/// Translates a message of serde, such as "invalid value: integer `-1`, expected u32", to the words of glTF and JSON.
pub fn in_plain_words(serde_message: &str) -> String {
    // Messages have several forms.
    let split_after = |prefix: &str| serde_message.strip_prefix(prefix).and_then(|tail| tail.split_once(", expected "));
    if let Some((found, wanted)) = split_after("invalid type: ").or_else(|| split_after("invalid value: ")) {
        let wanted = match wanted {
            "u32" | "index into child of root" => "an index",
            "u64" | "usize" => "a non-negative integer",
            "f32" | "f64" => "a number",
            "a sequence" => "an array",
            type_name if type_name.starts_with("struct ") => "an object",
            other => other,
        };
        format!("expected {wanted}, found {}", found.replace('`', ""))
    } else if let Some((found, wanted)) = split_after("invalid length ") {
        let found = found.parse().map_or_else(|_| found.to_owned(), |count| counted(count, "element"));
        format!("expected {wanted}, found {found}")
    } else if let Some(field) = serde_message.strip_prefix("missing field ") {
        format!("{} is missing", field.replace('`', ""))
    } else if let Some(field) = serde_message.strip_prefix("duplicate field ") {
        format!("{} is given twice", field.replace('`', ""))
    } else {
        serde_message.to_owned()
    }
}

impl SchemaMismatch {
    /// Classifies a fault.
    fn new(Fault { pointer, message }: Fault) -> Self {
        let code = match &*message {
            message if message.starts_with("invalid type: integer") && message.ends_with("index into child of root") => "INVALID_INDEX",
            message if message.starts_with("invalid value: integer") => "VALUE_NOT_IN_RANGE",
            message if message.starts_with("invalid length ") => "ARRAY_LENGTH_NOT_IN_LIST",
            message if message.starts_with("missing field ") => "UNDEFINED_PROPERTY",
            _ => "TYPE_MISMATCH",
        };
        Self { code, pointer, message: in_plain_words(&message) }
    }

    /// Converts to an error, for a file that cannot be read without the element. `element` is its JSON pointer.
    fn into_error(self, element: &str) -> LoadError {
        LoadError::Schema { pointer: format!("{element}{}", self.pointer), message: self.message }
    }

    /// Converts to a finding, for a file that can be shown without the element at this location.
    fn report(self, location: &Location, findings: &mut Findings) {
        let pointer = format!("{}{}", location.pointer, self.pointer);
        let message = format!("{} is invalid and is skipped: at {pointer}, {}.", location.words, self.message);
        findings.error(self.code, &pointer, message);
    }
}
