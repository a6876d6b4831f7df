//! Tests the checks of key times and of redundant keys.

use std::sync::Arc;

use sinew::check;
use sinew::check::settings::Settings;
use sinew::model::finding::Severity;
use sinew::retarget::carry::{self, CarriedFile};
use sinew::session::document::Document;

use crate::common::character::{ARMATURE, Channel, Clip, FRAMES, HEAD, HIPS, SPINE, about_x, below_scale, character, frames, per_frame};

#[test]
fn an_animation_that_begins_after_0_is_reported() {
    let mut late = character();
    late.channels().iter_mut().for_each(|channel| channel.times.iter_mut().for_each(|time| *time += 0.5));
    let finding = late.only("FIRST_KEY_NOT_AT_ZERO");
    assert_eq!((finding.value, finding.animation, finding.time), (Some(0.5), Some(0), Some(0.5)));
    assert!(finding.message.contains("12.0 frames at 24 fps"), "{}", finding.message);
    late.clips[0].name = None;
    let found = late.check(&Settings::default());
    let message = &found.iter().find(|finding| finding.code == "FIRST_KEY_NOT_AT_ZERO").unwrap().message;
    assert!(message.starts_with("Animation 0 has its first key"), "a message begins with a capital letter: {message}");
    // One channel with a key at 0 is enough: the others hold their first value.
    let mut partly = character();
    partly.channels()[0].times.iter_mut().for_each(|time| *time *= 0.9995);
    partly.channels()[1].times[0] = 0.0005;
    assert_eq!(partly.codes(), [""; 0]);
}

#[test]
fn a_channel_that_ends_early_is_reported_and_a_frozen_end_is_a_warning() {
    let mut early = character();
    early.channels()[1].times.iter_mut().for_each(|time| *time *= 0.5);
    let found = early.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "CHANNEL_ENDS_EARLY").unwrap();
    assert_eq!((finding.node, finding.value, finding.severity), (Some(SPINE), Some(0.5), Severity::Info));
    assert_eq!(finding.pointer, "/animations/0/channels/1");
    // Add a constant channel that is longer than all others.
    let mut left = character();
    left.channels().push(Channel { node: HIPS, path: "scale", interpolation: "LINEAR", times: vec![0.0, 3.0], values: vec![1.0; 6] });
    let found = left.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "CHANNEL_ENDS_EARLY").unwrap();
    assert_eq!((finding.severity, finding.value), (Severity::Warning, Some(2.0)));
    // The last channel that moves tells when the motion ends, not the first one that stops.
    left.channels()[0].times.iter_mut().for_each(|time| *time *= 0.5);
    let found = left.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "CHANNEL_ENDS_EARLY").unwrap();
    assert!(finding.message.contains("nothing moves after 1.000 s"), "{}", finding.message);
    assert_eq!((finding.node, finding.time, finding.value), (Some(SPINE), Some(1.0), Some(2.0)));
    assert_eq!(finding.pointer, "/animations/0/channels/1");
    let mut nearly = character();
    nearly.channels()[1].times[FRAMES - 1] -= 0.02;
    assert!(!nearly.codes().contains(&"CHANNEL_ENDS_EARLY"));
}

#[test]
fn a_few_keys_between_frames_are_reported() {
    let mut off = character();
    off.channels()[1].times[10] += 0.01;
    let found = off.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "KEYS_OFF_FRAME_GRID").unwrap_or_else(|| panic!("{found:#?}"));
    assert!((finding.value.unwrap() - 0.01).abs() < 1e-5, "{finding:?}");
    assert!((finding.time.unwrap() - (10.0 / 24.0 + 0.01)).abs() < 1e-5);
    let mut nearly = character();
    nearly.channels()[1].times[10] += 0.0002;
    assert!(!nearly.codes().contains(&"KEYS_OFF_FRAME_GRID"));
}

/// A character whose spine turns back and forth at constant speed for many seconds. There is a key wherever the direction changes, and
/// `between` keys between two of these.
fn baked(between: usize) -> crate::common::character::Character {
    let mut long = character();
    let keys = 401;
    let value = |key: usize| {
        let (turn, part) = (key / (between + 1), key % (between + 1));
        let [from, to] = [turn, turn + 1].map(|turn| if turn % 2 == 0 { 0.0 } else { 20.0 });
        about_x(from + (to - from) * part as f32 / (between + 1) as f32)
    };
    let values = (0..keys).flat_map(value).collect();
    long.channels()[1] = Channel { node: SPINE, path: "rotation", interpolation: "LINEAR", times: frames(keys), values };
    long.channels().truncate(2);
    long.channels()[0] = Channel {
        node: HIPS,
        path: "translation",
        interpolation: "LINEAR",
        times: vec![0.0, 400.0 / 48.0, 400.0 / 24.0],
        values: vec![0.0, 1.0, 0.0, 0.0, 1.02, 0.0, 0.0, 1.0, 0.0],
    };
    long
}

