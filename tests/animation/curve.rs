//! Compares curve values with the naive f64 reference and with the output of `sinew pose`, and velocities with differences of reference
//! values.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use glam::{DMat3, DQuat, DVec3};
use sinew::animation::curve::survey::{KEYS_PER_BLOCK, Survey};
use sinew::animation::curve::{self, CurveQuantity, euler};
use sinew::asset::{self, LoadOptions};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::node::NodeIndex;

use crate::common::reference;
use crate::common::skip::skip;

const VALUE: CurveQuantity = CurveQuantity { euler: false, velocity: false };
const VELOCITY: CurveQuantity = CurveQuantity { euler: false, velocity: true };
const EULER: CurveQuantity = CurveQuantity { euler: true, velocity: false };
const EULER_RATES: CurveQuantity = CurveQuantity { euler: true, velocity: true };
const NODE: NodeIndex = NodeIndex(0);

/// Returns random numbers from -1 to 1, the same ones for the same seed.
fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 23) as f32) - 1.0
    };
    (0..count).map(next).collect()
}

fn channel(target: Target, components: usize, interpolation: Interpolation, output: Vec<f32>) -> Channel {
    Channel { source: 0, target, key_times: 0, interpolation, output, components }
}

const TIMES: [f32; 6] = [0.25, 0.5, 0.75, 1.5, 1.625, 3.0];

/// Builds a channel for every path and every interpolation, with keys of random numbers at `TIMES`.
fn all_kinds() -> Vec<Channel> {
    let targets = [
        (Target::Translation(NODE), 3),
        (Target::Rotation(NODE), 4),
        (Target::Scale(NODE), 3),
        (Target::Weights(NODE), 5),
        (Target::Pointer(0), 2),
    ];
    let mut channels = Vec::new();
    for (i, (target, components)) in targets.into_iter().enumerate() {
        for (j, interpolation) in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline].into_iter().enumerate() {
            let elements = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let output = numbers((i * 3 + j) as u64 + 7, TIMES.len() * components * elements);
            channels.push(channel(target, components, interpolation, output));
        }
    }
    channels
}

fn surveyed(channel: &Channel, times: &[f32], quantity: CurveQuantity) -> Survey {
    let mut survey = Survey::new(channel, times, quantity, 64);
    survey.extend(channel, times, &mut { usize::MAX });
    assert!(survey.is_complete());
    survey
}

fn at(channel: &Channel, times: &[f32], quantity: CurveQuantity, time: f64) -> Vec<f64> {
    let survey = surveyed(channel, times, quantity);
    (0..survey.parts()).map(|part| survey.at(channel, times, part, time).unwrap()).collect()
}

/// Returns the rotation about the fixed axes X, then Y, then Z, from angles in degrees.
fn turned([x, y, z]: [f64; 3]) -> DMat3 {
    let [x, y, z] = [x, y, z].map(f64::to_radians);
    DMat3::from_axis_angle(DVec3::Z, z) * DMat3::from_axis_angle(DVec3::Y, y) * DMat3::from_axis_angle(DVec3::X, x)
}

fn quaternion(numbers: &[f64]) -> DQuat {
    DQuat::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3])
}

fn assert_close(got: &[f64], wanted: &[f64], within: f64, what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}");
    for (a, b) in got.iter().zip(wanted) {
        assert!((a - b).abs() <= within * (1.0 + b.abs()), "{what}: {got:?} is not {wanted:?}");
    }
}

#[test]
fn values_match_the_reference_on_between_and_outside_keys() {
    for channel in all_kinds() {
        for step in 0..=70 {
            let time = f64::from(step) / 20.0;
            let what = format!("{:?} {} at {time}", channel.target, channel.interpolation.name());
            let wanted = reference::value(&TIMES, &channel, time);
            assert_close(&at(&channel, &TIMES, VALUE, time), &wanted, 1e-6, &what);
            if let Target::Rotation(_) = channel.target {
                let angles = at(&channel, &TIMES, EULER, time);
                let matrix = turned([angles[0], angles[1], angles[2]]);
                assert!(matrix.abs_diff_eq(DMat3::from_quat(quaternion(&wanted)), 1e-6), "{what}: {angles:?}");
            }
        }
    }
}

