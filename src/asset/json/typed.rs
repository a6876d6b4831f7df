//! From the object of a file to `gltf::json` types, element by element. What is not as the specification asks for is an error that
//! tells its place and its cause; animations, their channels and skins are left out instead, for the rest can be shown without them.

use std::collections::HashSet;

use gltf::json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

use crate::asset::error::{LoadError, Place};
use crate::asset::findings::Findings;

/// What has its place in the arrays, but nothing in it: findings say why.
#[derive(Debug, Default)]
pub struct Omitted {
    /// By animation and channel.
    pub channels: HashSet<(usize, usize)>,
    pub skins: HashSet<usize>,
}

/// Why something is not of its type.
struct Fault {
    code: &'static str,
    /// From the element on.
    pointer: String,
    message: String,
}

pub fn root(mut object: Map<String, Value>, findings: &mut Findings) -> Result<(json::Root, Omitted), LoadError> {
    let object = &mut object;
    let mut left_out = Omitted::default();
    let root = json::Root {
        asset: property(object, "asset")?.unwrap_or_default(),
        scene: property(object, "scene")?,
        extensions: property(object, "extensions")?,
        extensions_used: property(object, "extensionsUsed")?.unwrap_or_default(),
        extensions_required: property(object, "extensionsRequired")?.unwrap_or_default(),
        accessors: array(object, "accessors")?,
        animations: animations(object, findings, &mut left_out)?,
        buffers: array(object, "buffers")?,
        buffer_views: array(object, "bufferViews")?,
        cameras: array(object, "cameras")?,
        images: array(object, "images")?,
        materials: array(object, "materials")?,
        meshes: array(object, "meshes")?,
        nodes: array(object, "nodes")?,
        samplers: array(object, "samplers")?,
        scenes: array(object, "scenes")?,
        skins: skins(object, findings, &mut left_out)?,
        textures: array(object, "textures")?,
        extras: None,
    };
    Ok((root, left_out))
}

fn property<T: DeserializeOwned>(object: &mut Map<String, Value>, key: &str) -> Result<Option<T>, LoadError> {
    object.remove(key).map(|value| typed(&value).map_err(|fault| fault.refusal(&format!("/{key}")))).transpose()
}

fn array<T: DeserializeOwned>(object: &mut Map<String, Value>, key: &str) -> Result<Vec<T>, LoadError> {
    let element = |(index, value)| typed(&value).map_err(|fault| fault.refusal(&format!("/{key}/{index}")));
    elements(object, key)?.into_iter().enumerate().map(element).collect()
}

fn elements(object: &mut Map<String, Value>, key: &str) -> Result<Vec<Value>, LoadError> {
    match object.remove(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(LoadError::Schema { pointer: format!("/{key}"), message: "this is no array".into() }),
    }
}

fn animations(object: &mut Map<String, Value>, findings: &mut Findings, left_out: &mut Omitted) -> Result<Vec<json::Animation>, LoadError> {
    let mut animation = |(index, mut value): (usize, Value)| {
        if let Ok(animation) = json::Animation::deserialize(&value) {
            return animation;
        }
        let place = Place::new("animation", "animations", index, name(&value));
        let channels = value.get_mut("channels").and_then(Value::as_array_mut);
        for (at, channel) in channels.into_iter().flatten().enumerate() {
            if let Err(fault) = typed::<json::animation::Channel>(channel) {
                fault.say(&place.child("channel", "channels", at), findings);
                left_out.channels.insert((index, at));
                *channel = serde_json::json!({ "sampler": 0, "target": { "node": 0, "path": "" } });
            }
        }
        typed(&value).unwrap_or_else(|fault| {
            fault.say(&place, findings);
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

fn skins(object: &mut Map<String, Value>, findings: &mut Findings, left_out: &mut Omitted) -> Result<Vec<json::Skin>, LoadError> {
    let mut skin = |(index, value): (usize, Value)| {
        typed(&value).unwrap_or_else(|fault| {
            let name = name(&value);
            fault.say(&Place::new("skin", "skins", index, name), findings);
            left_out.skins.insert(index);
            let name = name.map(str::to_owned);
            json::Skin { extensions: None, extras: None, inverse_bind_matrices: None, joints: Vec::new(), name, skeleton: None }
        })
    };
    Ok(elements(object, "skins")?.into_iter().enumerate().map(&mut skin).collect())
}

fn name(value: &Value) -> Option<&str> {
    value.get("name").and_then(Value::as_str)
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    // Without its way to what is wrong at first: that takes longer.
    T::deserialize(value)
        .or_else(|_| serde_path_to_error::deserialize(value))
        .map_err(|error| Fault::new(error.path(), &error.inner().to_string()))
}

impl Fault {
    /// `said` is serde's: "invalid value: integer `-1`, expected u32".
    fn new(path: &Path, said: &str) -> Self {
        let step = |pointer: String, segment: &Segment| match segment {
            Segment::Seq { index } => format!("{pointer}/{index}"),
            Segment::Map { key } => format!("{pointer}/{key}"),
            Segment::Enum { .. } | Segment::Unknown => pointer,
        };
        let pointer = path.iter().fold(String::new(), step);
        let expected = |kind: &str| said.strip_prefix(kind).and_then(|said| said.split_once(", expected "));
        let (code, message) = if let Some((found, wanted)) = expected("invalid type: ").or_else(|| expected("invalid value: ")) {
            let wanted = match wanted {
                "u32" | "index into child of root" => "an index, counted from 0,",
                "u64" | "usize" => "a whole number from 0 on",
                "f32" | "f64" => "a number",
                "a sequence" => "an array",
                named if named.starts_with("struct ") => "an object",
                other => other,
            };
            let code = if found.starts_with("integer") { "INVALID_INDEX" } else { "TYPE_MISMATCH" };
            (code, format!("{} stands where {wanted} belongs", found.replace('`', "")))
        } else if let Some((found, wanted)) = expected("invalid length ") {
            ("ARRAY_LENGTH_NOT_IN_LIST", format!("{found} elements stand where {wanted} belongs"))
        } else if let Some(field) = said.strip_prefix("missing field ") {
            ("UNDEFINED_PROPERTY", format!("{} is missing", field.replace('`', "")))
        } else {
            ("TYPE_MISMATCH", said.to_owned())
        };
        Self { code, pointer, message }
    }

    fn refusal(self, element: &str) -> LoadError {
        LoadError::Schema { pointer: format!("{element}{}", self.pointer), message: self.message }
    }

    fn say(self, place: &Place, findings: &mut Findings) {
        let pointer = format!("{}{}", place.pointer, self.pointer);
        let words = format!("{} cannot be read and is left out: at {pointer}, {}.", place.words, self.message);
        findings.error(self.code, &pointer, words);
    }
}
