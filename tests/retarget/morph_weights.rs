//! Tests that morph weights are carried over by the names of the morph targets.

use glam::Vec3;
use sinew::model::Model;
use sinew::model::animation::{Channel, Interpolation, Target};
use sinew::model::mesh::Mesh;
use sinew::model::node::NodeIndex;
use sinew::retarget::Settings;
use sinew::retarget::carry::carry;

use crate::rig::{Bone, animation, model};

/// Builds a face with these morph targets, whose rest weights are 0.25.
fn face(node: &str, targets: &[&str]) -> Model {
    let mut model = model(&[Bone { joint: false, ..Bone::joint(node, None, Vec3::ZERO.to_array()) }]);
    let target_names = targets.iter().map(|&name| name.into()).collect();
    model.meshes = vec![Mesh { target_count: targets.len(), target_names, ..Mesh::default() }];
    (model.nodes[0].mesh, model.nodes[0].weights) = (Some(0), 0..targets.len());
    model.rest_weights = vec![0.25; targets.len()];
    model
}

#[test]
fn weights_are_carried_by_target_name_and_other_targets_stay_at_rest() {
    let mut source = face("Face", &["blink", "smile", "frown"]);
    for (interpolation, output, expected) in [
        (Interpolation::Linear, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![2.0, 0.25, 1.0, 5.0, 0.25, 4.0]),
        (
            Interpolation::CubicSpline,
            (1..=18).map(|number| number as f32).collect(),
            vec![2.0, 0.0, 1.0, 5.0, 0.25, 4.0, 8.0, 0.0, 7.0, 11.0, 0.0, 10.0, 14.0, 0.25, 13.0, 17.0, 0.0, 16.0],
        ),
    ] {
        let channel = Channel { source: 0, target: Target::Weights(NodeIndex(0)), key_times: 0, interpolation, output, components: 3 };
        source.animations = vec![animation("talk", vec![(vec![0.0, 1.0], channel)])];
        let carried = carry(&source, &face("Head", &["smile", "tongue", "blink"]), &Settings::default());
        let channel = &carried.animations[0].channels[0];
        assert_eq!((channel.target, channel.components, channel.interpolation), (Target::Weights(NodeIndex(0)), 3, interpolation));
        assert_eq!(channel.output, expected);
        assert_eq!(carried.animations[0].key_times, [vec![0.0, 1.0]]);
    }
    let carried = carry(&source, &face("Face", &["other", "names"]), &Settings::default());
    assert!(carried.is_empty());
}

#[test]
fn the_channel_of_the_counterpart_is_preferred_then_the_one_with_the_most_names_in_common_then_the_first() {
    // The nodes of a model, each with a mesh of these targets.
    let faces = |nodes: &[(&str, &[&str])]| {
        let bones: Vec<Bone> = nodes.iter().map(|(name, _)| Bone::joint(name, None, Vec3::ZERO.to_array())).collect();
        let mut faces = model(&bones);
        for (index, (_, targets)) in nodes.iter().enumerate() {
            faces.meshes.extend(face("Face", targets).meshes);
            let start = faces.rest_weights.len();
            faces.rest_weights.extend(vec![0.25; targets.len()]);
            (faces.nodes[index].mesh, faces.nodes[index].weights) = (Some(index), start..start + targets.len());
        }
        faces
    };
    let mut source =
        faces(&[("A", &["blink", "smile"]), ("B", &["blink", "smile"]), ("C", &["blink", "smile", "frown"]), ("D", &["blink"])]);
    // The weights of node n are n in its channel.
    let channels = (0..4u16).map(|node| {
        let components = source.meshes[usize::from(node)].target_count;
        let interpolation = Interpolation::Step;
        let output = vec![f32::from(node); components];
        (vec![0.0], Channel { source: 0, target: Target::Weights(NodeIndex(node.into())), key_times: 0, interpolation, output, components })
    });
    source.animations = vec![animation("talk", channels.collect())];
    let target =
        faces(&[("D", &["smile", "blink"]), ("Other", &["blink", "smile"]), ("Frown", &["frown", "smile", "blink"]), ("B", &["blink"])]);
    let carried = carry(&source, &target, &Settings::default());
    let outputs: Vec<_> = carried.animations[0].channels.iter().map(|channel| channel.output.as_slice()).collect();
    // D knows only "blink", so "smile" stays at rest. "Other" has no counterpart.
    assert_eq!(outputs, [&[0.25, 3.0][..], &[0.0, 0.0], &[2.0, 2.0, 2.0], &[1.0]]);
}

#[test]
fn many_nodes_with_one_mesh_do_not_get_unlimited_copies_of_a_channel() {
    let mut source = face("Face", &["blink"]);
    let times: Vec<f32> = (0..200_000).map(|key| key as f32 / 100.0).collect();
    let output = times.iter().map(|time| time.fract()).collect();
    let channel = Channel {
        source: 0,
        target: Target::Weights(NodeIndex(0)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output,
        components: 1,
    };
    source.animations = vec![animation("talk", vec![(times, channel)])];
    // 200 nodes would have 40 million values.
    let bones: Vec<Bone> = (0..200).map(|node| Bone::joint(&format!("Face {node}"), None, Vec3::ZERO.to_array())).collect();
    let mut target = Model { meshes: source.meshes.clone(), rest_weights: vec![0.25; bones.len()], ..model(&bones) };
    for (index, node) in target.nodes.iter_mut().enumerate() {
        (node.mesh, node.weights) = (Some(0), index..index + 1);
    }
    let carried = carry(&source, &target, &Settings::default());
    let values: usize = carried.animations[0].channels.iter().map(|channel| channel.output.len()).sum();
    assert_eq!(carried.reduced, [0]);
    assert!(values > 10_000_000 && values < 20_000_000, "{values}");
}
