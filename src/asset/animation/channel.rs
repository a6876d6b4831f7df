//! A channel of an animation: what it drives, and its keys.

use gltf::json;
use gltf::json::accessor::{ComponentType, GenericComponentType};
use gltf::json::animation::{Interpolation as JsonInterpolation, Property as JsonProperty};
use gltf::json::validation::Checked;

use crate::asset::accessor::{Integers, NotFinite, Reader, Want};
use crate::asset::error::{At, LoadError, Place, Problem, existing};
use crate::asset::json::pointed::{ChannelPointer, Pointed};
use crate::model::Model;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::model::finding::Severity;
use crate::model::pointer::Property;

use super::key_times::{Input, KeyTimes, Keys};
use super::pointer::{Pointers, Shape};

/// A sampler and where it stands.
pub struct Sampler<'a> {
    pub json: &'a json::animation::Sampler,
    pub pointer: String,
}

/// What a channel is to drive.
pub struct Wanted {
    pub target: Target,
    /// The pointer that says so.
    pub pointer: Option<usize>,
    shape: Shape,
}

/// The keys of a channel; none (with a finding) where they are of no use.
pub fn channel(
    reader: &mut Reader,
    sampler: &Sampler,
    wanted: &Wanted,
    key_times: &mut KeyTimes,
    place: &Place,
) -> Result<Option<Channel>, Problem> {
    let pointer = format!("{}/input", sampler.pointer);
    let input = Input { accessor: sampler.json.input.value(), pointer: &pointer, words: &place.words };
    let Some(keys) = key_times.read(reader, input)? else { return Ok(None) };
    let (index, said) = (keys.index, interpolation(reader, sampler, place));
    let Some(mut output) = output(reader, sampler, wanted, said, keys, place)? else { return Ok(None) };
    let mut interpolation = said;
    if wanted.shape.boolean {
        output = booleans(reader, sampler, output, said, place);
        interpolation = Interpolation::Step;
    }
    let components = wanted.shape.components;
    Ok(Some(Channel { source: 0, target: wanted.target, key_times: index, interpolation, output, components }))
}

/// 0 or 1 for each key. There is nothing between them, whatever the file says.
fn booleans(reader: &mut Reader, sampler: &Sampler, output: Vec<f32>, said: Interpolation, place: &Place) -> Vec<f32> {
    if said != Interpolation::Step {
        let message = format!("{} drives a boolean and says {}; STEP is used.", place.words, said.name());
        reader.findings.error("ANIMATION_POINTER_INTERPOLATION_INVALID", &place.pointer, message);
    }
    let accessor = reader.root.accessors.get(sampler.json.output.value());
    let is_bytes = |json: &json::Accessor| matches!(json.component_type, Checked::Valid(GenericComponentType(ComponentType::U8)));
    if !accessor.is_some_and(is_bytes) {
        let message = format!("{} drives a boolean by something else than unsigned bytes; 0 is false, all else true.", place.words);
        reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &place.pointer, message);
    }
    // Of a spline, what stands between the tangents.
    let (first, step) = if said == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
    output.into_iter().skip(first).step_by(step).map(|value| f32::from(u8::from(value != 0.0))).collect()
}

/// What a channel drives; none (with a finding) if that is nothing that can be driven.
pub fn target(reader: &mut Reader, channel: &json::animation::Channel, model: &Model, place: &Place) -> Result<Option<Wanted>, LoadError> {
    let mut ignored = |severity: Severity, code: &'static str, why: &str| {
        let message = format!("{} {why}; it is ignored.", place.words);
        reader.findings.add(severity, code, &format!("{}/target", place.pointer), message);
        Ok(None)
    };
    let Checked::Valid(path) = channel.target.path else {
        return ignored(Severity::Warning, "ANIMATION_CHANNEL_TARGET_INVALID", "names no node or sampler, or a path that is not known");
    };
    let node = *existing(&model.node_of_source, channel.target.node.value(), "node").at(place)?;
    let target = match path {
        JsonProperty::Translation => Target::Translation(node),
        JsonProperty::Rotation => Target::Rotation(node),
        JsonProperty::Scale => Target::Scale(node),
        JsonProperty::MorphTargetWeights if model.node(node).weights.is_empty() => {
            let code = "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS";
            return ignored(Severity::Error, code, "drives the weights of a node without morph targets");
        }
        JsonProperty::MorphTargetWeights => Target::Weights(node),
    };
    Ok(Some(Wanted { target, pointer: None, shape: Shape::of_node(target, model) }))
}

