//! Animations: channels with their keys, grouped by equal key times. What a channel can do without is mended (times out of
//! order, numbers that are none); what would make it mean something else is an error.

use std::collections::HashMap;

use gltf::json;
use gltf::json::animation::{Interpolation as JsonInterpolation, Property};
use gltf::json::validation::Checked;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};

use super::accessor::{Integers, NotFinite, Reader, Want};
use super::error::{At, LoadError, Place, Problem, existing};
use super::key_times::{KeyTimes, Keys};
use super::progress::{Progress, Stage};

/// Writes the animations into `model`, whose nodes are there. A matrix node that one of them drives is decomposed.
pub fn read(reader: &mut Reader, model: &mut Model, progress: &Progress) -> Result<(), LoadError> {
    progress.begin(Stage::Animations)?;
    for (index, json) in reader.root.animations.iter().enumerate() {
        let place = Place::new("animation", "animations", index, json.name.as_deref());
        let animation = animation(reader, json, model, &place, progress)?;
        model.animations.push(animation);
        progress.step(index + 1, reader.root.animations.len())?;
    }
    release_matrices(reader, model);
    Ok(())
}

fn animation(
    reader: &mut Reader,
    json: &json::Animation,
    model: &Model,
    place: &Place,
    progress: &Progress,
) -> Result<Animation, LoadError> {
    let mut key_times = KeyTimes::default();
    let mut channels: Vec<Channel> = Vec::new();
    let mut driven: HashMap<Target, usize> = HashMap::new();
    for (source, channel) in json.channels.iter().enumerate() {
        progress.check()?;
        let place = place.child("channel", "channels", source);
        let sampler = existing(&json.samplers, channel.sampler.value(), "sampler").at(&place)?;
        let Some(target) = target(reader, channel, model, &place)? else { continue };
        let Some(keys) = key_times.read(reader, sampler.input.value(), &place).at(&place)? else { continue };
        let interpolation = interpolation(reader, sampler, &place);
        let Some((components, output)) = output(reader, sampler, target, interpolation, keys, model, &place).at(&place)? else { continue };
        let channel = Channel { source, target, key_times: keys.index, interpolation, output, components };
        // The place of an earlier channel with the same target is taken over: the last wins.
        match driven.get(&target) {
            Some(&earlier) => {
                let message = format!("{} has the target of channel {} again; the last counts.", place.words, channels[earlier].source);
                reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &place.pointer, message);
                channels[earlier] = channel;
            }
            None => {
                driven.insert(target, channels.len());
                channels.push(channel);
            }
        }
    }
    channels.sort_by_key(|channel| channel.key_times);
    let key_times = key_times.finish(&mut channels);
    let duration = key_times.iter().filter_map(|times| times.last()).fold(0.0, |longest: f64, &time| longest.max(f64::from(time)));
    Ok(Animation { name: json.name.clone(), duration, key_times, channels })
}

/// What a channel drives; none (with a finding) if that is nothing that can be driven.
fn target(reader: &mut Reader, channel: &json::animation::Channel, model: &Model, place: &Place) -> Result<Option<Target>, LoadError> {
    let pointers = reader.root.extensions_used.iter().any(|name| name == "KHR_animation_pointer");
    let mut ignored = |code: &'static str, why: &str| {
        reader.findings.warning(code, &format!("{}/target", place.pointer), format!("{} {why}; it is ignored.", place.words));
        Ok(None)
    };
    let Checked::Valid(path) = channel.target.path else {
        if pointers {
            return ignored("UNSUPPORTED_EXTENSION", "drives something by KHR_animation_pointer, which is not supported");
        }
        return ignored("ANIMATION_CHANNEL_TARGET_INVALID", "names no node, or a path that is not known");
    };
    let node = *existing(&model.node_of_source, channel.target.node.value(), "node").at(place)?;
    Ok(Some(match path {
        Property::Translation => Target::Translation(node),
        Property::Rotation => Target::Rotation(node),
        Property::Scale => Target::Scale(node),
        Property::MorphTargetWeights if model.node(node).weights.is_empty() => {
            return ignored("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "drives the weights of a node without morph targets");
        }
        Property::MorphTargetWeights => Target::Weights(node),
    }))
}

fn interpolation(reader: &mut Reader, sampler: &json::animation::Sampler, place: &Place) -> Interpolation {
    match sampler.interpolation {
        Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
        Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
        Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            let message = format!("{} has an interpolation that is not known; LINEAR is used.", place.words);
            reader.findings.warning("VALUE_NOT_IN_LIST", &place.pointer, message);
            Interpolation::Linear
        }
    }
}

