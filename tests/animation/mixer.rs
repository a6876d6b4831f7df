//! Compares the mixer with naive f64 formulas that are written here and share no code with the program.

use std::sync::Arc;

use glam::{Quat, Vec3A};
use proptest::prelude::*;
use sinew::animation::compiled::model::CompiledModel;
use sinew::animation::hierarchy::pose::Pose;
use sinew::animation::mixer::{self, LayerPose};
use sinew::animation::playback::{AtEnd, Playhead, at_clock};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::Trs;
use sinew::model::node::NodeIndex;
use sinew::session::bounds;
use sinew::session::bounds::mesh::MeshBounds;
use sinew::session::inspect::layer_conflicts::contested_targets;
use sinew::session::pose::Rig;
use sinew::session::pose::in_place::RootStatus;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::{Fade, FadeSource, Moment};
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::{Layer, Mode};
use sinew::session::view::{Repeat, View};

use crate::common::hand_made;
use crate::common::reference;

/// All animations have these key times, and therefore the same duration.
const KEYS: [f32; 3] = [0.0, 0.75, 2.0];
const NODES: u32 = 4;
const MORPHS: usize = 2;

/// Numbers that fill a model with values.
type Numbers = Vec<f32>;

/// Builds four nodes: a root, its child, its grandchild, and a second root. The first node has morph weights.
fn model(rest: &Numbers, animations: &[(Vec<bool>, Numbers)]) -> Model {
    let mut model = hand_made::tree(&[("a".into(), None), ("b".into(), Some(0)), ("c".into(), Some(1)), ("d".into(), None)]);
    let mut next = rest.iter().copied().cycle();
    for trs in &mut model.hierarchy.rest {
        trs.translation = Vec3A::from([0; 3].map(|_| next.next().unwrap()));
        trs.rotation = Quat::from_array(quaternion(&mut next));
        trs.scale = Vec3A::from([0; 3].map(|_| next.next().unwrap() + 1.5));
    }
    model.rest_weights = (0..MORPHS).map(|_| next.next().unwrap()).collect();
    model.nodes[0].weights = 0..MORPHS;
    model.animations = animations.iter().map(|(driven, numbers)| animation(driven, numbers)).collect();
    model
}

fn quaternion(numbers: &mut impl Iterator<Item = f32>) -> [f32; 4] {
    let q = [0; 4].map(|_| numbers.next().unwrap());
    if q.iter().map(|c| c * c).sum::<f32>() < 0.05 { [0.0, 0.6, 0.0, 0.8] } else { q }
}

/// Builds an animation. `driven` tells for each of `targets()` whether the animation has a channel for it.
fn animation(driven: &[bool], numbers: &Numbers) -> Animation {
    let mut next = numbers.iter().copied().cycle();
    let chosen = targets().into_iter().zip(driven).filter(|(_, driven)| **driven).map(|(target, _)| target);
    let channels = chosen.map(|target| {
        let components = match target {
            Target::Rotation(_) => 4,
            Target::Weights(_) => MORPHS,
            _ => 3,
        };
        let output = KEYS.iter().flat_map(|_| match target {
            Target::Rotation(_) => quaternion(&mut next).to_vec(),
            Target::Scale(_) => [0; 3].map(|_| next.next().unwrap() + 1.5).to_vec(),
            _ => (0..components).map(|_| next.next().unwrap()).collect(),
        });
        Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Linear, output: output.collect(), components }
    });
    Animation { name: None, duration: 2.0, channels: channels.collect(), key_times: vec![KEYS.to_vec()] }
}

fn targets() -> Vec<Target> {
    let of = |node| [Target::Translation(NodeIndex(node)), Target::Rotation(NodeIndex(node)), Target::Scale(NodeIndex(node))];
    (0..NODES).flat_map(of).chain([Target::Weights(NodeIndex(0))]).collect()
}

