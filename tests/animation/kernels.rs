//! Compares the fast paths of the animation core with the naive f64 reference: every kernel, one character and eight at once, shared and
//! separate key times, all interpolations, and times that run forward, wrap around, run backward or are random. Also tests precision far
//! from the origin, and memory use.

use glam::{Affine3A, DVec3, Quat, Vec3, Vec3A};
use sinew::animation::compiled::model::{AnimationContext, CompiledModel};
use sinew::animation::compiled::{self, AnimationLayout, CompiledAnimation, sample};
use sinew::animation::crowd::CrowdMembers;
use sinew::animation::curve;
use sinew::animation::hierarchy::globals::{self, GlobalMatrices};
use sinew::animation::hierarchy::pose::Pose;
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::animation::keys::{interpolate, keyframe};
use sinew::animation::simd::InstructionSet;
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::reference;

/// Largest allowed error of palette elements, for models about 1 m large.
const TOLERANCE: f64 = 3e-6;

/// A random number generator (xorshift) that repeats its sequence for the same seed.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number from -1 to 1.
    fn number(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.bits() >> 20) as usize % most
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_xyzw(self.number(), self.number(), self.number(), self.number() + 1e-3).normalize()
    }
}

/// How the channels of a rig share key times.
#[derive(Clone, Copy, Debug)]
enum Times {
    /// All channels share the same key times.
    Shared,
    /// Each channel has its own key times.
    Own,
    /// Some channels share key times and some do not.
    Mixed,
}

/// Builds a rig about 1 m large. Most joints are children of one of the three joints before them, and about three quarters of the possible
/// channels exist.
fn rig(seed: u64, joints: usize, times: Times) -> Model {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let parents: Vec<Option<NodeIndex>> = (0..joints)
        .map(|joint| (joint > 0 && random.below(9) > 0).then(|| NodeIndex((joint - 1 - random.below(joint.min(3))) as u32)))
        .collect();
    let rest = (0..joints).map(|_| Trs {
        translation: Vec3A::new(random.number(), random.number(), random.number()) * 0.1,
        rotation: random.rotation(),
        scale: Vec3A::splat(1.0 + 0.1 * random.number()),
    });
    let rest: Vec<Trs> = rest.collect();
    let nodes = (0..joints).map(|source| Node {
        source,
        visible: true,
        weights: if source % 4 == 1 { (source / 4) * 3..(source / 4) * 3 + 3 } else { 0..0 },
        ..Node::default()
    });
    let nodes: Vec<Node> = nodes.collect();
    let mut model = Model {
        hierarchy: Hierarchy {
            parents,
            subtree_ends: (1..=joints as u32).collect(),
            rest,
            fixed_local: (0..joints)
                .map(|joint| (joint % 7 == 6).then(|| Box::new(Affine3A::from_translation(Vec3::new(0.0, 0.05, 0.0)))))
                .collect(),
        },
        node_of_source: (0..joints as u32).map(NodeIndex).collect(),
        skins: vec![Skin {
            name: None,
            joints: (0..joints as u32).rev().map(NodeIndex).collect(),
            inverse_bind_matrices: (0..joints).map(|_| Affine3A::from_rotation_translation(random.rotation(), Vec3::splat(0.1))).collect(),
            matrices: 0..joints,
        }],
        rest_weights: vec![0.25; joints.div_ceil(4) * 3],
        palette_len: joints,
        nodes,
        ..Model::default()
    };
    let animation = animation(&mut random, &model, times);
    model.animations.push(animation);
    model
}

fn animation(random: &mut Random, model: &Model, times: Times) -> Animation {
    let mut animation = Animation::default();
    for (i, node) in model.nodes.iter().enumerate() {
        let index = NodeIndex(i as u32);
        let mut targets = vec![Target::Translation(index), Target::Rotation(index), Target::Scale(index)];
        if model.hierarchy.fixed_local[i].is_some() {
            targets.clear();
        }
        if !node.weights.is_empty() {
            targets.push(Target::Weights(index));
        }
        for target in targets {
            if random.below(4) == 0 {
                continue;
            }
            let own = match times {
                Times::Shared => animation.key_times.is_empty(),
                Times::Own => true,
                Times::Mixed => animation.key_times.is_empty() || random.below(5) == 0,
            };
            if own {
                let mut time = random.below(3) as f32 * 0.1;
                let keys = 1 + random.below(9);
                animation.key_times.push(
                    (0..keys)
                        .map(|_| {
                            time += 0.01 + 0.2 * (random.number() + 1.0);
                            time
                        })
                        .collect(),
                );
            }
            let set = if own { animation.key_times.len() - 1 } else { random.below(animation.key_times.len()) };
            animation.channels.push(channel(random, target, set, animation.key_times[set].len()));
        }
    }
    animation.channels.sort_by_key(|channel| channel.key_times);
    animation.duration = animation.key_times.iter().map(|times| f64::from(*times.last().unwrap())).fold(0.0, f64::max);
    animation
}

