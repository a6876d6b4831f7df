//! Builds tiny glTF documents in code. Push objects into the arrays of the JSON and numbers into the one buffer, then take the result as a
//! .gltf, a .glb or a loaded model.
#![allow(clippy::unwrap_used)]
#![allow(dead_code)] // each test binary uses only a part

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sinew::asset::error::LoadError;
use sinew::asset::{self, Loaded};
use sinew::model::Model;
use sinew::model::finding::Finding;

// Values of an accessor's `componentType` (glTF 2.0, section 3.6.2.2).
pub const BYTE: u32 = 5120;
pub const UNSIGNED_BYTE: u32 = 5121;
pub const SHORT: u32 = 5122;
pub const UNSIGNED_SHORT: u32 = 5123;
pub const UNSIGNED_INT: u32 = 5125;
pub const FLOAT: u32 = 5126;

/// A document under construction. `json` may be edited freely. The one buffer is declared when the document is written.
#[derive(Clone)]
pub struct Gltf {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Gltf {
    /// Makes a document that has only the required `asset`.
    pub fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() }
    }

    /// Appends to an array of the root object and returns the index of the new element.
    pub fn push(&mut self, array: &str, value: Value) -> usize {
        let elements = &mut self.json[array];
        if elements.is_null() {
            *elements = json!([]);
        }
        let elements = elements.as_array_mut().unwrap();
        elements.push(value);
        elements.len() - 1
    }

    /// Appends bytes to the buffer, aligned to four, and returns the index of a new buffer view over them.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// Adds an accessor with its own buffer view and returns the accessor's index.
    pub fn accessor(&mut self, component_type: u32, type_: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.push("accessors", json!({ "bufferView": view, "componentType": component_type, "type": type_, "count": count }))
    }

    /// Adds a FLOAT accessor. `type_` is the accessor type, for example "VEC3".
    pub fn floats(&mut self, type_: &str, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(FLOAT, type_, values.len() / components(type_), &bytes)
    }

    /// Adds an UNSIGNED_SHORT accessor.
    pub fn u16s(&mut self, type_: &str, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(UNSIGNED_SHORT, type_, values.len() / components(type_), &bytes)
    }

    /// Adds an UNSIGNED_BYTE accessor.
    pub fn u8s(&mut self, type_: &str, values: &[u8]) -> usize {
        self.accessor(UNSIGNED_BYTE, type_, values.len() / components(type_), values)
    }

    /// Adds a mesh of one primitive and a node that draws it. Returns the node's index.
    pub fn mesh_node(&mut self, primitive: Value) -> usize {
        let mesh = self.push("meshes", json!({ "primitives": [primitive] }));
        self.push("nodes", json!({ "mesh": mesh }))
    }

    /// Adds an animation with one channel for each (node, path, interpolation, key times, output accessor).
    pub fn animation(&mut self, channels: &[(usize, &str, &str, &[f32], usize)]) -> usize {
        let mut animation = json!({ "channels": [], "samplers": [] });
        for (i, (node, path, interpolation, times, output)) in channels.iter().enumerate() {
            let input = self.floats("SCALAR", times);
            let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
            animation["samplers"].as_array_mut().unwrap().push(sampler);
            animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": i, "target": { "node": node, "path": path } }));
        }
        self.push("animations", animation)
    }

    /// Returns the document as a .gltf, with its buffer in a data: URI.
    pub fn to_gltf(&self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bin));
        serde_json::to_vec(&self.with_buffer(json!({ "byteLength": self.bin.len(), "uri": uri }))).unwrap()
    }

    /// Returns the document as a .glb, with its buffer in the BIN chunk.
    pub fn to_glb(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(&self.with_buffer(json!({ "byteLength": self.bin.len() }))).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        if bin.is_empty() { glb(&[(b"JSON", &text)]) } else { glb(&[(b"JSON", &text), (b"BIN\0", &bin)]) }
    }

    /// Loads the document as a .glb.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        asset::load_bytes(self.to_glb(), "test")
    }

    /// Loads the model; panics with the error if the document does not load.
    pub fn model(&self) -> Model {
        self.load().unwrap_or_else(|error| panic!("{error}")).model
    }

    /// Returns the error of loading; panics if the document loads.
    pub fn refusal(&self) -> String {
        self.load().expect_err("a refusal").to_string()
    }

    /// Returns a copy of the JSON that declares the buffer, unless the buffer is empty or `buffers` already exists.
    fn with_buffer(&self, buffer: Value) -> Value {
        let mut json = self.json.clone();
        if !self.bin.is_empty() && json["buffers"].is_null() {
            json["buffers"] = json!([buffer]);
        }
        json
    }
}

