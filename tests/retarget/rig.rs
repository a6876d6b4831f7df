//! Builds rigs: nodes with names, parents and rest transforms, joints of one skin, and keyframes.

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3, Vec3A};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;

use crate::common::reference;

/// A node: its name, its parent, its rest transform, and whether it is a joint.
#[derive(Debug, Clone)]
pub struct Bone {
    pub name: String,
    pub parent: Option<usize>,
    pub rest: Trs,
    pub joint: bool,
}

impl Bone {
    pub fn joint(name: &str, parent: Option<usize>, translation: [f32; 3]) -> Self {
        let rest = Trs { translation: Vec3A::from_array(translation), ..Trs::IDENTITY };
        Self { name: name.into(), parent, rest, joint: true }
    }
}

/// Builds a model of these nodes, which must be in depth-first order. The joints belong to one skin.
pub fn model(bones: &[Bone]) -> Model {
    let joints: Vec<_> = (0..bones.len()).filter(|&at| bones[at].joint).map(|at| NodeIndex(at as u32)).collect();
    let matrices = 0..joints.len();
    let skin = Skin { name: None, inverse_bind_matrices: vec![Affine3A::IDENTITY; joints.len()], joints, matrices: matrices.clone() };
    let node = |(source, bone): (usize, &Bone)| Node { name: Some(bone.name.clone()), source, visible: true, ..Node::default() };
    Model {
        hierarchy: Hierarchy::from_parents(
            bones.iter().map(|bone| bone.parent.map(|parent| NodeIndex(parent as u32))).collect(),
            bones.iter().map(|bone| bone.rest).collect(),
        ),
        nodes: bones.iter().enumerate().map(node).collect(),
        node_of_source: (0..bones.len() as u32).map(NodeIndex).collect(),
        skins: if matrices.is_empty() { Vec::new() } else { vec![skin] },
        palette_len: matrices.len(),
        ..Model::default()
    }
}

/// Builds the keyframes of one property, with their own key times.
pub fn channel(target: Target, interpolation: Interpolation, times: &[f32], output: Vec<f32>) -> (Vec<f32>, Channel) {
    let components = if matches!(target, Target::Rotation(_)) { 4 } else { 3 };
    (times.to_vec(), Channel { source: 0, target, key_times: 0, interpolation, output, components })
}

/// Builds an animation of these channels.
pub fn animation(name: &str, channels: Vec<(Vec<f32>, Channel)>) -> Animation {
    let duration = channels.iter().filter_map(|(times, _)| times.last()).fold(0.0, |longest: f64, &time| longest.max(time.into()));
    let (key_times, channels): (Vec<_>, Vec<_>) = channels.into_iter().unzip();
    let numbered = channels.into_iter().enumerate();
    let channels = numbered.map(|(at, channel)| Channel { source: at, key_times: at, ..channel }).collect();
    Animation { name: Some(name.into()), duration, key_times, channels }
}

/// Returns the node with this name.
pub fn node(model: &Model, name: &str) -> NodeIndex {
    let at = model.nodes.iter().position(|node| node.name.as_deref() == Some(name));
    NodeIndex(at.unwrap_or_else(|| panic!("no node {name}")) as u32)
}

/// Builds a figure of 19 joints in a T-pose. It faces +Z. Its joints are at heights from 0.1 m (feet) to 1.57 m (head). `names` are
/// the names of the joints.
pub fn figure(names: &[&str; 19]) -> Vec<Bone> {
    let joints: [(Option<usize>, [f32; 3]); 19] = [
        (None, [0.0, 1.0, 0.0]),       // hips
        (Some(0), [0.0, 0.12, 0.0]),   // spine
        (Some(1), [0.0, 0.15, 0.0]),   // chest
        (Some(2), [0.0, 0.2, 0.0]),    // neck
        (Some(3), [0.0, 0.1, 0.0]),    // head
        (Some(2), [0.05, 0.15, 0.0]),  // left shoulder
        (Some(5), [0.13, 0.0, 0.0]),   // left upper arm
        (Some(6), [0.28, 0.0, 0.0]),   // left lower arm
        (Some(7), [0.26, 0.0, 0.0]),   // left hand
        (Some(2), [-0.05, 0.15, 0.0]), // right shoulder
        (Some(9), [-0.13, 0.0, 0.0]),  // right upper arm
        (Some(10), [-0.28, 0.0, 0.0]), // right lower arm
        (Some(11), [-0.26, 0.0, 0.0]), // right hand
        (Some(0), [0.1, -0.05, 0.0]),  // left upper leg
        (Some(13), [0.0, -0.42, 0.0]), // left lower leg
        (Some(14), [0.0, -0.43, 0.0]), // left foot
        (Some(0), [-0.1, -0.05, 0.0]), // right upper leg
        (Some(16), [0.0, -0.42, 0.0]), // right lower leg
        (Some(17), [0.0, -0.43, 0.0]), // right foot
    ];
    joints.iter().zip(names).map(|(&(parent, translation), name)| Bone::joint(name, parent, translation)).collect()
}

