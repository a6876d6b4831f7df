//! Reads a channel of an animation: its target and its keyframes (glTF 2.0, 3.11). The target determines which numbers a key must have
//! ([`OutputShape`]). Then the input and the output of the sampler are read and matched to each other.

use std::ops::RangeInclusive;

use gltf::json;
use gltf::json::accessor::{ComponentType, GenericComponentType};
use gltf::json::animation::{Interpolation as JsonInterpolation, Property as JsonProperty};
use gltf::json::validation::Checked;

use crate::asset::accessor::{AccessorRequest, Integers, NotFinite, Reader};
use crate::asset::error::{LoadError, Location, Problem, existing};
use crate::asset::json::raw_pointers::ChannelPointer;
use crate::model::Model;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::model::finding::Severity;
use crate::model::label;
use crate::model::pointer::Property;
use crate::numbers::{agreeing, counted};

use super::key_times::{Input, KeyTimes, Keys};
use super::pointer::{OutputShape, Pointers};

/// A channel in the file.
#[derive(Clone, Copy)]
pub struct ChannelSource<'a> {
    /// The location of the animation.
    pub animation: &'a Location,
    /// Index of the channel in the animation.
    pub index: usize,
}

impl ChannelSource<'_> {
    /// Returns the location of the channel. Only errors and findings need it: a file may have 100,000 channels.
    pub fn location(&self) -> Location {
        self.animation.child("channel", "channels", self.index)
    }
}

/// The keyframes of a channel in the file.
pub struct ChannelKeys<'a> {
    pub source: ChannelSource<'a>,
    pub sampler: &'a json::animation::Sampler,
    /// Index of the sampler in its animation.
    pub sampler_index: usize,
    pub target: ChannelTarget<'a>,
}

impl ChannelKeys<'_> {
    /// Returns the JSON pointer of the sampler.
    fn sampler_pointer(&self) -> String {
        format!("{}/samplers/{}", self.source.animation.pointer, self.sampler_index)
    }
}

/// The target of a channel.
pub struct ChannelTarget<'a> {
    /// The property that the channel drives.
    pub target: Target,
    /// Index of the animation pointer among the file's pointers, if the channel has one.
    pub pointer: Option<usize>,
    /// The numbers that each key must have.
    shape: OutputShape<'a>,
}

/// Reads the keyframes of a channel. `None`, with a finding, if no key is usable. Returns an error if an accessor cannot be read
/// or holds too few values.
pub fn read(reader: &mut Reader, channel: &ChannelKeys, key_times: &mut KeyTimes) -> Result<Option<Channel>, Problem> {
    let (pointer, words) = (|| format!("{}/input", channel.sampler_pointer()), || channel.source.location().words);
    let input = Input { accessor: channel.sampler.input.value(), pointer: &pointer, words: &words };
    let Some(keys) = key_times.read(reader, input)? else { return Ok(None) };
    let mut interpolation = read_interpolation(reader, channel);
    let Some(mut output) = read_output(reader, channel, interpolation, keys)? else { return Ok(None) };
    if channel.target.shape.is_boolean {
        output = to_booleans(reader, channel, output, interpolation);
        interpolation = Interpolation::Step;
    }
    let (target, components) = (channel.target.target, channel.target.shape.components);
    Ok(Some(Channel { source: channel.source.index, target, key_times: keys.set, interpolation, output, components }))
}

/// Converts values to 0 or 1 per key. Booleans are never interpolated.
fn to_booleans(reader: &mut Reader, channel: &ChannelKeys, output: Vec<f32>, declared: Interpolation) -> Vec<f32> {
    let location = channel.source.location();
    if declared != Interpolation::Step {
        let message = format!("{} animates a boolean with {}; STEP is used.", location.words, declared.name());
        reader.findings.error("ANIMATION_POINTER_INTERPOLATION_INVALID", &location.pointer, message);
    }
    let accessor = reader.root.accessors.get(channel.sampler.output.value());
    let has_bytes = |json: &json::Accessor| matches!(json.component_type, Checked::Valid(GenericComponentType(ComponentType::U8)));
    if !accessor.is_some_and(has_bytes) {
        let message = format!("{} animates a boolean with values other than unsigned bytes; non-zero is true.", location.words);
        reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &location.pointer, message);
    }
    // A CUBICSPLINE key stores its value between its two tangents.
    let (first, step) = if declared == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
    output.into_iter().skip(first).step_by(step).map(|value| f32::from(u8::from(value != 0.0))).collect()
}

