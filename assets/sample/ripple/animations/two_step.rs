//! "Two-Step": a STEP dance in the style of stop motion: eight held poses of half a second.

use glam::DVec3;

use super::super::pose::Pose;
use super::super::skeleton::{SIDES, Skeleton};
use super::{Animation, Key, Track};

const HOLD: f64 = 0.5;

/// A held pose. Positive is left: hips in centimeters, head in degrees. `arms`: how high each is raised (left, right; 1 is straight
/// up). `lifted`: height of each foot in centimeters.
struct Held {
    hips: f64,
    head: f64,
    arms: [f64; 2],
    lifted: [f64; 2],
    face: (&'static str, f64),
    shut: f64,
}

const DANCE: [Held; 8] = [
    Held { hips: 0.0, head: 0.0, arms: [0.0, 0.0], lifted: [0.0, 0.0], face: ("smile", 0.6), shut: 0.0 },
    Held { hips: 1.6, head: 12.0, arms: [0.9, 0.1], lifted: [0.0, 2.2], face: ("smile", 1.0), shut: 0.0 },
    Held { hips: 0.0, head: -4.0, arms: [0.45, 0.45], lifted: [0.0, 0.0], face: ("surprise", 0.9), shut: 0.0 },
    Held { hips: -1.6, head: -12.0, arms: [0.1, 0.9], lifted: [2.2, 0.0], face: ("smile", 1.0), shut: 0.0 },
    Held { hips: 0.0, head: 0.0, arms: [-0.2, -0.2], lifted: [0.0, 0.0], face: ("cheekPuff", 1.0), shut: 1.0 },
    Held { hips: -1.4, head: 14.0, arms: [0.55, 0.95], lifted: [1.6, 0.0], face: ("surprise", 0.6), shut: 0.0 },
    Held { hips: 1.4, head: -14.0, arms: [0.95, 0.55], lifted: [0.0, 1.6], face: ("smile", 0.8), shut: 0.0 },
    Held { hips: 0.0, head: 0.0, arms: [1.0, 1.0], lifted: [0.0, 0.0], face: ("smile", 1.0), shut: 0.9 },
];

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    // Repeat the first pose at the end: it closes the loop and gives the last pose its duration.
    let keys = (0..=DANCE.len()).map(|i| {
        let pose = pose(skeleton, &DANCE[i % DANCE.len()]);
        Key { time: HOLD * i as f64, tangents: [pose.clone(), pose.clone()], pose }
    });
    Animation { name: "Two-Step", interpolation: "STEP", tracks: vec![Track { joints: Vec::new(), keys: keys.collect() }] }
}

fn pose<'a>(skeleton: &'a Skeleton, held: &Held) -> Pose<'a> {
    let mut pose = Pose::at_ease(skeleton);
    let lean = held.hips / 1.6;
    let up = held.arms[0].max(held.arms[1]).max(0.0);
    pose.shift("Hips", [0.01 * held.hips, -0.012 + 0.009 * up, 0.0]);
    pose.turn("Hips", [3.0, 6.0 * lean, 7.0 * lean]);
    pose.turn("Spine", [0.0, 0.0, -6.0 * lean]);
    pose.turn("Chest", [-4.0 * up, -8.0 * lean, -7.0 * lean]);
    pose.turn("Head", [-4.0 * up, 0.4 * held.head, -held.head]);
    for (i, (side, sign)) in SIDES.into_iter().enumerate() {
        let raised = held.arms[i];
        pose.turn(&format!("Clavicle.{side}"), [0.0, 0.0, sign * 18.0 * raised.max(0.0)]);
        pose.turn(&format!("UpperArm.{side}"), [-16.0 * raised.abs(), 0.0, sign * 84.0 * raised]);
        pose.turn(&format!("Forearm.{side}"), [-14.0 * raised.abs(), 0.0, sign * 4.0 * raised]);
        pose.turn(&format!("Hand.{side}"), [-10.0, 0.0, sign * 14.0 * raised]);
        let lifted = 0.01 * held.lifted[i];
        pose.stand(side, DVec3::new(sign * (0.056 + 0.5 * lifted), lifted, 0.6 * lifted), 700.0 * lifted);
    }
    pose.curl_tail([1.0, -9.0 * lean, 0.0]);
    pose.turn("Tail1", [8.0 * up, 0.0, 0.0]);
    pose.sway_gills(4.0 * up, 10.0 * up - 4.0);
    pose.turn("Jaw", [6.0 * up, 0.0, 0.0]);
    pose.express(held.face.0, held.face.1);
    pose.express("mouthClosed", if held.face.0 == "cheekPuff" { 0.9 } else { 0.3 * (1.0 - up) });
    pose.lids(held.shut, 0.3 * up);
    pose
}