#[test]
fn velocities_match_the_reference_differences() {
    let h = 1e-6;
    for channel in all_kinds() {
        // These times are not keys. A curve may have a corner at a key.
        for time in [0.1, 0.3, 0.41, 0.6, 0.9, 1.2, 1.55, 1.7, 2.2, 2.9, 3.5] {
            let what = format!("{:?} {} at {time}", channel.target, channel.interpolation.name());
            let [before, after] = [-h, h].map(|by| reference::value(&TIMES, &channel, time + by));
            let wanted: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (b - a) / (2.0 * h)).collect();
            let got = at(&channel, &TIMES, VELOCITY, time);
            assert_close(&got[..wanted.len()], &wanted, 1e-5, &what);
            if let Target::Translation(_) = channel.target {
                assert_close(&got[3..], &[DVec3::from_slice(&wanted).length()], 1e-5, &what);
            }
            if let Target::Rotation(_) = channel.target {
                let rates = at(&channel, &TIMES, EULER_RATES, time);
                let survey = surveyed(&channel, &TIMES, EULER);
                let of = |time: f64| (0..3).map(|part| survey.at(&channel, &TIMES, part, time).unwrap()).collect::<Vec<_>>();
                let wanted: Vec<f64> = of(time - h).iter().zip(of(time + h)).map(|(a, b)| (b - a) / (2.0 * h)).collect();
                assert_close(&rates[..3], &wanted, 1e-4, &what);
                let speed = (2.0 * (quaternion(&after) - quaternion(&before)).length()).to_degrees() / (2.0 * h);
                assert_close(&rates[3..], &[speed], 1e-3, &what);
            }
        }
    }
}

#[test]
fn step_has_zero_velocity_and_linear_has_constant_velocity() {
    let step = channel(Target::Translation(NODE), 3, Interpolation::Step, numbers(1, 18));
    assert_eq!(at(&step, &TIMES, VELOCITY, 0.6), [0.0; 4]);
    let quarter = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt()]].concat();
    let turn = channel(Target::Rotation(NODE), 4, Interpolation::Linear, quarter);
    for time in [0.1, 1.0, 1.9] {
        assert_close(&at(&turn, &[0.0, 2.0], EULER_RATES, time), &[0.0, 0.0, 45.0, 45.0], 1e-5, "a quarter turn in two seconds");
    }
}

#[test]
fn a_key_has_the_velocity_after_it_and_the_last_key_the_velocity_before_it() {
    let last = TIMES.len() - 1;
    for channel in all_kinds() {
        for (key, &time) in TIMES.iter().enumerate() {
            let what = format!("{:?} {} key {key}", channel.target, channel.interpolation.name());
            let (time, near) = (f64::from(time), f64::from(time) + if key == last { -1e-9 } else { 1e-9 });
            for quantity in [VELOCITY, EULER_RATES] {
                assert_close(&at(&channel, &TIMES, quantity, time), &at(&channel, &TIMES, quantity, near), 1e-5, &what);
            }
        }
        for time in [f64::from(TIMES[0]) - 1e-9, f64::from(TIMES[last]) + 1e-9] {
            assert!(at(&channel, &TIMES, VELOCITY, time).iter().all(|velocity| *velocity == 0.0), "outside of the keys, nothing moves");
        }
    }
    // The value of the last of several equal times is used.
    let doubled = channel(Target::Pointer(0), 1, Interpolation::Linear, vec![0.0, 3.0, 7.0]);
    assert_eq!((at(&doubled, &[0.0, 1.0, 1.0], VALUE, 1.0), at(&doubled, &[0.0, 1.0, 1.0], VELOCITY, 1.0)), (vec![7.0], vec![0.0]));
}