/// Reads the target of a core channel. `None`, with a finding, if it cannot be animated.
pub fn read_target(
    reader: &mut Reader,
    channel: &json::animation::Channel,
    model: &Model,
    source: ChannelSource,
) -> Result<Option<ChannelTarget<'static>>, LoadError> {
    let mut ignore = |severity: Severity, code: &'static str, reason: &str| {
        let location = source.location();
        let message = label::capitalized(&format!("{} {reason}; it is ignored.", location.words));
        reader.findings.add(severity, code, &format!("{}/target", location.pointer), message);
        Ok(None)
    };
    let Checked::Valid(path) = channel.target.path else {
        return ignore(Severity::Warning, "ANIMATION_CHANNEL_TARGET_INVALID", "has no node, no sampler or an unknown path");
    };
    let node = existing(&model.node_of_source, channel.target.node.value(), "node");
    let node = *node.map_err(|problem| source.location().error(problem))?;
    let target = match path {
        JsonProperty::Translation => Target::Translation(node),
        JsonProperty::Rotation => Target::Rotation(node),
        JsonProperty::Scale => Target::Scale(node),
        JsonProperty::MorphTargetWeights if model.node(node).weights.is_empty() => {
            let code = "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS";
            return ignore(Severity::Error, code, "animates the weights of a node without morph targets");
        }
        JsonProperty::MorphTargetWeights => Target::Weights(node),
    };
    Ok(Some(ChannelTarget { target, pointer: None, shape: OutputShape::from_target(target, model) }))
}

/// Reads the target of a channel with KHR_animation_pointer. `None`, with a finding, if it cannot be animated. `pointer` is the fault of
/// the channel if it has no pointer.
pub fn read_pointer_target<'p>(
    reader: &mut Reader,
    pointer: Result<&ChannelPointer, &str>,
    pointers: &'p mut Pointers,
    model: &Model,
    source: ChannelSource,
) -> Option<ChannelTarget<'p>> {
    let location = source.location();
    let pointer = match pointer {
        Ok(pointer) => pointer,
        Err(fault) => {
            let message = format!("{} {fault}; it is ignored.", location.words);
            reader.findings.warning("ANIMATION_CHANNEL_TARGET_INVALID", &format!("{}/target", location.pointer), message);
            return None;
        }
    };
    let path_pointer = format!("{}/target/extensions/KHR_animation_pointer/pointer", location.pointer);
    if pointer.has_node {
        let message = format!("{} has both a pointer and a node; the pointer is used.", location.words);
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE";
        reader.findings.error(code, &format!("{}/target/extensions/KHR_animation_pointer", location.pointer), message);
    }
    let index = match pointers.resolve(&pointer.path, reader.root, model) {
        Ok(index) => index,
        Err(reason) => {
            let message = format!("{} {reason} ({}); it is ignored.", location.words, pointer.path);
            reader.findings.error("ANIMATION_POINTER_INVALID", &path_pointer, message);
            return None;
        }
    };
    if !pointers.json_value(&pointer.path).has_parent {
        let message = format!("{} points into an object that does not exist ({}); it is animated anyway.", location.words, pointer.path);
        reader.findings.warning("ANIMATION_POINTER_UNDEFINED", &path_pointer, message);
    }
    let property = pointers.list[index].property;
    let target = if let Property::Core(target) = property { target } else { Target::Pointer(index) };
    let shape = match property {
        // Unlike in a core channel, integers are normalized only if the accessor has `normalized`.
        Property::Core(target) => OutputShape { integers: Integers::AsDeclared, ..OutputShape::from_target(target, model) },
        _ => pointers.shape(index),
    };
    Some(ChannelTarget { target, pointer: Some(index), shape })
}

/// Reads the interpolation of a sampler. An unknown one becomes LINEAR, with a finding.
fn read_interpolation(reader: &mut Reader, channel: &ChannelKeys) -> Interpolation {
    match channel.sampler.interpolation {
        Checked::Valid(JsonInterpolation::Step) => Interpolation::Step,
        Checked::Valid(JsonInterpolation::Linear) => Interpolation::Linear,
        Checked::Valid(JsonInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            let message = format!("{} has an unknown interpolation; LINEAR is used.", channel.source.location().words);
            reader.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/interpolation", channel.sampler_pointer()), message);
            Interpolation::Linear
        }
    }
}

