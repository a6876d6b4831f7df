//! Tests names, keys and transforms of hostile files.

use glam::Quat;
use sinew::model::animation::{Animation, Interpolation, Target};
use sinew::model::node::NodeIndex;
use sinew::retarget::binding::bind;
use sinew::retarget::carry::carry;
use sinew::retarget::method::Method;
use sinew::retarget::{Settings, binding::Rule};

use crate::common::time_limit::within_half_a_minute;
use crate::rig::{Bone, animation, channel, model};

fn chain(names: impl Iterator<Item = String>) -> Vec<Bone> {
    names.enumerate().map(|(at, name)| Bone::joint(&name, at.checked_sub(1), [0.0, 1.0, 0.0])).collect()
}

#[test]
fn names_that_are_huge_empty_or_equal_are_bound_or_ambiguous() {
    const COUNT: usize = 150_000;
    let huge = "Left\u{202e}_.:".repeat(1 << 17);
    let names = |other: char| {
        let equal = std::iter::repeat_n("Bone".to_owned(), COUNT);
        let empty = std::iter::repeat_n(String::new(), COUNT);
        let numbered = (0..COUNT).map(|at| format!("bone.{at:06}"));
        equal.chain(empty).chain(numbered).chain([format!("{huge}a"), format!("{huge}{other}")])
    };
    let (source, target) = (model(&chain(names('b'))), model(&chain(names('c'))));
    // Comparing every pair of names takes minutes.
    let binding = within_half_a_minute(move || bind(&source, &target, &[]));
    assert_eq!(binding.pairs.len(), COUNT + 1);
    assert_eq!(binding.pairs.iter().filter(|pair| pair.rule == Rule::Name).count(), COUNT + 1);
    assert_eq!((binding.ambiguous_sources.len(), binding.ambiguous_targets.len()), (COUNT, COUNT));
    assert_eq!(binding.unbound_sources.len(), COUNT + 1);
}

#[test]
fn keys_that_would_fill_the_memory_are_thinned() {
    // Only the root of a long chain is animated, but every joint below it would get as many keys as the root.
    let bones = chain((0..4000).map(|at| format!("joint {at}")));
    let mut source = model(&bones);
    let times: Vec<f32> = (0..20_000).map(|at| at as f32 / 100.0).collect();
    let output = times.iter().flat_map(|time| Quat::from_rotation_x(time.sin()).to_array()).collect();
    source.animations = vec![animation("long", vec![channel(Target::Rotation(NodeIndex(0)), Interpolation::Linear, &times, output)])];
    let settings = Settings { method: Some(Method::Rotation), ..Settings::default() };
    let carried = carry(&source, &model(&bones), &settings);
    assert_eq!(carried.reduced, [0]);
    let numbers: usize = carried.animations[0].channels.iter().map(|channel| channel.output.len()).sum();
    assert!(numbers > 0 && numbers < 32 << 20);
    let keys = &carried.animations[0].key_times[0];
    assert_eq!((keys.first(), keys.last()), (times.first(), times.last()));
}

#[test]
fn translations_count_among_the_keys_that_would_fill_the_memory() {
    // The joints have no joint above them, so each of them travels with the unbound node that carries them.
    let joint = |parent| move |at: usize| Bone::joint(&format!("joint {at}"), parent, [0.0; 3]);
    let mut source =
        model(&std::iter::once(Bone::joint("carrier", None, [0.0; 3])).chain((0..4000).map(joint(Some(0)))).collect::<Vec<_>>());
    let times: Vec<f32> = (0..2_000).map(|at| at as f32 / 100.0).collect();
    let turns = times.iter().flat_map(|time| Quat::from_rotation_x(time.sin()).to_array()).collect();
    let moves = times.iter().flat_map(|time| [*time, 0.0, 0.0]).collect();
    let linear = |target, output| channel(target, Interpolation::Linear, &times, output);
    let channels = vec![linear(Target::Rotation(NodeIndex(0)), turns), linear(Target::Translation(NodeIndex(0)), moves)];
    source.animations = vec![animation("long", channels)];
    let target = model(&(0..4000).map(joint(None)).collect::<Vec<_>>());
    let carried = carry(&source, &target, &Settings { method: Some(Method::Rotation), ..Settings::default() });
    let count = |animation: &Animation| animation.channels.iter().map(|channel| channel.output.len()).sum::<usize>();
    let (numbers, limit) = (count(&carried.animations[0]), (16 << 20) + 4 * count(&source.animations[0]));
    assert!(numbers > limit / 2 && numbers <= limit, "{numbers} of {limit}");
}

