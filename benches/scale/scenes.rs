//! Generates the scenes. A scene of the same size always has the same bytes.

use serde_json::{Value, json};

use crate::gltf_builder::{FLOAT, Gltf, UNSIGNED_INT};

/// Number of nodes that show the same mesh.
const NODES_PER_MESH: usize = 50;
/// Number of children of each parent.
const CHILDREN: usize = 9;
/// Number of joints of each character in the crowd.
const CHARACTER_JOINTS: usize = 24;
/// Number of vertices on each ring of a tube.
const RING: usize = 16;

/// Makes cubes in groups of ten, a parent with its children. All cubes rotate, and every fourth cube also moves. All channels share one
/// list of key times.
pub fn nodes(count: usize) -> Gltf {
    let mut gltf = Gltf::new();
    materials(&mut gltf, 20);
    let meshes: Vec<usize> =
        (0..count.div_ceil(NODES_PER_MESH)).map(|mesh| cube(&mut gltf, 0.5 + 0.01 * (mesh % 30) as f32, mesh % 20)).collect();
    let family = CHILDREN + 1;
    let side = (count.div_ceil(family) as f64).cbrt().ceil() as usize;
    let mut roots = Vec::new();
    for node in 0..count {
        let (place, within) = (node / family, node % family);
        let mut value = json!({ "name": format!("cube {node}"), "mesh": meshes[node % meshes.len()] });
        if within == 0 {
            let place = [place % side, place / side % side, place / side / side].map(|step| step as f32 * 8.0);
            value["translation"] = json!(place);
            value["children"] = (node + 1..count.min(node + family)).collect();
            roots.push(node);
        } else {
            value["translation"] = json!([within % 3, within / 3 % 3, within / 9].map(|step| step as f32 * 1.5 + 0.5));
        }
        gltf.push("nodes", value);
    }
    gltf.push("scenes", json!({ "nodes": roots }));
    let mut animation = Animation::new(&mut gltf, 31, 30.0);
    let mut random = Random::new();
    for node in 0..count {
        animation.rotation(&mut gltf, node, &mut random);
        if node % 4 == 0 {
            animation.translation(&mut gltf, node, &mut random);
        }
    }
    animation.finish(&mut gltf);
    gltf
}

/// Makes boxes that never move. Each box has its own mesh, and there is one material for every 25 boxes.
pub fn building(count: usize) -> Gltf {
    let mut gltf = Gltf::new();
    let palette = count.div_ceil(25);
    materials(&mut gltf, palette);
    let side = (count as f64).cbrt().ceil() as usize;
    for i in 0..count {
        let mesh = cube(&mut gltf, 0.4 + 0.01 * (i % 50) as f32, i % palette);
        let place = [i % side, i / side % side, i / side / side].map(|step| step as f32 * 2.0);
        gltf.push("nodes", json!({ "name": format!("part {i}"), "mesh": mesh, "translation": place }));
    }
    gltf.push("scenes", json!({ "nodes": (0..count).collect::<Value>() }));
    gltf
}

/// Makes characters that share a mesh, but have nodes, a skin and channels of their own.
pub fn crowd(count: usize) -> Gltf {
    let mut gltf = Gltf::new();
    materials(&mut gltf, 1);
    let mesh = tube(&mut gltf, CHARACTER_JOINTS, 32);
    let bind: Vec<f32> = (0..CHARACTER_JOINTS).flat_map(|joint| translation_matrix([0.0, -(joint as f32), 0.0])).collect();
    let bind = gltf.floats("MAT4", &bind);
    let side = (count as f64).sqrt().ceil() as usize;
    let mut roots = Vec::new();
    let (mut animation, mut random) = (Animation::new(&mut gltf, 61, 30.0), Random::new());
    for character in 0..count {
        let first = joints(&mut gltf, CHARACTER_JOINTS, [(character % side) as f32 * 8.0, 0.0, (character / side) as f32 * 8.0]);
        let skin =
            gltf.push("skins", json!({ "joints": (first..first + CHARACTER_JOINTS).collect::<Value>(), "inverseBindMatrices": bind }));
        roots.extend([first, gltf.push("nodes", json!({ "mesh": mesh, "skin": skin }))]);
        (first..first + CHARACTER_JOINTS).for_each(|joint| animation.rotation(&mut gltf, joint, &mut random));
    }
    animation.finish(&mut gltf);
    gltf.push("scenes", json!({ "nodes": roots }));
    gltf
}

/// Makes one mesh: a square with hills.
pub fn triangles(count: usize) -> Gltf {
    let mut gltf = Gltf::new();
    materials(&mut gltf, 1);
    let side = ((count / 2) as f64).sqrt().ceil() as usize;
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (x, z) in (0..=side).flat_map(|z| (0..=side).map(move |x| (x as f32 / side as f32, z as f32 / side as f32))) {
        positions.extend([x, 0.05 * (x * 20.0).sin() * (z * 20.0).cos(), z]);
        normals.extend([0.0, 1.0, 0.0]);
    }
    for cell in 0..count / 2 {
        let corner = (cell / side * (side + 1) + cell % side) as u32;
        let below = corner + side as u32 + 1;
        indices.extend([corner, below, corner + 1, corner + 1, below, below + 1]);
    }
    let primitive = primitive(&mut gltf, &positions, &normals, &indices, 0);
    gltf.mesh_node(primitive);
    gltf.push("scenes", json!({ "nodes": [0] }));
    gltf
}