fn some_model(animations: usize) -> impl Strategy<Value = Model> {
    let numbers = || prop::collection::vec(-1.0f32..1.0, 40..60);
    let driven = prop::collection::vec(any::<bool>(), targets().len());
    (numbers(), prop::collection::vec((driven, numbers()), animations)).prop_map(|(rest, animations)| model(&rest, &animations))
}

fn posed(model: &Model, view: &View, moment: impl Into<Moment>) -> Pose {
    let mut posed = Posed::new(model);
    solve::solve(model, view, moment, &mut posed);
    posed.pose
}

fn alone(animation: usize) -> View {
    View { animation: Some(animation), ..View::default() }
}

/// Makes a layer that holds its last value at the end, as the view's own animation does.
fn layer(animation: usize, mode: Mode, weight: f64) -> Layer {
    Layer { animation, mode, weight, repeat: Repeat::Once, ..Layer::default() }
}

/// Returns the value of a target in a pose.
fn value(pose: &Pose, target: Target) -> Vec<f64> {
    let Trs { translation, rotation, scale } = pose.locals[target.node().unwrap().index()];
    let numbers = match target {
        Target::Translation(_) => translation.to_array().to_vec(),
        Target::Rotation(_) => rotation.to_array().to_vec(),
        Target::Scale(_) => scale.to_array().to_vec(),
        Target::Weights(_) => pose.weights.clone(),
        Target::Pointer(_) => pose.pointer_values.clone(),
    };
    numbers.into_iter().map(f64::from).collect()
}

// The naive formulas

