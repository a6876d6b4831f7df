//! Small handmade models: trees of any shape, and a skinned box that an animation bends.
#![allow(dead_code)] // each test binary uses only a part

use glam::{Affine3A, Quat, Vec3, Vec3A};

use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::mesh::{Influences, Mesh, Primitive, Vertices};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;
use sinew::model::{Model, Scene};

/// Builds a tree from the name and parent of each node, in depth-first order. Each node is one meter above its parent. The file's node
/// indices count backward, so code that confuses them with the model's node indices fails.
pub fn tree(nodes: &[(String, Option<usize>)]) -> Model {
    let count = nodes.len();
    let source = |i: usize| count - 1 - i;
    let above = |parent: Option<usize>| Trs { translation: if parent.is_some() { Vec3A::Y } else { Vec3A::ZERO }, ..Trs::IDENTITY };
    Model {
        hierarchy: Hierarchy::from_parents(
            nodes.iter().map(|(_, parent)| parent.map(|parent| NodeIndex(parent as u32))).collect(),
            nodes.iter().map(|(_, parent)| above(*parent)).collect(),
        ),
        nodes: nodes
            .iter()
            .enumerate()
            .map(|(i, (name, _))| Node { name: Some(name.clone()), source: source(i), visible: true, ..Node::default() })
            .collect(),
        node_of_source: (0..count as u32).rev().map(NodeIndex).collect(),
        scenes: vec![Scene {
            name: None,
            roots: nodes.iter().enumerate().filter(|(_, n)| n.1.is_none()).map(|(i, _)| NodeIndex(i as u32)).collect(),
        }],
        default_scene: Some(0),
        ..Model::default()
    }
}

/// Adds a skin with these joints and identity inverse bind matrices.
pub fn add_skin(model: &mut Model, joints: &[usize]) {
    let first = model.palette_len;
    model.palette_len += joints.len();
    model.skins.push(Skin {
        name: Some("Armature".into()),
        joints: joints.iter().map(|&joint| NodeIndex(joint as u32)).collect(),
        inverse_bind_matrices: vec![Affine3A::IDENTITY; joints.len()],
        matrices: first..model.palette_len,
    });
}

/// Builds "Box", a mesh whose skin has two joints: "Base" at the origin and "Tip" one meter above it. The box is centered on the y axis,
/// one meter wide and two meters high. Its top ring of vertices follows the tip. The animation lasts one second and turns the tip by 90
/// degrees about z, so the upper half bends sideways, toward -x.
pub fn bending_box() -> Model {
    let mut model = tree(&[("Box".into(), None), ("Base".into(), None), ("Tip".into(), Some(1))]);
    add_skin(&mut model, &[1, 2]);
    model.skins[0].inverse_bind_matrices[1] = Affine3A::from_translation(Vec3::NEG_Y);
    let mut positions = Vec::new();
    let mut joints = Vec::new();
    // Three rings of four corners, at y = 0, 1 and 2.
    for y in 0..3u16 {
        for (x, z) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            positions.push(Vec3::new(x, f32::from(y), z));
            joints.push([y / 2, 0, 0, 0]);
        }
    }
    let mut indices = vec![0, 1, 2, 0, 2, 3, 8, 10, 9, 8, 11, 10];
    for ring in [0, 4] {
        for side in 0..4 {
            let (a, b) = (ring + side, ring + (side + 1) % 4);
            indices.extend([a, a + 4, b, b, a + 4, b + 4]);
        }
    }
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; positions.len()];
    model.meshes.push(Mesh {
        name: Some("Box".into()),
        primitives: vec![Primitive {
            source_vertex_count: positions.len(),
            vertices: Vertices { influences: Influences { sets: 1, joints, weights }, positions, ..Vertices::default() }.into(),
            indices,
            ..Primitive::default()
        }],
        ..Mesh::default()
    });
    (model.nodes[0].mesh, model.nodes[0].skin, model.nodes[0].rigid_matrix) = (Some(0), Some(0), Some(2));
    model.palette_len = 3;
    let turned = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let output = [Quat::IDENTITY, turned].iter().flat_map(Quat::to_array).collect();
    model.animations.push(Animation {
        name: Some("Bend".into()),
        duration: 1.0,
        key_times: vec![vec![0.0, 1.0]],
        channels: vec![Channel {
            source: 0,
            target: Target::Rotation(NodeIndex(2)),
            key_times: 0,
            interpolation: Interpolation::Linear,
            output,
            components: 4,
        }],
    });
    model
}