fn channel(random: &mut Random, target: Target, key_times: usize, keys: usize) -> Channel {
    let interpolation = [Interpolation::Linear, Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline][random.below(4)];
    let components = if matches!(target, Target::Rotation(_)) { 4 } else { 3 };
    let spline = interpolation == Interpolation::CubicSpline;
    let still = random.below(6) == 0;
    let mut output = Vec::new();
    for key in 0..keys {
        let tangent = |random: &mut Random| (0..components).map(|_| random.number() * 0.05).collect::<Vec<f32>>();
        if spline {
            output.extend(tangent(random));
        }
        if key > 0 && still {
            // Repeat the previous key's value. In a spline, the value of a key is between its two tangents.
            let before = if spline { (key * 3 - 2) * components } else { (key - 1) * components };
            output.extend_from_within(before..before + components);
        } else {
            match target {
                Target::Rotation(_) => output.extend((random.rotation() * (1.0 + 0.2 * random.number())).to_array()),
                Target::Scale(_) => output.extend([1.0 + 0.1 * random.number(), 1.0 + 0.1 * random.number(), 1.0 + 0.1 * random.number()]),
                _ => output.extend([random.number() * 0.1, random.number() * 0.1, random.number() * 0.1]),
            }
        }
        if spline {
            output.extend(tangent(random));
        }
    }
    Channel { source: 0, target, key_times, interpolation, output, components }
}

/// Returns times that run forward past the end and wrap to the start, then backward, then random ones.
fn times(random: &mut Random, duration: f64) -> Vec<f64> {
    let mut times: Vec<f64> = (0..40).map(|i| f64::from(i) * duration * 0.06 % (duration * 1.2)).collect();
    times.extend((0..15).rev().map(|i| f64::from(i) * duration * 0.08));
    times.extend((0..20).map(|_| f64::from(random.number()) * duration * 1.3));
    times.push(duration);
    times
}

/// Returns the largest difference between the elements of a palette and of the reference's palette.
fn palette_error(model: &Model, palette: &[JointMatrix], place: Vec3, wanted: &reference::ReferencePose) -> f64 {
    let exact = reference::palette(model, 0, &wanted.globals);
    let mut worst = 0.0f64;
    for (got, exact) in palette.iter().zip(&exact) {
        for row in 0..3 {
            for (column, exact) in exact[row].iter().enumerate() {
                let offset = if column == 3 { f64::from(place[row]) } else { 0.0 };
                worst = worst.max((f64::from(got.rows[row][column]) - exact - offset).abs());
            }
        }
    }
    worst
}

fn weights_error(weights: &[f32], wanted: &reference::ReferencePose) -> f64 {
    weights.iter().zip(&wanted.weights).map(|(got, wanted)| (f64::from(*got) - wanted).abs()).fold(0.0, f64::max)
}

#[test]
fn every_kernel_matches_the_reference_for_one_character() {
    for seed in 1..40 {
        for kind in [Times::Shared, Times::Own, Times::Mixed] {
            let model = rig(seed, 1 + seed as usize * 2, kind);
            let animation = &model.animations[0];
            for instructions in InstructionSet::available() {
                let prepared = CompiledModel::with_instructions(&model, instructions);
                assert!(prepared.far_nodes.nodes.is_empty());
                let context = prepared.context(&model, 0);
                let mut pose = Pose::rest(&model);
                sample::write_constants(&model, context.compiled, &mut pose);
                let mut cursors = vec![0; context.compiled.cursor_count()];
                let mut globals = GlobalMatrices::new(&prepared.schedule);
                let mut palette = vec![JointMatrix::IDENTITY; model.palette_len];
                for time in times(&mut Random(seed), animation.duration) {
                    sample::sample(context, time, &mut cursors, &mut pose);
                    globals::compute(instructions, &prepared.schedule, &pose.locals, &mut globals, &mut palette);
                    let wanted = reference::pose(&model, Some(0), time);
                    let error = palette_error(&model, &palette, Vec3::ZERO, &wanted).max(weights_error(&pose.weights, &wanted));
                    assert!(error < TOLERANCE, "seed {seed}, {kind:?}, {}, at {time}: off by {error:e}", instructions.name());
                }
            }
        }
    }
}