fn unit(q: &[f64]) -> Vec<f64> {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.iter().map(|c| c / length).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let (ax, ay, az, aw) = (a[0], a[1], a[2], a[3]);
    let (bx, by, bz, bw) = (b[0], b[1], b[2], b[3]);
    vec![
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn slerp(a: &[f64], b: &[f64], w: f64) -> Vec<f64> {
    let (a, mut b) = (unit(a), unit(b));
    if dot(&a, &b) < 0.0 {
        b.iter_mut().for_each(|c| *c = -*c);
    }
    let angle = dot(&a, &b).min(1.0).acos();
    if angle < 1e-6 {
        return b;
    }
    let (x, y) = (((1.0 - w) * angle).sin() / angle.sin(), (w * angle).sin() / angle.sin());
    (0..4).map(|i| x * a[i] + y * b[i]).collect()
}

fn blended(target: Target, from: &[f64], to: &[f64], w: f64) -> Vec<f64> {
    match target {
        Target::Rotation(_) => slerp(from, to, w),
        _ => from.iter().zip(to).map(|(from, to)| from * (1.0 - w) + to * w).collect(),
    }
}

fn added(target: Target, base: &[f64], reference: &[f64], value: &[f64], w: f64) -> Vec<f64> {
    let each = base.iter().zip(reference).zip(value);
    match target {
        Target::Rotation(_) => {
            let r = unit(reference);
            let turn = product(&[-r[0], -r[1], -r[2], r[3]], &unit(value));
            product(&unit(base), &slerp(&[0.0, 0.0, 0.0, 1.0], &turn, w))
        }
        Target::Scale(_) => each.map(|((b, r), v)| b * (1.0 - w + w * v / r)).collect(),
        _ => each.map(|((b, r), v)| b + w * (v - r)).collect(),
    }
}

/// Returns whether two rotations are nearly opposite. Both arcs between them are then equally long, and rounding decides which is taken.
fn ambiguous(target: Target, a: &[f64], b: &[f64]) -> bool {
    matches!(target, Target::Rotation(_)) && dot(&unit(a), &unit(b)).abs() < 1e-3
}

fn close(target: Target, got: &[f64], want: &[f64]) -> bool {
    let rotation = matches!(target, Target::Rotation(_));
    // A quaternion and its negative are the same rotation.
    let (got, want) = if rotation { (unit(got), unit(want)) } else { (got.to_vec(), want.to_vec()) };
    let sign = if rotation && dot(&got, &want) < 0.0 { -1.0 } else { 1.0 };
    got.iter().zip(&want).all(|(got, want)| (got - sign * want).abs() <= 4e-6 * want.abs().max(1.0))
}

/// Returns the value to which an animation drives a target, or the rest value if it has no such channel.
fn reference_value(model: &Model, animation: usize, target: Target, time: f64) -> Vec<f64> {
    let animation = &model.animations[animation];
    match animation.channels.iter().find(|channel| channel.target == target) {
        Some(channel) => reference::value(&animation.key_times[channel.key_times], channel, time),
        None => value(&Pose::rest(model), target),
    }
}

fn drives(model: &Model, animation: usize, target: Target) -> bool {
    model.animations[animation].channels.iter().any(|channel| channel.target == target)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_layer_that_is_muted_or_has_weight_0_changes_nothing(model in some_model(2), time in 0.0f64..2.0) {
        let base = posed(&model, &alone(0), time);
        for mode in [Mode::Override, Mode::Additive] {
            let muted = Layer { muted: true, ..layer(1, mode, 1.0) };
            let layers = vec![layer(1, mode, 0.0), layer(1, mode, -3.0), muted];
            prop_assert_eq!(&posed(&model, &View { layers, ..alone(0) }, time), &base);
        }
        // The same holds for the mixer's own functions.
        let all = vec![true; NODES as usize];
        let targets = mixer::targets(&model, &model.animations[1], &all);
        let (without_mesh_weights, reference) = (Vec::new(), Pose::rest(&model));
        let sampled = LayerPose { targets, without_mesh_weights, pose: posed(&model, &alone(1), time), reference };
        let mut mixed = base.clone();
        mixer::override_by(&model, &sampled, 0.0, &mut mixed);
        mixer::add(&model, &sampled, 0.0, &mut mixed);
        prop_assert_eq!(mixed, base);
    }

    #[test]
    fn an_overriding_layer_of_weight_1_shows_only_its_animation(model in some_model(2), time in 0.0f64..2.0) {
        let layers = vec![layer(1, Mode::Override, 1.0)];
        let wanted = posed(&model, &alone(1), time);
        prop_assert_eq!(&posed(&model, &View { layers: layers.clone(), ..View::default() }, time), &wanted);
        let base = posed(&model, &alone(0), time);
        let mixed = posed(&model, &View { layers, ..alone(0) }, time);
        for target in targets() {
            let wanted = if drives(&model, 1, target) { &wanted } else { &base };
            prop_assert_eq!(value(&mixed, target), value(wanted, target));
        }
    }

    #[test]
    fn an_additive_layer_equal_to_its_reference_adds_nothing(model in some_model(2), time in 0.0f64..2.0, weight in 0.0f64..=1.0, r in 0.0f64..2.0) {
        // A layer that is held at its reference frame adds nothing.
        let held = Layer { speed: 0.0, offset: r, reference: Some(r), ..layer(1, Mode::Additive, weight) };
        let base = posed(&model, &alone(0), time);
        prop_assert_eq!(&posed(&model, &View { layers: vec![held], ..alone(0) }, time), &base);
        // With the rest pose as reference, an animation that holds the rest pose adds nothing.
        let mut model = model;
        let rest = Pose::rest(&model);
        for channel in &mut model.animations[1].channels {
            channel.output = (0..KEYS.len()).flat_map(|_| value(&rest, channel.target)).map(|v| v as f32).collect();
        }
        let mixed = posed(&model, &View { layers: vec![layer(1, Mode::Additive, weight)], ..alone(0) }, time);
        for target in targets() {
            prop_assert!(close(target, &value(&mixed, target), &value(&base, target)), "{target:?}");
        }
    }

    #[test]
    fn layers_mix_by_the_formulas(
        model in some_model(3), time in 0.0f64..2.0, w in 0.0f64..=1.0, v in 0.0f64..=1.0, frame in prop::option::of(0.0f64..2.0),
        additive_first in any::<bool>(),
    ) {
        let over = layer(1, Mode::Override, w);
        let plus = Layer { reference: frame, ..layer(2, Mode::Additive, v) };
        let layers = if additive_first { vec![plus, over] } else { vec![over, plus] };
        let mixed = posed(&model, &View { layers, ..alone(0) }, time);
        let rest = Pose::rest(&model);
        for target in targets() {
            let mut want = reference_value(&model, 0, target, time);
            let mut skip = false;
            for additive in [additive_first, !additive_first] {
                let animation = if additive { 2 } else { 1 };
                if !drives(&model, animation, target) {
                    continue;
                }
                let towards = reference_value(&model, animation, target, time);
                if additive {
                    let reference = frame.map_or_else(|| value(&rest, target), |frame| reference_value(&model, 2, target, frame));
                    skip |= ambiguous(target, &reference, &towards);
                    want = added(target, &want, &reference, &towards, v);
                } else {
                    skip |= ambiguous(target, &want, &towards);
                    want = blended(target, &want, &towards, w);
                }
            }
            prop_assert!(skip || close(target, &value(&mixed, target), &want), "{target:?}: {:?}, expected {want:?}", value(&mixed, target));
        }
    }

    #[test]
    fn a_cross_fade_begins_and_ends_exactly_at_the_two_animations(model in some_model(2), time in 0.0f64..2.0, was in 0.0f64..2.0, w in 0.0f64..1.0) {
        let head = Playhead { time: was, returning: false, playing: true };
        let faded = |elapsed: f64| {
            let from = FadeSource { animation: Some(0), head, range: [0.0, 2.0], share: 1.0 };
            let fade = Some(Fade { elapsed, ..Fade::new(from, None, 0.5) });
            posed(&model, &alone(1), Moment { fade, ..Moment::from(time) })
        };
        prop_assert_eq!(&faded(0.0), &posed(&model, &alone(0), was));
        prop_assert_eq!(&faded(0.5), &posed(&model, &alone(1), time));
        let between = faded(w * 0.5);
        for target in targets() {
            let (from, to) = (reference_value(&model, 0, target, was), reference_value(&model, 1, target, time));
            let want = blended(target, &from, &to, w);
            prop_assert!(ambiguous(target, &from, &to) || close(target, &value(&between, target), &want), "{target:?}");
        }
    }

    #[test]
    fn a_layer_with_a_mask_moves_only_the_nodes_of_the_mask_and_their_subtrees(
        model in some_model(2), time in 0.0f64..2.0, node in 0..NODES as usize,
    ) {
        let mask = Some(vec![model.nodes[node].source]);
        let masked = Layer { mask, ..layer(1, Mode::Override, 1.0) };
        let mixed = posed(&model, &View { layers: vec![masked], ..alone(0) }, time);
        let below: &[usize] = [&[0, 1, 2][..], &[1, 2], &[2], &[3]][node];
        for target in targets() {
            let layered = below.contains(&target.node().unwrap().index()) && drives(&model, 1, target);
            let wanted = posed(&model, &alone(if layered { 1 } else { 0 }), time);
            prop_assert_eq!(value(&mixed, target), value(&wanted, target), "{:?}", target);
        }
    }

    #[test]
    fn a_layers_clock_folds_into_its_range(
        clock in -20.0f64..7300.0, speed in -3.0f64..3.0, offset in -5.0f64..5.0, start in 0.0f64..2.0, length in 0.01f64..5.0,
    ) {
        let range = [start, start + length];
        let phase = offset + clock * speed + if speed < 0.0 { length } else { 0.0 };
        let laps = (phase / length).floor();
        let within = phase - laps * length;
        let loops = at_clock(clock, speed, offset, AtEnd::Wrap, range);
        prop_assert!(range[0] <= loops && loops < range[1]);
        // Times just before and just after the seam are close to each other.
        let apart = (loops - (start + within)).abs();
        prop_assert!(apart.min(length - apart) < 1e-9, "{loops} {within}");
        let turned = if laps.rem_euclid(2.0) == 0.0 { within } else { length - within };
        prop_assert!((at_clock(clock, speed, offset, AtEnd::PingPong, range) - (start + turned)).abs() < 1e-9);
        prop_assert!((at_clock(clock, speed, offset, AtEnd::Stop, range) - (start + phase.max(0.0).min(length))).abs() < 1e-9);
    }
}

#[test]
fn a_layers_clock_is_exact_at_its_ends_and_after_two_hours() {
    assert_eq!(at_clock(7200.25, 1.0, 0.0, AtEnd::Wrap, [1.0, 3.0]), 1.25);
    assert_eq!(at_clock(2.0, 1.0, 0.0, AtEnd::Wrap, [1.0, 3.0]), 1.0, "the out point is never shown");
    assert_eq!(at_clock(2.0, 1.0, 0.0, AtEnd::Stop, [0.1, 0.3]), 0.3);
    assert_eq!(at_clock(7200.0, -1.0, 0.0, AtEnd::Stop, [1.0, 3.0]), 1.0);
    assert_eq!(at_clock(0.0, -1.0, 0.0, AtEnd::Stop, [1.0, 3.0]), 3.0, "backward, the layer begins at its end");
    assert_eq!(at_clock(0.5, -1.0, 0.0, AtEnd::PingPong, [1.0, 3.0]), 2.5);
    assert_eq!(at_clock(-1e-30, 1.0, 0.0, AtEnd::Wrap, [1.0, 3.0]), 1.0);
    assert_eq!(at_clock(9.0, 1.0, 0.0, AtEnd::Wrap, [1.5, 1.5]), 1.5, "a range without length");
    assert_eq!(at_clock(1e308, 1e308, 0.0, AtEnd::Wrap, [1.0, 3.0]), 1.0);
}

/// Builds a model with two animations that drive every target with different values.
fn two() -> Model {
    let numbers = |seed: f32| (0..50).map(|i| ((i as f32 + 1.0) * seed).sin()).collect::<Numbers>();
    let all = vec![true; targets().len()];
    model(&numbers(0.3), &[(all.clone(), numbers(1.7)), (all, numbers(2.9))])
}

#[test]
fn a_node_that_is_not_animated_stays_at_rest_under_all_layers() {
    let model = two();
    let mut view = View { layers: vec![layer(1, Mode::Override, 0.5), layer(1, Mode::Additive, 1.0)], ..alone(0) };
    joint_switches::set(&mut view.switches, model.nodes[1].source, Column::Animated, |switch| switch.on = false);
    let mut room = Posed::new(&model);
    solve::solve(&model, &view, 0.6, &mut room);
    let rest = Pose::rest(&model);
    assert_eq!(room.pose.locals[1], rest.locals[1]);
    assert_ne!(room.pose.locals[2], rest.locals[2]);
    // Pose into the same buffers, with all nodes animated again.
    view.switches.clear();
    solve::solve(&model, &view, 0.6, &mut room);
    assert_eq!(room.pose, posed(&model, &view, 0.6));
    assert_ne!(room.pose.locals[1], rest.locals[1]);
}

#[test]
fn reused_poses_follow_a_change_of_layers() {
    let model = two();
    let mut room = Posed::new(&model);
    let views = [
        vec![layer(1, Mode::Additive, 0.7)],
        vec![Layer { reference: Some(1.0), ..layer(1, Mode::Additive, 0.7) }],
        vec![Layer { mask: Some(vec![model.nodes[3].source]), ..layer(1, Mode::Additive, 0.7) }, layer(0, Mode::Override, 0.4)],
        vec![layer(0, Mode::Override, 0.4)],
        vec![layer(7, Mode::Override, 1.0), layer(1, Mode::Override, 0.4)],
        vec![],
    ];
    for layers in views {
        let view = View { layers, ..alone(0) };
        solve::solve(&model, &view, 0.9, &mut room);
        assert_eq!(room.pose, posed(&model, &view, 0.9), "{:?}", view.layers);
    }
}

#[test]
fn a_scale_of_zero_as_reference_adds_nothing() {
    let mut model = two();
    let scale = Target::Scale(NodeIndex(0));
    model.hierarchy.rest[0].scale = Vec3A::ZERO;
    let mixed = posed(&model, &View { layers: vec![layer(1, Mode::Additive, 1.0)], ..alone(0) }, 0.5);
    assert_eq!(value(&mixed, scale), value(&posed(&model, &alone(0), 0.5), scale));
}

#[test]
fn contested_targets_list_layers_in_order_with_their_remaining_share() {
    let model = two();
    let leg = Layer { mask: Some(vec![model.nodes[2].source]), ..layer(1, Mode::Override, 0.25) };
    let layers = vec![layer(1, Mode::Additive, 0.5), leg, Layer { muted: true, ..layer(0, Mode::Override, 1.0) }];
    let found = contested_targets(&model, &View { layers, ..alone(0) });
    assert_eq!(found.len(), targets().len());
    let of = |target: Target| found.iter().find(|contested_targets| contested_targets.target == target).unwrap();
    let told = |target: Target| of(target).drivers.iter().map(|driver| (driver.layer, driver.share)).collect::<Vec<_>>();
    assert_eq!(told(Target::Rotation(NodeIndex(2))), [(None, 0.75), (Some(0), 0.375), (Some(1), 0.25)]);
    assert_eq!(told(Target::Weights(NodeIndex(0))), [(None, 1.0), (Some(0), 0.5)]);
    // A target that only one animation drives is not contested, and neither is one that is held at rest.
    assert!(contested_targets(&model, &View { layers: vec![layer(1, Mode::Override, 0.5)], ..View::default() }).is_empty());
    assert!(contested_targets(&model, &alone(0)).is_empty());
    let mut held = View { layers: vec![layer(1, Mode::Override, 0.5)], ..alone(0) };
    for node in &model.nodes {
        joint_switches::set(&mut held.switches, node.source, Column::Animated, |switch| switch.on = false);
    }
    assert!(contested_targets(&model, &held).is_empty());
}

#[test]
fn bounds_of_a_layer_match_those_of_its_animation() {
    let model = hand_made::bending_box();
    let extents = MeshBounds::new(&model);
    let prepared = Arc::new(CompiledModel::new(&model));
    let bounds_of =
        |view: &View| bounds::animation_bounds(Rig { model: &model, compiled: &prepared }, view, RootStatus::None, &extents).bounds;
    let alone = bounds_of(&alone(0));
    let layered = |layer: Layer| bounds_of(&View { layers: vec![layer], ..View::default() });
    let (rest, looping) = (layered(layer(0, Mode::Override, 0.0)), layered(Layer::default()));
    assert!((looping.min - alone.min).length() < 1e-6 && (looping.max - alone.max).length() < 1e-6, "{looping:?} {alone:?}");
    assert!(rest.min.x > alone.min.x + 0.5, "the bent box reaches farther to the side than the box at rest");
    let slow = layered(Layer { speed: 0.01, ..Layer::default() });
    assert!((slow.min - alone.min).length() < 1e-6, "{slow:?}");
}

#[test]
fn a_view_saved_without_layers_loads() {
    let view: View = serde_json::from_str(r#"{"animation": 1, "speed": 2.0}"#).unwrap();
    assert_eq!((view.animation, view.layers.len(), view.cross_fade), (Some(1), 0, View::default().cross_fade));
    let view: View = serde_json::from_str(r#"{"layers": [{"animation": 1, "mode": "additive", "repeat": "ping-pong"}]}"#).unwrap();
    let wanted = Layer { animation: 1, mode: Mode::Additive, repeat: Repeat::PingPong, ..Layer::default() };
    assert_eq!(view.layers, [wanted]);
}
