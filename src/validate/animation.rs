//! Animations (glTF 2.0, 3.11): inputs and outputs of samplers, targets of channels, and the number of values. The values themselves are
//! checked later, by the rules that this module adds to the context.

use std::collections::HashMap;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::validate::context::{Accessor, ValidationContext, ValueRule, format};
use crate::validate::node_relations::NodeRelations;
use crate::validate::read;

/// Checks all animations.
pub fn check(context: &mut ValidationContext, relations: &NodeRelations) {
    for (index, json) in context.list("animations").iter().enumerate() {
        let pointer = format!("/animations/{index}");
        let samplers = read::list(json, "samplers");
        for (i, sampler) in samplers.iter().enumerate() {
            check_input(context, sampler, &format!("{pointer}/samplers/{i}/input"));
        }
        let mut used = vec![false; samplers.len()];
        // The channel that drives each property, by node and path.
        let mut channel_by_target: HashMap<(usize, &str), usize> = HashMap::new();
        let channels = read::list(json, "channels");
        for (i, channel) in channels.iter().enumerate() {
            let pointer = format!("{pointer}/channels/{i}");
            let Some(target) = channel.get("target") else { continue };
            check_target(context, target, relations, &format!("{pointer}/target"));
            if let (Some(node), Some(path)) = (read::index(target, "node"), read::string(target, "path"))
                && let Some(earlier) = channel_by_target.insert((node, path), i)
            {
                let message = format!("Channel {i} has the same target; the last one is used.");
                // The Khronos validator reports the earlier channel, which loading replaces.
                context.error("ANIMATION_DUPLICATE_TARGETS", &format!("/animations/{index}/channels/{earlier}/target"), message);
            }
            let Some(sampler) = read::index(channel, "sampler") else { continue };
            // A missing list of samplers was already reported.
            if samplers.is_empty() {
                continue;
            }
            let Some(json) = samplers.get(sampler) else {
                let message = format!("Sampler {sampler} does not exist (the animation has {}).", samplers.len());
                context.error("UNRESOLVED_REFERENCE", &format!("{pointer}/sampler"), message);
                continue;
            };
            used[sampler] = true;
            check_output(context, json, target, &format!("{pointer}/sampler"));
        }
        for i in (0..used.len()).filter(|&i| !used[i] && !channels.is_empty()) {
            context.info("UNUSED_OBJECT", &format!("{pointer}/samplers/{i}"), "No channel of the animation uses this sampler.");
        }
    }
}

/// Checks the format of key times, and adds the rule that they must increase.
fn check_input(context: &mut ValidationContext, sampler: &Value, pointer: &str) {
    let Some((index, accessor)) = context.accessor(sampler, "input") else { return };
    let Some(layout) = accessor.layout else { return };
    if layout.shape == Type::Scalar && layout.component == ComponentType::F32 {
        context.value_rules.push((index, ValueRule::KeyTimes, pointer.to_owned()));
    } else {
        context.error("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", pointer, format!("Key times cannot be {}.", format(&accessor)));
    }
    if !accessor.has_bounds {
        let message = "Accessors of key times must have min and max.";
        context.error("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", pointer, message);
    }
    if read::string(sampler, "interpolation") == Some("CUBICSPLINE") && layout.count < 2 {
        let message = "CUBICSPLINE needs at least two keys.";
        context.error("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", pointer, message);
    }
}

/// The number of morph targets of a node's mesh. `None` if it has none.
fn morph_targets(context: &ValidationContext, node: &Value) -> Option<u64> {
    let mesh = context.list("meshes").get(read::index(node, "mesh")?)?;
    read::list(mesh, "primitives").first()?.get("targets")?.as_array().map(|targets| targets.len() as u64)
}