#[test]
fn every_kernel_matches_the_reference_on_the_files_keys() {
    for seed in 1..40 {
        for kind in [Times::Shared, Times::Own, Times::Mixed] {
            let model = rig(seed, 1 + seed as usize * 2, kind);
            let animation = &model.animations[0];
            let layouts = [CompiledAnimation::uncompiled(animation), CompiledAnimation::with_keyed_rotations(animation)];
            for (keys, instructions) in layouts.iter().flat_map(|keys| InstructionSet::available().into_iter().map(move |set| (keys, set)))
            {
                let prepared = CompiledModel::with_instructions(&model, instructions);
                let context = AnimationContext { compiled: keys, ..prepared.context(&model, 0) };
                let (mut pose, mut cursors) = (Pose::rest(&model), vec![0; keys.cursor_count()]);
                let mut globals = GlobalMatrices::new(&prepared.schedule);
                let mut palette = vec![JointMatrix::IDENTITY; model.palette_len];
                for time in times(&mut Random(seed), animation.duration) {
                    sample::sample(context, time, &mut cursors, &mut pose);
                    globals::compute(instructions, &prepared.schedule, &pose.locals, &mut globals, &mut palette);
                    let wanted = reference::pose(&model, Some(0), time);
                    let error = palette_error(&model, &palette, Vec3::ZERO, &wanted).max(weights_error(&pose.weights, &wanted));
                    assert!(error < TOLERANCE, "seed {seed}, {kind:?}, {}, at {time}: off by {error:e}", instructions.name());
                }
            }
        }
    }
}

