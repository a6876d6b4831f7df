//! "Swim": with folded limbs, a wave runs from the chest to the tip of the tail.

use std::f64::consts::TAU;

use super::super::pose::Pose;
use super::super::skeleton::{SIDES, Skeleton};
use super::{Animation, sampled};

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    sampled("Swim", 1.5, |time| pose(skeleton, time / 1.5))
}

fn pose(skeleton: &Skeleton, phase: f64) -> Pose<'_> {
    let mut pose = Pose::at_ease(skeleton);
    let wave = |lag: f64| (TAU * (phase - lag)).sin();
    let drift = |lag: f64| (TAU * 2.0 * (phase - lag)).sin();

    // The torso lies flat: its z axis is now vertical, and rotations about it bend the body sideways.
    pose.shift("Hips", [0.008 * wave(0.2), 0.1 + 0.006 * drift(0.1), -0.03]);
    pose.turn("Hips", [74.0, 0.0, 0.0]);
    pose.turn("Hips", [0.0, 4.0 * wave(0.1), -9.0 * wave(0.16)]);
    pose.turn("Spine", [-4.0, 0.0, 7.0 * wave(0.06)]);
    pose.turn("Chest", [-8.0, 0.0, 8.0 * wave(0.0)]);
    pose.turn("Neck", [-24.0, 0.0, -2.0 * wave(0.0)]);
    pose.turn("Head", [-30.0 + 2.0 * drift(0.2), -6.0 * wave(0.05), 0.0]);

    pose.both("UpperArm", [26.0 + 3.0 * drift(0.0), 0.0, -10.0 + 4.0 * drift(0.1)]);
    pose.both("Forearm", [22.0, 0.0, -6.0]);
    pose.both("Hand", [16.0 + 6.0 * drift(0.2), 0.0, 0.0]);
    for (side, sign) in SIDES {
        let kick = sign * wave(0.25);
        pose.turn(&format!("Thigh.{side}"), [18.0 + 12.0 * kick, 0.0, sign * 6.0]);
        pose.turn(&format!("Shin.{side}"), [14.0 + 10.0 * sign * wave(0.36), 0.0, 0.0]);
        pose.turn(&format!("Foot.{side}"), [42.0 + 10.0 * sign * wave(0.45), 0.0, 0.0]);
        pose.turn(&format!("Toes.{side}"), [10.0, 0.0, 0.0]);
    }

    for (joint, back) in [("Tail1", -32.0), ("Tail2", -28.0), ("Tail3", -18.0), ("Tail5", -8.0), ("Tail6", -10.0), ("Tail7", -10.0)] {
        pose.turn(joint, [back, 0.0, 0.0]);
    }
    pose.wave_tail(phase - 0.2, 0.09, 22.0, 0.0);
    // The water pushes the gills back.
    pose.sway_gills(-20.0 + 5.0 * drift(0.15), -3.0 + 5.0 * drift(0.3));
    pose.express("mouthClosed", 0.9);
    pose.express("smile", 0.6);
    pose.lids(0.0, 0.3);
    pose
}
