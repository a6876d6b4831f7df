//! Loads and poses worked examples from public sources:
//!
//! * Tutorial: "Animations", section "Animation samplers", of the glTF tutorial by the Khronos Group,
//!   <https://github.com/KhronosGroup/glTF-Tutorials/blob/main/gltfTutorial/gltfTutorial_007_Animations.md>.
//! * Appendix C: "Animation Sampler Interpolation Modes" of the glTF 2.0 specification,
//!   <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html#appendix-c-interpolation>. The expected values come from its formulas.
//!   Round numbers were computed by hand; all others are computed here in f64.

use serde_json::json;
use sinew::model::hierarchy::Trs;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::Gltf;

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Returns the local transform of the only node at these times. The file has one channel of `path` with float output.
fn sampled(path: &str, interpolation: &str, key_times: &[f32], output: &[f32], times: &[f64]) -> Vec<Trs> {
    let mut gltf = Gltf::new();
    let node = gltf.push("nodes", json!({}));
    gltf.push("scenes", json!({ "nodes": [node] }));
    let output = gltf.floats(if path == "rotation" { "VEC4" } else { "VEC3" }, output);
    gltf.animation(&[(node, path, interpolation, key_times, output)]);
    let model = gltf.model();
    assert!(model.findings.is_empty(), "{:?}", model.findings);
    let view = View { animation: Some(0), ..View::default() };
    let mut posed = Posed::new(&model);
    let local = |&time| {
        solve::solve(&model, &view, time, &mut posed);
        posed.pose.locals[0]
    };
    times.iter().map(local).collect()
}

fn translations(interpolation: &str, key_times: &[f32], output: &[f32], times: &[f64]) -> Vec<[f32; 3]> {
    sampled("translation", interpolation, key_times, output, times).iter().map(|local| local.translation.to_array()).collect()
}

fn rotation(interpolation: &str, key_times: &[f32], output: &[f32], time: f64) -> [f32; 4] {
    sampled("rotation", interpolation, key_times, output, &[time])[0].rotation.to_array()
}

fn assert_near<const N: usize>(found: [f32; N], expected: [f64; N], what: &str) {
    let is_near = found.iter().zip(expected).all(|(&found, expected)| (f64::from(found) - expected).abs() < 1e-6);
    assert!(is_near, "{what}: {found:?} instead of {expected:?}");
}

/// The value is from the tutorial's section "Example".
#[test]
fn the_tutorials_translation_at_1_2_seconds_is_16_2_and_minus_a_half() {
    let output = [14.0, 3.0, -2.0, 18.0, 1.0, 1.0];
    let found = translations("LINEAR", &[0.8, 1.6], &output, &[1.2]);
    assert_near(found[0], [16.0, 2.0, -0.5], "half-way from 0.8 to 1.6 seconds");
}

/// Appendix C.1: "When the current (requested) timestamp exists in the animation data, its associated property value MUST be
/// used as-is, without interpolation."
#[test]
fn at_a_keyframe_the_value_is_that_of_the_file_in_every_interpolation() {
    let (key_times, values) = ([0.1f32, 0.3, 0.7], [[0.1f32, -7.3, 1e-3], [12.7, 0.3, 1e4], [-0.7, 5.1, 3.3]]);
    let plain: Vec<f32> = values.as_flattened().to_vec();
    let with_tangents: Vec<f32> = values.iter().flat_map(|value| [[1.7; 3], *value, [-2.3; 3]].concat()).collect();
    for (interpolation, output) in [("STEP", &plain), ("LINEAR", &plain), ("CUBICSPLINE", &with_tangents)] {
        assert_eq!(translations(interpolation, &key_times, output, &key_times.map(f64::from)), values, "{interpolation}");
    }
}

/// Appendix C.2 gives v_t = v_k.
#[test]
fn a_step_keeps_the_value_of_the_keyframe_before() {
    let output = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let found = translations("STEP", &[0.0, 2.0], &output, &[0.5, 1.0, 1.999]);
    assert_eq!(found, [[1.0, 2.0, 3.0]; 3]);
}

