//! A pose: the offset of every joint from its rest transform, and the weights of the expressions.

use glam::{DQuat, DVec3, EulerRot};

use super::face;
use super::skeleton::{Local, SIDES, Skeleton};

#[derive(Clone)]
pub struct Pose<'a> {
    skeleton: &'a Skeleton,
    /// One per joint.
    pub locals: Vec<Local>,
    /// One per morph target.
    pub face: [f64; face::EXPRESSIONS.len()],
}

/// Height of the ankle above the floor, and distances along Z from the ankle to the ball of the foot and to the heel, in meters.
const ANKLE: f64 = 0.03;
const BALL: f64 = 0.042;
const HEEL: f64 = -0.022;

impl<'a> Pose<'a> {
    /// Returns a relaxed stance: the arms hang, the tail lies a little to one side, the mouth is half open.
    pub fn at_ease(skeleton: &'a Skeleton) -> Self {
        let locals = vec![Local { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE }; skeleton.joints.len()];
        let mut pose = Self { skeleton, locals, face: [0.0; face::EXPRESSIONS.len()] };
        pose.both("UpperArm", [0.0, 0.0, -20.0]);
        pose.both("Forearm", [-14.0, 0.0, -6.0]);
        pose
    }

    /// Adds a rotation to a joint, in degrees about x (nod), y (turn) and z (lean). The rotation about z is applied first, then x, then y.
    pub fn turn(&mut self, joint: &str, [x, y, z]: [f64; 3]) {
        let by = DQuat::from_euler(EulerRot::YXZ, y.to_radians(), x.to_radians(), z.to_radians());
        let turned = &mut self.locals[self.skeleton.index(joint)].rotation;
        *turned *= by;
    }

    /// Turns the left joint as given and the right one mirrored.
    pub fn both(&mut self, joint: &str, [x, y, z]: [f64; 3]) {
        for (side, sign) in SIDES {
            self.turn(&format!("{joint}.{side}"), [x, sign * y, sign * z]);
        }
    }

    pub fn shift(&mut self, joint: &str, by: [f64; 3]) {
        self.locals[self.skeleton.index(joint)].translation += DVec3::from(by);
    }

    pub fn scale(&mut self, joint: &str, by: [f64; 3]) {
        self.locals[self.skeleton.index(joint)].scale *= DVec3::from(by);
    }

    pub fn express(&mut self, expression: &str, weight: f64) {
        if let Some(i) = face::EXPRESSIONS.iter().position(|(name, _)| *name == expression) {
            self.face[i] = weight;
        }
    }

    /// Sets the eyelids: 0 open, 1 shut. `squint` raises the lower ones only, as a smile does.
    pub fn lids(&mut self, shut: f64, squint: f64) {
        for (side, sign) in SIDES {
            let across = DVec3::Y.cross(face::eye(sign).1).normalize();
            for (lid, degrees) in [("UpperLid", 70.0 * shut), ("LowerLid", -69.0 * shut.max(squint))] {
                self.locals[self.skeleton.index(&format!("{lid}.{side}"))].rotation = DQuat::from_axis_angle(across, degrees.to_radians());
            }
        }
    }

    /// Applies a wave that runs down the tail: `sideways` and `up` in degrees, each joint `lag` cycles behind the previous one.
    pub fn wave_tail(&mut self, phase: f64, lag: f64, sideways: f64, up: f64) {
        for i in 0..8 {
            let turn = std::f64::consts::TAU * (phase - lag * f64::from(i));
            let grow = 0.5 + 0.1 * f64::from(i);
            self.turn(&format!("Tail{}", i + 1), [up * grow * (2.0 * turn).cos(), sideways * grow * turn.sin(), 0.0]);
        }
    }

    /// Turns every joint of the tail by the same angles.
    pub fn curl_tail(&mut self, by: [f64; 3]) {
        for i in 1..=8 {
            self.turn(&format!("Tail{i}"), by);
        }
    }

    /// Sways the gills, in degrees forwards and up; the tips more.
    pub fn sway_gills(&mut self, forwards: f64, up: f64) {
        for gill in ["GillTop", "GillMiddle", "GillLow"] {
            self.both(gill, [0.0, -forwards, up]);
            self.both(&format!("{gill}Tip"), [0.0, -1.5 * forwards, 1.5 * up]);
        }
    }

    /// Bends a leg so that the foot stands at `place`, with the ankle above it. `pitch` in degrees: positive lifts the heel and keeps
    /// the toes flat, negative stands on the heel.
    pub fn stand(&mut self, side: &str, place: DVec3, pitch: f64) {
        let skeleton = self.skeleton;
        let joint = |name: &str| skeleton.index(&format!("{name}.{side}"));
        let [thigh, shin, foot, toes] = ["Thigh", "Shin", "Foot", "Toes"].map(joint);
        let roll = DQuat::from_rotation_x(pitch.to_radians());
        let pivot = DVec3::new(0.0, -ANKLE, if pitch > 0.0 { BALL } else { HEEL });
        let ankle = place + DVec3::Y * ANKLE + pivot - roll * pivot;

        let globals = skeleton.globals(&self.locals);
        let hip = globals[thigh].translation;
        let hips = globals[skeleton.index("Hips")].to_scale_rotation_translation();
        let (upper, lower) = (skeleton.local(shin), skeleton.local(foot));
        let (a, b) = (upper.length() * hips.0.y, lower.length() * hips.0.y);
        let reach = ankle - hip;
        let length = reach.length().min(0.9995 * (a + b));
        let along = reach.normalize();
        let forward = (hips.1 * DVec3::Z).reject_from(along).normalize();
        let cos = ((a * a + length * length - b * b) / (2.0 * a * length)).clamp(-1.0, 1.0);
        let knee = along * (a * cos) + forward * (a * (1.0 - cos * cos).sqrt());
        let thigh_turn = DQuat::from_rotation_arc(upper.normalize(), knee.normalize());
        let shin_turn = DQuat::from_rotation_arc(lower.normalize(), (along * length - knee).normalize());
        self.locals[thigh].rotation = hips.1.inverse() * thigh_turn;
        self.locals[shin].rotation = thigh_turn.inverse() * shin_turn;
        self.locals[foot].rotation = shin_turn.inverse() * roll;
        self.locals[toes].rotation = if pitch > 0.0 { roll.inverse() } else { DQuat::IDENTITY };
    }

    /// Places both feet at their rest positions.
    pub fn stand_still(&mut self) {
        for (side, sign) in SIDES {
            self.stand(side, DVec3::new(sign * 0.058, 0.0, 0.0), 0.0);
        }
    }
}
