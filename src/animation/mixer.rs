//! Several animations in one pose: a layer is sampled into a pose of its own, then laid over or added to what is there.
//! Plain functions on poses. Weight 0 changes nothing and weight 1 is exact, so that a blend meets what it blends.

use glam::{Quat, Vec3A};

use crate::model::Model;
use crate::model::animation::{Animation, Target};
use crate::model::pointer::{Kind, Pointer};

use super::hierarchy::pose::Pose;
use super::keys::interpolate::{normalize_or, slerp};
use super::keys::pointer_targets;

/// A layer, sampled. Of both poses only what `targets` name counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayerPose {
    /// What it drives.
    pub targets: Vec<Target>,
    /// What it drives it to.
    pub pose: Pose,
    /// What an additive layer's values are differences from.
    pub reference: Pose,
}

/// What an animation drives of the nodes that are `included`, and of what belongs to no node.
pub fn targets(model: &Model, animation: &Animation, included: &[bool]) -> Vec<Target> {
    let targets = animation.channels.iter().map(|channel| channel.target);
    targets.filter(|target| model.target_node(*target).is_none_or(|node| included[node.index()])).collect()
}

/// Goes from the pose towards the layer's values, `weight` (0 to 1) of the way: numbers straight, rotations along the shorter arc.
pub fn override_by(model: &Model, layer: &LayerPose, weight: f32, pose: &mut Pose) {
    for target in &layer.targets {
        match *target {
            Target::Translation(node) => {
                let local = &mut pose.locals[node.index()];
                local.translation = lerp(local.translation, layer.pose.locals[node.index()].translation, weight);
            }
            Target::Rotation(node) => {
                let local = &mut pose.locals[node.index()];
                local.rotation = turned(local.rotation, layer.pose.locals[node.index()].rotation, weight);
            }
            Target::Scale(node) => {
                let local = &mut pose.locals[node.index()];
                local.scale = lerp(local.scale, layer.pose.locals[node.index()].scale, weight);
            }
            Target::Weights(node) => {
                let range = model.node(node).weights.clone();
                lerp_all(&mut pose.weights[range.clone()], &layer.pose.weights[range], weight);
            }
            Target::Pointer(pointer) => {
                let pointer = &model.pointers[pointer];
                lerp_pointer(pointer, &layer.pose.pointer_values, weight, &mut pose.pointer_values);
                pointer_targets::write_weights(model, pointer, pose);
            }
        }
    }
}

/// Adds `weight` (0 to 1) times the layer's difference from its reference: translations and morph weights are summed, a rotation
/// turns on from where the pose is, scales multiply. What does not differ from the reference stays as it is.
pub fn add(model: &Model, layer: &LayerPose, weight: f32, pose: &mut Pose) {
    let (values, references) = (&layer.pose, &layer.reference);
    for target in &layer.targets {
        match *target {
            Target::Translation(node) => {
                let (value, reference) = (&values.locals[node.index()], &references.locals[node.index()]);
                pose.locals[node.index()].translation += weight * (value.translation - reference.translation);
            }
            Target::Rotation(node) => {
                let (value, reference) = (&values.locals[node.index()], &references.locals[node.index()]);
                let rotation = &mut pose.locals[node.index()].rotation;
                *rotation = turned_on(*rotation, reference.rotation, value.rotation, weight);
            }
            Target::Scale(node) => {
                let (value, reference) = (&values.locals[node.index()], &references.locals[node.index()]);
                pose.locals[node.index()].scale *= lerp(Vec3A::ONE, ratio(value.scale, reference.scale), weight);
            }
            Target::Weights(node) => {
                let range = model.node(node).weights.clone();
                add_all(&mut pose.weights[range.clone()], &values.weights[range.clone()], &references.weights[range], weight);
            }
            Target::Pointer(pointer) => {
                let pointer = &model.pointers[pointer];
                let range = pointer.values.clone();
                match pointer.kind {
                    Kind::Boolean => lerp_pointer(pointer, &values.pointer_values, weight, &mut pose.pointer_values),
                    _ => add_all(
                        &mut pose.pointer_values[range.clone()],
                        &values.pointer_values[range.clone()],
                        &references.pointer_values[range],
                        weight,
                    ),
                }
                pointer_targets::write_weights(model, pointer, pose);
            }
        }
    }
}

/// The way from one whole pose to `pose`, `weight` (0 to 1) of it done: what only one of them drives goes to or from rest.
pub fn cross_fade(model: &Model, from: &Pose, weight: f32, pose: &mut Pose) {
    for (to, from) in pose.locals.iter_mut().zip(&from.locals) {
        to.translation = lerp(from.translation, to.translation, weight);
        to.rotation = turned(from.rotation, to.rotation, weight);
        to.scale = lerp(from.scale, to.scale, weight);
    }
    for (to, from) in pose.weights.iter_mut().zip(&from.weights) {
        *to = lerp_one(*from, *to, weight);
    }
    let mut driven = from.pointer_values.clone();
    for pointer in &model.pointers {
        lerp_pointer(pointer, &pose.pointer_values, weight, &mut driven);
    }
    pose.pointer_values = driven;
}

/// Numbers go straight; of what is true or false the heavier side counts.
fn lerp_pointer(pointer: &Pointer, towards: &[f32], weight: f32, driven: &mut [f32]) {
    let weight = if pointer.kind == Kind::Boolean { f32::from(u8::from(weight >= 0.5)) } else { weight };
    lerp_all(&mut driven[pointer.values.clone()], &towards[pointer.values.clone()], weight);
}

fn add_all(sums: &mut [f32], values: &[f32], references: &[f32], weight: f32) {
    for (sum, (value, reference)) in sums.iter_mut().zip(values.iter().zip(references)) {
        *sum += weight * (value - reference);
    }
}

fn lerp(start: Vec3A, end: Vec3A, weight: f32) -> Vec3A {
    // `start + (end - start)` need not be `end`.
    if weight >= 1.0 { end } else { start + weight * (end - start) }
}

fn lerp_one(start: f32, end: f32, weight: f32) -> f32 {
    if weight >= 1.0 { end } else { start + weight * (end - start) }
}

fn lerp_all(starts: &mut [f32], ends: &[f32], weight: f32) {
    for (start, end) in starts.iter_mut().zip(ends) {
        *start = lerp_one(*start, *end, weight);
    }
}

/// Files may have rotations of any length; only what is blended is brought to unit length.
fn turned(start: Quat, end: Quat, weight: f32) -> Quat {
    match () {
        () if weight <= 0.0 || start == end => start,
        () if weight >= 1.0 => end,
        () => slerp(normalize_or(start, Quat::IDENTITY), normalize_or(end, Quat::IDENTITY), weight),
    }
}

/// `base`, and then `weight` of the turn from `reference` to `value`.
fn turned_on(base: Quat, reference: Quat, value: Quat, weight: f32) -> Quat {
    if weight <= 0.0 || value == reference {
        return base;
    }
    let turn = normalize_or(reference, Quat::IDENTITY).conjugate() * normalize_or(value, Quat::IDENTITY);
    normalize_or(normalize_or(base, Quat::IDENTITY) * turned(Quat::IDENTITY, turn, weight), base)
}

/// How many times the reference the value is; once, where the reference has no size.
fn ratio(value: Vec3A, reference: Vec3A) -> Vec3A {
    let ratio = value / reference;
    Vec3A::select(ratio.is_finite_mask(), ratio, Vec3A::ONE)
}