/// The slerp of appendix C.4, for t from 0 to 1.
fn slerp(from: [f64; 4], to: [f64; 4], t: f64) -> [f64; 4] {
    let dot: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let (a, s) = (dot.abs().acos(), dot.signum());
    let (before, after) = ((a * (1.0 - t)).sin() / a.sin(), s * (a * t).sin() / a.sin());
    [0, 1, 2, 3].map(|i| before * from[i] + after * to[i])
}

/// Tests appendix C.4 with keys at the identity and at a third of a turn about (1, 1, 1), which is (1/2, 1/2, 1/2, 1/2). The dot product is
/// 1/2, so the angle a is 60 degrees. Halfway both factors are sin 30 / sin 60 = 1 / sqrt 3.
#[test]
fn slerp_of_a_third_of_a_turn_follows_the_specification() {
    let half_way = [0.5 / 3f64.sqrt(), 0.5 / 3f64.sqrt(), 0.5 / 3f64.sqrt(), 1.5 / 3f64.sqrt()];
    // A quaternion and its negative are the same rotation. With the factor s in the formula, both also give the same interpolation, along
    // the shorter arc.
    for sign in [1.0f32, -1.0] {
        let end = [0.5 * sign; 4];
        let output = [IDENTITY, end].concat();
        let at = |time| rotation("LINEAR", &[0.0, 1.0], &output, time);
        assert_near(at(0.5), half_way, &format!("half-way, sign {sign}"));
        for t in [0.125, 0.25, 0.75, 0.9] {
            assert_near(at(t), slerp(IDENTITY.map(f64::from), end.map(f64::from), t), &format!("at {t}, sign {sign}"));
        }
    }
}

/// The note of appendix C.4 says: "When a is close to zero, spherical linear interpolation turns into regular linear interpolation."
#[test]
fn slerp_between_nearly_equal_rotations_is_linear() {
    let (sin, cos) = 1e-4f64.sin_cos();
    let end = [sin as f32, 0.0, 0.0, cos as f32];
    let found = rotation("LINEAR", &[0.0, 1.0], &[IDENTITY, end].concat(), 0.25);
    assert_near(found, [sin / 4.0, 0.0, 0.0, 1.0], "a quarter");
    assert!((f64::from(found[0]) - sin / 4.0).abs() < 1e-10, "{} instead of {}", found[0], sin / 4.0);
}

/// Appendix C.5 gives v_t = (2t^3 - 3t^2 + 1) v_k + t_d (t^3 - 2t^2 + t) b_k + (-2t^3 + 3t^2) v_k+1 + t_d (t^3 - t^2) a_k+1.
///
/// With t_d = 2 the factors are
///
/// | t   | v_k     | b_k     | v_k+1   | a_k+1    |
/// |-----|---------|---------|---------|----------|
/// | 1/4 | 0.84375 | 0.28125 | 0.15625 | -0.09375 |
/// | 1/2 | 0.5     | 0.25    | 0.5     | -0.25    |
/// | 3/4 | 0.15625 | 0.09375 | 0.84375 | -0.28125 |
///
/// For example, x is 1 with out-tangent 3 at the first key, and 5 with in-tangent -1 at the second key. At a quarter of the segment, it is
/// 0.84375 + 0.84375 + 0.78125 + 0.09375 = 2.5625.
#[test]
fn cubic_splines_scale_their_tangents_by_the_length_of_the_segment() {
    // The specification says that the first in-tangent and the last out-tangent "are not used in the spline calculations".
    let unused = [1000.0; 3];
    let (v_0, b_0) = ([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]);
    let (a_1, v_1) = ([-1.0, 0.0, 4.0], [5.0, 1.0, 0.0]);
    let output = [unused, v_0, b_0, a_1, v_1, unused].concat();
    let found = translations("CUBICSPLINE", &[3.0, 5.0], &output, &[3.5, 4.0, 4.5]);
    assert_eq!(found, [[2.5625, 0.15625, 0.75], [4.0, 0.5, 0.0], [4.9375, 0.84375, -0.75]]);
}

