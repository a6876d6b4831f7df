//! Tests laws that hold for every rig: a file equals itself, exchanging the files changes no number, and moving a key by a millimeter moves
//! its joint and the joints below by a millimeter at the time of the key. The rigs are characters made by code and, with `SINEW_SAMPLES`
//! set, Fox and Robot.

use std::path::PathBuf;

use sinew::asset::{self, LoadOptions};
use sinew::compare::Choices;
use sinew::compare::measure::JointError;
use sinew::model::Model;
use sinew::model::animation::{Interpolation, Target};
use sinew::model::node::NodeIndex;

use crate::common::odd_rigs::{Character, cesium_man_like, odd};
use crate::common::reference;
use crate::common::skip::skip;
use crate::rig::{compared, compared_with};

/// All rigs, by name.
fn rigs() -> Vec<(&'static str, Model)> {
    let mut rigs: Vec<_> = odd().map(|(what, character)| (what, character.gltf().model())).into();
    rigs.push(("plain", Character::default().gltf().model()));
    rigs.push(("like CesiumMan", cesium_man_like().model()));
    let Some(samples) = std::env::var_os("SINEW_SAMPLES").map(PathBuf::from) else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return rigs;
    };
    for (name, file) in [("Fox", "models/Fox/Fox.glb"), ("Robot", "models/Robot/robot.glb")] {
        rigs.push((name, asset::load(&samples.join(file), &LoadOptions::default()).unwrap().model));
    }
    rigs
}

/// The errors with the nodes of A and B exchanged, in the order of the nodes that are then in A.
fn exchanged(joints: &[JointError]) -> Vec<JointError> {
    in_order(joints.iter().map(|joint| JointError { a: joint.b, b: joint.a, ..*joint }).collect())
}

fn in_order(mut joints: Vec<JointError>) -> Vec<JointError> {
    joints.sort_by_key(|joint| joint.a);
    joints
}

#[test]
fn each_rig_equals_itself_in_every_animation() {
    for (what, model) in rigs() {
        for animation in 0..model.animations.len() {
            let found = compared_with(model.clone(), model.clone(), Choices { animations: [Some(animation); 2], ..Choices::default() });
            let what = format!("{what}, animation {animation}");
            assert_eq!((found.measured.distance_max, found.measured.angle_max), (0.0, 0.0), "{what}");
            assert!(found.measured.curve.distances.iter().chain(&found.measured.curve.angles).all(|&error| error == 0.0), "{what}");
            assert!(!found.measured.joints.is_empty() && found.measured.joints.iter().all(|joint| joint.distance_mean == 0.0), "{what}");
            assert!(found.vertices.is_some_and(|vertices| vertices.distance_max == 0.0 && vertices.compared > 0), "{what}");
            assert!(found.differences.is_empty(), "{what}: {:?}", found.differences);
        }
    }
}

/// The model with every number of its first animation changed a little, each by a different amount.
fn shaken(mut model: Model) -> Model {
    for channel in &mut model.animations[0].channels {
        let size = if matches!(channel.target, Target::Translation(_)) { 0.05 } else { 0.02 };
        channel.output.iter_mut().enumerate().for_each(|(at, value)| *value += size * (at as f32 * 1.7).sin());
    }
    model
}

#[test]
fn exchanging_the_files_changes_no_number_of_any_rig() {
    let plain = || Character::default().gltf().model();
    for (what, model) in rigs() {
        for other in [shaken(model.clone()), plain()] {
            let there = compared(model.clone(), other.clone());
            let back = compared(other, model.clone());
            assert_eq!(there.measured.curve, back.measured.curve, "{what}");
            assert_eq!(in_order(there.measured.joints.clone()), exchanged(&back.measured.joints), "{what}");
            let largest = [&there.vertices, &back.vertices].map(|vertices| vertices.map(|vertices| vertices.distance_max));
            assert_eq!(largest[0], largest[1], "{what}");
            let unmatched =
                |found: &sinew::compare::Comparison| [found.node_pairs.only_in_a().count(), found.node_pairs.only_in_b().count()];
            let [only_a, only_b] = unmatched(&there);
            assert_eq!(unmatched(&back), [only_b, only_a], "{what}");
        }
        assert!(compared(model.clone(), shaken(model)).measured.distance_max > 0.0, "{what}");
    }
}

