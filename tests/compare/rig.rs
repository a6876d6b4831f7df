//! Builds a small rig. Tests compare it with a copy that differs in one respect.

use std::sync::Arc;

use serde_json::json;
use sinew::compare::report::{self, DiffReport, Tolerance};
use sinew::compare::{Choices, Comparison, compare, pairing, supplement};
use sinew::model::Model;
use sinew::session::document::Document;

use crate::common::gltf_builder::{Gltf, png};

/// The numbers that tests change.
pub struct Rig {
    /// Heights of the hips at 0, 1 and 2 s, in meters.
    pub hips: [f32; 3],
    /// Turns of the spine about z at 0, 1 and 2 s, in radians.
    pub spine: [f32; 3],
    /// Position of the root along x, in meters.
    pub origin: f32,
    /// Prefix of every name.
    pub prefix: &'static str,
}

impl Default for Rig {
    fn default() -> Self {
        Self { hips: [1.0, 1.2, 1.0], spine: [0.0, 0.5, 0.0], origin: 0.0, prefix: "" }
    }
}

impl Rig {
    /// The nodes are root (0), hips (1), spine (2), head (3) and foot (4). The head is a child of the spine; the spine and the foot are
    /// children of the hips. The foot has a mesh.
    pub fn gltf(&self) -> Gltf {
        let mut gltf = Gltf::new();
        let name = |name: &str| format!("{}{name}", self.prefix);
        gltf.json["scene"] = json!(0);
        gltf.push("scenes", json!({ "nodes": [0] }));
        gltf.push("nodes", json!({ "name": name("Root"), "children": [1], "translation": [self.origin, 0, 0] }));
        gltf.push("nodes", json!({ "name": name("Hips"), "children": [2, 4], "translation": [0, self.hips[0], 0] }));
        gltf.push("nodes", json!({ "name": name("Spine"), "children": [3], "translation": [0, 0.5, 0] }));
        gltf.push("nodes", json!({ "name": name("Head"), "translation": [0, 0.5, 0] }));
        gltf.push("nodes", json!({ "name": name("Foot"), "translation": [0.25, -1, 0] }));
        let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 2.0, 0.0]);
        let mesh = gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
        gltf.json["nodes"][4]["mesh"] = json!(mesh);
        gltf.push("skins", json!({ "joints": [0, 1, 2, 3] }));
        let hips = gltf.floats("VEC3", &self.hips.iter().flat_map(|&y| [0.0, y, 0.0]).collect::<Vec<_>>());
        let turn = |angle: f32| [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
        let spine = gltf.floats("VEC4", &self.spine.iter().flat_map(|&angle| turn(angle)).collect::<Vec<_>>());
        let times = [0.0, 1.0, 2.0];
        let animation = gltf.animation(&[(1, "translation", "LINEAR", &times, hips), (2, "rotation", "LINEAR", &times, spine)]);
        gltf.json["animations"][animation]["name"] = json!("walk");
        gltf
    }

    /// The rig with another mesh, at the foot: two triangles on both sides of the edge from vertex 0 to vertex 1, with mirrored texture
    /// coordinates. If there is a normal texture, loading copies the vertices of the edge, because they need two tangents.
    pub fn mirrored(vertex_1: [f32; 3], has_normal_texture: bool) -> Gltf {
        let mut gltf = Self::default().gltf();
        let positions = gltf.floats("VEC3", &[[0.0; 3], vertex_1, [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]].concat());
        let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
        let tex_coords = gltf.floats("VEC2", &[0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        let indices = gltf.u16s("SCALAR", &[0, 1, 2, 0, 3, 1]);
        let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
        gltf.push("images", json!({ "bufferView": view }));
        gltf.push("textures", json!({ "source": 0 }));
        gltf.push("materials", if has_normal_texture { json!({ "normalTexture": { "index": 0 } }) } else { json!({}) });
        gltf.json["meshes"][0]["primitives"] = json!([{
            "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords },
            "indices": indices,
            "material": 0,
        }]);
        gltf
    }

    pub fn model(&self) -> Model {
        self.gltf().model()
    }
}

/// Compares the first animations of two models.
pub fn compared(a: Model, b: Model) -> Comparison {
    compared_with(a, b, Choices { animations: [Some(0); 2], ..Choices::default() })
}

/// The report of `sinew diff` on two models: the first animations in detail, and the others.
pub fn reported(a: Model, b: Model, tolerance: Tolerance) -> DiffReport {
    let [a, b] = [a, b].map(|model| Document::new(Arc::new(model), String::new(), None));
    let found = compare(&a, &b, &Choices { animations: [Some(0); 2], ..Choices::default() }, &|| true).unwrap();
    let others = pairing::other_animations(&a.model, &b.model, found.animations);
    let supplement = supplement::measure([&a, &b], &found, &others, &|| true).unwrap();
    report::report(&found, &supplement, [&a.model, &b.model], ["a.glb".into(), "b.glb".into()], tolerance)
}

pub fn compared_with(a: Model, b: Model, choices: Choices) -> Comparison {
    let [a, b] = [a, b].map(|model| Document::new(Arc::new(model), String::new(), None));
    compare(&a, &b, &choices, &|| true).unwrap()
}
