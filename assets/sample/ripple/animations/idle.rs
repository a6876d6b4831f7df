//! "Idle": breathes, looks around, blinks. Few keys with exact slopes; the eyelids have their own keys.

use std::f64::consts::TAU;

use super::super::pose::Pose;
use super::super::skeleton::{SIDES, Skeleton};
use super::{Animation, Key, Track, smooth};

const SECONDS: f64 = 4.0;

/// Time in seconds and how far the eyelids are shut. The slope is zero at every key.
const BLINKS: [(f64, f64); 9] =
    [(0.0, 0.0), (1.1, 0.0), (1.2, 1.0), (1.36, 0.0), (2.9, 0.0), (2.98, 1.0), (3.12, 0.1), (3.24, 0.0), (SECONDS, 0.0)];

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    let lids = ["UpperLid", "LowerLid"].into_iter().flat_map(|lid| SIDES.map(|(side, _)| skeleton.index(&format!("{lid}.{side}"))));
    let times: Vec<f64> = (0..=8).map(|i| SECONDS * f64::from(i) / 8.0).collect();
    let tracks = vec![
        Track { joints: lids.collect(), keys: blinks(skeleton) },
        Track { joints: Vec::new(), keys: smooth(&times, |time| pose(skeleton, time.rem_euclid(SECONDS) / SECONDS)) },
    ];
    Animation { name: "Idle", interpolation: "CUBICSPLINE", tracks }
}

fn blinks(skeleton: &Skeleton) -> Vec<Key<'_>> {
    let keys = BLINKS.into_iter().map(|(time, shut)| {
        let mut pose = Pose::at_ease(skeleton);
        pose.lids(shut, 0.12);
        let level = super::slope(&pose, &pose, 1.0);
        Key { time, pose, tangents: [level.clone(), level] }
    });
    keys.collect()
}

fn pose(skeleton: &Skeleton, phase: f64) -> Pose<'_> {
    let mut pose = Pose::at_ease(skeleton);
    let slow = |lag: f64| (TAU * (phase - lag)).sin();
    let breath = |lag: f64| (TAU * 2.0 * (phase - lag)).sin();

    pose.shift("Hips", [0.006 * slow(0.0), -0.003 + 0.0012 * breath(0.05), 0.0]);
    pose.turn("Hips", [0.0, 2.0 * slow(0.1), 2.0 * slow(0.0)]);
    pose.turn("Spine", [0.6 * breath(0.0), 0.0, -2.0 * slow(0.05)]);
    pose.turn("Chest", [-1.5 * breath(0.0), 3.0 * slow(0.2), -2.0 * slow(0.1)]);
    let deep = 0.014 * breath(0.0);
    pose.scale("Spine", [1.0 + deep, 1.0 + 0.3 * deep, 1.0 + 1.4 * deep]);
    // The neck reverses the scale of breathing, so that the head keeps its size.
    pose.scale("Neck", [1.0 / (1.0 + deep), 1.0 / (1.0 + 0.3 * deep), 1.0 / (1.0 + 1.4 * deep)]);
    pose.turn("Head", [-1.0 + 1.5 * breath(0.12), 11.0 * slow(0.3), 5.0 * slow(0.15)]);
    for (side, _) in SIDES {
        pose.turn(&format!("Eye.{side}"), [0.0, 6.0 * slow(0.22), 0.0]);
    }
    pose.both("Clavicle", [0.0, 0.0, 1.5 * breath(0.04)]);
    pose.both("UpperArm", [2.0 * breath(0.1), 0.0, 2.5 * breath(0.08)]);
    pose.both("Forearm", [-3.0 * breath(0.16), 0.0, 0.0]);
    pose.stand_still();

    pose.curl_tail([2.0, 8.0, 0.0]);
    pose.wave_tail(phase, 0.08, 6.0, 1.5);
    pose.sway_gills(4.0 * breath(0.2), 3.0 * breath(0.1));
    pose.express("mouthClosed", 0.75 + 0.1 * breath(0.0));
    pose.express("smile", 0.5 + 0.15 * slow(0.4));
    pose
}