#[test]
fn keys_on_the_line_between_their_neighbors_are_counted() {
    let found = baked(4).check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "REDUNDANT_KEYS").unwrap_or_else(|| panic!("{found:#?}"));
    // Four of five keys of the spine are redundant, which is 320 of all 404 keys.
    assert!((finding.value.unwrap() - 320.0 / 404.0).abs() < 0.01, "{finding:?}");
    assert!(!baked(0).codes().contains(&"REDUNDANT_KEYS"));
}

#[test]
fn keys_of_a_slow_turn_are_redundant_only_as_far_as_a_line_replaces_them() {
    // The spine turns faster and faster: 9 degrees in 300 keys. Each key is close to the line between its neighbors.
    let keys = 300;
    let mut slow = baked(0);
    let values = (0..keys).flat_map(|key| about_x(1e-4 * (key * key) as f32)).collect();
    slow.channels()[1] = Channel { node: SPINE, path: "rotation", interpolation: "LINEAR", times: frames(keys), values };
    let found = slow.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "REDUNDANT_KEYS").unwrap_or_else(|| panic!("{found:#?}"));
    // A line over n keys is off by up to 1e-4 n^2 / 4 degrees, which is 0.01 for 20 keys. So 17 keys of the spine stay, and 3 of the hips.
    assert!((finding.value.unwrap() - 283.0 / 303.0).abs() < 0.01, "{finding:?}");
}

/// The character below a scale, with hips that go back and forth by so many meters in every frame.
fn trembling(scale: f32, meters: f32) -> crate::common::character::Character {
    let mut trembling = below_scale(scale);
    let value = |frame: usize| [if frame.is_multiple_of(2) { 0.0 } else { meters / scale }, 1.0 / scale, 0.0];
    let values = (0..240).flat_map(value).collect();
    *trembling.channels() = vec![Channel { node: HIPS, path: "translation", interpolation: "LINEAR", times: frames(240), values }];
    trembling
}

#[test]
fn keys_are_redundant_if_their_effect_in_meters_is_small() {
    // The size of the character is 1.66 m, so up to 0.166 mm are invisible.
    for scale in [0.01, 1.0, 100.0] {
        assert!(trembling(scale, 0.1e-3).codes().contains(&"REDUNDANT_KEYS"), "{scale}");
        assert!(!trembling(scale, 0.3e-3).codes().contains(&"REDUNDANT_KEYS"), "{scale}");
    }
}

#[test]
fn keys_of_a_scale_are_redundant_if_its_relative_change_is_small() {
    for (scale, change, is_redundant) in [(0.01, 0.005, false), (0.01, 0.00005, true), (100.0, 0.005, false), (100.0, 0.00005, true)] {
        let mut growing = below_scale(scale);
        let value = |frame: usize| [scale * if frame.is_multiple_of(2) { 1.0 } else { 1.0 + change }; 3];
        let values = (0..240).flat_map(value).collect();
        *growing.channels() = vec![Channel { node: ARMATURE, path: "scale", interpolation: "LINEAR", times: frames(240), values }];
        assert_eq!(growing.codes().contains(&"REDUNDANT_KEYS"), is_redundant, "{scale} {change}");
    }
}

#[test]
fn small_numbers_below_a_large_scale_are_motion() {
    for scale in [0.01, 1.0, 100.0] {
        assert!(!trembling(scale, 0.9e-3).codes().contains(&"NO_MOTION"), "{scale}");
        assert!(trembling(scale, 1e-6).codes().contains(&"NO_MOTION"), "{scale}");
        let mut growing = below_scale(scale);
        *growing.channels() = vec![per_frame(ARMATURE, "scale", |time| [scale * (1.0 + 0.0009 * time); 3])];
        assert!(!growing.codes().contains(&"NO_MOTION"), "{scale}");
    }
}

#[test]
fn constant_channels_and_scale_that_stays_one_are_counted() {
    let mut constant = character();
    let times = frames(200);
    let channel =
        |node, path, value: &[f32]| Channel { node, path, interpolation: "LINEAR", times: times.clone(), values: value.repeat(200) };
    constant.channels().push(channel(3, "translation", &[0.1, 0.0, 0.0]));
    constant.channels().push(channel(3, "scale", &[1.0, 1.0, 1.0]));
    let found = constant.check(&Settings::default());
    let count = |code: &str| found.iter().find(|finding| finding.code == code).and_then(|finding| finding.value);
    assert_eq!((count("CONSTANT_CHANNEL"), count("SCALE_STAYS_ONE")), (Some(1.0), Some(1.0)));
    // A scale that differs from the rest pose is needed, and so is a translation that changes.
    let mut needed = constant.clone();
    needed.nodes[3]["scale"] = serde_json::json!([2.0, 2.0, 2.0]);
    needed.channels()[3].values[0] = 0.11;
    let codes = needed.codes();
    assert!(!codes.contains(&"SCALE_STAYS_ONE"), "{codes:?}");
    assert!(codes.contains(&"CONSTANT_CHANNEL"), "the scale is still constant: {codes:?}");
}

