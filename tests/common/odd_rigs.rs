//! Generates a walking character and odd variants of it: without a skin, with two skins, with joints in another order, with fewer or many
//! more joints, with a motion of ten minutes, with other names, and with another size.
#![allow(dead_code)] // each test binary uses only a part

use serde_json::json;

use super::gltf_builder::Gltf;

/// A joint: its name, its parent, and its position relative to the parent, in meters.
type Joint = (&'static str, Option<usize>, [f32; 3]);

/// A figure in a T-pose. Its joints are at heights from 0.1 m to 1.57 m. Parents come first.
const JOINTS: [Joint; 19] = [
    ("hips", None, [0.0, 1.0, 0.0]),
    ("spine", Some(0), [0.0, 0.12, 0.0]),
    ("chest", Some(1), [0.0, 0.15, 0.0]),
    ("neck", Some(2), [0.0, 0.2, 0.0]),
    ("head", Some(3), [0.0, 0.1, 0.0]),
    ("leftShoulder", Some(2), [0.05, 0.15, 0.0]),
    ("leftUpperArm", Some(5), [0.13, 0.0, 0.0]),
    ("leftLowerArm", Some(6), [0.28, 0.0, 0.0]),
    ("leftHand", Some(7), [0.26, 0.0, 0.0]),
    ("rightShoulder", Some(2), [-0.05, 0.15, 0.0]),
    ("rightUpperArm", Some(9), [-0.13, 0.0, 0.0]),
    ("rightLowerArm", Some(10), [-0.28, 0.0, 0.0]),
    ("rightHand", Some(11), [-0.26, 0.0, 0.0]),
    ("leftUpperLeg", Some(0), [0.1, -0.05, 0.0]),
    ("leftLowerLeg", Some(13), [0.0, -0.42, 0.0]),
    ("leftFoot", Some(14), [0.0, -0.43, 0.0]),
    ("rightUpperLeg", Some(0), [-0.1, -0.05, 0.0]),
    ("rightLowerLeg", Some(16), [0.0, -0.42, 0.0]),
    ("rightFoot", Some(17), [0.0, -0.43, 0.0]),
];

/// The names of [`JOINTS`] as Mixamo and Unreal give them.
pub const MIXAMO: [&str; 19] = [
    "mixamorig:Hips",
    "mixamorig:Spine",
    "mixamorig:Spine1",
    "mixamorig:Neck",
    "mixamorig:Head",
    "mixamorig:LeftShoulder",
    "mixamorig:LeftArm",
    "mixamorig:LeftForeArm",
    "mixamorig:LeftHand",
    "mixamorig:RightShoulder",
    "mixamorig:RightArm",
    "mixamorig:RightForeArm",
    "mixamorig:RightHand",
    "mixamorig:LeftUpLeg",
    "mixamorig:LeftLeg",
    "mixamorig:LeftFoot",
    "mixamorig:RightUpLeg",
    "mixamorig:RightLeg",
    "mixamorig:RightFoot",
];
pub const UNREAL: [&str; 19] = [
    "pelvis",
    "spine_01",
    "spine_02",
    "neck_01",
    "head",
    "clavicle_l",
    "upperarm_l",
    "lowerarm_l",
    "hand_l",
    "clavicle_r",
    "upperarm_r",
    "lowerarm_r",
    "hand_r",
    "thigh_l",
    "calf_l",
    "foot_l",
    "thigh_r",
    "calf_r",
    "foot_r",
];

/// How a character differs from the plain one.
#[derive(Clone)]
pub struct Character {
    pub names: [&'static str; 19],
    /// Number of skins that the body is divided among; 0 for rigid parts.
    pub skins: usize,
    /// Whether nodes and joints are written from the last to the first.
    pub is_reversed: bool,
    /// Joints that are left out.
    pub missing: &'static [&'static str],
    /// Number of joints in strands of hair on the head.
    pub hair: usize,
    /// Duration of the walk, in seconds, at 30 keys a second.
    pub duration: f32,
    /// Factor on all lengths.
    pub size: f32,
}

impl Default for Character {
    fn default() -> Self {
        Self { names: JOINTS.map(|(name, ..)| name), skins: 1, is_reversed: false, missing: &[], hair: 0, duration: 1.0, size: 1.0 }
    }
}

/// The odd characters, each with a description of how it is odd. All walk in the same way.
pub fn odd() -> [(&'static str, Character); 8] {
    let plain = Character::default;
    [
        ("no skin", Character { skins: 0, ..plain() }),
        ("two skins", Character { skins: 2, ..plain() }),
        ("other joint order", Character { is_reversed: true, ..plain() }),
        ("missing joints", Character { missing: &["leftHand", "rightHand", "neck"], ..plain() }),
        ("300 joints", Character { hair: 281, ..plain() }),
        ("10 minutes", Character { duration: 600.0, ..plain() }),
        ("Mixamo's names", Character { names: MIXAMO, ..plain() }),
        ("Unreal's names, twice the size", Character { names: UNREAL, size: 2.0, ..plain() }),
    ]
}

/// Builds a character that is stored like the sample CesiumMan. Z points up in the space of the root node, and the matrix of the root node
/// turns the character upright. Every joint has keys for its translation, rotation and scale.
pub fn cesium_man_like() -> Gltf {
    let character = Character::default();
    let (mut gltf, half) = (character.gltf(), std::f32::consts::FRAC_1_SQRT_2);
    let armature =
        gltf.push("nodes", json!({ "name": "Armature", "rotation": [half, 0.0, 0.0, half], "children": [character.node("hips")] }));
    // The matrix turns by -90 degrees about x, and the armature turns back.
    let upright = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
    let root = gltf.push("nodes", json!({ "name": "Z_UP", "matrix": upright, "children": [armature] }));
    let body = gltf.json["scenes"][0]["nodes"][1].clone();
    gltf.json["scenes"][0]["nodes"] = json!([root, body]);
    let channels = gltf.json["animations"][0]["channels"].as_array().map_or(0, Vec::len);
    let keys = (character.duration * 30.0) as usize + 1;
    for channel in 0..channels {
        let target = gltf.json["animations"][0]["channels"][channel]["target"].clone();
        if target["path"] != "rotation" {
            continue;
        }
        let node = target["node"].as_u64().unwrap_or_default() as usize;
        let rest: Vec<f32> = (0..3).map(|i| gltf.json["nodes"][node]["translation"][i].as_f64().unwrap_or_default() as f32).collect();
        let outputs = [("scale", gltf.floats("VEC3", &vec![1.0; keys * 3])), ("translation", gltf.floats("VEC3", &rest.repeat(keys)))];
        // The hips already have keys for their translation.
        for (path, output) in outputs.into_iter().take(if node == character.node("hips") { 1 } else { 2 }) {
            let animation = &mut gltf.json["animations"][0];
            let mut sampler = animation["samplers"][channel].clone();
            sampler["output"] = json!(output);
            let samplers = animation["samplers"].as_array_mut().expect("samplers");
            samplers.push(sampler);
            let number = samplers.len() - 1;
            let channels = animation["channels"].as_array_mut().expect("channels");
            channels.push(json!({ "sampler": number, "target": { "node": node, "path": path } }));
        }
    }
    gltf
}

/// A node of a character that is being built.
struct Part {
    name: String,
    parent: Option<usize>,
    local: [f32; 3],
    global: [f32; 3],
    /// Index among [`JOINTS`]; `None` for hair.
    joint: Option<usize>,
}

impl Character {
    /// The joints, parents first. If the parent of a joint is left out, its nearest remaining ancestor becomes its parent, and the joint
    /// stays in its position.
    fn parts(&self) -> Vec<Part> {
        let mut globals: Vec<[f32; 3]> = Vec::new();
        let (mut parts, mut place): (Vec<Part>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        for (index, (name, parent, offset)) in JOINTS.iter().enumerate() {
            let origin = parent.map_or([0.0; 3], |parent| globals[parent]);
            let global = [0, 1, 2].map(|i| origin[i] + offset[i] * self.size);
            globals.push(global);
            if self.missing.contains(name) {
                place.push(parent.and_then(|parent| place[parent]));
                continue;
            }
            let parent = parent.and_then(|parent| place[parent]);
            let origin = parent.map_or([0.0; 3], |parent| parts[parent].global);
            let local = [0, 1, 2].map(|i| global[i] - origin[i]);
            place.push(Some(parts.len()));
            parts.push(Part { name: self.names[index].to_owned(), parent, local, global, joint: Some(index) });
        }
        let head = place[4].expect("a head");
        for number in 0..self.hair {
            let parent = if number % 20 == 0 { head } else { parts.len() - 1 };
            let local = [0.0, -0.02, if number % 20 == 0 { -0.002 * number as f32 } else { 0.0 }];
            let global = [0, 1, 2].map(|i| parts[parent].global[i] + local[i]);
            parts.push(Part { name: format!("hair{number}"), parent: Some(parent), local, global, joint: None });
        }
        parts
    }

    /// The node of a joint in the file of this character. `joint` is its name in the plain character.
    pub fn node(&self, joint: &str) -> usize {
        let parts = self.parts();
        let is_joint = |part: &Part| part.joint.is_some_and(|index| JOINTS[index].0 == joint);
        let part = parts.iter().position(is_joint).expect("a joint of this name");
        if self.is_reversed { parts.len() - 1 - part } else { part }
    }

    /// Builds the document of the character.
    pub fn gltf(&self) -> Gltf {
        let (mut gltf, parts) = (Gltf::new(), self.parts());
        let node = |part: usize| if self.is_reversed { parts.len() - 1 - part } else { part };
        let mut roots = vec![node(0)];
        gltf.json["nodes"] = json!(vec![json!({}); parts.len()]);
        for (index, part) in parts.iter().enumerate() {
            let children: Vec<_> = (0..parts.len()).filter(|&other| parts[other].parent == Some(index)).map(node).collect();
            let written = &mut gltf.json["nodes"][node(index)];
            *written = json!({ "name": part.name, "translation": part.local });
            if !children.is_empty() {
                written["children"] = json!(children);
            }
        }
        match self.skins {
            0 => self.rigid_meshes(&mut gltf, &parts, node),
            skins => roots.extend(skinned_meshes(&mut gltf, &parts, node, skins, self.is_reversed)),
        }
        gltf.push("scenes", json!({ "nodes": roots }));
        gltf.json["scene"] = json!(0);
        self.walk(&mut gltf, &parts, node);
        gltf
    }

    /// Adds a triangle to each joint.
    fn rigid_meshes(&self, gltf: &mut Gltf, parts: &[Part], node: impl Fn(usize) -> usize) {
        let positions = gltf.floats("VEC3", &corners([0.0; 3]).concat());
        let mesh = gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
        (0..parts.len()).for_each(|part| gltf.json["nodes"][node(part)]["mesh"] = json!(mesh));
    }

    /// Adds the walk: limbs that swing, and hips that travel 1.3 m per second, times the size.
    fn walk(&self, gltf: &mut Gltf, parts: &[Part], node: impl Fn(usize) -> usize) {
        let times: Vec<f32> = (0..=(self.duration * 30.0) as usize).map(|frame| frame as f32 / 30.0).collect();
        let mut channels = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let Some(joint) = part.joint else { continue };
            let turn = |time: &f32| {
                let half = (time * std::f32::consts::TAU + joint as f32).sin() * (0.1 + 0.01 * joint as f32);
                let (sine, cosine) = half.sin_cos();
                if joint % 2 == 0 { [sine, 0.0, 0.0, cosine] } else { [0.0, 0.0, sine, cosine] }
            };
            let output = gltf.floats("VEC4", &times.iter().flat_map(turn).collect::<Vec<_>>());
            channels.push((node(index), "rotation", "LINEAR", &times[..], output));
        }
        // The hips return to the start after each second, so that long walks stay near the origin.
        let travel = |time: &f32| [0.0, self.size, 1.3 * self.size * time.fract()];
        let hips = gltf.floats("VEC3", &times.iter().flat_map(travel).collect::<Vec<_>>());
        channels.push((node(0), "translation", "LINEAR", &times[..], hips));
        let animation = gltf.animation(&channels);
        gltf.json["animations"][animation]["name"] = json!("walk");
    }
}

/// Adds meshes with a triangle on each joint, and a skin for each mesh. Returns the nodes of the meshes.
fn skinned_meshes(gltf: &mut Gltf, parts: &[Part], node: impl Fn(usize) -> usize, skins: usize, is_reversed: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    if is_reversed {
        order.reverse();
    }
    let inverse = |&part: &usize| {
        let [x, y, z] = parts[part].global;
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0]
    };
    let matrices: Vec<f32> = order.iter().flat_map(inverse).collect();
    let bodies = (0..skins).map(|skin| {
        let moved: Vec<usize> = (0..order.len()).filter(|joint| joint % skins == skin).collect();
        let positions: Vec<f32> = moved.iter().flat_map(|&joint| corners(parts[order[joint]].global).concat()).collect();
        let joints: Vec<u16> = moved.iter().flat_map(|&joint| [joint as u16, 0, 0, 0].repeat(3)).collect();
        let weights = [1.0, 0.0, 0.0, 0.0].repeat(moved.len() * 3);
        let matrices = gltf.floats("MAT4", &matrices);
        let names: Vec<usize> = order.iter().map(|&part| node(part)).collect();
        let skin_index = gltf.push("skins", json!({ "joints": names, "inverseBindMatrices": matrices }));
        let attributes = json!({
            "POSITION": gltf.floats("VEC3", &positions),
            "JOINTS_0": gltf.u16s("VEC4", &joints),
            "WEIGHTS_0": gltf.floats("VEC4", &weights),
        });
        let mesh = gltf.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }));
        gltf.push("nodes", json!({ "name": format!("Body{skin}"), "mesh": mesh, "skin": skin_index }))
    });
    bodies.collect()
}

/// The vertices of a triangle around a position.
fn corners([x, y, z]: [f32; 3]) -> [[f32; 3]; 3] {
    [[x - 0.05, y - 0.05, z], [x + 0.05, y - 0.05, z], [x, y + 0.05, z]]
}
