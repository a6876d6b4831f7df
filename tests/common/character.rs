//! Builds a small character with a clean idle animation. Each test adds one fault to it.

use std::f32::consts::TAU;
use std::sync::Arc;

use serde_json::{Value, json};
use sinew::check::finding::CheckFinding;
use sinew::check::settings::Settings;
use sinew::check::{self};
use sinew::session::document::Document;

use crate::common::gltf_builder::Gltf;

pub const HIPS: usize = 0;
pub const SPINE: usize = 1;
pub const HEAD: usize = 2;
pub const FOOT_L: usize = 5;
/// The node with the skinned mesh.
pub const BODY: usize = 9;
/// Number of keys in an animation of one second at 24 frames per second.
pub const FRAMES: usize = 25;

/// The keys of one property of a node.
#[derive(Clone)]
pub struct Channel {
    pub node: usize,
    pub path: &'static str,
    pub interpolation: &'static str,
    pub times: Vec<f32>,
    pub values: Vec<f32>,
}

#[derive(Clone)]
pub struct Clip {
    pub name: Option<&'static str>,
    pub channels: Vec<Channel>,
}

/// The parts of the file, before it is written.
#[derive(Clone)]
pub struct Character {
    pub nodes: Vec<Value>,
    /// Nodes of the scene.
    pub roots: Vec<usize>,
    pub joints: Vec<usize>,
    /// Positions of the joints in mesh space, in the order of `joints`.
    pub bound: Vec<[f32; 3]>,
    /// For each vertex, its sets of four joints with their weights. Each joint has three vertices.
    pub influences: Vec<Vec<[(u16, f32); 4]>>,
    /// Number of morph targets.
    pub targets: usize,
    pub clips: Vec<Clip>,
    pub required: Vec<&'static str>,
}

/// The key times of frames at 24 per second.
pub fn frames(count: usize) -> Vec<f32> {
    (0..count).map(|frame| frame as f32 / 24.0).collect()
}

/// A rotation about x, in degrees.
pub fn about_x(degrees: f32) -> [f32; 4] {
    let half = degrees.to_radians() / 2.0;
    [half.sin(), 0.0, 0.0, half.cos()]
}

/// A channel of one second with a value per frame, computed from the time.
pub fn per_frame<const N: usize>(node: usize, path: &'static str, value: impl Fn(f32) -> [f32; N]) -> Channel {
    let times = frames(FRAMES);
    let values = times.iter().flat_map(|&time| value(time)).collect();
    Channel { node, path, interpolation: "LINEAR", times, values }
}

