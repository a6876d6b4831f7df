//! Tests animations: keys, interpolations, targets.

use serde_json::json;
use sinew::model::animation::{Interpolation, Target};
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::{BYTE, Gltf, SHORT, codes, triangle};

/// Builds one node and an animation with one channel that drives it.
fn moving(path: &str, interpolation: &str, times: &[f32], type_: &str, values: &[f32]) -> Gltf {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let output = gltf.floats(type_, values);
    gltf.animation(&[(0, path, interpolation, times, output)]);
    gltf
}

#[test]
fn the_duration_is_the_largest_key_time() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let output = gltf.floats("VEC3", &[0.0; 6]);
    gltf.animation(&[(0, "translation", "LINEAR", &[10.0, 12.0], output), (0, "scale", "STEP", &[0.5, 20.0], output)]);
    assert_eq!(gltf.model().animations[0].duration, 20.0);
}

#[test]
fn an_animation_with_one_key_has_no_length() {
    let model = moving("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 2.0, 3.0]).model();
    assert_eq!((model.animations[0].duration, model.animations[0].channels[0].output.len()), (0.0, 3));
    assert_eq!(codes(&model), [""; 0]);
}

#[test]
fn key_times_out_of_order_are_sorted_with_their_values() {
    let model = moving("translation", "LINEAR", &[1.0, 0.0, 0.5], "VEC3", &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 5.0, 5.0, 5.0]).model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 0.5, 1.0]]);
    assert_eq!(animation.channels[0].output, [0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 1.0, 1.0, 1.0]);
    assert_eq!(codes(&model), ["ACCESSOR_ANIMATION_INPUT_NON_INCREASING"]);
}

#[test]
fn keys_with_nan_times_are_dropped_with_their_values() {
    let times = [0.0, f32::NAN, 2.0, f32::INFINITY];
    let model = moving("translation", "LINEAR", &times, "VEC3", &[0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 2.0, 2.0, 2.0, 9.0, 9.0, 9.0]).model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 2.0]]);
    assert_eq!(animation.channels[0].output, [0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    assert_eq!(animation.duration, 2.0);
}

#[test]
fn a_key_with_a_nan_value_repeats_the_previous_key() {
    let nan = f32::NAN;
    let model = moving("scale", "LINEAR", &[0.0, 1.0, 2.0], "VEC3", &[nan, 1.0, 1.0, 3.0, 3.0, 3.0, 1.0, nan, 1.0]).model();
    assert_eq!(model.animations[0].channels[0].output, [1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
    assert_eq!(codes(&model), ["ACCESSOR_INVALID_FLOAT"]);
}

#[test]
fn a_first_key_with_a_nan_value_becomes_the_default_without_tangents() {
    let first = [[1.0; 4], [f32::NAN; 4], [2.0; 4]].concat();
    let second = [[3.0; 4], [0.5; 4], [4.0; 4]].concat();
    let model = moving("rotation", "CUBICSPLINE", &[0.0, 1.0], "VEC4", &[first, second.clone()].concat()).model();
    let (replaced, kept) = model.animations[0].channels[0].output.split_at(12);
    assert_eq!(replaced, [[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4]].concat());
    assert_eq!(kept, second);
}

#[test]
fn rotation_keys_are_kept_as_the_file_has_them() {
    let keys = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
    let model = moving("rotation", "LINEAR", &[0.0, 1.0], "VEC4", &keys).model();
    assert_eq!(model.animations[0].channels[0].output, keys);
    assert_eq!(codes(&model), ["ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION"]);
}

#[test]
fn keys_of_cubic_weights_have_all_in_tangents_then_all_values_then_all_out_tangents() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }, { "POSITION": 0 }]);
    let keys = [0.1, 0.2, 1.0, 2.0, 0.3, 0.4, 0.5, 0.6, 3.0, 4.0, 0.7, 0.8];
    let output = gltf.floats("SCALAR", &keys);
    gltf.animation(&[(0, "weights", "CUBICSPLINE", &[0.0, 1.0], output)]);
    let model = gltf.model();
    let channel = &model.animations[0].channels[0];
    assert_eq!((channel.components, channel.interpolation), (2, Interpolation::CubicSpline));
    assert_eq!(channel.output, keys);
    let mut posed = Posed::new(&model);
    let view = View { animation: Some(0), ..View::default() };
    solve::solve(&model, &view, 1.0, &mut posed);
    assert_eq!(posed.pose.weights, [3.0, 4.0]);
}

