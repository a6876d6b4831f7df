//! Tests the frame rates that are inferred from keys.

use std::path::Path;

use sinew::animation::frame_rate::infer_rates;
use sinew::asset;
use sinew::model::animation::{Animation, Rate, RateSource};

use crate::common::skip::skip;

fn animation(times: Vec<f32>) -> Animation {
    Animation { key_times: vec![times], ..Animation::default() }
}

fn rate_of(times: Vec<f32>) -> Rate {
    infer_rates(&[animation(times)])[0]
}

fn dense(fps: f64, keys: u32) -> Vec<f32> {
    (0..keys).map(|key| (f64::from(key) / fps) as f32).collect()
}

#[track_caller]
fn assert_rate(rate: Rate, fps: f64, source: RateSource) {
    assert!((rate.fps - fps).abs() < 1e-9 && rate.source == source, "{rate:?}, not {fps} by {source:?}");
}

#[test]
fn a_key_per_frame_tells_the_rate() {
    for fps in [10.0, 12.0, 15.0, 24.0, 25.0, 30.0, 37.5, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0] {
        for keys in [3, 10, 59, 200, 4000] {
            assert_rate(rate_of(dense(fps, keys)), fps, RateSource::Keys);
        }
    }
}

#[test]
fn ntsc_rates_are_told_from_their_three_decimals() {
    for fps in [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 23.976, 29.97, 59.94] {
        for keys in [3, 10, 59, 200, 4000] {
            assert_rate(rate_of(dense(fps, keys)), fps, RateSource::Keys);
        }
    }
    let rounded = dense(29.97, 10).into_iter().map(|time| (time * 1e5).round() / 1e5).collect();
    assert_rate(rate_of(rounded), 30_000.0 / 1001.0, RateSource::Keys);
}

#[test]
fn the_first_key_need_not_be_at_zero() {
    // BrainStem: the first key is at 0.0333 s, the others are 0.02667 s apart.
    let times = dense(37.5, 59).into_iter().map(|time| time + 0.0333).collect();
    assert_rate(rate_of(times), 37.5, RateSource::Keys);
}

#[test]
fn times_rounded_to_milliseconds_tell_the_rate() {
    for fps in [24.0, 30.0, 60.0] {
        let times = dense(fps, 100).into_iter().map(|time| (time * 1000.0).round() / 1000.0).collect();
        assert_rate(rate_of(times), fps, RateSource::Keys);
    }
}

#[test]
fn key_times_that_begin_after_an_hour_tell_the_rate() {
    let times = dense(60.0, 4000).into_iter().map(|time| time + 3600.0).collect();
    assert_rate(rate_of(times), 60.0, RateSource::Keys);
}

#[test]
fn sparse_keys_tell_the_rate_if_the_common_divisor_of_their_times_is_one_frame() {
    let at = |frames: &[u8], fps: f32| frames.iter().map(|&frame| f32::from(frame) / fps).collect::<Vec<_>>();
    assert_rate(rate_of(at(&[0, 5, 12, 22, 40], 24.0)), 24.0, RateSource::Keys);
    assert_rate(rate_of(at(&[0, 7, 10, 31], 30.0)), 30.0, RateSource::Keys);
    // The key times of several channels are combined.
    let sets = Animation { key_times: vec![at(&[0, 6, 18], 24.0), at(&[2, 11, 20], 24.0)], ..Animation::default() };
    assert_rate(infer_rates(&[sets])[0], 24.0, RateSource::Keys);
    // The keys are at multiples of a quarter of a second, which is a whole number of frames at 24 per second, but not at 30.
    assert_rate(rate_of(at(&[0, 6, 12, 24], 24.0)), 24.0, RateSource::Assumed);
}

#[test]
fn unsteady_distant_and_few_keys_do_not_tell_the_rate() {
    for times in [vec![0.0, 0.123, 0.777, 3.001], vec![0.0, 1.0, 2.0], vec![0.0, 1.0 / 24.0], vec![0.0, 1.0], vec![0.5], vec![]] {
        let rate = rate_of(times);
        assert_eq!(rate.source, RateSource::Assumed, "{rate:?}");
    }
    assert_rate(rate_of(vec![0.0, 0.123, 0.777, 3.001]), 30.0, RateSource::Assumed);
    assert_rate(rate_of(vec![0.0, 1.0]), 30.0, RateSource::Assumed);
}

#[test]
fn without_steady_keys_the_most_common_rate_of_the_other_animations_is_used() {
    let of = |rates: &[Option<f64>]| {
        let unsteady = || vec![0.0, 0.123, 0.777, 3.001];
        let animations: Vec<_> = rates.iter().map(|fps| animation(fps.map_or_else(unsteady, |fps| dense(fps, 20)))).collect();
        infer_rates(&animations)
    };
    let rates = of(&[Some(60.0), None, Some(24.0), Some(24.0)]);
    assert_rate(rates[1], 24.0, RateSource::OtherAnimations);
    assert_rate(rates[0], 60.0, RateSource::Keys);
    assert_rate(of(&[Some(25.0), Some(24.0), None])[2], 25.0, RateSource::OtherAnimations);
    assert_rate(of(&[None, None])[0], 30.0, RateSource::Assumed);
}

/// The keys are those of the Run animation of the sample Fox. At 24 frames per second, they are one frame apart, except for one gap of 4.8
/// frames.
#[test]
fn keys_with_a_single_odd_distance_are_not_steady() {
    let frames = (0..17).map(|frame| frame as f32).chain((0..8).map(|frame| 20.8 + frame as f32));
    let run = animation(frames.map(|frame| frame / 24.0).collect());
    let rates = infer_rates(&[animation(dense(24.0, 83)), animation(dense(24.0, 18)), run]);
    assert_rate(rates[2], 24.0, RateSource::OtherAnimations);
}

#[test]
fn samples_have_the_expected_rates() {
    let Some(samples) = std::env::var_os("SINEW_SAMPLES") else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return;
    };
    let keys = RateSource::Keys;
    let expected = [
        ("Fox/Fox.glb", vec![(24.0, keys), (24.0, keys), (24.0, RateSource::OtherAnimations)]),
        ("BrainStem/BrainStem.glb", vec![(37.5, keys)]),
        ("RiggedSimple/RiggedSimple.glb", vec![(24.0, keys)]),
    ];
    for (name, expected) in expected {
        let path = Path::new(&samples).join("models").join(name);
        if !path.exists() {
            skip(&format!("in part: {name} is not among the samples"));
            continue;
        }
        let model = asset::load(&path, &asset::LoadOptions::default()).unwrap().model;
        let rates: Vec<_> = infer_rates(&model.animations).into_iter().map(|rate| (rate.fps, rate.source)).collect();
        assert_eq!(rates, expected, "{name}");
    }
}
