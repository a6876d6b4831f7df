//! Tests the positions and speeds of nodes along an animation, with formulas for a small rig and with the f64 reference.

use std::cell::Cell;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::DVec3;

use sinew::animation::compiled::model::CompiledModel;
use sinew::model::Model;
use sinew::session::motion::cache::MotionCache;
use sinew::session::motion::request::{Clock, MAX_POSITIONS, MotionRequest};
use sinew::session::motion::sampled::{self, SampledMotion};
use sinew::session::motion::trail_measures::TrailStats;
use sinew::session::pose::Rig;
use sinew::session::pose::in_place::RootStatus;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::Moment;
use sinew::session::time::transport::Transport;
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::{Gltf, triangle};
use crate::common::reference;

/// Builds a chain of three nodes. In the one second of animation 0, node 0 travels 2 m along x, while its child, node 1, turns by 90
/// degrees about z. Node 2 is one meter above node 1. In animation 1, of 0.7 seconds, node 0 rises by 1 m.
fn rig() -> Model {
    let mut gltf = Gltf::new();
    gltf.push("nodes", serde_json::json!({ "name": "root", "children": [1] }));
    gltf.push("nodes", serde_json::json!({ "name": "arm", "children": [2] }));
    gltf.push("nodes", serde_json::json!({ "name": "hand", "translation": [0, 1, 0] }));
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    let travel = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], travel), (1, "rotation", "LINEAR", &[0.0, 1.0], turn)]);
    let rise = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 0.7], rise)]);
    gltf.model()
}

fn sampled(model: &Model, request: &MotionRequest) -> SampledMotion {
    let compiled = Arc::new(CompiledModel::new(model));
    SampledMotion::sample(Rig { model, compiled: &compiled }, request, RootStatus::None, || true).unwrap()
}

fn animated() -> View {
    View { animation: Some(0), ..View::default() }
}

/// Returns the position of the hand of [`rig`] at a time.
fn hand(time: f64) -> DVec3 {
    let angle = FRAC_PI_2 * time;
    DVec3::new(2.0 * time - angle.sin(), angle.cos(), 0.0)
}

#[test]
fn positions_and_speeds_of_a_hand_match_its_formula() {
    let model = rig();
    let motion = sampled(&model, &MotionRequest::new(&model, &animated(), &[2], 100.0, Clock::default()));
    let places = motion.positions(2).unwrap();
    assert_eq!(places.len(), 101);
    let time = |i: usize| motion.request.time(i);
    for (i, place) in places.iter().enumerate() {
        // A key of this time would be the nearest f32, which may be later.
        let exact = i as f64 / 100.0;
        assert!((time(i) - exact.max(f64::from(exact as f32))).abs() < 1e-12);
        assert!(place.distance(hand(time(i))) < 1e-6, "{i}: {place}");
    }
    for (i, speed) in sampled::speeds(places, time).into_iter().enumerate().skip(1).take(99) {
        let angle = FRAC_PI_2 * time(i);
        let expected = DVec3::new(2.0 - FRAC_PI_2 * angle.cos(), -FRAC_PI_2 * angle.sin(), 0.0).length();
        assert!((speed - expected).abs() < 1e-3, "{i}: {speed}, not {expected}");
    }
}

