//! Tests the times at which two animations are compared.

use std::sync::Arc;

use sinew::animation::compiled::model::CompiledModel;
use sinew::compare::time_map::{Timing, max_samples, sample_times};
use sinew::compare::{Side, Sides, counterpart};
use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::pose::Rig;

use crate::common::hand_made::tree;

/// A model of `nodes` nodes with an animation of these key times.
fn model(nodes: usize, keys: &[f32]) -> Model {
    let names: Vec<_> = (0..nodes).map(|i| (format!("n{i}"), (i > 0).then_some(0))).collect();
    let duration = f64::from(keys.last().copied().unwrap_or(0.0));
    Model { animations: vec![Animation { name: None, duration, key_times: vec![keys.to_vec()], channels: Vec::new() }], ..tree(&names) }
}

/// The times at which the first animations of two models are compared.
fn times(a: &Model, b: &Model, timing: Timing) -> Vec<f64> {
    let compiled = [a, b].map(|model| Arc::new(CompiledModel::new(model)));
    let side = |model, compiled| Side { rig: Rig { model, compiled }, animation: Some(0) };
    let sides = Sides { a: side(a, &compiled[0]), b: side(b, &compiled[1]) };
    sample_times(&sides, &timing.map(sides.durations()), max_samples(&sides))
}

#[test]
fn swapping_keeps_the_moments_that_meet() {
    for (timing, [a, b]) in [
        (Timing { stretch: false, offset: 0.25 }, [2.0, 3.0]),
        (Timing { stretch: true, offset: -0.5 }, [2.0, 3.0]),
        (Timing::default(), [1.0, 1.0]),
    ] {
        let (map, swapped) = (timing.map([a, b]), timing.swapped([a, b]).map([b, a]));
        for time in [0.0, 0.7, 2.0] {
            assert!((swapped.to_b(map.to_b(time)) - time).abs() < 1e-9, "{timing:?} at {time} s");
        }
    }
}

#[test]
fn the_range_of_b_has_the_moments_of_the_range_of_a() {
    let map = Timing { stretch: true, offset: 0.25 }.map([2.0, 3.0]);
    assert_eq!(counterpart::range(Some([0.5, 1.5]), &map), Some([1.0, 2.5]));
    assert_eq!(counterpart::range(None, &map), None);
}

#[test]
fn samples_are_the_keys_of_both_animations_and_sixty_times_a_second() {
    let (a, b) = (model(2, &[0.0, 0.1234, 1.0]), model(2, &[0.0, 0.777, 1.5]));
    let found = times(&a, &b, Timing::default());
    for key in [0.0f32, 0.1234, 1.0, 0.777, 1.5] {
        assert!(found.contains(&f64::from(key)), "{key}");
    }
    assert!(found.is_sorted() && found.windows(2).all(|pair| pair[1] - pair[0] <= 1.0 / 60.0 + 2e-3 && pair[1] > pair[0]));
    assert!((90..=99).contains(&found.len()), "{}", found.len());
}

#[test]
fn a_key_near_a_regular_sample_replaces_that_sample() {
    let keys: Vec<f32> = (0..=1800).map(|frame| frame as f32 / 30.0).collect();
    assert_eq!(times(&model(2, &keys), &model(2, &keys), Timing::default()).len(), 3601);
}

#[test]
fn samples_end_with_the_longer_animation_after_stretch_and_offset() {
    let (a, b) = (model(2, &[0.0, 1.0]), model(2, &[0.0, 1.0, 4.0]));
    let last = |timing| times(&a, &b, timing).last().copied().unwrap();
    assert_eq!(last(Timing::default()), 4.0);
    assert_eq!(last(Timing { stretch: true, offset: 0.0 }), 1.0);
    assert_eq!(last(Timing { stretch: false, offset: 1.5 }), 2.5);
    assert!(times(&a, &b, Timing { stretch: true, offset: 0.0 }).contains(&0.25));
    assert_eq!(last(Timing { stretch: false, offset: f64::NAN }), 4.0);
}

#[test]
fn long_animations_and_large_models_have_fewer_samples() {
    let two_hours = model(2, &[0.0, 7200.0]);
    let found = times(&two_hours, &two_hours, Timing::default());
    assert!(found.len() <= 1 << 17 && found.len() > 100_000 && *found.last().unwrap() == 7200.0, "{}", found.len());
    let large = model(100_000, &[0.0, 60.0]);
    let found = times(&large, &large, Timing::default());
    assert!(found.len() <= 168 && *found.last().unwrap() == 60.0, "{}", found.len());
    let far = times(&two_hours, &two_hours, Timing { stretch: false, offset: -1e300 });
    assert!(far.len() <= 1 << 17 && far.iter().all(|time| time.is_finite()));
}

#[test]
fn animations_without_duration_are_compared_once() {
    let a = model(2, &[0.0]);
    assert_eq!(times(&a, &a, Timing::default()), [0.0]);
}