#[test]
fn unusual_rotations_have_equal_results_eight_at_a_time_and_one_by_one() {
    let unit = |x: f32, y: f32, z: f32, w: f32| Quat::from_xyzw(x, y, z, w).normalize().to_array();
    // The rotations of a pair are equal, almost equal, equal with opposite signs, half a turn apart, not of unit length, or one or
    // both of them have zero length.
    let pairs = [
        [unit(1.0, 2.0, 3.0, 4.0), unit(1.0, 2.0, 3.0, 4.0)],
        [unit(1.0, 2.0, 3.0, 4.0), unit(1.0, 2.0, 3.0, 4.000_001)],
        [unit(1.0, 2.0, 3.0, 4.0), unit(-1.0, -2.0, -3.0, -4.0)],
        [unit(0.0, 0.0, 0.0, 1.0), unit(1.0, 0.0, 0.0, 0.0)],
        [unit(0.0, 0.0, 0.0, 1.0), unit(1.0, 0.0, 0.0, -1e-3)],
        [unit(0.3, -0.2, 0.9, 0.1).map(|x| x * 7.0), unit(0.5, 0.5, -0.5, 0.5).map(|x| x * 1e-3)],
        [[0.0; 4], unit(0.0, 1.0, 0.0, 1.0)],
        [unit(0.0, 1.0, 0.0, 1.0), [0.0; 4]],
        [[0.0; 4], [0.0; 4]],
    ];
    let channel = |(node, pair): (usize, &[[f32; 4]; 2])| Channel {
        source: node,
        target: Target::Rotation(NodeIndex(node as u32)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output: pair.as_flattened().to_vec(),
        components: 4,
    };
    let mut model = rig(5, pairs.len(), Times::Shared);
    let channels: Vec<Channel> = pairs.iter().enumerate().map(channel).collect();
    model.animations = vec![Animation { name: None, duration: 1.0, key_times: vec![vec![0.0, 1.0]], channels }];
    let keys = CompiledAnimation::with_keyed_rotations(&model.animations[0]);
    for instructions in InstructionSet::available() {
        let prepared = CompiledModel::with_instructions(&model, instructions);
        let context = AnimationContext { compiled: &keys, ..prepared.context(&model, 0) };
        let mut pose = Pose::rest(&model);
        for time in [-1.0, 0.0, 1e-6, 0.25, 0.5, 0.999_999, 1.0, 2.0] {
            sample::sample(context, time, &mut vec![0; keys.cursor_count()], &mut pose);
            let segment = keyframe::find(&[0.0, 1.0], time, &mut 0);
            for (node, channel) in model.animations[0].channels.iter().enumerate() {
                let (got, wanted) = (pose.locals[node].rotation, interpolate::rotation(channel, &segment));
                assert!((got - wanted).length() < 1e-6, "{}, {:?} at {time}: {got} instead of {wanted}", instructions.name(), pairs[node]);
            }
        }
    }
}

#[test]
fn half_turns_take_the_same_arc_in_every_way_of_sampling() {
    let mut random = Random(1);
    // Rounding the keys decides which arc is shorter.
    let mut half_turn = || {
        let (start, axis) = (random.rotation(), Vec3::new(random.number(), random.number(), random.number() + 1e-3).normalize());
        [start, start * Quat::from_vec4(axis.extend(0.0))].map(|q| q.to_array())
    };
    let mut model = rig(5, 64, Times::Shared);
    let channel = |node: u32| Channel {
        source: node as usize,
        target: Target::Rotation(NodeIndex(node)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output: half_turn().concat(),
        components: 4,
    };
    model.animations =
        vec![Animation { name: None, duration: 1.0, key_times: vec![vec![0.0, 1.0]], channels: (0..64).map(channel).collect() }];
    let animation = &model.animations[0];
    let layouts = [CompiledAnimation::uncompiled(animation), CompiledAnimation::with_keyed_rotations(animation)];
    for instructions in InstructionSet::available() {
        let prepared = CompiledModel::with_instructions(&model, instructions);
        let compiled = prepared.context(&model, 0);
        for context in
            [compiled, AnimationContext { compiled: &layouts[0], ..compiled }, AnimationContext { compiled: &layouts[1], ..compiled }]
        {
            let mut pose = Pose::rest(&model);
            for time in [0.25, 0.5, 0.75] {
                sample::sample(context, time, &mut vec![0; context.compiled.cursor_count()], &mut pose);
                for (node, channel) in animation.channels.iter().enumerate() {
                    let wanted = curve::rotation(channel, &curve::between(&[0.0, 1.0], 0, time)).value.as_quat();
                    let got = pose.locals[node].rotation;
                    assert!((got - wanted).length() < 1e-5, "{}, node {node} at {time}: {got}, not {wanted}", instructions.name());
                }
            }
        }
    }
}

#[test]
fn rotation_keys_whose_length_exceeds_f32_are_normalized() {
    let turned = Quat::from_rotation_z(1.0);
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let key = |q: Quat| (q * 1e20).to_array().to_vec();
        let keys = [key(Quat::IDENTITY), key(turned), key(Quat::IDENTITY)];
        let output = match interpolation {
            Interpolation::CubicSpline => keys.into_iter().flat_map(|key| [vec![0.0; 4], key, vec![0.0; 4]].concat()).collect(),
            _ => keys.concat(),
        };
        let mut model = rig(5, 8, Times::Shared);
        let channel = |node: u32| Channel {
            source: node as usize,
            target: Target::Rotation(NodeIndex(node)),
            key_times: 0,
            interpolation,
            output: output.clone(),
            components: 4,
        };
        let channels = (0..8).map(channel).collect();
        model.animations = vec![Animation { name: None, duration: 2.0, key_times: vec![vec![0.0, 1.0, 2.0]], channels }];
        let animation = &model.animations[0];
        let layouts = [CompiledAnimation::uncompiled(animation), CompiledAnimation::with_keyed_rotations(animation)];
        let prepared = CompiledModel::new(&model);
        let compiled = prepared.context(&model, 0);
        for context in
            [compiled, AnimationContext { compiled: &layouts[0], ..compiled }, AnimationContext { compiled: &layouts[1], ..compiled }]
        {
            let mut pose = Pose::rest(&model);
            sample::sample(context, 1.0, &mut vec![0; context.compiled.cursor_count()], &mut pose);
            let got = pose.locals[3].rotation;
            assert!((got - turned).length() < 1e-6, "{interpolation:?}: {got}");
        }
    }
}

#[test]
fn a_spline_with_steep_tangents_is_precise_at_the_end_of_its_segment() {
    // The limit of the errors is relative to the values. The tangents of the first spline are ordinary, so it is compiled.
    for (seconds, tangent, is_compiled, limit) in
        [(1.0, 10.0, true, 1e-5), (1.0, 1e4, false, 1e-6), (1000.0, 10.0, false, 1e-6), (2000.0, 0.01, true, 1e-5)]
    {
        let mut model = rig(5, 8, Times::Shared);
        let output: Vec<f32> =
            [[0.0; 3], [1.0, 2.0, 3.0], [tangent; 3], [-tangent, -0.7 * tangent, 0.3 * tangent], [1.0, 2.0, 3.0], [0.0; 3]].concat();
        let channel = |node: u32| Channel {
            source: node as usize,
            target: Target::Translation(NodeIndex(node)),
            key_times: 0,
            interpolation: Interpolation::CubicSpline,
            output: output.clone(),
            components: 3,
        };
        let (key_times, channels) = (vec![vec![0.0, seconds]], (0..8).map(channel).collect());
        model.animations = vec![Animation { name: None, duration: f64::from(seconds), key_times, channels }];
        let prepared = CompiledModel::new(&model);
        let context = prepared.context(&model, 0);
        assert_eq!(context.compiled.uncompiled.is_empty(), is_compiled, "{tangent} in {seconds} s");
        let mut pose = Pose::rest(&model);
        for u in [0.5, 0.9999, 0.999_999] {
            let time = u * f64::from(seconds);
            sample::sample(context, time, &mut vec![0; context.compiled.cursor_count()], &mut pose);
            let wanted = reference::value(&[0.0, seconds], &context.animation.channels[0], time);
            for (got, wanted) in pose.locals[3].translation.to_array().into_iter().zip(wanted) {
                let error = (f64::from(got) - wanted).abs() / wanted.abs().max(1.0);
                assert!(error < limit, "{tangent} in {seconds} s at {u}: {got}, not {wanted}");
            }
        }
    }
}

#[test]
fn the_steepest_compiled_splines_are_precise_with_every_instruction_set() {
    // Just above the limit, splines are sampled from their keys.
    for (tangent, is_compiled) in [(24.0f32, true), (24.0f32.next_up(), false)] {
        let mut model = rig(5, 8, Times::Shared);
        // The values are at most 1, and each node has other signs.
        let channel = |node: u32| {
            let sign = |bit: u32| if node >> bit & 1 == 0 { 1.0 } else { -1.0 };
            let [start, end] = [[1.0, 0.9, 0.7], [sign(0), -0.8, 0.1]];
            let output = [[0.0; 3], start, [tangent * sign(1); 3], [tangent * sign(2); 3], end, [0.0; 3]].concat();
            let target = Target::Translation(NodeIndex(node));
            Channel { source: node as usize, target, key_times: 0, interpolation: Interpolation::CubicSpline, output, components: 3 }
        };
        let channels = (0..8).map(channel).collect();
        model.animations = vec![Animation { name: None, duration: 1.0, key_times: vec![vec![0.0, 1.0]], channels }];
        for instructions in InstructionSet::available() {
            let prepared = CompiledModel::with_instructions(&model, instructions);
            let context = prepared.context(&model, 0);
            assert_eq!(context.compiled.uncompiled.is_empty(), is_compiled);
            let mut pose = Pose::rest(&model);
            for time in (0..=4000u16).map(|i| f64::from(i) / 4001.0) {
                sample::sample(context, time, &mut vec![0; context.compiled.cursor_count()], &mut pose);
                for (node, channel) in context.animation.channels.iter().enumerate() {
                    let wanted = reference::value(&[0.0, 1.0], channel, time);
                    for (got, wanted) in pose.locals[node].translation.to_array().into_iter().zip(wanted) {
                        let error = (f64::from(got) - wanted).abs();
                        assert!(error < 1e-5, "{}, node {node} at {time}: {got}, not {wanted}", instructions.name());
                    }
                }
            }
        }
    }
}

#[test]
fn every_kernel_matches_the_reference_for_eight_characters() {
    for seed in 1..25 {
        for kind in [Times::Shared, Times::Own, Times::Mixed] {
            let model = rig(seed, 1 + seed as usize * 2, kind);
            for instructions in InstructionSet::available() {
                let prepared = CompiledModel::with_instructions(&model, instructions);
                let context = prepared.context(&model, 0);
                // At least eight characters, and usually not a multiple of eight.
                let count = 8 + seed as usize % 5;
                let places: Vec<Vec3> = (0..count).map(|i| Vec3::new(i as f32 * 0.25, 0.0, 0.5)).collect();
                let mut crowd = CrowdMembers::new(&model, Some(context), places.clone(), 2);
                let all = times(&mut Random(seed), model.animations[0].duration);
                for first in 0..12 {
                    let times: Vec<f64> = (0..count).map(|i| all[(first * 5 + i * 7) % all.len()]).collect();
                    crowd.pose(context, &times);
                    for (i, &time) in times.iter().enumerate() {
                        let wanted = reference::pose(&model, Some(0), time);
                        let palette = &crowd.palettes[i * model.palette_len..][..model.palette_len];
                        let weights = &crowd.weights[i * model.rest_weights.len()..][..model.rest_weights.len()];
                        let error = palette_error(&model, palette, places[i], &wanted).max(weights_error(weights, &wanted));
                        assert!(error < TOLERANCE, "seed {seed}, {kind:?}, {}, {i} at {time}: off by {error:e}", instructions.name());
                    }
                }
            }
        }
    }
}

#[test]
fn a_large_crowd_poses_the_same_on_several_threads_as_on_one() {
    let model = rig(7, 60, Times::Mixed);
    let prepared = CompiledModel::new(&model);
    let context = prepared.context(&model, 0);
    let times: Vec<f64> = (0..1003).map(|i| f64::from(i) * 0.01).collect();
    let posed = |threads| {
        let mut crowd = CrowdMembers::new(&model, Some(context), vec![Vec3::X; times.len()], threads);
        crowd.pose(context, &times);
        (crowd.palettes, crowd.weights)
    };
    assert!(posed(1) == posed(3));
}

#[test]
fn poses_a_hundred_kilometers_from_the_origin_do_not_jitter() {
    // Tests a rest translation far from the origin, and an animation that moves the model there.
    for by_motion in [false, true] {
        let mut model = rig(3, 20, Times::Shared);
        model.hierarchy.parents = (0..20u32).map(|joint| joint.checked_sub(1).map(|parent| NodeIndex(parent / 2))).collect();
        model.hierarchy.fixed_local = vec![None; 20];
        let far = [100_000.0f32, 3.0, -70_000.0];
        let animation = &mut model.animations[0];
        animation.channels.retain(|channel| channel.target != Target::Translation(NodeIndex(0)));
        if by_motion {
            let output = vec![0.0, 0.0, 0.0, far[0], far[1], far[2]];
            animation.key_times.push(vec![0.0, animation.duration as f32 + 1.0]);
            let key_times = animation.key_times.len() - 1;
            let target = Target::Translation(NodeIndex(0));
            animation.channels.push(Channel { source: 0, target, key_times, interpolation: Interpolation::Linear, output, components: 3 });
        } else {
            model.hierarchy.rest[0].translation = far.into();
        }
        let view = View { animation: Some(0), ..View::default() };
        let mut posed = Posed::new(&model);
        let mut worst = 0.0f64;
        for i in 0..200 {
            let time = 0.5 + f64::from(i) * 1e-4;
            solve::solve(&model, &view, time, &mut posed);
            let exact = reference::palette(&model, 0, &reference::pose(&model, Some(0), time).globals);
            for (got, exact) in posed.palette.iter().zip(&exact) {
                let place = DVec3::new(exact[0][3], exact[1][3], exact[2][3]) - posed.anchor;
                assert!(place.length() < 10.0, "the anchor is near the model");
                for row in 0..3 {
                    worst = worst.max((f64::from(got.rows[row].w) - place[row]).abs());
                }
            }
        }
        // The tolerance is a few millionths of the model's size. In plain f32 the error would be 4 mm.
        assert!(worst < 3e-6, "off by {worst:e} m");
    }
}

#[test]
fn compiled_animations_take_at_most_four_times_the_memory_of_their_keys() {
    for seed in 1..60 {
        for kind in [Times::Shared, Times::Own, Times::Mixed] {
            let model = rig(seed, 1 + seed as usize, kind);
            let prepared = CompiledModel::new(&model);
            let (taken, keys) = (prepared.animation(&model, 0).bytes(), compiled::key_bytes(&model.animations[0]));
            assert!(taken <= compiled::MAX_GROWTH * keys, "seed {seed}, {kind:?}: {taken} bytes for {keys}");
        }
    }
}

#[test]
fn an_animation_of_two_hours_and_a_million_keys_plays_exactly() {
    let keys = 1_000_000;
    let mut model = rig(2, 1, Times::Shared);
    model.hierarchy.parents = vec![None];
    let times: Vec<f32> = (0..keys).map(|key| key as f32 * 0.0072).collect();
    let output = (0..keys).flat_map(|key| Quat::from_rotation_y((key % 1000) as f32 * 0.006).to_array()).collect();
    let target = Target::Rotation(NodeIndex(0));
    let channel = Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Linear, output, components: 4 };
    let duration = f64::from(*times.last().unwrap());
    model.animations = vec![Animation { name: None, duration, key_times: vec![times], channels: vec![channel] }];
    let view = View { animation: Some(0), ..View::default() };
    let mut posed = Posed::new(&model);
    assert_eq!(posed.compiled.layout(0), AnimationLayout::Compiled);
    let mut seek = Random(5);
    let random: Vec<f64> = (0..20).map(|_| (f64::from(seek.number()) + 1.0) / 2.0 * duration).collect();
    let forward = (0..20).map(|i| 7199.9 + f64::from(i) / 60.0);
    for time in forward.chain(random).chain([0.0, duration, 3600.0]) {
        solve::solve(&model, &view, time, &mut posed);
        let error = palette_error(&model, &posed.palette, Vec3::ZERO, &reference::pose(&model, Some(0), time));
        assert!(error < TOLERANCE, "at {time}: off by {error:e}");
    }
}

