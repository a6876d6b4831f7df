//! Builds a document without faults that contains almost every kind of object, and has functions that break it.

use serde_json::{Value, json};

use crate::common::gltf_builder::{Gltf, UNSIGNED_BYTE};

pub const POSITION: usize = 0;
pub const NORMAL: usize = 1;
pub const TANGENT: usize = 2;
pub const COLOR: usize = 4;
pub const JOINTS: usize = 5;
pub const WEIGHTS: usize = 6;
pub const INDICES: usize = 7;
pub const MATRICES: usize = 9;
pub const TIMES: usize = 10;
pub const ROTATIONS: usize = 11;

/// Builds a triangle on two joints with a morph target, a textured material, an animation, two cameras and a light.
pub fn sound() -> Gltf {
    let mut file = Gltf::new();
    let position = bounded(&mut file, "VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let normal = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let tangent = file.floats("VEC4", &[1.0, 0.0, 0.0, -1.0].repeat(3));
    let tex_coord = file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let color = file.floats("VEC4", &[1.0, 0.5, 0.0, 1.0].repeat(3));
    let joints = file.u8s("VEC4", &[0, 1, 0, 0].repeat(3));
    let weights = file.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    let indices = file.u16s("SCALAR", &[0, 1, 2]);
    let morphed = bounded(&mut file, "VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let identity = glam::Mat4::IDENTITY.to_cols_array();
    let matrices = file.floats("MAT4", &identity.repeat(2));
    let times = bounded(&mut file, "SCALAR", &[0.0, 0.5, 1.0]);
    let rotations = file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(3));
    let translations = file.floats("VEC3", &[0.0, 1.0, 0.0].repeat(3));
    let driven = file.floats("SCALAR", &[0.0, 1.0, 0.0]);
    let image = file.view(&picture(image::ImageFormat::Png));
    file.push("images", json!({ "bufferView": image, "mimeType": "image/png" }));
    file.push("samplers", json!({ "magFilter": 9729, "wrapS": 33071 }));
    file.push("textures", json!({ "source": 0, "sampler": 0 }));
    let texture = json!({ "index": 0 });
    file.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": texture }, "normalTexture": texture }));
    let attributes = json!({
        "POSITION": position, "NORMAL": normal, "TANGENT": tangent, "TEXCOORD_0": tex_coord, "COLOR_0": color,
        "JOINTS_0": joints, "WEIGHTS_0": weights,
    });
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": 0, "targets": [{ "POSITION": morphed }] });
    file.push("meshes", json!({ "primitives": [primitive], "weights": [0.0] }));
    file.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": matrices, "skeleton": 1 }));
    file.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }));
    let lens = json!({ "xmag": 1.0, "ymag": 1.0, "znear": 0.1, "zfar": 10.0 });
    file.push("cameras", json!({ "type": "orthographic", "orthographic": lens }));
    file.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    file.push("nodes", json!({ "children": [2], "translation": [0.0, 1.0, 0.0] }));
    file.push("nodes", json!({ "rotation": [0.0, 0.0, 0.0, 1.0] }));
    file.push("nodes", json!({ "camera": 0, "extensions": { "KHR_lights_punctual": { "light": 0 } } }));
    file.push("nodes", json!({ "camera": 1 }));
    file.push("scenes", json!({ "nodes": [0, 1, 3, 4] }));
    let samplers = [rotations, translations, driven].map(|output| json!({ "input": times, "output": output }));
    let channel = |(sampler, node, path): (usize, usize, &str)| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    let channels = [(0, 1, "rotation"), (1, 1, "translation"), (2, 0, "weights")].map(channel);
    file.push("animations", json!({ "samplers": samplers, "channels": channels }));
    file.json["extensions"]["KHR_lights_punctual"] = json!({ "lights": [{ "type": "spot", "spot": { "innerConeAngle": 0.1 } }] });
    file.push("extensionsUsed", json!("KHR_lights_punctual"));
    file
}

/// Encodes a picture of one pixel.
pub fn picture(format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(1, 1).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Adds a float accessor with its minimum and maximum.
fn bounded(file: &mut Gltf, type_: &str, values: &[f32]) -> usize {
    let accessor = file.floats(type_, values);
    let width = values.len() / file.json["accessors"][accessor]["count"].as_u64().unwrap() as usize;
    let column = |c: usize| values.iter().skip(c).step_by(width).copied();
    let least: Vec<f32> = (0..width).map(|c| column(c).fold(f32::INFINITY, f32::min)).collect();
    let most: Vec<f32> = (0..width).map(|c| column(c).fold(f32::NEG_INFINITY, f32::max)).collect();
    file.json["accessors"][accessor]["min"] = json!(least);
    file.json["accessors"][accessor]["max"] = json!(most);
    accessor
}

/// Writes a value at a JSON pointer whose parent exists.
pub fn set(file: &mut Gltf, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match file.json.pointer_mut(parent).unwrap() {
        Value::Array(elements) if key == "-" => elements.push(value),
        Value::Array(elements) => elements[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
}

pub fn remove(file: &mut Gltf, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    file.json.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
}

/// Overwrites one number of an accessor.
pub fn write(file: &mut Gltf, accessor: usize, at: usize, bytes: &[u8]) {
    let view = &file.json["bufferViews"][accessor];
    let start = view["byteOffset"].as_u64().unwrap() as usize + at * bytes.len();
    file.bin[start..start + bytes.len()].copy_from_slice(bytes);
}

/// Adds a sparse accessor of `count` numbers without a base. Its views hold the index and the value of one element.
pub fn push_sparse(file: &mut Gltf, count: u64, [indices, values]: [usize; 2]) {
    let sparse = json!({ "count": 1, "indices": { "bufferView": indices, "componentType": 5125 }, "values": { "bufferView": values } });
    file.push("accessors", json!({ "componentType": 5126, "type": "SCALAR", "count": count, "sparse": sparse }));
}

/// Makes an accessor sparse: zeros replace the elements at `places`.
pub fn make_sparse(file: &mut Gltf, accessor: usize, places: &[u8]) {
    let indices = file.view(places);
    let values = file.view(&vec![0; places.len() * 16]);
    let sparse = json!({
        "count": places.len(),
        "indices": { "bufferView": indices, "componentType": UNSIGNED_BYTE },
        "values": { "bufferView": values },
    });
    file.json["accessors"][accessor]["sparse"] = sparse;
}
