//! Generates rigs that resemble characters: limbs on a spine. The translation, rotation and scale of every joint are animated.

use glam::{Affine3A, Quat, Vec3A};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;

/// Makes a rig whose channels all share one set of key times.
pub fn shared(joints: usize, keys: usize) -> Model {
    rig(joints, keys, |_| 0, 1)
}

/// Makes a rig whose channels each have their own key times.
pub fn loose(joints: usize, keys: usize) -> Model {
    rig(joints, keys, |channel| channel, joints * 3)
}

/// Makes a rig. `key_times_of` returns the index of a channel's set of key times, and `sets` is the number of sets.
fn rig(joints: usize, keys: usize, key_times_of: impl Fn(usize) -> usize, sets: usize) -> Model {
    // Limbs of five joints, attached to a spine.
    let parent = |joint: usize| {
        if joint == 0 {
            None
        } else if joint.is_multiple_of(5) {
            Some(joint - 5)
        } else {
            Some(joint - 1)
        }
    };
    let parents: Vec<Option<NodeIndex>> = (0..joints).map(|joint| parent(joint).map(|parent| NodeIndex(parent as u32))).collect();
    let key_times: Vec<Vec<f32>> =
        (0..sets).map(|set| (0..keys).map(|key| (key as f32 + 0.4 * (set % 7) as f32 / 7.0) / 30.0).collect()).collect();
    let mut channels = channels(joints, keys, key_times_of);
    channels.sort_by_key(|channel| channel.key_times);
    let duration = key_times.iter().filter_map(|times| times.last()).fold(0.0, |a: f64, &b| a.max(f64::from(b)));
    Model {
        hierarchy: Hierarchy::from_parents(parents, vec![Trs { translation: Vec3A::new(0.0, 0.02, 0.0), ..Trs::IDENTITY }; joints]),
        nodes: (0..joints).map(|source| Node { source, visible: true, ..Node::default() }).collect(),
        node_of_source: (0..joints as u32).map(NodeIndex).collect(),
        skins: vec![Skin {
            name: None,
            joints: (0..joints as u32).map(NodeIndex).collect(),
            inverse_bind_matrices: vec![Affine3A::IDENTITY; joints],
            matrices: 0..joints,
        }],
        animations: vec![Animation { name: None, duration, key_times, channels }],
        palette_len: joints,
        ..Model::default()
    }
}

/// Makes channels with random values for the translation, rotation and scale of every joint.
fn channels(joints: usize, keys: usize, key_times_of: impl Fn(usize) -> usize) -> Vec<Channel> {
    let mut seed = 0x2545_F491_4F6C_DD1Du64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    };
    let mut channels = Vec::new();
    for joint in 0..joints {
        let node = NodeIndex(joint as u32);
        for target in [Target::Translation(node), Target::Rotation(node), Target::Scale(node)] {
            let mut output = Vec::new();
            let mut rotation = Quat::IDENTITY;
            for _ in 0..keys {
                match target {
                    Target::Rotation(_) => {
                        rotation =
                            (rotation * Quat::from_xyzw(random() * 0.2, random() * 0.2, random() * 0.2, 1.0).normalize()).normalize();
                        output.extend(rotation.to_array());
                    }
                    Target::Translation(_) => output.extend([random() * 0.002, 0.02 + random() * 0.002, random() * 0.002]),
                    _ => output.extend([1.0 + random() * 0.01, 1.0 + random() * 0.01, 1.0 + random() * 0.01]),
                }
            }
            let components = if matches!(target, Target::Rotation(_)) { 4 } else { 3 };
            let key_times = key_times_of(channels.len());
            channels.push(Channel { source: channels.len(), target, key_times, interpolation: Interpolation::Linear, output, components });
        }
    }
    channels
}