/// Returns the number of components of an accessor type.
fn components(type_: &str) -> usize {
    match type_ {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("no test needs {other}"),
    }
}

/// Builds a GLB from (type, bytes) chunks. Chunk lengths must be multiples of four.
pub fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let length = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut glb = [b"glTF", &2u32.to_le_bytes()[..], &(length as u32).to_le_bytes()].concat();
    for (kind, bytes) in chunks {
        glb.extend([&(bytes.len() as u32).to_le_bytes()[..], &kind[..], bytes].concat());
    }
    glb
}

/// Builds one triangle in the x-y plane, drawn by node 0 of scene 0.
pub fn triangle() -> Gltf {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.mesh_node(json!({ "attributes": { "POSITION": positions } }));
    gltf.push("scenes", json!({ "nodes": [0] }));
    gltf
}

/// Builds [`triangle`] with a skin of two joints: node 1 at the origin and its child, node 2, one meter above it. The third vertex follows
/// node 2. The inverse bind matrix of node 2 is a translation by one meter down, so the rest pose looks like the bind pose.
pub fn skinned_triangle() -> Gltf {
    let mut gltf = triangle();
    let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut down = identity;
    down[13] = -1.0;
    let inverse_bind_matrices = gltf.floats("MAT4", &[identity, down].concat());
    gltf.push("nodes", json!({ "name": "hip", "children": [2] }));
    gltf.push("nodes", json!({ "name": "knee", "translation": [0, 1, 0] }));
    gltf.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": inverse_bind_matrices }));
    gltf.json["nodes"][0]["skin"] = json!(0);
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    gltf.json["scenes"][0]["nodes"] = json!([0, 1]);
    gltf
}

/// Returns the codes of the findings, in order.
pub fn codes(model: &Model) -> Vec<&'static str> {
    model.findings.iter().map(|finding| finding.code).collect()
}

/// Returns the first finding with a code; panics if there is none.
pub fn finding<'a>(model: &'a Model, code: &str) -> &'a Finding {
    model.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("no {code} in {:?}", model.findings))
}

