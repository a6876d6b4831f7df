//! Writes the glTF document: nodes, skin, two skinned meshes with materials and textures, animations.

use glam::{DVec2, DVec3};
use serde_json::{Value, json};

use super::animations;
use super::atlas::{self, Unwrapped};
use super::body::Body;
use super::face;
use super::glb::{Glb, Target};
use super::mesh::{Mesh, Part, Vertex, Weights, openness};
use super::paint;
use super::skeleton::Skeleton;
use super::surface::Grid;
use super::swept;

/// Width and height of the base color texture, in texels.
const TEXTURE_SIZE: usize = 512;

pub fn write(skeleton: &Skeleton) -> Vec<u8> {
    let mut glb = Glb::default();
    let body = Body::new(skeleton);
    let skin = atlas::unwrap(&skin(skeleton, &body), TEXTURE_SIZE as f64, |vertex| match vertex.part {
        // More texels where there is more detail.
        Part::Body if body.closed_distance(vertex.position) < -0.004 => 0.8,
        Part::Body if vertex.position.y > 0.275 && vertex.position.z > 0.02 => 2.2,
        Part::Body => 1.0,
        Part::Gill => 0.8,
        Part::Lid | Part::Tongue => 0.5,
    });
    let images = textures(&mut glb, &skin, &body);
    let meshes = json!([skin_mesh(&mut glb, &skin), eye_mesh(&mut glb, skeleton)]);
    let joint_count = skeleton.joints.len();
    let mut nodes: Vec<Value> = (0..joint_count).map(|joint| node(skeleton, joint)).collect();
    nodes.push(json!({ "name": "Skin", "mesh": 0, "skin": 0 }));
    nodes.push(json!({ "name": "Eyes", "mesh": 1, "skin": 0 }));
    let inverse_binds: Vec<f64> = skeleton.joints.iter().flat_map(|joint| inverse_bind(joint.position)).collect();
    let inverse_binds = glb.floats(&inverse_binds, 16, Target::Other, false);
    let animations = animations::all(skeleton).iter().map(|animation| animation.write(&mut glb, skeleton, joint_count)).collect::<Vec<_>>();
    let document = json!({
        "animations": animations,
        "asset": {
            "version": "2.0",
            "generator": "Sinew make_sample",
            "copyright": "CC0 1.0: dedicated to the public domain",
        },
        "scene": 0,
        "scenes": [{ "name": "Ripple", "nodes": [0, joint_count, joint_count + 1] }],
        "nodes": nodes,
        "meshes": meshes,
        "skins": [{
            "name": "Ripple",
            "joints": (0..joint_count).collect::<Vec<_>>(),
            "skeleton": 0,
            "inverseBindMatrices": inverse_binds,
        }],
        "materials": materials(),
        "textures": [{ "source": 0, "sampler": 0, "name": "Base colour" }, { "source": 1, "sampler": 0, "name": "Surface" }],
        "images": images,
        "samplers": [{ "magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071 }],
    });
    glb.finish(document)
}

/// Returns everything with the skin material: body, gills, eyelids and tongue.
fn skin(skeleton: &Skeleton, body: &Body) -> Mesh {
    let distance = |p: DVec3| body.distance(p);
    let mut surface = Grid::new(DVec3::new(-0.2, -0.016, -0.45), DVec3::new(0.2, 0.46, 0.14), 0.0112).surface(distance);
    for _ in 0..3 {
        surface.relax(distance);
        surface.refine(distance, longest_edge);
    }
    for _ in 0..4 {
        surface.relax(distance);
    }
    let mut mesh = Mesh { vertices: Vec::new(), triangles: surface.triangles };
    for (position, normal) in surface.points {
        mesh.vertices.push(Vertex { position, normal, part: Part::Body, along: 0.0, weights: body.weights(position) });
    }
    mesh.append(swept::gills(skeleton));
    mesh.append(swept::lids(skeleton));
    mesh.append(swept::tongue(skeleton));
    mesh
}

/// Returns the longest allowed edge at a point, in meters: shortest at the lips, short at fingers and toes.
fn longest_edge(p: DVec3) -> f64 {
    let lips = face::mouth_hollow(p).abs() < 0.007 && p.z > 0.085;
    let extremities = p.x.abs() > 0.135 && p.y < 0.2 || p.z > 0.03 && p.y < 0.03;
    if lips {
        0.0065
    } else if extremities {
        0.0115
    } else {
        0.03
    }
}

fn textures(glb: &mut Glb, skin: &Unwrapped, body: &Body) -> Value {
    let distance = |p: DVec3| body.distance(p);
    let open: Vec<f64> = skin.mesh.vertices.iter().map(|vertex| openness(distance, vertex.position, vertex.normal)).collect();
    let images = paint::textures(skin, body, &open, TEXTURE_SIZE).map(|png| glb.view(&png, Target::Other));
    json!([
        { "name": "Base colour", "mimeType": "image/png", "bufferView": images[0] },
        { "name": "Occlusion, roughness", "mimeType": "image/png", "bufferView": images[1] },
    ])
}

fn materials() -> Value {
    json!([
        {
            "name": "Skin",
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0 },
                "metallicRoughnessTexture": { "index": 1 },
                "metallicFactor": 0,
            },
            "occlusionTexture": { "index": 1 },
        },
        { "name": "Eyes", "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0.08 } },
        {
            "name": "Sparks",
            "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0.4 },
            "emissiveFactor": [0.6, 0.65, 0.7],
        },
    ])
}

fn node(skeleton: &Skeleton, joint: usize) -> Value {
    let mut node = json!({ "name": skeleton.joints[joint].name });
    let local = skeleton.local(joint);
    if local != DVec3::ZERO {
        node["translation"] = local.to_array().map(|x| (x * 1e6).round() / 1e6).into();
    }
    let children: Vec<usize> = (0..skeleton.joints.len()).filter(|child| skeleton.joints[*child].parent == Some(joint)).collect();
    if !children.is_empty() {
        node["children"] = children.into();
    }
    node
}

/// Returns an inverse bind matrix. Joints have the world's axes at rest, so it is a translation to the origin.
fn inverse_bind(position: DVec3) -> [f64; 16] {
    let [x, y, z] = (-position).to_array();
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

fn skin_mesh(glb: &mut Glb, skin: &Unwrapped) -> Value {
    let mut primitive = geometry(glb, &skin.mesh);
    let uvs: Vec<u16> = skin.uvs.iter().flat_map(DVec2::to_array).map(|x| (x * 65535.0).round() as u16).collect();
    primitive["attributes"]["TEXCOORD_0"] = json!(glb.integers(&uvs, 2, true, true, Target::Vertices));
    primitive["material"] = json!(0);
    primitive["targets"] = face::EXPRESSIONS.iter().map(|(_, expression)| morph_target(glb, &skin.mesh, *expression)).collect();
    let names: Vec<&str> = face::EXPRESSIONS.iter().map(|(name, _)| *name).collect();
    json!({ "name": "Skin", "primitives": [primitive], "weights": vec![0.0; names.len()], "extras": { "targetNames": names } })
}

fn eye_mesh(glb: &mut Glb, skeleton: &Skeleton) -> Value {
    let (eyes, colors) = swept::eyes(skeleton);
    let mut balls = geometry(glb, &eyes);
    let colors: Vec<u16> = colors.iter().flat_map(|[r, g, b]| [*r, *g, *b, 1.0]).map(|x| (x * 65535.0).round() as u16).collect();
    balls["attributes"]["COLOR_0"] = json!(glb.integers(&colors, 4, true, true, Target::Vertices));
    balls["material"] = json!(1);
    let mut sparks = geometry(glb, &swept::sparks(skeleton));
    sparks["material"] = json!(2);
    json!({ "name": "Eyes", "primitives": [balls, sparks] })
}

fn geometry(glb: &mut Glb, mesh: &Mesh) -> Value {
    let rows = |of: fn(&Vertex) -> DVec3| mesh.vertices.iter().flat_map(|vertex| of(vertex).to_array()).collect::<Vec<_>>();
    let four = |weights: &Weights| [0, 1, 2, 3].map(|i| weights.0.get(i).copied().unwrap_or((0, 0.0)));
    let influences: Vec<(usize, f64)> = mesh.vertices.iter().flat_map(|vertex| four(&vertex.weights)).collect();
    let joints: Vec<u16> = influences.iter().map(|(joint, _)| *joint as u16).collect();
    let weights: Vec<u16> = influences.iter().map(|(_, weight)| (weight * 255.0).round() as u16).collect();
    let indices: Vec<u16> = mesh.triangles.iter().flatten().map(|i| *i as u16).collect();
    json!({
        "attributes": {
            "POSITION": glb.floats(&rows(|vertex| vertex.position), 3, Target::Vertices, true),
            "NORMAL": glb.floats(&rows(|vertex| vertex.normal), 3, Target::Vertices, false),
            "JOINTS_0": glb.integers(&joints, 4, false, false, Target::Vertices),
            "WEIGHTS_0": glb.integers(&weights, 4, false, true, Target::Vertices),
        },
        "indices": glb.integers(&indices, 1, true, false, Target::Indices),
    })
}

/// Returns a morph target of the vertices that an expression moves by more than a quarter of a millimeter.
fn morph_target(glb: &mut Glb, mesh: &Mesh, expression: face::Expression) -> Value {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (i, vertex) in mesh.vertices.iter().enumerate() {
        let (moved, turned) = face::moved(expression, vertex.position, vertex.normal);
        let on_face = matches!(vertex.part, Part::Body | Part::Tongue);
        if on_face && moved.length() > 2.5e-4 {
            positions.push((i as u16, moved));
            normals.push((i as u16, turned));
        }
    }
    let count = mesh.vertices.len();
    json!({ "POSITION": glb.sparse(count, &positions, true), "NORMAL": glb.sparse(count, &normals, false) })
}