/// Builds LINEAR keys of a joint that turns three times about `axis`. Consecutive keys are a sixth of a turn apart.
fn three_turns(axis: DVec3, first: DQuat) -> (Vec<f32>, Channel) {
    let key = |k: u32| (DQuat::from_axis_angle(axis.normalize(), f64::from(k) * std::f64::consts::FRAC_PI_3) * first).as_quat();
    // Negate some keys, because a file may store either sign of a quaternion.
    let output = (0..=18).flat_map(|k| (if k % 4 == 1 { -key(k) } else { key(k) }).to_array()).collect();
    ((0..=18).map(|k| k as f32 * 0.25).collect(), channel(Target::Rotation(NODE), 4, Interpolation::Linear, output))
}

#[test]
fn angles_continue_past_half_a_turn() {
    for (i, axis) in [DVec3::X, DVec3::Z].into_iter().enumerate() {
        let (times, channel) = three_turns(axis, DQuat::IDENTITY);
        let mut wanted = [0.0; 3];
        wanted[i * 2] = 1080.0;
        assert_close(&at(&channel, &times, EULER, 4.5), &wanted, 1e-4, "three turns");
        wanted[i * 2] = 150.0;
        assert_close(&at(&channel, &times, EULER, 0.625), &wanted, 1e-4, "between two keys");
    }
    // Three turns about Y pass through gimbal lock three times at 90 degrees and three times at -90 degrees.
    let (times, channel) = three_turns(DVec3::Y, DQuat::IDENTITY);
    assert_close(&at(&channel, &times, EULER, 4.5), &[0.0, 1080.0, 0.0], 1e-3, "three turns about Y");
}

#[test]
fn unwrapped_angles_never_jump_and_match_the_rotation() {
    let ways = [
        (DVec3::new(1.0, 1.0, 1.0), DQuat::IDENTITY),
        (DVec3::new(0.2, 1.0, -0.3), DQuat::from_rotation_x(0.4)),
        (DVec3::new(0.001, 1.0, 0.002), DQuat::from_rotation_z(1.0)),
        (DVec3::new(-1.0, 0.3, 0.7), DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)),
    ];
    for (axis, first) in ways {
        let (times, channel) = three_turns(axis, first);
        let survey = surveyed(&channel, &times, EULER);
        let mut before: Option<[f64; 3]> = None;
        let mut stays = 0;
        for step in 0..=4500 {
            let time = f64::from(step) / 1000.0;
            let angles = [0, 1, 2].map(|part| survey.at(&channel, &times, part, time).unwrap());
            let wanted = quaternion(&reference::value(&times, &channel, time));
            assert!(turned(angles).abs_diff_eq(DMat3::from_quat(wanted), 1e-5), "{axis} at {time}: {angles:?}");
            if let Some(before) = before {
                let jump = (0..3).map(|i| (angles[i] - before[i]).abs()).fold(0.0, f64::max);
                assert!(jump < 100.0, "{axis} at {time}: {before:?} to {angles:?}");
                stays += usize::from(jump < 5.0);
            }
            before = Some(angles);
        }
        assert!(stays > 4300, "{axis}: {stays}");
    }
}

#[test]
fn x_and_z_do_not_drift_in_gimbal_lock() {
    // Y stays at a right angle while the node turns about the axis that X and Z then share.
    for sign in [1.0, -1.0] {
        let near = euler::nearest(DQuat::from_rotation_y(sign * std::f64::consts::FRAC_PI_2), [30.0, 80.0 * sign, 30.0 * sign]);
        assert_close(&near, &[30.0, 90.0 * sign, 30.0 * sign], 1e-6, "X and Z are unchanged");
        let turned_on = DQuat::from_rotation_z(0.2) * DQuat::from_rotation_y(sign * std::f64::consts::FRAC_PI_2);
        let moved = euler::nearest(turned_on, near);
        assert!(turned(moved).abs_diff_eq(DMat3::from_quat(turned_on), 1e-6) && (moved[0] - near[0]).abs() < 6.0, "{moved:?}");
    }
}