/// Checks the target of a channel, with or without an animation pointer.
fn check_target(context: &mut ValidationContext, target: &Value, relations: &NodeRelations, pointer: &str) {
    let extension = read::extension(target, "KHR_animation_pointer");
    let path = read::string(target, "path");
    if extension.is_some() && path.is_some_and(|path| path != "pointer") {
        let message = "With KHR_animation_pointer, the path must be \"pointer\".";
        let pointer = format!("{pointer}/extensions/KHR_animation_pointer");
        context.error("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH", &pointer, message);
    }
    if extension.is_some() && target.get("node").is_some() {
        let message = "With KHR_animation_pointer, the target must not have a node; the pointer is used.";
        let pointer = format!("{pointer}/extensions/KHR_animation_pointer");
        context.error("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE", &pointer, message);
    }
    let Some(node) = read::index(target, "node").and_then(|node| context.list("nodes").get(node)) else { return };
    match path {
        Some("translation" | "rotation" | "scale") => {
            if node.get("matrix").is_some() {
                let message = "The node has a matrix, but is animated; the matrix is decomposed.";
                context.error("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", pointer, message);
            }
            // A mesh without joints is drawn at the node.
            if node.get("skin").is_some() && read::index(node, "mesh").and_then(|mesh| relations.has_joints(mesh)) == Some(true) {
                let message = "The node's mesh follows its joints; animating the node does not move it.";
                context.warning("ANIMATION_CHANNEL_TARGET_NODE_SKIN", &format!("{pointer}/path"), message);
            }
        }
        Some("weights") if morph_targets(context, node).is_none() => {
            let message = "The node has no morph targets; the channel is ignored.";
            context.error("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", pointer, message);
        }
        _ => {}
    }
}

/// Checks the format and the number of the values of a channel. The values of animation pointers are not checked here.
fn check_output(context: &mut ValidationContext, sampler: &Value, target: &Value, pointer: &str) {
    let Some((index, accessor)) = context.accessor(sampler, "output") else { return };
    let Some(layout) = accessor.layout else { return };
    let Some(path @ ("translation" | "rotation" | "scale" | "weights")) = read::string(target, "path") else { return };
    let interpolation = read::string(sampler, "interpolation").unwrap_or("LINEAR");
    if !["LINEAR", "STEP", "CUBICSPLINE"].contains(&interpolation) {
        return;
    }
    let spline = interpolation == "CUBICSPLINE";
    if !has_allowed_format(path, &accessor) {
        let message = format!("The values of {path} cannot be {}.", format(&accessor));
        context.error("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", pointer, message);
    } else if path == "rotation" {
        context.value_rules.push((index, ValueRule::Rotations { spline }, pointer.to_owned()));
    }
    let node = read::index(target, "node").and_then(|node| context.list("nodes").get(node));
    // One value, or one weight per morph target. A spline has three times as many.
    let values_per_key = match path {
        "weights" => node.and_then(|node| morph_targets(context, node)).unwrap_or(0),
        _ => 1,
    };
    let Some(keys) = context.accessor(sampler, "input").and_then(|(_, input)| Some(input.layout?.count)) else { return };
    let expected = keys.saturating_mul(values_per_key).saturating_mul(if spline { 3 } else { 1 });
    if expected != 0 && layout.count != expected {
        let message = format!("The number of output values is {}. For the number of keys, {keys}, it must be {expected}.", layout.count);
        context.error("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", pointer, message);
    }
}

/// Returns whether an accessor has a format that the path allows: floats, or normalized integers for rotations and weights.
fn has_allowed_format(path: &str, accessor: &Accessor) -> bool {
    let Some(layout) = accessor.layout else { return true };
    let float = layout.component == ComponentType::F32 && !accessor.normalized;
    let fraction = float || (accessor.normalized && layout.component != ComponentType::U32 && layout.component != ComponentType::F32);
    match path {
        "translation" | "scale" => layout.shape == Type::Vec3 && float,
        "rotation" => layout.shape == Type::Vec4 && fraction,
        _ => layout.shape == Type::Scalar && fraction,
    }
}
