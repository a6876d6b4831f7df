//! The straightforward way to pose: a binary search and `Quat::slerp` or `lerp` per channel, then products of `Mat4`. A version in f64
//! is the reference from which errors are measured.

use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec3};
use sinew::model::Model;
use sinew::model::animation::{Interpolation, Target};
use sinew::model::node::NodeIndex;

pub struct Baseline {
    parents: Vec<Option<usize>>,
    rest: Vec<(Vec3, Quat, Vec3)>,
    channels: Vec<Channel>,
    /// Node index and inverse bind matrix of each joint.
    joints: Vec<(usize, Mat4)>,
}

struct Channel {
    node: usize,
    times: Vec<f32>,
    values: Values,
}

enum Values {
    Translation(Vec<Vec3>),
    Rotation(Vec<Quat>),
    Scale(Vec<Vec3>),
}

pub struct Pose {
    locals: Vec<(Vec3, Quat, Vec3)>,
    globals: Vec<Mat4>,
}

impl Baseline {
    /// Reads an animation, which must have LINEAR channels only.
    pub fn new(model: &Model, animation: usize) -> Self {
        let animation = &model.animations[animation];
        let vectors = |output: &[f32]| output.chunks_exact(3).map(Vec3::from_slice).collect();
        let channels = animation.channels.iter().filter_map(|channel| {
            assert_eq!(channel.interpolation, Interpolation::Linear);
            let values = match channel.target {
                Target::Translation(_) => Values::Translation(vectors(&channel.output)),
                Target::Scale(_) => Values::Scale(vectors(&channel.output)),
                Target::Rotation(_) => Values::Rotation(channel.output.chunks_exact(4).map(Quat::from_slice).collect()),
                _ => return None,
            };
            Some(Channel { node: channel.target.node()?.index(), times: animation.key_times[channel.key_times].clone(), values })
        });
        let joints = model.skins.iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind_matrices));
        Self {
            parents: model.hierarchy.parents.iter().map(|parent| parent.map(NodeIndex::index)).collect(),
            rest: model.hierarchy.rest.iter().map(|rest| (rest.translation.into(), rest.rotation, rest.scale.into())).collect(),
            channels: channels.collect(),
            joints: joints.map(|(joint, inverse_bind_matrix)| (joint.index(), Mat4::from(*inverse_bind_matrix))).collect(),
        }
    }

    pub fn pose(&self) -> Pose {
        Pose { locals: self.rest.clone(), globals: vec![Mat4::IDENTITY; self.rest.len()] }
    }

    pub fn pose_at(&self, time: f64, pose: &mut Pose, palette: &mut [Mat4]) {
        let time = time as f32;
        for channel in &self.channels {
            let (a, b, u) = segment(&channel.times, time);
            let local = &mut pose.locals[channel.node];
            match &channel.values {
                Values::Translation(values) => local.0 = values[a].lerp(values[b], u),
                Values::Rotation(values) => local.1 = values[a].slerp(values[b], u),
                Values::Scale(values) => local.2 = values[a].lerp(values[b], u),
            }
        }
        for (node, &(translation, rotation, scale)) in pose.locals.iter().enumerate() {
            let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
            pose.globals[node] = match self.parents[node] {
                Some(parent) => pose.globals[parent] * local,
                None => local,
            };
        }
        for (&(node, inverse_bind_matrix), entry) in self.joints.iter().zip(palette) {
            *entry = pose.globals[node] * inverse_bind_matrix;
        }
    }

    /// Returns the palette in f64, from normalized rotations, and the size of the model: the largest distance of a joint from the
    /// first one.
    pub fn exact(&self, time: f64) -> (Vec<DMat4>, f64) {
        let mut locals: Vec<(DVec3, DQuat, DVec3)> =
            self.rest.iter().map(|(t, r, s)| (t.as_dvec3(), r.as_dquat().normalize(), s.as_dvec3())).collect();
        for channel in &self.channels {
            let times = &channel.times;
            let b = times.partition_point(|&t| f64::from(t) <= time).min(times.len() - 1);
            let a = b.saturating_sub(usize::from(f64::from(times[b]) > time));
            let dt = f64::from(times[b]) - f64::from(times[a]);
            let u = if dt > 0.0 { ((time - f64::from(times[a])) / dt).clamp(0.0, 1.0) } else { 0.0 };
            let lerp = |values: &[Vec3]| values[a].as_dvec3().lerp(values[b].as_dvec3(), u);
            match &channel.values {
                Values::Translation(values) => locals[channel.node].0 = lerp(values),
                Values::Scale(values) => locals[channel.node].2 = lerp(values),
                Values::Rotation(values) => {
                    locals[channel.node].1 = slerp(values[a].as_dquat().normalize(), values[b].as_dquat().normalize(), u);
                }
            }
        }
        let mut globals: Vec<DMat4> = Vec::new();
        for (node, (t, r, s)) in locals.iter().enumerate() {
            let local = DMat4::from_scale_rotation_translation(*s, *r, *t);
            globals.push(self.parents[node].map_or(local, |parent| globals[parent] * local));
        }
        let joints: Vec<DVec3> = self.joints.iter().map(|(node, _)| globals[*node].w_axis.truncate()).collect();
        let size = joints.iter().map(|joint| joint.distance(joints[0])).fold(1e-9, f64::max);
        (self.joints.iter().map(|(node, inverse_bind_matrix)| globals[*node] * inverse_bind_matrix.as_dmat4()).collect(), size)
    }
}

fn segment(times: &[f32], time: f32) -> (usize, usize, f32) {
    let next = times.partition_point(|&t| t <= time);
    if next == 0 {
        return (0, 0, 0.0);
    }
    if next == times.len() {
        return (next - 1, next - 1, 0.0);
    }
    (next - 1, next, (time - times[next - 1]) / (times[next] - times[next - 1]))
}

fn slerp(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let angle = 2.0 * (b - a).length().atan2((b + a).length());
    if angle < 1e-12 {
        return a;
    }
    (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()) * angle.sin().recip()
}