#[test]
fn little_redundant_data_is_reported_only_if_the_configuration_says_so() {
    let mut short = character();
    let times = frames(61);
    let channel =
        |node, path, value: &[f32]| Channel { node, path, interpolation: "LINEAR", times: times.clone(), values: value.repeat(61) };
    // 60 keys of four floats are 960 bytes, and 61 keys of three floats are 732: a scale of 1 needs none.
    short.channels().push(channel(3, "rotation", &[0.0, 0.0, 0.0, 1.0]));
    short.channels().push(channel(3, "scale", &[1.0, 1.0, 1.0]));
    // 48 keys of three floats between the first and the last are 576 bytes. The keys of the idle animation add a few.
    let line = (0..50).flat_map(|frame| [0.1 + 0.001 * frame as f32, 0.0, 0.0]).collect();
    short.channels().push(Channel { node: 6, path: "translation", interpolation: "LINEAR", times: frames(50), values: line });
    let reported = |limit: &str| -> Vec<&str> {
        let found = short.check(&Settings::from_toml(&format!("[limits]\nredundant_share = 0.2\n{limit}")).unwrap());
        let codes = ["CONSTANT_CHANNEL", "SCALE_STAYS_ONE", "REDUNDANT_KEYS"];
        codes.into_iter().filter(|code| found.iter().any(|finding| finding.code == *code)).collect()
    };
    assert_eq!(reported(""), [""; 0]);
    assert_eq!(reported("redundant_bytes = 961"), [""; 0]);
    assert_eq!(reported("redundant_bytes = 960"), ["CONSTANT_CHANNEL"]);
    assert_eq!(reported("redundant_bytes = 733"), ["CONSTANT_CHANNEL"]);
    assert_eq!(reported("redundant_bytes = 732"), ["CONSTANT_CHANNEL", "SCALE_STAYS_ONE"]);
    assert_eq!(reported("redundant_bytes = 0"), ["CONSTANT_CHANNEL", "SCALE_STAYS_ONE", "REDUNDANT_KEYS"]);
}

#[test]
fn an_animation_without_motion_is_reported_once() {
    let mut still = character();
    let channel = |node| per_frame(node, "rotation", |_| about_x(5.0));
    still.clips.push(Clip { name: Some("Still"), channels: vec![channel(SPINE), channel(HEAD)] });
    let finding = still.only("NO_MOTION");
    assert_eq!((finding.animation, finding.severity), (Some(1), Severity::Warning));
    // An animation with a single key is a pose, which is meant to stand still.
    let mut pose = character();
    let times = vec![0.0];
    let channel = Channel { node: SPINE, path: "rotation", interpolation: "LINEAR", times, values: about_x(5.0).to_vec() };
    pose.clips.push(Clip { name: Some("Pose"), channels: vec![channel] });
    assert_eq!(pose.only("NO_MOTION").severity, Severity::Info);
}

#[test]
fn a_stepped_channel_among_smooth_ones_is_reported() {
    let mut steps = character();
    for node in [3, 4, 6] {
        steps.channels().push(per_frame(node, "rotation", |time| about_x(5.0 * (std::f32::consts::TAU * time).sin())));
    }
    steps.channels()[1].interpolation = "STEP";
    // The feet slide because only the legs swing, so look for one code among the findings.
    let found = steps.check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "STEP_AMONG_SMOOTH").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!((finding.node, finding.value), (Some(SPINE), Some(5.0 / 6.0)));
    // A switch between two values is meant to step.
    let mut switch = steps.clone();
    switch.channels()[1].values = (0..FRAMES).flat_map(|frame| about_x(if (8..16).contains(&frame) { 5.0 } else { 0.0 })).collect();
    assert!(!switch.codes().contains(&"STEP_AMONG_SMOOTH"));
}

#[test]
fn equal_and_empty_names_are_reported() {
    let mut names = character();
    names.clips.push(names.clips[0].clone());
    assert_eq!(names.only("DUPLICATE_NAME").animation, Some(1));
    names.clips[1].name = Some("  ");
    assert_eq!(names.only("EMPTY_NAME").pointer, "/animations/1/name");
    names.clips[1].name = Some("idle");
    assert_eq!(names.codes(), [""; 0]);
}

#[test]
fn animations_of_other_files_are_not_checked() {
    let model = character().gltf().model();
    let file = CarriedFile { animations: model.animations.clone(), ..CarriedFile::default() };
    let model = carry::with_animations(model, vec![file]);
    assert_eq!(model.animations.len(), 2, "with the same name");
    let document = Document::new(Arc::new(model), "character.glb".into(), None);
    assert_eq!(check::check(&document, &Settings::default(), &|_| true), Some(Vec::new()));
}