#[test]
fn if_keys_between_those_of_the_source_do_not_fit_all_intervals_share_the_room_and_the_animation_is_reported() {
    let names = |at: usize| format!("joint {at}");
    let target = model(&chain((0..4000).map(names)));
    // An unbound node between two joints turns about another axis than the joints, so linear interpolation is far off between keys.
    let mut source = model(&chain(std::iter::once(names(0)).chain(["twist".to_owned()]).chain((1..4000).map(names))));
    let times: Vec<f32> = (0..500).map(|at| at as f32).collect();
    let turns = |turn: fn(f32) -> Quat| times.iter().flat_map(|time| turn((time % 2.0) * 1.5).to_array()).collect();
    let linear = |node, output| channel(Target::Rotation(NodeIndex(node)), Interpolation::Linear, &times, output);
    let channels = vec![linear(1, turns(Quat::from_rotation_x)), linear(2, turns(Quat::from_rotation_z))];
    source.animations = vec![animation("long", channels)];
    let carried = carry(&source, &target, &Settings { method: Some(Method::Rotation), align_rest: false, ..Settings::default() });
    assert_eq!(carried.reduced, [0]);
    let keys = &carried.animations[0].key_times[0];
    let between = |start: f32| keys.iter().filter(|&&key| key > start && key < start + 1.0).count();
    assert!(times[..499].iter().all(|&start| (1..=2).contains(&between(start))));
}

#[test]
fn many_animations_of_one_bound_node_do_not_take_time_for_all_other_nodes() {
    let mut source = model(&(0..200_000).map(|at| Bone::joint(&format!("joint {at}"), None, [0.0; 3])).collect::<Vec<_>>());
    let output = [Quat::IDENTITY, Quat::from_rotation_x(0.5)].map(|q| q.to_array()).concat();
    let turn = animation("turn", vec![channel(Target::Rotation(NodeIndex(0)), Interpolation::Linear, &[0.0, 1.0], output)]);
    source.animations = vec![turn; 40_000];
    let target = model(&[Bone::joint("joint 0", None, [0.0; 3])]);
    // Time that grows with nodes times animations is minutes.
    let settings = Settings { method: Some(Method::Rotation), ..Settings::default() };
    let carried = within_half_a_minute(move || carry(&source, &target, &settings));
    assert!(carried.animations.len() == 40_000 && carried.animations.iter().all(|animation| animation.channels.len() == 1));
}

#[test]
fn degenerate_and_non_finite_skeletons_are_carried_without_a_panic() {
    for scale in [0.0, f32::NAN, f32::MAX] {
        let mut bones = chain((0..5).map(|at| format!("joint {at}")));
        bones[0].rest.scale = glam::Vec3A::splat(scale);
        bones[1].rest.translation = glam::Vec3A::splat(f32::INFINITY);
        bones[2].rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut source = model(&bones);
        let turn = channel(Target::Rotation(NodeIndex(1)), Interpolation::Linear, &[0.0, 1.0], vec![f32::NAN; 8]);
        source.animations = vec![animation("broken", vec![turn])];
        for method in [None, Some(Method::Rotation), Some(Method::Direct)] {
            let carried = carry(&source, &model(&bones), &Settings { method, ..Settings::default() });
            assert_eq!(carried.animations.len(), 1);
        }
    }
}