/// Reads the values of a channel: the components of each key, in ascending order of time. A CUBICSPLINE key has an in-tangent, a
/// value and an out-tangent. `None`, with a finding, if the values are for a different number of morph targets.
fn read_output(reader: &mut Reader, channel: &ChannelKeys, interpolation: Interpolation, keys: &Keys) -> Result<Option<Vec<f32>>, Problem> {
    let ChannelKeys { source, sampler, target, .. } = channel;
    let request = AccessorRequest { role: "output", accessor: sampler.output.value() };
    let OutputShape { element_components, components, integers, fallback, .. } = target.shape;
    // Read vectors as they are declared, then treat all of them as one flat list of numbers.
    let mut output: Vec<f32> = match element_components {
        1 => reader.read_floats::<[f32; 1], 1>(request, NotFinite::Keep, integers)?.into_flattened(),
        2 => reader.read_floats::<[f32; 2], 2>(request, NotFinite::Keep, integers)?.into_flattened(),
        3 => reader.read_floats::<[f32; 3], 3>(request, NotFinite::Keep, integers)?.into_flattened(),
        _ => reader.read_floats::<[f32; 4], 4>(request, NotFinite::Keep, integers)?.into_flattened(),
    };
    // CUBICSPLINE stores three groups per key: in-tangent, value, out-tangent (glTF 2.0, appendix C).
    let groups = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let key_size = components * groups;
    let wanted_count = keys.file_count * key_size;
    if output.len() < wanted_count {
        return Err(Problem::KeyValues { found: output.len() / components, keys: keys.file_count, wanted: wanted_count / components });
    }
    // If the target is an array (morph weights) and there are too many values, each key has more weights than there are morph targets, so
    // every key would be read incorrectly. For other targets, only the values at the end are excess.
    if output.len() > wanted_count {
        const CODE: &str = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
        let location = source.location();
        let [values, key_count] = [counted(output.len(), "value"), counted(keys.file_count, "key")];
        let need = agreeing(keys.file_count, "needs", "need");
        let message = format!("{} has {values}, but {key_count} {need} {key_size} each", location.words);
        let pointer = format!("{}/sampler", location.pointer);
        if target.shape.is_array {
            let message = format!("{message}; the number of morph targets differs, so the channel is ignored.");
            reader.findings.error(CODE, &pointer, message);
            return Ok(None);
        }
        reader.findings.error(CODE, &pointer, format!("{message}; the excess is ignored."));
        output.truncate(wanted_count);
    }
    // Sort the keys by time, and leave out keys whose time is not finite.
    if let Some(order) = &keys.order {
        output = order.iter().flat_map(|&key| &output[key * key_size..(key + 1) * key_size]).copied().collect();
    }
    let replaced = replace_non_finite(&mut output, key_size, |first_key| {
        // The fallback value of the target, with tangents of zero.
        first_key.fill(0.0);
        first_key[components * (groups / 2)..][..fallback.len()].copy_from_slice(fallback);
    });
    if replaced > 0 {
        let are = agreeing(replaced, "is not finite; it", "are not finite; each");
        let message = format!("{} of {} {are} is replaced by the previous key.", counted(replaced, "key"), source.location().words);
        reader.findings.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{}", request.accessor), message);
    }
    if let Target::Rotation(_) = target.target {
        report_non_unit_rotations(reader, &output, groups, *source);
    }
    Ok(Some(output))
}

/// Replaces each key that is not finite with the previous key. If it is the first, `reset` overwrites it. Returns the number of replaced
/// keys.
fn replace_non_finite(output: &mut [f32], key_size: usize, reset: impl Fn(&mut [f32])) -> usize {
    // Counting all numbers is faster than looking for the first one.
    if output.iter().filter(|number| !number.is_finite()).count() == 0 {
        return 0;
    }
    let mut replaced = 0;
    for key in 0..output.len() / key_size {
        let start = key * key_size;
        if output[start..start + key_size].iter().all(|number| number.is_finite()) {
            continue;
        }
        replaced += 1;
        match start.checked_sub(key_size) {
            Some(previous) => output.copy_within(previous..start, start),
            None => reset(&mut output[..key_size]),
        }
    }
    replaced
}

/// Reports rotations that are not of unit length. Sampling normalizes them. The tangents of a spline need no unit length. `groups`
/// is the number of quaternions per key.
fn report_non_unit_rotations(reader: &mut Reader, output: &[f32], groups: usize, source: ChannelSource) {
    const ALLOWED: RangeInclusive<f64> = 0.98 * 0.98..=1.02 * 1.02;
    let length_squared = |rotation: &[f32; 4]| rotation.map(|component| f64::from(component).powi(2)).iter().sum();
    let values = output.as_chunks::<4>().0.iter().skip(groups / 2).step_by(groups);
    let count = values.filter(|rotation| !ALLOWED.contains(&length_squared(rotation))).count();
    if count > 0 {
        let location = source.location();
        let (is, them) = (agreeing(count, "is", "are"), agreeing(count, "it", "them"));
        let message = format!("{} of {} {is} not of unit length; Sinew normalizes {them}.", counted(count, "rotation"), location.words);
        let code = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
        reader.findings.error(code, &format!("{}/sampler", location.pointer), message);
    }
}