/// Builds a PNG of `width` x `height` pixels in one color.
pub fn png(width: u32, height: u32, rgba: [u8; 4]) -> Vec<u8> {
    let pixels = image::RgbaImage::from_pixel(width, height, image::Rgba(rgba));
    let mut bytes = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Builds a walking character. An armature, rotated and scaled to 0.01 as exporters write it, holds hips with a spine and a head. The two
/// feet are direct children of the armature. The hips walk 1.5 m along world +Z in two seconds while they rise and sink. One mesh is
/// skinned and one is not. A second animation sways the hips sideways.
pub fn walker() -> Model {
    let mut gltf = Gltf::new();
    gltf.json["scene"] = json!(0);
    gltf.push("scenes", json!({ "nodes": [0, 6] }));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // The armature's rotation maps node +Z to world +Y and node +Y to world -Z.
    let armature =
        json!({ "name": "Armature", "children": [1, 4, 5, 7], "rotation": [-half, 0.0, 0.0, half], "scale": [0.01, 0.01, 0.01] });
    gltf.push("nodes", armature);
    gltf.push("nodes", json!({ "name": "Hips", "children": [2], "translation": [0, 0, 100] }));
    gltf.push("nodes", json!({ "name": "Spine", "children": [3], "translation": [0, 0, 50] }));
    gltf.push("nodes", json!({ "name": "Head", "translation": [0, 0, 30] }));
    gltf.push("nodes", json!({ "name": "Foot L", "translation": [10, 0, 5] }));
    gltf.push("nodes", json!({ "name": "Foot R", "translation": [-10, 0, 5] }));
    let indices = gltf.u16s("SCALAR", &[0, 1, 2]);
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    gltf.json["accessors"][positions]["max"] = json!([1, 1, 0]);
    let mesh = gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions }, "indices": indices }] }));
    let joints = gltf.u8s("VEC4", &[0; 12]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let skinned = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
    let body = gltf.push("meshes", json!({ "primitives": [{ "attributes": skinned, "indices": indices }] }));
    gltf.push("nodes", json!({ "name": "Stage", "mesh": mesh, "translation": [0, 0, 7] }));
    gltf.push("nodes", json!({ "name": "Body", "mesh": body, "skin": 0 }));
    gltf.push("skins", json!({ "joints": [1, 2, 3, 4, 5] }));
    let output = gltf.floats("VEC3", &[0.0, 0.0, 100.0, 0.0, -75.0, 110.0, 0.0, -150.0, 100.0]);
    // Each foot stands still until the hips have passed it.
    let left = gltf.floats("VEC3", &[10.0, 0.0, 5.0, 10.0, 0.0, 5.0, 10.0, -75.0, 35.0, 10.0, -150.0, 5.0]);
    let right = gltf.floats("VEC3", &[-10.0, 0.0, 5.0, -10.0, -75.0, 35.0, -10.0, -150.0, 5.0, -10.0, -150.0, 5.0]);
    gltf.animation(&[
        (1, "translation", "LINEAR", &[0.0, 1.0, 2.0], output),
        (4, "translation", "LINEAR", &[0.0, 1.0, 1.5, 2.0], left),
        (5, "translation", "LINEAR", &[0.0, 0.5, 1.0, 2.0], right),
    ]);
    let sway = gltf.floats("VEC3", &[0.0, 0.0, 100.0, 10.0, 0.0, 100.0, 0.0, 0.0, 100.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.0, 2.0], sway)]);
    gltf.model()
}

/// Builds hips that travel 2 m along z in two seconds, with a foot that stands still at the beginning and at the end. `aside` is the x
/// coordinate, in meters, of the place where the foot lands.
pub fn hopper(aside: f32) -> Model {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({ "name": "Root", "children": [1, 4] }));
    gltf.push("nodes", json!({ "name": "Hips", "children": [2], "translation": [0, 1, 0] }));
    gltf.push("nodes", json!({ "name": "Spine", "children": [3], "translation": [0, 0.5, 0] }));
    gltf.push("nodes", json!({ "name": "Head", "translation": [0, 0.5, 0] }));
    gltf.push("nodes", json!({ "name": "Foot" }));
    gltf.push("skins", json!({ "joints": [0, 1, 2, 3, 4] }));
    let hips = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 1.0, 2.0]);
    let foot = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0, aside, 0.0, 2.0, aside, 0.0, 2.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 2.0], hips), (4, "translation", "LINEAR", &[0.0, 0.5, 1.0, 1.5, 2.0], foot)]);
    gltf.model()
}

/// Builds a file that contains only motion, as from motion capture: hips at a height of 1 m that walk 2 m along z in two seconds, a head
/// 0.7 m above them, a foot 0.9 m below them that swings up by 1 m half way, and a camera far away.
pub fn motion_only() -> Gltf {
    let mut gltf = Gltf::new();
    gltf.json["scene"] = json!(0);
    gltf.push("scenes", json!({ "nodes": [0, 3] }));
    gltf.push("nodes", json!({ "name": "Hips", "children": [1, 2], "translation": [0, 1, 0] }));
    gltf.push("nodes", json!({ "name": "Head", "translation": [0, 0.7, 0] }));
    gltf.push("nodes", json!({ "name": "Foot", "translation": [0.2, -0.9, 0] }));
    gltf.push("nodes", json!({ "name": "Portrait", "camera": 0, "translation": [0, 0, 1000] }));
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1 } }));
    let hips = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 1.0, 2.0]);
    let foot = gltf.floats("VEC3", &[0.2, -0.9, 0.0, 0.2, 0.1, 0.0, 0.2, -0.9, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 2.0], hips), (2, "translation", "LINEAR", &[0.0, 1.0, 2.0], foot)]);
    gltf
}