#[test]
fn a_survey_in_steps_matches_one_pass_and_its_ranges_are_tight() {
    for channel in all_kinds() {
        for quantity in [VALUE, VELOCITY, EULER] {
            let whole = surveyed(&channel, &TIMES, quantity);
            let mut pieces = Survey::new(&channel, &TIMES, quantity, 64);
            let mut times = 0;
            while !pieces.is_complete() {
                pieces.extend(&channel, &TIMES, &mut 1);
                times += 1;
            }
            assert_eq!(times, TIMES.len(), "one key per step");
            for part in 0..whole.parts() {
                let [low, high] = whole.range(part).unwrap();
                assert_eq!(pieces.range(part), Some([low, high]));
                assert_eq!(whole.range_around(part, 0..TIMES.len()), Some([low, high]));
                let seen: Vec<f64> = (0..=3500).map(|step| whole.at(&channel, &TIMES, part, f64::from(step) / 1000.0).unwrap()).collect();
                let [least, most] = seen.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], &v| [a.min(v), b.max(v)]);
                // The survey samples eight times between two keys, so the true extreme may lie slightly outside its range.
                let slack = 0.1 * (most - least) + 1e-6;
                assert!(least >= low - slack && most <= high + slack, "{channel:?} {quantity:?}: {least}..{most} in {low}..{high}");
                let steps = quantity.velocity || channel.interpolation == Interpolation::CubicSpline;
                assert!(steps || (least <= low + slack && most >= high - slack), "{low}..{high} for {least}..{most}");
            }
        }
    }
}

#[test]
fn values_that_are_computed_to_unwrap_angles_use_up_the_budget() {
    let times: Vec<f32> = (0..40).map(|key| key as f32).collect();
    let spline = channel(Target::Rotation(NODE), 4, Interpolation::CubicSpline, numbers(3, 40 * 12));
    let calls = |quantity| {
        let mut survey = Survey::new(&spline, &times, quantity, 64);
        let goes_on = |_: &usize| {
            survey.extend(&spline, &times, &mut 2000);
            !survey.is_complete()
        };
        (1..).take_while(goes_on).count() + 1
    };
    // The survey evaluates four numbers at nine times per key. To unwrap the angles, it evaluates three angles at eight or more
    // additional times for most of these nine.
    assert_eq!(calls(VALUE), 1);
    assert!(calls(EULER) >= 5, "{}", calls(EULER));
}

#[test]
fn each_block_of_many_keys_has_its_own_range() {
    let times: Vec<f32> = (0..1000).map(|key| key as f32).collect();
    let mut output: Vec<f32> = times.iter().map(|time| time.sin()).collect();
    output[500] = 9.0;
    let channel = channel(Target::Pointer(0), 1, Interpolation::Linear, output);
    let survey = surveyed(&channel, &times, VALUE);
    assert_eq!(survey.range(0).unwrap()[1], 9.0);
    let block = 500 / KEYS_PER_BLOCK * KEYS_PER_BLOCK;
    assert_eq!(survey.range_around(0, block..block + KEYS_PER_BLOCK).unwrap()[1], 9.0);
    assert!(survey.range_around(0, 0..block).unwrap()[1] <= 1.0 && survey.range_around(0, block + KEYS_PER_BLOCK..1000).unwrap()[1] <= 1.0);
}

#[test]
fn ranges_of_huge_numbers_are_finite() {
    // The first segment is the steepest one possible: from the smallest to the largest f32, within the shortest time.
    let times = [0.0, f32::from_bits(1), 1.0];
    let linear = channel(Target::Translation(NODE), 3, Interpolation::Linear, [[f32::MIN; 3], [f32::MAX; 3], [0.0; 3]].concat());
    let spline = channel(Target::Pointer(0), 1, Interpolation::CubicSpline, vec![f32::MAX; 9]);
    for (channel, quantity) in [(&linear, VELOCITY), (&spline, VALUE), (&spline, VELOCITY)] {
        let survey = surveyed(channel, &times, quantity);
        for part in 0..survey.parts() {
            for [low, high] in [survey.range(part).unwrap(), survey.range_around(part, 0..3).unwrap()] {
                assert!(low.is_finite() && high.is_finite() && low <= high, "{low} {high}");
            }
        }
    }
}

