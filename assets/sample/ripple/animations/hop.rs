//! "Hop": crouches, jumps for joy, lands and settles. The flight is a parabola, which one cubic segment with the right slopes
//! represents exactly.

use glam::DVec3;

use super::super::pose::Pose;
use super::super::skeleton::{SIDES, Skeleton};
use super::{Animation, Key, Track, slope};

/// Take-off and landing, in seconds. The height follows from the time in between and gravity (m/s^2).
const LEAVES: f64 = 0.5;
const LANDS: f64 = 0.84;
const GRAVITY: f64 = 9.81;

/// The body at a time. `crouch` in meters, `stretch` upwards (1: unchanged), `arms` raised (0 to 1) or swung back (below 0), `tuck`
/// from 0 to 1.
struct Beat {
    time: f64,
    crouch: f64,
    stretch: f64,
    arms: f64,
    tuck: f64,
    joy: f64,
    shut: f64,
}

const BEATS: [Beat; 10] = [
    Beat { time: 0.0, crouch: 0.003, stretch: 1.0, arms: 0.0, tuck: 0.0, joy: 0.3, shut: 0.0 },
    Beat { time: 0.2, crouch: 0.022, stretch: 0.93, arms: -0.35, tuck: 0.0, joy: 0.2, shut: 0.5 },
    Beat { time: 0.36, crouch: 0.03, stretch: 0.89, arms: -0.5, tuck: 0.0, joy: 0.2, shut: 0.8 },
    Beat { time: LEAVES, crouch: 0.0, stretch: 1.08, arms: 0.6, tuck: 0.0, joy: 0.9, shut: 0.0 },
    Beat { time: 0.67, crouch: 0.0, stretch: 1.0, arms: 1.0, tuck: 1.0, joy: 1.0, shut: 0.0 },
    Beat { time: LANDS, crouch: 0.0, stretch: 1.06, arms: 0.8, tuck: 0.0, joy: 1.0, shut: 0.0 },
    Beat { time: 0.96, crouch: 0.03, stretch: 0.87, arms: 0.1, tuck: 0.0, joy: 0.9, shut: 1.0 },
    Beat { time: 1.16, crouch: 0.002, stretch: 1.035, arms: -0.1, tuck: 0.0, joy: 0.7, shut: 0.3 },
    Beat { time: 1.36, crouch: 0.006, stretch: 0.985, arms: 0.06, tuck: 0.0, joy: 0.5, shut: 0.0 },
    Beat { time: 1.75, crouch: 0.003, stretch: 1.0, arms: 0.0, tuck: 0.0, joy: 0.3, shut: 0.0 },
];

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    let poses: Vec<Pose> = BEATS.iter().map(|beat| pose(skeleton, beat)).collect();
    let keys = poses.iter().enumerate().map(|(i, pose)| {
        // The slope through the neighbors; zero at both ends.
        let (before, after) = (i.saturating_sub(1), (i + 1).min(BEATS.len() - 1));
        let ends = i == 0 || i == BEATS.len() - 1;
        let (from, to) = if ends { (pose, pose) } else { (&poses[before], &poses[after]) };
        let slope = slope(from, to, BEATS[after].time - BEATS[before].time);
        Key { time: BEATS[i].time, pose: pose.clone(), tangents: [slope.clone(), slope] }
    });
    let tracks =
        vec![Track { joints: vec![skeleton.index("Root")], keys: flight(skeleton) }, Track { joints: Vec::new(), keys: keys.collect() }];
    Animation { name: "Hop", interpolation: "CUBICSPLINE", tracks }
}

/// Returns the keys of the root. It rests on the floor, takes off at full speed, lands at the same speed, and stops at once.
fn flight(skeleton: &Skeleton) -> Vec<Key<'_>> {
    let speed = GRAVITY * (LANDS - LEAVES) / 2.0;
    let keys = [(0.0, 0.0, 0.0), (LEAVES, 0.0, speed), (LANDS, -speed, 0.0), (BEATS[BEATS.len() - 1].time, 0.0, 0.0)];
    let still = Pose::at_ease(skeleton);
    let level = slope(&still, &still, 1.0);
    let key = |(time, before, after): (f64, f64, f64)| {
        let tangent = |speed: f64| {
            let mut tangent = level.clone();
            tangent.locals[skeleton.index("Root")].translation = DVec3::Y * speed;
            tangent
        };
        Key { time, pose: still.clone(), tangents: [tangent(before), tangent(after)] }
    };
    keys.map(key).into()
}

fn pose<'a>(skeleton: &'a Skeleton, beat: &Beat) -> Pose<'a> {
    let mut pose = Pose::at_ease(skeleton);
    let bend = beat.crouch / 0.03;
    let wide = beat.stretch.powf(-0.5);
    pose.shift("Hips", [0.0, -beat.crouch, -0.006 * bend]);
    pose.turn("Hips", [14.0 * bend - 6.0 * beat.tuck, 0.0, 0.0]);
    pose.scale("Spine", [wide, beat.stretch, wide]);
    pose.scale("Neck", [1.0 / wide, 1.0 / beat.stretch, 1.0 / wide]);
    pose.turn("Spine", [6.0 * bend, 0.0, 0.0]);
    pose.turn("Chest", [4.0 * bend - 8.0 * beat.arms.max(0.0), 0.0, 0.0]);
    pose.turn("Head", [-16.0 * bend - 4.0 * beat.arms, 0.0, 0.0]);

    let raised = beat.arms.max(0.0);
    let behind = (-beat.arms).max(0.0);
    pose.both("Clavicle", [0.0, 0.0, 18.0 * raised]);
    pose.both("UpperArm", [-20.0 * raised + 60.0 * behind, 0.0, 80.0 * raised + 16.0 * behind]);
    pose.both("Forearm", [0.0, 0.0, 4.0 * raised]);
    pose.both("Hand", [-14.0 * raised, 0.0, 10.0 * raised]);

    pose.stand_still();
    pose.both("Thigh", [-34.0 * beat.tuck, 0.0, 10.0 * beat.tuck]);
    pose.both("Shin", [62.0 * beat.tuck, 0.0, 0.0]);
    pose.both("Foot", [18.0 * beat.tuck, 0.0, 0.0]);
    if beat.time == LEAVES || beat.time == LANDS {
        for (side, sign) in SIDES {
            pose.stand(side, DVec3::new(sign * 0.058, 0.0, 0.0), 24.0);
        }
    }

    pose.curl_tail([3.0 * bend - 7.0 * beat.tuck, 6.0, 0.0]);
    pose.turn("Tail1", [-12.0 * bend, 0.0, 0.0]);
    pose.sway_gills(-6.0 * bend, -14.0 * bend + 14.0 * beat.tuck);
    pose.turn("Jaw", [14.0 * beat.joy.max(0.5) - 7.0, 0.0, 0.0]);
    pose.express("mouthClosed", 0.9 * (1.0 - beat.joy));
    pose.express("smile", beat.joy);
    pose.express("cheekPuff", 0.8 * beat.shut * (1.0 - beat.joy));
    pose.lids(beat.shut, 0.5 * beat.joy);
    pose
}