/// The same by KHR_animation_pointer.
pub fn pointer_target(
    reader: &mut Reader,
    pointer: &ChannelPointer,
    pointed: &Pointed,
    pointers: &mut Pointers,
    model: &Model,
    place: &Place,
) -> Option<Wanted> {
    let at = format!("{}/target/extensions/KHR_animation_pointer/pointer", place.pointer);
    if pointer.names_node {
        let message = format!("{} has a pointer and names a node, too; the pointer counts.", place.words);
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE";
        reader.findings.error(code, &format!("{}/target/extensions/KHR_animation_pointer", place.pointer), message);
    }
    let index = match pointers.resolve(&pointer.path, pointed, reader.root, model) {
        Ok(index) => index,
        Err(why) => {
            let message = format!("{} {why} ({}); it is ignored.", place.words, pointer.path);
            reader.findings.error("ANIMATION_POINTER_INVALID", &at, message);
            return None;
        }
    };
    if !pointed.place(&pointer.path).enclosed {
        let message =
            format!("{} points into an object that the file does not have ({}); it is driven all the same.", place.words, pointer.path);
        reader.findings.warning("ANIMATION_POINTER_UNDEFINED", &at, message);
    }
    let property = pointers.list[index].property;
    let target = if let Property::Core(target) = property { target } else { Target::Pointer(index) };
    let shape = match property {
        // Integers are what they are, unlike in an unextended channel.
        Property::Core(target) => Shape { integers: Integers::AsTheFileSays, ..Shape::of_node(target, model) },
        _ => pointers.shape(index),
    };
    Some(Wanted { target, pointer: Some(index), shape })
}

fn interpolation(reader: &mut Reader, sampler: &Sampler, place: &Place) -> Interpolation {
    match sampler.json.interpolation {
        Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
        Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
        Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            let message = format!("{} has an interpolation that is not known; LINEAR is used.", place.words);
            reader.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/interpolation", sampler.pointer), message);
            Interpolation::Linear
        }
    }
}

/// The numbers of a channel; none (with a finding) if they belong to other morph targets.
fn output(
    reader: &mut Reader,
    sampler: &Sampler,
    wanted: &Wanted,
    interpolation: Interpolation,
    keys: &Keys,
    place: &Place,
) -> Result<Option<Vec<f32>>, Problem> {
    let want = Want { role: "output", accessor: sampler.json.output.value() };
    let Shape { element, components, integers, .. } = wanted.shape;
    let mut output: Vec<f32> = match element {
        1 => reader.read_floats::<[f32; 1], 1>(want, NotFinite::Keep, integers)?.into_flattened(),
        2 => reader.read_floats::<[f32; 2], 2>(want, NotFinite::Keep, integers)?.into_flattened(),
        3 => reader.read_floats::<[f32; 3], 3>(want, NotFinite::Keep, integers)?.into_flattened(),
        _ => reader.read_floats::<[f32; 4], 4>(want, NotFinite::Keep, integers)?.into_flattened(),
    };
    let groups = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let key_size = components * groups;
    let wanted_numbers = keys.in_file * key_size;
    if output.len() < wanted_numbers {
        return Err(Problem::KeyValues { found: output.len() / components, keys: keys.in_file, wanted: wanted_numbers / components });
    }
    if output.len() > wanted_numbers {
        let message = format!("{} has {} numbers for {} keys of {key_size}", place.words, output.len(), keys.in_file);
        const CODE: &str = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        let pointer = format!("{}/sampler", place.pointer);
        if wanted.shape.is_array {
            reader.findings.error(CODE, &pointer, format!("{message}: they belong to other morph targets; the channel is ignored."));
            return Ok(None);
        }
        reader.findings.error(CODE, &pointer, format!("{message}; the last ones are ignored."));
        output.truncate(wanted_numbers);
    }
    if let Some(order) = &keys.order {
        output = order.iter().flat_map(|&key| &output[key * key_size..(key + 1) * key_size]).copied().collect();
    }
    let mut rest_key = vec![0.0; key_size];
    rest_key[components * (groups / 2)..][..components].copy_from_slice(&wanted.shape.nothing);
    let mended = mend(&mut output, key_size, &rest_key);
    if mended > 0 {
        let message = format!("{mended} keys of {} have numbers that are not finite; the key before is used.", place.words);
        reader.findings.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{}", want.accessor), message);
    }
    if let Target::Rotation(_) = wanted.target {
        note_lengths(reader, &output, groups, place);
    }
    Ok(Some(output))
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
fn note_lengths(reader: &mut Reader, output: &[f32], groups: usize, place: &Place) {
    let length = |q: &[f32]| q.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
    let values = output.chunks_exact(4).skip(groups / 2).step_by(groups);
    let wrong = values.filter(|q| (length(q) - 1.0).abs() > 0.02).count();
    if wrong > 0 {
        let message = format!("{wrong} rotations of {} are not of unit length; they are used as if they were.", place.words);
        let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
        reader.findings.error(code, &format!("{}/sampler", place.pointer), message);
    }
}