#[test]
fn a_sample_on_a_frame_has_the_position_of_the_step_key_of_that_frame() {
    let mut gltf = triangle();
    let times: Vec<f32> = (0..=60u8).map(|key| (f64::from(key) / 30.0) as f32).collect();
    let output: Vec<f32> = (0..=60u8).flat_map(|key| [key.into(), 0.0, 0.0]).collect();
    let output = gltf.floats("VEC3", &output);
    gltf.animation(&[(0, "translation", "STEP", &times, output)]);
    let model = gltf.model();
    let motion = sampled(&model, &MotionRequest::new(&model, &animated(), &[0], 30.0, Clock::default()));
    let keys: Vec<f64> = motion.positions(0).unwrap().iter().map(|position| position.x).collect();
    assert_eq!(keys, (0..=60).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn a_hands_distance_is_the_integral_of_its_speed() {
    let model = rig();
    let motion = sampled(&model, &MotionRequest::new(&model, &animated(), &[2], 200.0, Clock::default()));
    // The speed of [`hand`], integrated by the midpoint rule with small steps.
    let speed = |time: f64| (4.0 - 2.0 * std::f64::consts::PI * (FRAC_PI_2 * time).cos() + FRAC_PI_2 * FRAC_PI_2).sqrt();
    let integral =
        |from: f64, to: f64| (0..10_000).map(|i| speed(from + (to - from) * (f64::from(i) + 0.5) / 1e4)).sum::<f64>() * (to - from) / 1e4;
    for [from, to] in [[0.0, 1.0], [0.2, 0.7], [0.333, 0.334]] {
        let way = TrailStats::new(&motion, 2, [from, to]).unwrap();
        assert!((way.distance - integral(from, to)).abs() < 1e-4, "{way:?}, not {}", integral(from, to));
        // The speed increases all the time, so it is greatest at the end.
        assert!((way.top - speed(to)).abs() < 2e-2 && (way.top_time - to).abs() < 5e-3, "{way:?}, not {}", speed(to));
    }
}

#[test]
fn every_position_matches_the_reference() {
    let model = rig();
    let motion = sampled(&model, &MotionRequest::new(&model, &animated(), &[0, 1, 2], 24.0, Clock::default()));
    for number in 0..motion.request.len() {
        let globals = reference::pose(&model, Some(0), motion.request.time(number)).globals;
        for (node, global) in globals.iter().enumerate() {
            let expected = reference::transform(global, [0.0; 3]);
            assert!(motion.positions(node).unwrap()[number].distance(DVec3::from_array(expected)) < 1e-6);
        }
    }
}

#[test]
fn the_last_sample_is_at_the_end_at_any_rate() {
    let model = rig();
    let view = View { animation: Some(1), ..View::default() };
    let request = MotionRequest::new(&model, &view, &[0], 8.0, Clock::default());
    let times: Vec<f64> = (0..request.len()).map(|i| request.time(i)).collect();
    assert_eq!(times.len(), 7);
    assert!((times[5] - 0.625).abs() < 1e-12 && (times[6] - f64::from(0.7f32)).abs() < 1e-12, "{times:?}");
    // At ten samples per second, 0.7 s have 8 samples. The rounding of 0.7 to f32 must not add a ninth sample, because the speed
    // between two samples at nearly the same time could have any value.
    assert_eq!(MotionRequest::new(&model, &view, &[0], 10.0, Clock::default()).len(), 8);
    assert_eq!(MotionRequest::new(&model, &View::default(), &[0], 10.0, Clock::default()).len(), 1);
    let speeds = sampled::speeds(sampled(&model, &request).positions(0).unwrap(), |i| times[i]);
    assert!(speeds.iter().all(|speed| (speed - 1.0 / 0.7).abs() < 1e-5), "{speeds:?}");
}

#[test]
fn motion_depends_on_the_animated_switch_but_not_on_other_switches_or_the_display() {
    let model = rig();
    let plain = MotionRequest::new(&model, &animated(), &[2], 24.0, Clock::default());
    let mut seen = animated();
    (seen.selection, seen.speed, seen.range) = (vec![1], -2.0, Some([0.1, 0.2]));
    seen.display.skeleton = true;
    assert_eq!(plain, MotionRequest::new(&model, &seen, &[1], 24.0, Clock { at_zero: 7.0, rate: -1.0 }));

    let mut hidden = animated();
    for column in Column::ALL.into_iter().filter(|column| *column != Column::Animated) {
        joint_switches::set(&mut hidden.switches, 0, column, |switch| (switch.on, switch.solo) = (false, true));
    }
    assert_eq!(plain, MotionRequest::new(&model, &hidden, &[1], 24.0, Clock::default()));

    let mut held = animated();
    joint_switches::set(&mut held.switches, 0, Column::Animated, |switch| switch.on = false);
    let held = sampled(&model, &MotionRequest::new(&model, &held, &[0, 2], 24.0, Clock::default()));
    assert!(held.positions(0).unwrap().iter().all(|place| *place == DVec3::ZERO));
    assert!(held.positions(2).unwrap()[24].distance(DVec3::NEG_X) < 1e-6);
}

#[test]
fn motion_of_layers_matches_the_current_pass() {
    let model = rig();
    let view = View { layers: vec![Layer { animation: 1, speed: 0.25, ..Layer::default() }], ..animated() };
    // The third pass of a loop, and the backward pass of a ping-pong.
    for (time, clock, returning) in [(0.5, 2.5, false), (0.25, 1.75, true)] {
        let moment = Moment { clock, returning, ..Moment::from(time) };
        let request = MotionRequest::new(&model, &view, &[2], 8.0, Clock::from_moment(&model, &view, &moment));
        let mut posed = Posed::new(&model);
        solve::solve(&model, &view, moment, &mut posed);
        let number = (moment.time * 8.0) as usize;
        assert_eq!(sampled(&model, &request).positions(2).unwrap()[number], posed.globals[2].translation);
    }
    let over_rest = View { animation: None, ..view };
    let motion = sampled(&model, &MotionRequest::new(&model, &over_rest, &[0], 10.0, Clock::default()));
    assert!((motion.request.duration() - 2.8).abs() < 1e-6);
    assert!(motion.positions(0).unwrap()[14].distance(DVec3::Y * 0.5) < 1e-6);
}

#[test]
fn requests_that_nobody_takes_are_limited() {
    let (model, motions) = (rig(), MotionCache::default());
    let request = |rate: usize| MotionRequest::new(&model, &animated(), &[0], rate as f64, Clock::default());
    for rate in 1..=100 {
        motions.get_or_request(&request(rate));
    }
    let newest: Vec<_> = (85..=100).map(request).collect();
    assert_eq!(motions.take_requests(), newest);
}

#[test]
fn only_a_new_pass_makes_a_new_request() {
    let model = rig();
    let layers = vec![Layer { animation: 1, speed: 0.3, ..Layer::default() }];
    for (animation, repeat) in [(Some(0), Repeat::Loop), (Some(0), Repeat::PingPong), (None, Repeat::Loop), (None, Repeat::PingPong)] {
        let mut view = View { animation, repeat, speed: 0.7, layers: layers.clone(), ..View::default() };
        view.layers[0].repeat = repeat;
        let (mut transport, mut requests) = (Transport::default(), Vec::<MotionRequest>::new());
        for _ in 0..1000 {
            transport.advance(&model, &view, 0.0167);
            let request = MotionRequest::new(&model, &view, &[0], 10.0, Clock::from_moment(&model, &view, &transport.moment()));
            if requests.last() != Some(&request) {
                requests.push(request);
            }
        }
        let played: f64 = 1000.0 * 0.0167 * 0.7;
        let layer = 0.7 / 0.3 * if repeat == Repeat::PingPong { 2.0 } else { 1.0 };
        // Over the rest pose, a pass lasts as long as the only layer, so the layer restarts with each pass and all passes make
        // the same request.
        let passes = if animation.is_some() { played.ceil() as usize } else { 1 };
        assert!(played > 2.0 * layer && requests.len() == passes, "{animation:?} {repeat:?}: {}", requests.len());
    }
}

#[test]
fn layers_that_restart_with_the_animation_reuse_the_request() {
    let model = rig();
    let request = |layers: &[Layer], clock: f64| {
        let view = View { layers: layers.to_vec(), ..animated() };
        let moment = Moment { clock, ..Moment::from(0.5) };
        MotionRequest::new(&model, &view, &[0], 10.0, Clock::from_moment(&model, &view, &moment))
    };
    let layer = |speed, repeat| Layer { animation: 0, speed, repeat, ..Layer::default() };
    let fitting = [layer(1.0, Repeat::Loop), layer(-2.0, Repeat::PingPong), layer(3.0, Repeat::Loop)];
    assert_eq!(request(&fitting, 0.5), request(&fitting, 7.5 - 1e-12));
    for other in [layer(0.5, Repeat::PingPong), layer(0.7, Repeat::Loop), layer(1.0, Repeat::Once)] {
        let layers = [fitting.to_vec(), vec![other]].concat();
        assert_ne!(request(&layers, 0.5), request(&layers, 1.5));
    }
}

#[test]
fn motion_over_the_rest_pose_follows_the_layers() {
    let model = rig();
    let there_and_back = Layer { repeat: Repeat::PingPong, ..Layer::default() };
    let view = View { layers: vec![there_and_back, Layer { animation: 1, ..Layer::default() }], animation: None, ..View::default() };
    // The first layer takes two seconds there and back. The second one, of 0.7 seconds, is at a different time in each pass.
    for clock in [0.3, 1.6, 4.9] {
        let moment = Moment { clock, ..Moment::from(0.0) };
        let motion = sampled(&model, &MotionRequest::new(&model, &view, &[2], 1000.0, Clock::from_moment(&model, &view, &moment)));
        assert!((motion.request.duration() - 2.0).abs() < 1e-9);
        let mut posed = Posed::new(&model);
        solve::solve(&model, &view, moment, &mut posed);
        let found = motion.position(2, moment.played_time(&model, &view)).unwrap();
        assert!(found.distance(posed.globals[2].translation) < 1e-6, "{clock}: {found}");
    }
}

#[test]
fn scrubbing_during_the_backward_pass_makes_one_request() {
    let model = rig();
    let layers = vec![Layer { animation: 1, ..Layer::default() }];
    let view = View { repeat: Repeat::PingPong, layers, ..animated() };
    let mut transport = Transport::default();
    transport.advance(&model, &view, 0.8);
    transport.advance(&model, &view, 0.8);
    assert!(transport.moment().returning);
    let mut request = |time| {
        transport.seek(&model, &view, time);
        MotionRequest::new(&model, &view, &[0], 10.0, Clock::from_moment(&model, &view, &transport.moment()))
    };
    assert_eq!(request(0.2), request(0.6));
}

#[test]
fn excessive_requests_from_files_or_views_are_bounded() {
    let mut model = rig();
    for (duration, rate) in [(1.0, 1e30), (3e38, 60.0), (3e38, f64::INFINITY), (3e38, 1e300), (f64::INFINITY, 60.0), (1.0, 1e-300)] {
        model.animations[0].duration = duration;
        let request = MotionRequest::new(&model, &animated(), &[2], rate, Clock::default());
        assert!((1..=MAX_POSITIONS).contains(&request.len()), "{duration} s at {rate}: {}", request.len());
        assert_eq!(request.time(request.len() - 1), if request.len() > 1 { duration } else { request.duration() });
    }
}

#[test]
fn a_small_file_that_poses_very_many_joints_has_fewer_samples() {
    let mut model = rig();
    model.animations[0].duration = 1e5;
    let samples = |model: &Model| MotionRequest::new(model, &animated(), &[2], 60.0, Clock::default()).len();
    assert!(samples(&model) > 100_000);
    // A skin may list the same joint very often.
    model.palette_len = 1 << 20;
    assert!((2..=32).contains(&samples(&model)), "{}", samples(&model));
}

#[test]
fn all_nodes_are_sampled_if_they_fit_in_memory() {
    let mut model = rig();
    assert!(sampled(&model, &MotionRequest::new(&model, &animated(), &[2], 24.0, Clock::default())).positions(0).is_some());
    model.animations[0].duration = 1e7;
    let request = MotionRequest::new(&model, &animated(), &[2, 0, 2, 99], 1000.0, Clock::default());
    assert!(request.len() * 2 <= MAX_POSITIONS && request.len() * 2 > MAX_POSITIONS - 4, "{}", request.len());
    assert!(request.time(request.len() - 1) == 1e7);
}

#[test]
fn sampling_stops_when_canceled() {
    let model = rig();
    let request = MotionRequest::new(&model, &animated(), &[2], 1000.0, Clock::default());
    let left = Cell::new(5);
    let go_on = || left.replace(left.get() - 1) > 0;
    let compiled = Arc::new(CompiledModel::new(&model));
    let rig = Rig { model: &model, compiled: &compiled };
    assert!(SampledMotion::sample(rig, &request, RootStatus::None, go_on).is_none());
    assert_eq!(left.get(), -1);
}

#[test]
fn a_motion_is_sampled_once_and_old_ones_are_evicted() {
    let model = rig();
    let (motions, compiled) = (MotionCache::with_capacity(1000), Arc::new(CompiledModel::new(&model)));
    let rig = Rig { model: &model, compiled: &compiled };
    let request = |rate: f64| MotionRequest::new(&model, &animated(), &[2], rate, Clock::default());
    assert!(motions.get_or_request(&request(24.0)).is_none() && motions.get_or_request(&request(24.0)).is_none());
    assert_eq!(motions.take_requests(), [request(24.0)]);
    motions.insert(sampled(&model, &request(24.0)));
    let first = motions.get_or_request(&request(24.0)).unwrap();
    assert!(Arc::ptr_eq(&first, &motions.get_or_sample(rig, &request(24.0), || RootStatus::None).unwrap()));
    assert!(motions.take_requests().is_empty());
    // Two motions sampled at about this rate fit into the cache together.
    let large = 160.0;
    for rate in [large, large - 1.0] {
        assert!(motions.get_or_sample(rig, &request(rate), || RootStatus::None).is_some());
    }
    assert!(motions.get_or_request(&request(24.0)).is_none() && motions.get_or_request(&request(large)).is_some());
    assert!(motions.get_or_sample(rig, &request(large - 2.0), || RootStatus::None).is_some());
    assert!(motions.get_or_request(&request(large)).is_some() && motions.get_or_request(&request(large - 1.0)).is_none());
}

#[test]
fn failed_requests_are_not_retried() {
    let model = rig();
    let motions = MotionCache::default();
    let request = |rate: f64| MotionRequest::new(&model, &animated(), &[2], rate, Clock::default());
    for rate in [24.0, 25.0] {
        assert!(motions.get_or_request(&request(rate)).is_none());
    }
    motions.mark_failed(request(24.0));
    motions.take_requests();
    for rate in [24.0, 25.0] {
        assert!(motions.get_or_request(&request(rate)).is_none());
    }
    assert_eq!(motions.take_requests(), [request(25.0)]);
}
