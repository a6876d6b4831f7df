//! Blends several animations into one pose: each layer is sampled into a separate pose, which then overrides the pose blended so
//! far or is added to it.
//!
//! Weight 0 changes nothing and weight 1 is exact, so that a blend starts and ends at the poses that it blends.

use glam::{Quat, Vec3A};

use crate::model::Model;
use crate::model::animation::{Animation, Target};
use crate::model::node::NodeIndex;
use crate::model::pointer::{Pointer, ValueKind};

use super::hierarchy::pose::Pose;
use super::keys::interpolate::{normalize_or, slerp};
use super::keys::pointer_targets;

/// A sampled layer. In both of its poses, only the properties in `targets` are used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayerPose {
    /// The properties that the layer drives.
    pub targets: Vec<Target>,
    /// The nodes that the weights of their mesh do not apply to, in ascending order: those that the layer leaves alone, and those whose own
    /// morph weights it drives ([`pointer_targets::own_weight_nodes`]).
    pub without_mesh_weights: Vec<NodeIndex>,
    /// The pose that holds the values of these properties.
    pub pose: Pose,
    /// The pose that an additive layer is relative to.
    pub reference: Pose,
}

/// Returns the targets of an animation that belong to an included node or to no node. `included` has one entry per node.
pub fn targets(model: &Model, animation: &Animation, included: &[bool]) -> Vec<Target> {
    let targets = animation.channels.iter().map(|channel| channel.target);
    targets.filter(|target| model.target_node(*target).is_none_or(|node| included[node.index()])).collect()
}

/// Interpolates from the pose to the layer's values by `weight`, from 0 to 1: numbers linearly, rotations along the shorter arc.
pub fn override_by(model: &Model, layer: &LayerPose, weight: f32, pose: &mut Pose) {
    for target in &layer.targets {
        match *target {
            Target::Translation(node) => {
                let local = &mut pose.locals[node.index()];
                local.translation = lerp(local.translation, layer.pose.locals[node.index()].translation, weight);
            }
            Target::Rotation(node) => {
                let local = &mut pose.locals[node.index()];
                local.rotation = slerp_exact(local.rotation, layer.pose.locals[node.index()].rotation, weight);
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
                let values = &layer.pose.pointer_values[pointer.values.clone()];
                for range in pointer_targets::driven_weights(model, pointer, &layer.without_mesh_weights) {
                    lerp_all(&mut pose.weights[range], values, weight);
                }
                lerp_pointer(pointer, &layer.pose.pointer_values, weight, &mut pose.pointer_values);
            }
        }
    }
}

/// Adds the difference between the layer and its reference, times `weight`, from 0 to 1: translations and morph weights are summed,
/// rotations turn about the axes of the posed node, and scales are multiplied. A property that equals its reference leaves the pose
/// unchanged.
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
                *rotation = add_rotation(*rotation, reference.rotation, value.rotation, weight);
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
                let (value, reference) = (&values.pointer_values[range.clone()], &references.pointer_values[range.clone()]);
                for driven in pointer_targets::driven_weights(model, pointer, &layer.without_mesh_weights) {
                    add_all(&mut pose.weights[driven], value, reference, weight);
                }
                match pointer.kind {
                    // A Boolean cannot be summed, so it is overridden.
                    ValueKind::Boolean => lerp_pointer(pointer, &values.pointer_values, weight, &mut pose.pointer_values),
                    _ => add_all(&mut pose.pointer_values[range], value, reference, weight),
                }
            }
        }
    }
}

/// Cross-fades from the pose `from` to `pose`, by `weight` from 0 to 1. If only one of the two animations drives a
/// property, the property blends with its rest value.
pub fn cross_fade(model: &Model, from: &Pose, weight: f32, pose: &mut Pose) {
    for (to, from) in pose.locals.iter_mut().zip(&from.locals) {
        to.translation = lerp(from.translation, to.translation, weight);
        to.rotation = slerp_exact(from.rotation, to.rotation, weight);
        to.scale = lerp(from.scale, to.scale, weight);
    }
    for (to, from) in pose.weights.iter_mut().zip(&from.weights) {
        *to = lerp_one(*from, *to, weight);
    }
    // Start from the values of `from`, because `lerp_pointer` interpolates in place.
    let mut pointer_values = from.pointer_values.clone();
    for pointer in &model.pointers {
        lerp_pointer(pointer, &pose.pointer_values, weight, &mut pointer_values);
    }
    pose.pointer_values = pointer_values;
}

/// Interpolates the values of one pointer linearly; a Boolean gets the value with the larger weight.
fn lerp_pointer(pointer: &Pointer, towards: &[f32], weight: f32, values: &mut [f32]) {
    let weight = if pointer.kind == ValueKind::Boolean { f32::from(u8::from(weight >= 0.5)) } else { weight };
    lerp_all(&mut values[pointer.values.clone()], &towards[pointer.values.clone()], weight);
}

/// Adds `weight` times the difference between values and references.
fn add_all(sums: &mut [f32], values: &[f32], references: &[f32], weight: f32) {
    for (sum, (value, reference)) in sums.iter_mut().zip(values.iter().zip(references)) {
        *sum += weight * (value - reference);
    }
}

/// Interpolates vectors; exact at weight 1.
fn lerp(start: Vec3A, end: Vec3A, weight: f32) -> Vec3A {
    // Because of rounding, `start + (end - start)` may differ from `end`.
    if weight >= 1.0 { end } else { start + weight * (end - start) }
}

/// Interpolates numbers; exact at weight 1.
fn lerp_one(start: f32, end: f32, weight: f32) -> f32 {
    if weight >= 1.0 { end } else { start + weight * (end - start) }
}

/// Interpolates each number of a slice, in place.
fn lerp_all(starts: &mut [f32], ends: &[f32], weight: f32) {
    for (start, end) in starts.iter_mut().zip(ends) {
        *start = lerp_one(*start, *end, weight);
    }
}

/// Interpolates two rotations of any length. The result is normalized, unless it is `start` or `end`.
fn slerp_exact(start: Quat, end: Quat, weight: f32) -> Quat {
    if weight <= 0.0 || start == end {
        start
    } else if weight >= 1.0 {
        end
    } else {
        slerp(normalize_or(start, Quat::IDENTITY), normalize_or(end, Quat::IDENTITY), weight)
    }
}

/// Rotates `base` by `weight` times the rotation from `reference` to `value`. The rotation is about the node's own axes, as
/// `base` has turned them.
fn add_rotation(base: Quat, reference: Quat, value: Quat, weight: f32) -> Quat {
    if weight <= 0.0 || value == reference {
        return base;
    }
    let difference = normalize_or(reference, Quat::IDENTITY).conjugate() * normalize_or(value, Quat::IDENTITY);
    normalize_or(normalize_or(base, Quat::IDENTITY) * slerp_exact(Quat::IDENTITY, difference, weight), base)
}

/// Returns `value / reference` per axis; 1 where the reference is zero.
fn ratio(value: Vec3A, reference: Vec3A) -> Vec3A {
    let ratio = value / reference;
    Vec3A::select(ratio.is_finite_mask(), ratio, Vec3A::ONE)
}
