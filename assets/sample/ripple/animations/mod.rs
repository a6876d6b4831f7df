//! Defines the animations as poses at key times, and writes the glTF channels for them.

mod hop;
mod idle;
mod swim;
mod two_step;
mod walk;
mod wave;
mod writer;

use serde_json::Value;

use super::glb::Glb;
use super::pose::Pose;
use super::skeleton::Skeleton;
use writer::Writer;

/// Returns all animations in file order. Viewers show the first.
pub fn all(skeleton: &Skeleton) -> Vec<Animation<'_>> {
    vec![
        walk::animation(skeleton),
        wave::animation(skeleton),
        swim::animation(skeleton),
        idle::animation(skeleton),
        hop::animation(skeleton),
        two_step::animation(skeleton),
    ]
}

pub struct Animation<'a> {
    name: &'static str,
    interpolation: &'static str,
    /// Some joints may have their own keys.
    tracks: Vec<Track<'a>>,
}

struct Track<'a> {
    /// Joints that it drives. Empty: all that no earlier track drives, and the face.
    joints: Vec<usize>,
    keys: Vec<Key<'a>>,
}

/// A pose at a time. The tangents (per second, in and out) are poses too; only CUBICSPLINE uses them.
struct Key<'a> {
    time: f64,
    pose: Pose<'a>,
    tangents: [Pose<'a>; 2],
}

/// Returns 24 LINEAR keys per second.
fn sampled<'a>(name: &'static str, seconds: f64, pose: impl Fn(f64) -> Pose<'a>) -> Animation<'a> {
    let frames = (seconds * 24.0).round();
    let keys = (0..=frames as usize).map(|frame| {
        // The last key equals the first, bit for bit.
        let pose = pose(if frame as f64 == frames { 0.0 } else { frame as f64 / 24.0 });
        Key { time: frame as f64 / 24.0, tangents: [pose.clone(), pose.clone()], pose }
    });
    Animation { name, interpolation: "LINEAR", tracks: vec![Track { joints: Vec::new(), keys: keys.collect() }] }
}

/// Returns CUBICSPLINE keys at the given times, with the exact slopes of the motion.
fn smooth<'a>(times: &[f64], pose: impl Fn(f64) -> Pose<'a>) -> Vec<Key<'a>> {
    let step = 1e-4;
    let key = |&time: &f64| {
        let slope = slope(&pose(time - step), &pose(time + step), 2.0 * step);
        Key { time, pose: pose(time), tangents: [slope.clone(), slope] }
    };
    times.iter().map(key).collect()
}

/// Returns the change from one pose to another, per second.
fn slope<'a>(from: &Pose<'a>, to: &Pose<'a>, seconds: f64) -> Pose<'a> {
    let mut slope = to.clone();
    for (slope, from) in slope.locals.iter_mut().zip(&from.locals) {
        let near = if slope.rotation.dot(from.rotation) < 0.0 { -slope.rotation } else { slope.rotation };
        slope.translation = (slope.translation - from.translation) / seconds;
        slope.rotation = (near - from.rotation) * (1.0 / seconds);
        slope.scale = (slope.scale - from.scale) / seconds;
    }
    for (slope, from) in slope.face.iter_mut().zip(&from.face) {
        *slope = (*slope - from) / seconds;
    }
    slope
}

impl Animation<'_> {
    /// `face`: the node whose mesh has the expressions.
    pub fn write(&self, glb: &mut Glb, skeleton: &Skeleton, face: usize) -> Value {
        let mut writer = Writer::new(glb, self.interpolation);
        let mut driven: Vec<usize> = Vec::new();
        for track in &self.tracks {
            let times: Vec<f64> = track.keys.iter().map(|key| key.time).collect();
            let values = |of: &dyn Fn(&Pose) -> Vec<f64>| -> Vec<[Vec<f64>; 3]> {
                track.keys.iter().map(|key| [of(&key.tangents[0]), of(&key.pose), of(&key.tangents[1])]).collect()
            };
            let rest_of_all = (0..skeleton.joints.len()).filter(|joint| !driven.contains(joint)).collect();
            let joints = if track.joints.is_empty() { rest_of_all } else { track.joints.clone() };
            for &joint in &joints {
                let rest = skeleton.local(joint);
                let mut moved = values(&|pose| pose.locals[joint].translation.to_array().to_vec());
                for [_, value, _] in &mut moved {
                    value.iter_mut().zip(rest.to_array()).for_each(|(x, rest)| *x += rest);
                }
                writer.channel(joint, "translation", &times, moved, Some(&rest.to_array()));
                let turned = same_half(values(&|pose| pose.locals[joint].rotation.to_array().to_vec()));
                writer.channel(joint, "rotation", &times, turned, Some(&[0.0, 0.0, 0.0, 1.0]));
                let scaled = values(&|pose| pose.locals[joint].scale.to_array().to_vec());
                writer.channel(joint, "scale", &times, scaled, Some(&[1.0; 3]));
            }
            if track.joints.is_empty() {
                writer.channel(face, "weights", &times, values(&|pose| pose.face.to_vec()), None);
            }
            driven.extend(joints);
        }
        writer.finish(self.name)
    }
}

/// Negates each key whose negative is nearer to the previous key. The quaternions q and -q are the same rotation.
fn same_half(mut keys: Vec<[Vec<f64>; 3]>) -> Vec<[Vec<f64>; 3]> {
    for i in 1..keys.len() {
        let dot: f64 = keys[i][1].iter().zip(&keys[i - 1][1]).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            keys[i].iter_mut().flatten().for_each(|x| *x = -*x);
        }
    }
    keys
}
