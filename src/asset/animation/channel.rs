//! A channel of an animation: its target and its keyframes (glTF 2.0, 3.11). First the target tells which numbers a key must
//! have ([`OutputShape`]); then input and output of the sampler are read and made to match.

use gltf::json;
use gltf::json::accessor::{ComponentType, GenericComponentType};
use gltf::json::animation::{Interpolation as JsonInterpolation, Property as JsonProperty};
use gltf::json::validation::Checked;

use crate::asset::accessor::{AccessorRequest, Integers, NotFinite, Reader};
use crate::asset::error::{At, LoadError, Location, Problem, existing};
use crate::asset::json::pointed::{ChannelPointer, Pointed};
use crate::model::Model;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::model::finding::Severity;
use crate::model::pointer::Property;

use super::key_times::{Input, KeyTimes, Keys};
use super::pointer::{OutputShape, Pointers};

/// A sampler, and its location as a JSON pointer.
pub struct Sampler<'a> {
    pub json: &'a json::animation::Sampler,
    pub pointer: String,
}

/// The target of a channel.
pub struct ChannelTarget {
    /// The property that the channel drives.
    pub target: Target,
    /// Index of the animation pointer, if the target is one.
    pub pointer: Option<usize>,
    /// The numbers that each key must have.
    shape: OutputShape,
}

/// Reads the keyframes of a channel. `None`, with a finding, if none is usable. Errors if an accessor cannot be read or holds
/// too few values.
pub fn channel(
    reader: &mut Reader,
    sampler: &Sampler,
    wanted: &ChannelTarget,
    key_times: &mut KeyTimes,
    location: &Location,
) -> Result<Option<Channel>, Problem> {
    let pointer = format!("{}/input", sampler.pointer);
    let input = Input { accessor: sampler.json.input.value(), pointer: &pointer, words: &location.words };
    let Some(keys) = key_times.read(reader, input)? else { return Ok(None) };
    let (index, declared) = (keys.index, interpolation(reader, sampler, location));
    let Some(mut output) = output(reader, sampler, wanted, declared, keys, location)? else { return Ok(None) };
    let mut interpolation = declared;
    if wanted.shape.boolean {
        output = booleans(reader, sampler, output, declared, location);
        interpolation = Interpolation::Step;
    }
    let components = wanted.shape.components;
    // The caller sets `source`, which it knows.
    Ok(Some(Channel { source: 0, target: wanted.target, key_times: index, interpolation, output, components }))
}

/// Converts values to 0 or 1 per key. Booleans are never interpolated.
fn booleans(reader: &mut Reader, sampler: &Sampler, output: Vec<f32>, declared: Interpolation, location: &Location) -> Vec<f32> {
    if declared != Interpolation::Step {
        let message = format!("{} animates a boolean with {}; STEP is used.", location.words, declared.name());
        reader.findings.error("ANIMATION_POINTER_INTERPOLATION_INVALID", &location.pointer, message);
    }
    let accessor = reader.root.accessors.get(sampler.json.output.value());
    let is_bytes = |json: &json::Accessor| matches!(json.component_type, Checked::Valid(GenericComponentType(ComponentType::U8)));
    if !accessor.is_some_and(is_bytes) {
        let message = format!("{} animates a boolean with values other than unsigned bytes; non-zero is true.", location.words);
        reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &location.pointer, message);
    }
    // In a spline, the value is between the two tangents.
    let (first, step) = if declared == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
    output.into_iter().skip(first).step_by(step).map(|value| f32::from(u8::from(value != 0.0))).collect()
}

/// The target of a core channel. `None`, with a finding, if it cannot be animated.
pub fn target(
    reader: &mut Reader,
    channel: &json::animation::Channel,
    model: &Model,
    location: &Location,
) -> Result<Option<ChannelTarget>, LoadError> {
    let mut ignored = |severity: Severity, code: &'static str, why: &str| {
        let message = format!("{} {why}; it is ignored.", location.words);
        reader.findings.add(severity, code, &format!("{}/target", location.pointer), message);
        Ok(None)
    };
    let Checked::Valid(path) = channel.target.path else {
        return ignored(Severity::Warning, "ANIMATION_CHANNEL_TARGET_INVALID", "has no node, no sampler or an unknown path");
    };
    let node = *existing(&model.node_of_source, channel.target.node.value(), "node").at(location)?;
    let target = match path {
        JsonProperty::Translation => Target::Translation(node),
        JsonProperty::Rotation => Target::Rotation(node),
        JsonProperty::Scale => Target::Scale(node),
        JsonProperty::MorphTargetWeights if model.node(node).weights.is_empty() => {
            let code = "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS";
            return ignored(Severity::Error, code, "animates the weights of a node without morph targets");
        }
        JsonProperty::MorphTargetWeights => Target::Weights(node),
    };
    Ok(Some(ChannelTarget { target, pointer: None, shape: OutputShape::from_target(target, model) }))
}