/// Builds the figure with rotated joints, scaled by `size`. Each joint is rotated by a different angle about a different axis. Apart from
/// the scale, the positions of the joints do not change.
pub fn rolled(bones: &[Bone], size: f32) -> Vec<Bone> {
    let globals = rest_globals(&model(bones));
    let turn =
        |at: usize| DQuat::from_axis_angle(DVec3::new(at as f64 + 1.0, 2.0, (at * at) as f64 - 3.0).normalize(), 0.7 * at as f64 + 0.4);
    let place = |at: usize| DAffine3::from_rotation_translation(turn(at), globals[at].translation * f64::from(size));
    let rest = |(at, bone): (usize, &Bone)| {
        let local = bone.parent.map_or(DAffine3::IDENTITY, |parent| place(parent).inverse()) * place(at);
        let (_, rotation, translation) = local.to_scale_rotation_translation();
        Bone { rest: Trs { translation: translation.as_vec3a(), rotation: rotation.as_quat(), scale: Vec3A::ONE }, ..bone.clone() }
    };
    bones.iter().enumerate().map(rest).collect()
}

/// Returns the global transforms of the rest pose.
pub fn rest_globals(model: &Model) -> Vec<DAffine3> {
    globals(model, None, 0.0)
}

/// Returns the global transforms of a pose, computed by the naive reference.
pub fn globals(model: &Model, animation: Option<usize>, time: f64) -> Vec<DAffine3> {
    let column = |rows: &reference::Matrix, at: usize| DVec3::new(rows[0][at], rows[1][at], rows[2][at]);
    let affine = |rows: &reference::Matrix| DAffine3::from_cols(column(rows, 0), column(rows, 1), column(rows, 2), column(rows, 3));
    reference::pose(model, animation, time).globals.iter().map(affine).collect()
}

/// Builds a walk of one second for the figure: the limbs swing, and the hips turn, bob and travel 1.3 m forward.
pub fn walk(figure: &Model) -> Animation {
    let times: Vec<f32> = (0..=30).map(|frame| frame as f32 / 30.0).collect();
    let angle = |at: usize, time: f32| (time * std::f32::consts::TAU + at as f32).sin() * (0.2 + 0.03 * at as f32);
    let rotation = |at: usize| {
        let axis = [Vec3::X, Vec3::Z, Vec3::new(0.3, 0.9, 0.2)][at % 3].normalize();
        let rest = figure.hierarchy.rest[at].rotation;
        let output = times.iter().flat_map(|&time| (rest * Quat::from_axis_angle(axis, angle(at, time))).to_array()).collect();
        channel(Target::Rotation(NodeIndex(at as u32)), Interpolation::Linear, &times, output)
    };
    let mut channels: Vec<_> = (0..figure.nodes.len()).map(rotation).collect();
    let hips = figure.hierarchy.rest[0].translation;
    let travel = |&time: &f32| (hips + Vec3A::new(0.0, 0.03 * (time * 12.0).sin(), 1.3 * time)).to_array();
    let output = times.iter().flat_map(travel).collect();
    channels.push(channel(Target::Translation(NodeIndex(0)), Interpolation::Linear, &times, output));
    animation("walk", channels)
}

/// Panics if the two points are farther apart than `distance`.
#[track_caller]
pub fn assert_near(a: DVec3, b: DVec3, distance: f64, what: &str) {
    assert!((a - b).length() <= distance, "{what}: {a} and {b} are {} apart", (a - b).length());
}
