//! Tests the checks of rotation keys.

use sinew::check::settings::Settings;
use sinew::model::finding::Severity;

use crate::common::character::{Channel, Character, FRAMES, HEAD, about_x, character};

#[test]
fn a_changed_sign_is_reported_at_its_key() {
    let mut flipped = character();
    flipped.channels()[2].values[40..].iter_mut().for_each(|number| *number = -*number);
    let finding = flipped.only("ROTATION_FLIP");
    assert_eq!((finding.node, finding.severity), (Some(HEAD), Severity::Info));
    assert!((finding.time.unwrap() - 10.0 / 24.0).abs() < 1e-6);
    // A STEP channel is not interpolated, so the joint cannot spin.
    flipped.channels()[2].interpolation = "STEP";
    assert!(!flipped.codes().contains(&"ROTATION_FLIP"));
}

#[test]
fn a_changed_sign_in_a_spline_is_a_warning() {
    let mut spline = character();
    make_spline(&mut spline.channels()[2]);
    assert!(!spline.codes().contains(&"ROTATION_FLIP"));
    spline.channels()[2].values[12 * 10 + 4..].iter_mut().for_each(|number| *number = -*number);
    let found = spline.check(&Settings::default());
    assert!(found.iter().any(|finding| finding.code == "ROTATION_FLIP" && finding.severity == Severity::Warning), "{found:#?}");
}

/// Gives the keys of a channel tangents of 0.
fn make_spline(channel: &mut Channel) {
    channel.interpolation = "CUBICSPLINE";
    channel.values = channel.values.chunks(4).flat_map(|value| [&[0.0; 4], value, &[0.0; 4]].concat()).collect();
}

/// The character whose head has these angles, in degrees, at evenly spaced keys.
fn turning_to(angles: &[f32]) -> Character {
    let mut turning = character();
    let times = (0..angles.len()).map(|key| key as f32 / (angles.len() - 1) as f32).collect();
    let values = angles.iter().flat_map(|&degrees| about_x(degrees)).collect();
    turning.channels()[2] = Channel { node: HEAD, path: "rotation", interpolation: "LINEAR", times, values };
    turning
}

/// The codes and values of the findings if the head turns by this many degrees between two keys, and back.
fn turning(degrees: f32) -> Vec<(&'static str, Option<f64>)> {
    let found = turning_to(&[0.0, degrees, 0.0]).check(&Settings::default());
    found.iter().map(|finding| (finding.code, finding.value)).collect()
}

#[test]
fn a_full_turn_in_quarters_or_thirds_that_ends_with_its_first_key_is_correct() {
    for angles in [&[0.0, 90.0, 180.0, 270.0, 0.0][..], &[0.0, 120.0, 240.0, 0.0]] {
        let codes = turning_to(angles).codes();
        assert!(codes.contains(&"ROTATION_FLIP") && !codes.contains(&"ROTATION_OVER_180"), "{angles:?}: {codes:?}");
    }
}

#[test]
fn more_than_half_a_turn_between_two_keys_is_reported() {
    let found = turning(220.0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "ROTATION_OVER_180");
    assert!((found[0].1.unwrap() - 220.0).abs() < 1e-3, "{found:?}");
    assert_eq!(turning(170.0), []);
    // At half a turn, both directions are equally long, and rounding must not decide whether it is reported.
    assert_eq!(turning(180.01), []);
}

#[test]
fn a_spline_may_rotate_by_more_than_half_a_turn() {
    // Splines do not negate keys, so they take the longer way that the keys describe.
    let mut turning = turning_to(&[0.0, 220.0, 0.0]);
    make_spline(&mut turning.channels()[2]);
    let codes = turning.codes();
    assert!(!codes.iter().any(|code| code.starts_with("ROTATION")), "{codes:?}");
}

#[test]
fn rotations_that_are_not_of_unit_length_are_reported() {
    let mut long = character();
    long.channels()[2].values[4 * (FRAMES / 2)..][..4].iter_mut().for_each(|number| *number *= 1.1);
    let finding = long.only("ROTATION_NOT_UNIT");
    assert!((finding.value.unwrap() - 0.1).abs() < 1e-5, "{finding:?}");
    let mut rounded = character();
    rounded.channels()[2].values.iter_mut().for_each(|number| *number *= 1.0005);
    assert_eq!(rounded.codes(), [""; 0]);
}