/// Makes a character of 100 joints, with rotation keys at 120 frames per second.
pub fn capture(minutes: usize) -> Gltf {
    let mut gltf = Gltf::new();
    skinned_tube(&mut gltf, 100);
    let (mut animation, mut random) = (Animation::new(&mut gltf, minutes * 60 * 120 + 1, 120.0), Random::new());
    (0..100).for_each(|joint| animation.rotation(&mut gltf, joint, &mut random));
    animation.finish(&mut gltf);
    gltf
}

/// Makes a character of 30 joints with many animations of two seconds.
pub fn animations(count: usize) -> Gltf {
    let mut gltf = Gltf::new();
    skinned_tube(&mut gltf, 30);
    let mut random = Random::new();
    for _ in 0..count {
        let mut animation = Animation::new(&mut gltf, 61, 30.0);
        (0..30).for_each(|joint| animation.rotation(&mut gltf, joint, &mut random));
        animation.finish(&mut gltf);
    }
    gltf
}

/// Makes a mesh of 50,000 vertices with morph targets whose weights are all animated. Each target moves a tenth of the vertices, as is
/// usual for faces.
pub fn face(targets: usize) -> Gltf {
    let mut gltf = Gltf::new();
    materials(&mut gltf, 1);
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    let (columns, rows) = (250, 200);
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x as f32 / 250.0, y as f32 / 200.0))) {
        positions.extend([x, y, 0.1 * (x * 9.0).sin()]);
        normals.extend([0.0, 0.0, 1.0]);
    }
    for (x, y) in (0..rows - 1).flat_map(|y| (0..columns - 1).map(move |x| (x, y))) {
        let corner = y * columns + x;
        indices.extend([corner, corner + 1, corner + columns, corner + 1, corner + columns + 1, corner + columns]);
    }
    let mut primitive = primitive(&mut gltf, &positions, &normals, &indices, 0);
    let mut random = Random::new();
    let deltas = (0..targets).map(|target| {
        let mut deltas = vec![0.0; positions.len()];
        let band = positions.len() / 10;
        let first = target * 3331 % (positions.len() - band);
        deltas[first..first + band].iter_mut().for_each(|delta| *delta = random.next() * 0.01);
        json!({ "POSITION": gltf.floats("VEC3", &deltas) })
    });
    primitive["targets"] = deltas.collect();
    gltf.mesh_node(primitive);
    gltf.push("scenes", json!({ "nodes": [0] }));
    let times: Vec<f32> = (0..31).map(|key| key as f32 / 30.0).collect();
    let weights: Vec<f32> = (0..31 * targets).map(|_| random.next()).collect();
    let output = gltf.floats("SCALAR", &weights);
    gltf.animation(&[(0, "weights", "LINEAR", &times, output)]);
    gltf
}

/// An animation under construction, whose channels share one list of key times.
struct Animation {
    input: usize,
    keys: usize,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Animation {
    /// Starts an animation with a number of keys at a rate in keys per second.
    fn new(gltf: &mut Gltf, keys: usize, rate: f64) -> Self {
        let times: Vec<f32> = (0..keys).map(|key| (key as f64 / rate) as f32).collect();
        Self { input: gltf.floats("SCALAR", &times), keys, samplers: Vec::new(), channels: Vec::new() }
    }

    /// Adds a channel that rotates a node by a small random angle from key to key.
    fn rotation(&mut self, gltf: &mut Gltf, node: usize, random: &mut Random) {
        let mut rotation = glam::Quat::IDENTITY;
        let mut output = Vec::with_capacity(self.keys * 4);
        for _ in 0..self.keys {
            let turn = glam::Quat::from_xyzw(random.next() * 0.1, random.next() * 0.1, random.next() * 0.1, 1.0);
            rotation = (rotation * turn.normalize()).normalize();
            output.extend(rotation.to_array());
        }
        let output = gltf.floats("VEC4", &output);
        self.channel(node, "rotation", output);
    }

    /// Adds a channel that moves a node at random around its rest position.
    fn translation(&mut self, gltf: &mut Gltf, node: usize, random: &mut Random) {
        let place: Vec<f32> = (0..3).map(|axis| gltf.json["nodes"][node]["translation"][axis].as_f64().unwrap() as f32).collect();
        let output: Vec<f32> = (0..self.keys * 3).map(|i| place[i % 3] + random.next() * 0.3).collect();
        let output = gltf.floats("VEC3", &output);
        self.channel(node, "translation", output);
    }

    fn channel(&mut self, node: usize, path: &str, output: usize) {
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": self.input, "output": output }));
    }

    fn finish(self, gltf: &mut Gltf) {
        gltf.push("animations", json!({ "name": "motion", "samplers": self.samplers, "channels": self.channels }));
    }
}

/// Generates random numbers between -1 and 1, in the same sequence in every run.
struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(0x2545_F491_4F6C_DD1D)
    }

    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    }
}