#[test]
fn integer_rotations_are_read_as_fractions() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let keys: [i16; 4] = [0, -32768, 0, 32767];
    let output = gltf.accessor(SHORT, "VEC4", 1, &keys.map(i16::to_le_bytes).concat());
    gltf.json["accessors"][output]["normalized"] = json!(true);
    gltf.animation(&[(0, "rotation", "LINEAR", &[0.0], output)]);
    assert_eq!(gltf.model().animations[0].channels[0].output, [0.0, -1.0, 0.0, 1.0]);
    let output = gltf.accessor(BYTE, "VEC4", 1, &[127, 0x81, 0x80, 64]);
    gltf.json["animations"][0]["samplers"][0]["output"] = json!(output);
    assert_eq!(gltf.model().animations[0].channels[0].output, [1.0, -1.0, -1.0, 64.0 / 127.0]);
}

#[test]
fn channels_find_nodes_by_index_and_not_by_name() {
    let mut gltf = Gltf::new();
    for _ in 0..3 {
        gltf.push("nodes", json!({ "name": "same" }));
    }
    gltf.push("nodes", json!({ "children": [2] }));
    let output = gltf.floats("VEC3", &[1.0, 0.0, 0.0]);
    gltf.animation(&[(2, "translation", "LINEAR", &[0.0], output)]);
    let model = gltf.model();
    let target = model.animations[0].channels[0].target;
    assert_eq!(target, Target::Translation(model.node_of_source[2]));
    assert_eq!(model.node(target.node().unwrap()).source, 2);
}

#[test]
fn channels_without_a_node_or_with_an_unknown_path_are_skipped() {
    let mut gltf = moving("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 0.0, 0.0]);
    let channels = gltf.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.insert(0, json!({ "sampler": 0, "target": { "path": "rotation" } }));
    channels.insert(1, json!({ "sampler": 0, "target": { "node": 0, "path": "color" } }));
    channels.insert(2, json!({ "sampler": 0, "target": { "node": 0, "path": "weights" } }));
    let model = gltf.model();
    let channels = &model.animations[0].channels;
    assert_eq!(channels.len(), 1);
    assert_eq!(channels[0].source, 3, "the index in the file");
    assert_eq!(model.findings.len(), 3);
    assert_eq!(model.findings[1].pointer, "/animations/0/channels/1/target");
}

#[test]
fn of_two_channels_with_one_target_the_last_wins() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let (first, last) = (gltf.floats("VEC3", &[1.0; 3]), gltf.floats("VEC3", &[2.0; 3]));
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0], first), (0, "translation", "LINEAR", &[0.0], last)]);
    let model = gltf.model();
    assert_eq!(model.animations[0].channels.len(), 1);
    assert_eq!(model.animations[0].channels[0].output, [2.0; 3]);
    assert_eq!(codes(&model), ["ANIMATION_DUPLICATE_TARGETS"]);
}

#[test]
fn channels_are_grouped_by_key_times_rather_than_by_accessor() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    gltf.push("nodes", json!({}));
    let output = gltf.floats("VEC3", &[0.0; 6]);
    gltf.animation(&[
        (0, "translation", "LINEAR", &[0.0, 1.0], output),
        (0, "scale", "LINEAR", &[0.0, 2.0], output),
        (1, "translation", "LINEAR", &[0.0, 1.0], output),
    ]);
    let model = gltf.model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 1.0], [0.0, 2.0]]);
    let groups: Vec<_> = animation.channels.iter().map(|channel| (channel.source, channel.key_times)).collect();
    assert_eq!(groups, [(0, 0), (2, 0), (1, 1)]);
}

#[test]
fn an_output_too_short_for_its_keys_is_an_error_and_an_empty_animation_is_kept() {
    let mut gltf = moving("translation", "CUBICSPLINE", &[0.0, 1.0], "VEC3", &[0.0; 6]);
    assert_eq!(gltf.refusal(), "animation 0, channel 0: has 2 values, but its 2 keys need 6");
    let single = moving("translation", "CUBICSPLINE", &[0.0], "VEC3", &[0.0; 3]);
    assert_eq!(single.refusal(), "animation 0, channel 0: has 1 value, but its 1 key needs 3");
    gltf.json["animations"] = json!([{ "name": "empty" }]);
    let model = gltf.model();
    assert_eq!((model.animations.len(), model.animations[0].channels.len()), (1, 0));
}