/// A character 1.7 m high: hips, spine, head and two legs, with an idle animation that loops.
pub fn character() -> Character {
    let joint = |name: &str, translation: [f32; 3], children: &[usize]| {
        let mut node = json!({ "name": name, "translation": translation });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    };
    let mut nodes = vec![
        joint("Hips", [0.0, 1.0, 0.0], &[1, 3, 6]),
        joint("Spine", [0.0, 0.3, 0.0], &[2]),
        joint("Head", [0.0, 0.4, 0.0], &[]),
        joint("UpperLegL", [0.1, 0.0, 0.0], &[4]),
        joint("LowerLegL", [0.0, -0.45, 0.0], &[5]),
        joint("FootL", [0.0, -0.5, 0.0], &[]),
        joint("UpperLegR", [-0.1, 0.0, 0.0], &[7]),
        joint("LowerLegR", [0.0, -0.45, 0.0], &[8]),
        joint("FootR", [0.0, -0.5, 0.0], &[]),
    ];
    nodes.push(json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    let bound = vec![
        [0.0, 1.0, 0.0],
        [0.0, 1.3, 0.0],
        [0.0, 1.7, 0.0],
        [0.1, 1.0, 0.0],
        [0.1, 0.55, 0.0],
        [0.1, 0.05, 0.0],
        [-0.1, 1.0, 0.0],
        [-0.1, 0.55, 0.0],
        [-0.1, 0.05, 0.0],
    ];
    let vertex = |joint: usize| vec![[(joint as u16, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]];
    let influences = (0..27).map(|index| vertex(index / 3)).collect();
    let idle = Clip {
        name: Some("Idle"),
        channels: vec![
            per_frame(HIPS, "translation", |time| [0.0, 1.0 + 0.02 * (TAU * time).sin(), 0.0]),
            per_frame(SPINE, "rotation", |time| about_x(8.0 * (TAU * time).sin())),
            per_frame(HEAD, "rotation", |time| about_x(12.0 * (TAU * time).cos())),
        ],
    };
    let joints = (0..9).collect();
    Character { nodes, roots: vec![HIPS, BODY], joints, bound, influences, targets: 0, clips: vec![idle], required: Vec::new() }
}

/// The index of the node above the hips of [`below_scale`].
pub const ARMATURE: usize = 10;

/// The character in another unit, below a node whose scale converts it to meters.
pub fn below_scale(scale: f32) -> Character {
    let mut scaled = character();
    for node in &mut scaled.nodes[..9] {
        let translation: Vec<f32> = serde_json::from_value(node["translation"].take()).unwrap();
        node["translation"] = json!(translation.iter().map(|x| x / scale).collect::<Vec<_>>());
    }
    scaled.nodes.push(json!({ "name": "Armature", "children": [HIPS], "scale": [scale, scale, scale] }));
    scaled.roots = vec![ARMATURE, BODY];
    let channels = scaled.channels().iter_mut().filter(|channel| channel.path == "translation");
    channels.flat_map(|channel| &mut channel.values).for_each(|value| *value /= scale);
    scaled
}

impl Character {
    /// The channels of the first animation.
    pub fn channels(&mut self) -> &mut Vec<Channel> {
        &mut self.clips[0].channels
    }

    /// The file as a document under construction.
    pub fn gltf(&self) -> Gltf {
        let mut gltf = Gltf::new();
        gltf.json["scene"] = json!(0);
        gltf.push("scenes", json!({ "nodes": self.roots }));
        for node in &self.nodes {
            gltf.push("nodes", node.clone());
        }
        let corners = [[-0.05, 0.0, 0.0], [0.05, 0.0, 0.0], [0.0, 0.1, 0.0]];
        let positions: Vec<f32> = (0..self.influences.len())
            .flat_map(|vertex| [0, 1, 2].map(|axis| self.bound[(vertex / 3).min(self.bound.len() - 1)][axis] + corners[vertex % 3][axis]))
            .collect();
        let mut attributes = json!({ "POSITION": gltf.floats("VEC3", &positions) });
        for set in 0..self.influences[0].len() {
            let of_set = || self.influences.iter().flat_map(move |vertex| vertex[set]);
            let joints: Vec<u16> = of_set().map(|(joint, _)| joint).collect();
            let weights: Vec<f32> = of_set().map(|(_, weight)| weight).collect();
            attributes[format!("JOINTS_{set}")] = json!(gltf.u16s("VEC4", &joints));
            attributes[format!("WEIGHTS_{set}")] = json!(gltf.floats("VEC4", &weights));
        }
        let mut primitive = json!({ "attributes": attributes });
        if self.targets > 0 {
            let target = gltf.floats("VEC3", &vec![0.01; positions.len()]);
            primitive["targets"] = json!(vec![json!({ "POSITION": target }); self.targets]);
        }
        gltf.push("meshes", json!({ "primitives": [primitive] }));
        let inverse: Vec<f32> = (self.bound.iter())
            .flat_map(|[x, y, z]| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0])
            .collect();
        let inverse = gltf.floats("MAT4", &inverse);
        gltf.push("skins", json!({ "joints": self.joints, "inverseBindMatrices": inverse }));
        for clip in &self.clips {
            let outputs: Vec<usize> = clip.channels.iter().map(|channel| gltf.floats(kind(channel.path), &channel.values)).collect();
            let channels: Vec<_> = (clip.channels.iter().zip(outputs))
                .map(|(channel, output)| (channel.node, channel.path, channel.interpolation, &channel.times[..], output))
                .collect();
            let index = gltf.animation(&channels);
            if let Some(name) = clip.name {
                gltf.json["animations"][index]["name"] = json!(name);
            }
        }
        if !self.required.is_empty() {
            gltf.json["extensionsUsed"] = json!(self.required);
            gltf.json["extensionsRequired"] = json!(self.required);
        }
        gltf
    }

    /// Returns the findings of all checks with these settings.
    pub fn check(&self, settings: &Settings) -> Vec<CheckFinding> {
        findings(&self.gltf(), settings)
    }

    /// Returns the codes of the findings with the default settings.
    pub fn codes(&self) -> Vec<&'static str> {
        self.check(&Settings::default()).iter().map(|finding| finding.code).collect()
    }

    /// Returns the only finding, which must have this code. Otherwise panics with all findings.
    pub fn only(&self, code: &str) -> CheckFinding {
        let all = self.check(&Settings::default());
        let found: Vec<_> = all.iter().filter(|finding| finding.code == code).collect();
        assert_eq!((found.len(), all.len()), (1, 1), "{code} in {all:#?}");
        found[0].clone()
    }
}

/// Returns the findings of all checks in a document.
pub fn findings(gltf: &Gltf, settings: &Settings) -> Vec<CheckFinding> {
    let document = Document::new(Arc::new(gltf.model()), "character.glb".to_owned(), None);
    check::check(&document, settings, &|_| true).unwrap()
}

/// The accessor type of a path.
fn kind(path: &str) -> &'static str {
    match path {
        "rotation" => "VEC4",
        "weights" => "SCALAR",
        _ => "VEC3",
    }
}
