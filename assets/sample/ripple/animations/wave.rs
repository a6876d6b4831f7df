//! "Wave": looks at you, lifts an arm, waves three times, and smiles.

use std::f64::consts::TAU;

use super::super::pose::Pose;
use super::super::shape::smoothstep;
use super::super::skeleton::Skeleton;
use super::{Animation, sampled};

const SECONDS: f64 = 3.5;

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    sampled("Wave", SECONDS, |time| pose(skeleton, time))
}

/// Returns a curve that rises from 0 to 1 over `rise` seconds from `from`, and falls over `sink` seconds before `to`.
fn during(time: f64, from: f64, rise: f64, to: f64, sink: f64) -> f64 {
    smoothstep(from, from + rise, time) * smoothstep(to, to - sink, time)
}

fn pose(skeleton: &Skeleton, time: f64) -> Pose<'_> {
    let mut pose = Pose::at_ease(skeleton);
    let breath = (TAU * time / SECONDS * 2.0).sin();
    // The body leads the arm, the head leads the body.
    let look = during(time, 0.0, 0.4, 3.3, 0.7);
    let lean = during(time, 0.15, 0.5, 3.2, 0.7);
    let arm = during(time, 0.25, 0.55, 3.25, 0.75);
    let waving = during(time, 0.65, 0.25, 2.75, 0.4);
    let beat = |lag: f64| (TAU * 1.75 * (time - 0.8 - lag)).sin();

    pose.shift("Hips", [-0.012 * lean, -0.003 - 0.002 * lean + 0.0012 * breath, 0.0]);
    pose.turn("Hips", [0.0, 3.0 * lean, -4.0 * lean]);
    pose.turn("Spine", [0.0, 2.0 * lean, 2.0 * lean + waving * beat(0.0)]);
    pose.turn("Chest", [-2.0 * lean + 0.8 * breath, 5.0 * lean, -6.0 * lean + 2.0 * waving * beat(0.03)]);
    pose.turn("Neck", [-2.0 * look, 2.0 * look, 3.0 * look]);
    pose.turn("Head", [-5.0 * look, 6.0 * look, 9.0 * look + 3.5 * waving * beat(0.12)]);

    pose.turn("Clavicle.L", [0.0, 0.0, 16.0 * arm]);
    pose.turn("UpperArm.L", [-24.0 * arm, 10.0 * arm, 74.0 * arm + 9.0 * waving * beat(0.0)]);
    pose.turn("Forearm.L", [6.0 * arm, 0.0, 20.0 * arm + 21.0 * waving * beat(0.05)]);
    pose.turn("Hand.L", [-16.0 * arm, 0.0, 8.0 * arm + 22.0 * waving * beat(0.13)]);
    pose.turn("Fingers.L", [0.0, 0.0, 16.0 * waving * beat(0.2)]);
    pose.turn("UpperArm.R", [8.0 * lean, 0.0, -9.0 * lean]);
    pose.turn("Forearm.R", [-10.0 * lean, 0.0, 0.0]);
    pose.stand_still();

    pose.curl_tail([1.5, 7.0, 0.0]);
    pose.wave_tail(2.0 * time / SECONDS, 0.07, 6.0, 1.0);
    pose.sway_gills(2.0 * breath + 5.0 * waving * beat(0.1), 5.0 * look + 1.5 * breath);
    pose.turn("Jaw", [12.0 * during(time, 0.5, 0.3, 3.1, 0.6), 0.0, 0.0]);
    pose.express("mouthClosed", 0.8 * (1.0 - during(time, 0.35, 0.35, 3.25, 0.5)));
    pose.express("smile", 0.35 + 0.65 * look);
    pose.lids(during(time, 0.05, 0.1, 0.3, 0.14).max(during(time, 3.1, 0.1, 3.35, 0.14)), 0.1 + 0.2 * during(time, 0.8, 0.3, 3.0, 0.5));
    pose
}
