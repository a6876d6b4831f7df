//! "Walk": two steps in one second, in place, over a floor that moves at constant speed.

use std::f64::consts::TAU;

use glam::DVec3;

use super::super::pose::Pose;
use super::super::shape::smoothstep;
use super::super::skeleton::{SIDES, Skeleton};
use super::{Animation, sampled};

/// Half the length of a step, in meters.
const STRIDE: f64 = 0.036;
/// The part of the cycle during which a foot is on the floor.
const STANCE: f64 = 0.56;

pub fn animation(skeleton: &Skeleton) -> Animation<'_> {
    sampled("Walk", 1.0, |time| pose(skeleton, time))
}

fn pose(skeleton: &Skeleton, phase: f64) -> Pose<'_> {
    let mut pose = Pose::at_ease(skeleton);
    let sin = |turns: f64| (TAU * turns).sin();
    let cos = |turns: f64| (TAU * turns).cos();
    // The weight is over the left foot after a quarter of the cycle, and over the right one half a cycle later.
    let over = sin(phase - 0.03);
    let swing = cos(phase);
    let bob = -cos(2.0 * (phase - 0.02));

    pose.shift("Hips", [0.013 * over, -0.0075 + 0.004 * bob, 0.0]);
    pose.turn("Hips", [4.0, -9.0 * swing, 6.0 * over]);
    pose.turn("Spine", [-1.0, 5.0 * swing, -5.0 * over]);
    pose.turn("Chest", [1.0 + bob, 11.0 * swing, -4.0 * over]);
    pose.turn("Neck", [-2.0, -3.0 * swing, 1.0 * over]);
    pose.turn("Head", [-3.0 + 2.5 * cos(2.0 * phase - 0.25), -4.0 * swing, 4.5 * sin(phase - 0.1)]);

    for (side, sign) in SIDES {
        let own = sign * cos(phase - 0.03);
        let late = sign * cos(phase - 0.11);
        pose.turn(&format!("Clavicle.{side}"), [0.0, sign * 3.0 * own, sign * 2.0 * bob]);
        pose.turn(&format!("UpperArm.{side}"), [30.0 * own, 0.0, -sign * 7.0]);
        pose.turn(&format!("Forearm.{side}"), [-16.0 + 16.0 * late, 0.0, 0.0]);
        pose.turn(&format!("Hand.{side}"), [12.0 * late, 0.0, sign * (6.0 + 6.0 * late)]);
        let (place, pitch) = step(phase + if sign > 0.0 { 0.0 } else { 0.5 });
        pose.stand(side, DVec3::new(sign * 0.05, 0.0, 0.004) + place, pitch);
    }

    pose.turn("Tail1", [4.0, 0.0, 0.0]);
    pose.wave_tail(phase + 0.1, 0.085, 11.0, 2.0);
    pose.sway_gills(3.0 * cos(2.0 * phase - 0.35), 4.0 * cos(2.0 * phase - 0.3));
    pose.turn("Jaw", [2.5 + 2.0 * cos(2.0 * phase - 0.2), 0.0, 0.0]);
    pose.express("smile", 0.75);
    pose.lids(0.0, 0.25);
    pose
}

/// Returns a foot at `phase`: the offset from its rest position, and its pitch in degrees.
fn step(phase: f64) -> (DVec3, f64) {
    let phase = phase.rem_euclid(1.0);
    if phase < STANCE {
        let stance = phase / STANCE;
        let landing = -14.0 * smoothstep(0.2, 0.0, stance);
        let leaving = 38.0 * smoothstep(0.6, 1.0, stance);
        return (DVec3::Z * STRIDE * (1.0 - 2.0 * stance), landing + leaving);
    }
    let swing = (phase - STANCE) / (1.0 - STANCE);
    // Leaves and lands at the speed of the floor: a cubic with these slopes.
    let floor = -2.0 * STRIDE / STANCE * (1.0 - STANCE);
    let (s, s2, s3) = (swing, swing * swing, swing * swing * swing);
    let z = -STRIDE * (2.0 * s3 - 3.0 * s2 + 1.0) + floor * (s3 - 2.0 * s2 + s) + STRIDE * (3.0 * s2 - 2.0 * s3) + floor * (s3 - s2);
    let pitch = 38.0 * smoothstep(0.55, 0.0, swing) - 14.0 * smoothstep(0.5, 1.0, swing);
    (DVec3::new(0.0, 0.028 * (std::f64::consts::PI * swing).sin().powi(2), z), pitch)
}