/// A translation key of the first animation: its channel, its index in the channel, its node, and the times of the keys around it.
struct Key {
    channel: usize,
    number: usize,
    node: NodeIndex,
    /// The times of the key before, this key, and the one after.
    times: [f64; 3],
}

/// Returns the middle key of each of three channels: the first, the middle and the last channel with a linear translation.
fn translation_keys(model: &Model) -> Vec<Key> {
    let animation = &model.animations[0];
    let node = |channel: usize| match animation.channels[channel].target {
        Target::Translation(node) if animation.channels[channel].interpolation == Interpolation::Linear => Some(node),
        _ => None,
    };
    let moving: Vec<_> = (0..animation.channels.len()).filter(|&channel| node(channel).is_some()).collect();
    let mut chosen = vec![moving[0], moving[moving.len() / 2], moving[moving.len() - 1]];
    chosen.dedup();
    let key = |channel: usize| {
        let times = &animation.key_times[animation.channels[channel].key_times];
        let number = times.len() / 2;
        let times = [number.saturating_sub(1), number, (number + 1).min(times.len() - 1)].map(|key| f64::from(times[key]));
        Key { channel, number, node: node(channel).unwrap(), times }
    };
    chosen.into_iter().map(key).collect()
}

/// Moves the key by a millimeter along the x axis of the node's parent. Returns the model and the exact distance, which includes rounding
/// to f32.
fn moved(model: &Model, key: &Key) -> (Model, f64) {
    let parent = model.hierarchy.parents[key.node.index()];
    let globals = reference::pose(model, Some(0), key.times[1]).globals;
    let matrix = parent.map_or(reference::IDENTITY, |parent| globals[parent.index()]);
    let scale = (0..3).map(|row| matrix[row][0] * matrix[row][0]).sum::<f64>().sqrt();
    let mut moved = model.clone();
    let value = &mut moved.animations[0].channels[key.channel].output[key.number * 3];
    let before = *value;
    *value += (0.001 / scale) as f32;
    let step = (f64::from(*value) - f64::from(before)) * scale;
    (moved, step)
}

#[test]
fn a_key_moved_by_a_millimeter_moves_only_its_joint_and_the_joints_below() {
    for (what, model) in rigs() {
        for key in translation_keys(&model) {
            let what = format!("{what}, {}", model.node(key.node).label());
            let (other, expected) = moved(&model, &key);
            // The largest coordinates in the samples are about 100. An f32 of that size is rounded to about a hundredth of a millimeter.
            assert!((expected - 0.001).abs() < 1e-5, "{what}: {expected}");
            let found = compared(model.clone(), other);
            let end = model.hierarchy.subtree_ends[key.node.index()];
            for joint in &found.measured.joints {
                let label = model.node(joint.a).label();
                if (key.node.0..end).contains(&joint.a.0) {
                    assert!((joint.distance_max - expected).abs() < 1e-9, "{what}: {label} is {} off", joint.distance_max);
                    assert!(joint.time == key.times[1] && joint.angle_max == 0.0, "{what}: {label}: {joint:?}");
                } else {
                    assert_eq!((joint.distance_max, joint.angle_max), (0.0, 0.0), "{what}: {label} is not below it");
                }
            }
            let curve = &found.measured.curve;
            for (&time, &distance) in curve.times.iter().zip(&curve.distances) {
                let is_beside = time <= key.times[0] || time >= key.times[2];
                assert!(!is_beside || distance == 0.0, "{what}: {distance} at {time}");
            }
        }
    }
}