#[test]
fn times_beyond_the_range_of_f32_hold_the_first_and_the_last_key() {
    let found = translations("LINEAR", &[0.5, 1.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1e39, f64::MAX, -1e39]);
    assert_eq!(found, [[4.0, 5.0, 6.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
}

/// Returns the scale of eight nodes that have the same channel. Unlike a single channel, eight can share a block.
fn scale_of_eight(interpolation: &str, key_times: &[f32], output: &[f32], time: f64) -> [f32; 3] {
    let mut gltf = Gltf::new();
    let nodes: Vec<usize> = (0..8).map(|_| gltf.push("nodes", json!({}))).collect();
    gltf.push("scenes", json!({ "nodes": nodes }));
    let output = gltf.floats("VEC3", output);
    let channels: Vec<_> = nodes.iter().map(|&node| (node, "scale", interpolation, key_times, output)).collect();
    gltf.animation(&channels);
    let model = gltf.model();
    let mut posed = Posed::new(&model);
    solve::solve(&model, &View { animation: Some(0), ..View::default() }, time, &mut posed);
    let scale = posed.pose.locals[0].scale;
    assert!(posed.pose.locals.iter().all(|local| local.scale == scale));
    scale.to_array()
}

/// The difference of the keys exceeds f32.
#[test]
fn keys_near_the_largest_number_are_interpolated_without_overflow() {
    let output = [3e38, -3e38, 0.0, -3e38, 3e38, 0.0];
    let found = translations("LINEAR", &[0.0, 2.0], &output, &[0.0, 0.5, 1.0, 2.0]);
    assert_eq!(found, [[3e38, -3e38, 0.0], [1.5e38, -1.5e38, 0.0], [0.0; 3], [-3e38, 3e38, 0.0]]);
    for (time, x) in [(0.0, 3e38), (1.0, 0.0), (1.5, -1.5e38)] {
        assert_eq!(scale_of_eight("LINEAR", &[0.0, 2.0], &output, time), [x, -x, 0.0], "at {time} s");
    }
}

/// The values are 3 and the tangents -1 and 1 per second, in a segment of a million seconds. At u = 1 - s with s = 10^-6, one second before
/// the end, the Hermite factors of the tangents (appendix C.5) are dt (u^3 - 2 u^2 + u) = s (1 - s) and dt (u^3 - u^2) = -(1 - s)^2. The
/// factors of the values add up to 1. In f32, u alone would be off by 10^-8, which is 10^-2 in the value.
#[test]
fn a_spline_of_eleven_days_is_exact_one_second_before_its_end() {
    let zero = [0.0; 3];
    let output = [zero, [3.0; 3], [-1.0; 3], [1.0; 3], [3.0; 3], zero].concat();
    let found = translations("CUBICSPLINE", &[0.0, 1e6], &output, &[999_999.0]);
    let s = 1e-6f64;
    let expected = 3.0 - s * (1.0 - s) - (1.0 - s).powi(2);
    assert_near(found[0], [expected; 3], "one second before the end");
    assert_near(scale_of_eight("CUBICSPLINE", &[0.0, 1e6], &output, 999_999.0), [expected; 3], "eight nodes");
}

/// Appendix C.5 says: "the interpolated quaternion MUST be normalized". The keys are the identity and half a turn about z, without
/// tangents. At a quarter of the segment the sum is 0.84375 times the first plus 0.15625 times the second, and its length is not 1.
#[test]
fn cubic_splines_of_rotations_are_normalized() {
    let zero = [0.0f32; 4];
    let output = [zero, IDENTITY, zero, zero, [0.0, 0.0, 1.0, 0.0], zero].concat();
    let length = 0.84375f64.hypot(0.15625);
    let found = rotation("CUBICSPLINE", &[0.0, 1.0], &output, 0.25);
    assert_near(found, [0.0, 0.0, 0.15625 / length, 0.84375 / length], "a quarter");
}