#[test]
fn compiled_animations_stay_within_the_memory_limit_even_if_they_fill_no_block() {
    let mut model = rig(4, 8, Times::Shared);
    let (node, keys) = (NodeIndex(1), 95_000);
    let long = |_| {
        let channel = |(source, (target, components)): (usize, (Target, usize))| Channel {
            source,
            target,
            key_times: 0,
            interpolation: Interpolation::Linear,
            output: (0..keys * components).map(|i| (i % 7) as f32 * 0.01 + 0.1).collect(),
            components,
        };
        let targets = [(Target::Translation(node), 3), (Target::Rotation(node), 4), (Target::Scale(node), 3), (Target::Weights(node), 3)];
        let times: Vec<f32> = (0..keys).map(|key| key as f32 * 0.01).collect();
        Animation { name: None, duration: 949.99, key_times: vec![times], channels: targets.into_iter().enumerate().map(channel).collect() }
    };
    model.animations = (0..8).map(long).collect();
    let prepared = CompiledModel::new(&model);
    let taken: usize = (0..8).map(|animation| prepared.animation(&model, animation).bytes()).sum();
    assert!(taken > 32 << 20 && taken <= 64 << 20, "{taken} bytes");
}

#[test]
fn animations_too_large_to_compile_are_read_from_the_files_keys() {
    let mut model = rig(4, 8, Times::Shared);
    // There are several long animations, and only the first ones fit into the memory limit.
    let keys = 200_000;
    let long = |_| {
        let channel = Channel {
            source: 0,
            target: Target::Translation(NodeIndex(0)),
            key_times: 0,
            interpolation: Interpolation::Linear,
            output: (0..keys * 3).map(|i| (i % 7) as f32 * 0.01).collect(),
            components: 3,
        };
        let times: Vec<f32> = (0..keys).map(|key| key as f32 * 0.01).collect();
        Animation { name: None, duration: 1999.99, key_times: vec![times], channels: vec![channel] }
    };
    model.animations = (0..12).map(long).collect();
    let prepared = CompiledModel::new(&model);
    let layouts: Vec<AnimationLayout> = (0..12).map(|animation| prepared.layout(animation)).collect();
    assert_eq!((layouts[0], layouts[11]), (AnimationLayout::Compiled, AnimationLayout::KeyedRotations));
    let taken: usize = (0..12).map(|animation| prepared.animation(&model, animation).bytes()).sum();
    assert!(taken <= 64 << 20);
    // Both layouts give the same palettes.
    let mut posed = Posed::new(&model);
    for time in [0.0, 0.005, 777.7777, 5000.0] {
        let palettes = [0, 11].map(|animation| {
            solve::solve(&model, &View { animation: Some(animation), ..View::default() }, time, &mut posed);
            posed.palette.clone()
        });
        let wanted = reference::pose(&model, Some(0), time);
        for palette in palettes {
            assert!(palette_error(&model, &palette, Vec3::ZERO, &wanted) < TOLERANCE);
        }
    }
}