/// Adds materials of different colors.
fn materials(gltf: &mut Gltf, count: usize) {
    for i in 0..count {
        let hue = i as f32 / count as f32;
        let color = [0.3 + 0.6 * hue, 0.9 - 0.6 * hue, 0.5, 1.0];
        gltf.push(
            "materials",
            json!({ "pbrMetallicRoughness": { "baseColorFactor": color, "metallicFactor": 0.1, "roughnessFactor": 0.7 } }),
        );
    }
}

/// Adds a cube with its own vertices. Returns the index of the mesh.
fn cube(gltf: &mut Gltf, half: f32, material: usize) -> usize {
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0f32)] {
        let first = positions.len() as u32 / 3;
        for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0f32)] {
            let mut corner = [0.0; 3];
            (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (sign * half, a * sign * half, b * half);
            positions.extend(corner);
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            normals.extend(normal);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    let primitive = primitive(gltf, &positions, &normals, &indices, material);
    gltf.push("meshes", json!({ "primitives": [primitive] }))
}

/// Adds the accessors of a primitive without a skin. Returns the primitive.
fn primitive(gltf: &mut Gltf, positions: &[f32], normals: &[f32], indices: &[u32], material: usize) -> Value {
    let (position, normal) = (gltf.floats("VEC3", positions), gltf.floats("VEC3", normals));
    let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    let indices = gltf.accessor(UNSIGNED_INT, "SCALAR", indices.len(), &bytes);
    json!({ "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material })
}

/// Adds a tube along a chain of joints, with a number of rings. Returns the index of the mesh.
fn tube(gltf: &mut Gltf, joints: usize, rings: usize) -> usize {
    let (mut positions, mut normals, mut influences, mut weights, mut indices) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (ring, corner) in (0..rings).flat_map(|ring| (0..RING).map(move |corner| (ring, corner))) {
        let (sin, cos) = (corner as f32 / RING as f32 * std::f32::consts::TAU).sin_cos();
        let height = ring as f32 / (rings - 1) as f32 * (joints - 1) as f32;
        let (joint, share) = ((height as usize).min(joints - 2), height.fract());
        positions.extend([cos, height, sin]);
        normals.extend([cos, 0.0, sin]);
        influences.extend([joint as u16, joint as u16 + 1, 0, 0]);
        weights.extend([1.0 - share, share, 0.0, 0.0]);
    }
    for (ring, corner) in (0..rings - 1).flat_map(|ring| (0..RING).map(move |corner| (ring, corner))) {
        let at = |ring: usize, corner: usize| (ring * RING + corner % RING) as u32;
        let (a, b, c, d) = (at(ring, corner), at(ring, corner + 1), at(ring + 1, corner), at(ring + 1, corner + 1));
        indices.extend([a, c, b, b, c, d]);
    }
    let mut primitive = primitive(gltf, &positions, &normals, &indices, 0);
    primitive["attributes"]["JOINTS_0"] = gltf.u16s("VEC4", &influences).into();
    let bytes: Vec<u8> = weights.iter().flat_map(|weight: &f32| weight.to_le_bytes()).collect();
    primitive["attributes"]["WEIGHTS_0"] = gltf.accessor(FLOAT, "VEC4", positions.len() / 3, &bytes).into();
    gltf.push("meshes", json!({ "primitives": [primitive] }))
}

/// Adds a chain of joints one meter apart. Returns the index of the first one.
fn joints(gltf: &mut Gltf, count: usize, place: [f32; 3]) -> usize {
    let first = gltf.json["nodes"].as_array().map_or(0, Vec::len);
    for joint in 0..count {
        let translation = if joint == 0 { place } else { [0.0, 1.0, 0.0] };
        let mut node = json!({ "name": format!("joint {joint}"), "translation": translation });
        if joint + 1 < count {
            node["children"] = json!([first + joint + 1]);
        }
        gltf.push("nodes", node);
    }
    first
}

/// Adds one skinned tube with its joints. The joints are the first nodes of the file.
fn skinned_tube(gltf: &mut Gltf, count: usize) {
    materials(gltf, 1);
    let mesh = tube(gltf, count, 2 * count);
    let bind: Vec<f32> = (0..count).flat_map(|joint| translation_matrix([0.0, -(joint as f32), 0.0])).collect();
    let bind = gltf.floats("MAT4", &bind);
    joints(gltf, count, [0.0; 3]);
    let skin = gltf.push("skins", json!({ "joints": (0..count).collect::<Value>(), "inverseBindMatrices": bind }));
    let node = gltf.push("nodes", json!({ "mesh": mesh, "skin": skin }));
    gltf.push("scenes", json!({ "nodes": [0, node] }));
}

/// Returns a translation matrix in column-major order.
fn translation_matrix(by: [f32; 3]) -> [f32; 16] {
    glam::Mat4::from_translation(glam::Vec3::from(by)).to_cols_array()
}