/// The target of a channel with KHR_animation_pointer. `None`, with a finding, if it cannot be animated.
pub fn pointer_target(
    reader: &mut Reader,
    pointer: &ChannelPointer,
    pointed: &Pointed,
    pointers: &mut Pointers,
    model: &Model,
    location: &Location,
) -> Option<ChannelTarget> {
    let at = format!("{}/target/extensions/KHR_animation_pointer/pointer", location.pointer);
    if pointer.names_node {
        let message = format!("{} has both a pointer and a node; the pointer is used.", location.words);
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE";
        reader.findings.error(code, &format!("{}/target/extensions/KHR_animation_pointer", location.pointer), message);
    }
    let index = match pointers.resolve(&pointer.path, pointed, reader.root, model) {
        Ok(index) => index,
        Err(why) => {
            let message = format!("{} {why} ({}); it is ignored.", location.words, pointer.path);
            reader.findings.error("ANIMATION_POINTER_INVALID", &at, message);
            return None;
        }
    };
    if !pointed.value(&pointer.path).enclosed {
        let message = format!("{} points into an object that does not exist ({}); it is animated anyway.", location.words, pointer.path);
        reader.findings.warning("ANIMATION_POINTER_UNDEFINED", &at, message);
    }
    let property = pointers.list[index].property;
    let target = if let Property::Core(target) = property { target } else { Target::Pointer(index) };
    let shape = match property {
        // Integers are not normalized, unlike in a core channel.
        Property::Core(target) => OutputShape { integers: Integers::AsDeclared, ..OutputShape::from_target(target, model) },
        _ => pointers.shape(index),
    };
    Some(ChannelTarget { target, pointer: Some(index), shape })
}

/// The interpolation of a sampler. An unknown one becomes LINEAR, with a finding.
fn interpolation(reader: &mut Reader, sampler: &Sampler, location: &Location) -> Interpolation {
    match sampler.json.interpolation {
        Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
        Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
        Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            let message = format!("{} has an unknown interpolation; LINEAR is used.", location.words);
            reader.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/interpolation", sampler.pointer), message);
            Interpolation::Linear
        }
    }
}

/// The values of a channel: for each key in ascending time, its components; for CUBICSPLINE in-tangent, value and out-tangent.
/// `None`, with a finding, if they are for a different number of morph targets.
fn output(
    reader: &mut Reader,
    sampler: &Sampler,
    wanted: &ChannelTarget,
    interpolation: Interpolation,
    keys: &Keys,
    location: &Location,
) -> Result<Option<Vec<f32>>, Problem> {
    let request = AccessorRequest { role: "output", accessor: sampler.json.output.value() };
    let OutputShape { element, components, integers, .. } = wanted.shape;
    // Read vectors as they are declared, then treat all of them as one flat list of numbers.
    let mut output: Vec<f32> = match element {
        1 => reader.read_floats::<[f32; 1], 1>(request, NotFinite::Keep, integers)?.into_flattened(),
        2 => reader.read_floats::<[f32; 2], 2>(request, NotFinite::Keep, integers)?.into_flattened(),
        3 => reader.read_floats::<[f32; 3], 3>(request, NotFinite::Keep, integers)?.into_flattened(),
        _ => reader.read_floats::<[f32; 4], 4>(request, NotFinite::Keep, integers)?.into_flattened(),
    };
    // CUBICSPLINE stores three groups per key: in-tangent, value, out-tangent (glTF 2.0, appendix C).
    let groups = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let key_size = components * groups;
    let wanted_numbers = keys.in_file * key_size;
    if output.len() < wanted_numbers {
        return Err(Problem::KeyValues { found: output.len() / components, keys: keys.in_file, wanted: wanted_numbers / components });
    }
    // Too many values for an array means that a key has another number of weights, so every key would be read wrongly. For
    // other targets, the first values are right.
    if output.len() > wanted_numbers {
        let message = format!("{} has {} values, but {} keys need {key_size} each", location.words, output.len(), keys.in_file);
        const CODE: &str = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        let pointer = format!("{}/sampler", location.pointer);
        if wanted.shape.is_array {
            reader.findings.error(CODE, &pointer, format!("{message}: for a different number of morph targets; the channel is ignored."));
            return Ok(None);
        }
        reader.findings.error(CODE, &pointer, format!("{message}; the excess is ignored."));
        output.truncate(wanted_numbers);
    }
    // Bring the keys into the order of the sorted times, without those whose time is not finite.
    if let Some(order) = &keys.order {
        output = order.iter().flat_map(|&key| &output[key * key_size..(key + 1) * key_size]).copied().collect();
    }
    // If the first key is not finite, it gets the rest value, with tangents of zero.
    let mut rest_key = vec![0.0; key_size];
    rest_key[components * (groups / 2)..][..components].copy_from_slice(&wanted.shape.nothing);
    let replaced = replace_non_finite(&mut output, key_size, &rest_key);
    if replaced > 0 {
        let message = format!("{replaced} keys of {} are not finite; they are replaced by the key before.", location.words);
        reader.findings.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{}", request.accessor), message);
    }
    if let Target::Rotation(_) = wanted.target {
        note_lengths(reader, &output, groups, location);
    }
    Ok(Some(output))
}

/// Replaces each key that is not finite with the previous key, or with `rest` if it is the first. Returns the number of replaced keys.
fn replace_non_finite(output: &mut [f32], key_size: usize, rest: &[f32]) -> usize {
    let mut replaced = 0;
    for key in 0..output.len() / key_size {
        let at = key * key_size;
        if output[at..at + key_size].iter().all(|number| number.is_finite()) {
            continue;
        }
        replaced += 1;
        match at.checked_sub(key_size) {
            Some(before) => output.copy_within(before..at, at),
            None => output[..key_size].copy_from_slice(rest),
        }
    }
    replaced
}

/// Reports rotations that are not of unit length. Sampling normalizes them. The tangents of a spline need no unit length.
fn note_lengths(reader: &mut Reader, output: &[f32], groups: usize, location: &Location) {
    let length = |q: &[f32]| q.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
    let values = output.chunks_exact(4).skip(groups / 2).step_by(groups);
    let wrong = values.filter(|q| (length(q) - 1.0).abs() > 0.02).count();
    if wrong > 0 {
        let message = format!("{wrong} rotations of {} are not of unit length; they are normalized.", location.words);
        let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
        reader.findings.error(code, &format!("{}/sampler", location.pointer), message);
    }
}