/// The numbers of a channel and how many make a value; none (with a finding) if they belong to other morph targets.
fn output(
    reader: &mut Reader,
    sampler: &json::animation::Sampler,
    target: Target,
    interpolation: Interpolation,
    keys: &Keys,
    model: &Model,
    place: &Place,
) -> Result<Option<(usize, Vec<f32>)>, Problem> {
    let want = Want { role: "output", accessor: sampler.output.value() };
    let (components, mut output): (usize, Vec<f32>) = match target {
        // Integers stand for fractions, whether the file says so or not.
        Target::Rotation(_) => (4, reader.read_floats::<[f32; 4], 4>(want, NotFinite::Keep, Integers::Normalized)?.into_flattened()),
        Target::Weights(node) => {
            let values = reader.read_floats::<[f32; 1], 1>(want, NotFinite::Keep, Integers::Normalized)?.into_flattened();
            (model.node(node).weights.len(), values)
        }
        Target::Translation(_) | Target::Scale(_) => {
            (3, reader.read_floats::<[f32; 3], 3>(want, NotFinite::Keep, Integers::AsTheFileSays)?.into_flattened())
        }
    };
    let groups = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let key_size = components * groups;
    let wanted = keys.in_file * key_size;
    if output.len() < wanted {
        return Err(Problem::KeyValues { found: output.len() / components, keys: keys.in_file, wanted: wanted / components });
    }
    if output.len() > wanted {
        let message = format!("{} has {} numbers for {} keys of {key_size}", place.words, output.len(), keys.in_file);
        const CODE: &str = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        if let Target::Weights(_) = target {
            reader.findings.error(CODE, &place.pointer, format!("{message}: they belong to other morph targets; the channel is ignored."));
            return Ok(None);
        }
        reader.findings.error(CODE, &place.pointer, format!("{message}; the last ones are ignored."));
        output.truncate(wanted);
    }
    if let Some(order) = &keys.order {
        output = order.iter().flat_map(|&key| &output[key * key_size..(key + 1) * key_size]).copied().collect();
    }
    let mended = mend(&mut output, key_size, rest_key(target, components, groups).as_slice());
    if mended > 0 {
        let message = format!("{mended} keys of {} have numbers that are not finite; the key before is used.", place.words);
        reader.findings.warning("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{}", want.accessor), message);
    }
    if let Target::Rotation(_) = target {
        note_lengths(reader, &output, groups, want.accessor, place);
    }
    Ok(Some((components, output)))
}

/// The value of a key that says nothing: no rotation, no scaling, no displacement.
fn rest_key(target: Target, components: usize, groups: usize) -> Vec<f32> {
    let mut key = vec![0.0; components * groups];
    let value = &mut key[components * (groups / 2)..][..components];
    match target {
        Target::Rotation(_) => value[3] = 1.0,
        Target::Scale(_) => value.fill(1.0),
        Target::Translation(_) | Target::Weights(_) => {}
    }
    key
}

/// Replaces keys with numbers that are not finite by the key before them (the first by `rest`), and counts them.
fn mend(output: &mut [f32], key_size: usize, rest: &[f32]) -> usize {
    let mut mended = 0;
    for key in 0..output.len() / key_size {
        let at = key * key_size;
        if output[at..at + key_size].iter().all(|number| number.is_finite()) {
            continue;
        }
        mended += 1;
        match at.checked_sub(key_size) {
            Some(before) => output.copy_within(before..at, at),
            None => output[..key_size].copy_from_slice(rest),
        }
    }
    mended
}

/// Rotations are kept as they are (sampling normalises them); a length far from one is worth a word.
fn note_lengths(reader: &mut Reader, output: &[f32], groups: usize, accessor: usize, place: &Place) {
    let length = |q: &[f32]| q.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
    let values = output.chunks_exact(4).skip(groups / 2).step_by(groups);
    let wrong = values.filter(|q| (length(q) - 1.0).abs() > 0.02).count();
    if wrong > 0 {
        let message = format!("{wrong} rotations of {} are not of unit length; they are used as if they were.", place.words);
        let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
        reader.findings.warning(code, &format!("/accessors/{accessor}"), message);
    }
}

/// A matrix whose node is driven in translation, rotation or scale gives way to these (the rest transform has them already).
fn release_matrices(reader: &mut Reader, model: &mut Model) {
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        let node = channel.target.node();
        if !matches!(channel.target, Target::Weights(_)) && model.hierarchy.fixed_local[node.index()].take().is_some() {
            let source = model.nodes[node.index()].source;
            let message = format!("Node {source} has a matrix and is animated; the matrix was taken apart.");
            reader.findings.error("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", &format!("/nodes/{source}/matrix"), message);
        }
    }
}