#[test]
fn keys_at_equal_times_and_zero_rotations_are_handled() {
    let times = [0.0, 1.0, 1.0, 2.0];
    for (target, components) in [(Target::Translation(NODE), 3), (Target::Rotation(NODE), 4)] {
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
            let elements = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let channel = channel(target, components, interpolation, vec![0.0; times.len() * components * elements]);
            for quantity in [VALUE, VELOCITY, EULER, EULER_RATES] {
                for time in [-1.0, 0.5, 1.0, 1.5, 3.0] {
                    assert!(at(&channel, &times, quantity, time).iter().all(|number| number.is_finite()), "{channel:?} {quantity:?}");
                }
            }
        }
    }
    let single = channel(Target::Rotation(NODE), 4, Interpolation::Linear, vec![0.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(&single, &[0.5], EULER, 9.0), [0.0; 3]);
    assert_eq!(curve::between(&[0.5], 0, 0.5).next, 0);
}

/// Returns the embedded sample model, and other samples if `SINEW_SAMPLES` names a folder of them.
fn files() -> Vec<PathBuf> {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb")];
    match std::env::var_os("SINEW_SAMPLES") {
        Some(folder) => {
            let model = |path: &str| Path::new(&folder).join("models").join(path);
            files.extend(["Fox/Fox.glb", "Robot/robot.glb", "InterpolationTest/interpolation_test.gltf"].map(model));
        }
        None => skip("in part: SINEW_SAMPLES names no folder of sample models"),
    }
    files
}

/// Returns the local matrix of a node from its curves, column-major, or `None` if no curve drives it.
fn local(model: &Model, animation: &Animation, node: NodeIndex, time: f64, rotations: CurveQuantity) -> Option<Vec<f64>> {
    let rest = &model.hierarchy.rest[node.index()];
    let (mut translation, mut scale) = (rest.translation.as_dvec3(), rest.scale.as_dvec3());
    let mut rotation = DMat3::from_quat(rest.rotation.as_dquat());
    let mut driven = false;
    for channel in animation.channels.iter().filter(|channel| channel.target.node() == Some(node)) {
        let numbers = at(channel, &animation.key_times[channel.key_times], rotations, time);
        match channel.target {
            Target::Translation(_) => translation = DVec3::from_slice(&numbers),
            Target::Scale(_) => scale = DVec3::from_slice(&numbers),
            Target::Rotation(_) if rotations.euler => rotation = turned([numbers[0], numbers[1], numbers[2]]),
            Target::Rotation(_) => rotation = DMat3::from_quat(quaternion(&numbers)),
            _ => continue,
        }
        driven = true;
    }
    let matrix = rotation * DMat3::from_diagonal(scale);
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| [axis.x, axis.y, axis.z, 0.0]).concat();
    driven.then(|| [columns, vec![translation.x, translation.y, translation.z, 1.0]].concat())
}

#[test]
fn curves_have_the_values_that_sinew_pose_prints() {
    for file in files() {
        let model = asset::load(&file, &LoadOptions::default()).unwrap().model;
        let last = model.animations.len() - 1;
        for animation in [0, last] {
            let times = [0.0, 0.137, 0.5, 1.211, 99.0];
            let said = times.map(|time| time.to_string()).join(",");
            let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
            let args = ["pose", file.to_str().unwrap(), "--animation", &animation.to_string(), "--times", &said];
            let output = command.args(args).assert().success().get_output().stdout.clone();
            let printed: serde_json::Value = serde_json::from_slice(&output).unwrap();
            let mut compared = 0;
            for (sample, time) in printed["samples"].as_array().unwrap().iter().zip(times) {
                for entry in sample["nodes"].as_array().unwrap() {
                    let node = model.node_from_source(entry["node"].as_u64().unwrap() as usize).unwrap();
                    let wanted: Vec<f64> = entry["local"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
                    for quantity in [VALUE, EULER] {
                        let Some(got) = local(&model, &model.animations[animation], node, time, quantity) else { continue };
                        assert_close(&got, &wanted, 2e-6, &format!("{} node {node:?} at {time}", file.display()));
                        compared += 1;
                    }
                }
            }
            assert!(compared >= 10, "{}: {compared}", file.display());
        }
    }
}
