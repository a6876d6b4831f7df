//! Animations: channels with their keyframes, grouped by equal key times. Minor faults are repaired (unsorted times, values
//! that are not finite); a fault that would change the meaning is an error.

pub(crate) mod channel;
pub(crate) mod key_times;
pub(crate) mod material_pointer;
pub(crate) mod object_property;
pub(crate) mod pointer;

use std::collections::{HashMap, HashSet};

use gltf::json;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::material_property::MaterialProperty;
use crate::model::pointer::Property;

use super::accessor::Reader;
use super::error::{LoadError, Location, existing};
use super::file::progress::{Progress, Stage};
use super::json::raw_pointers::RawPointers;
use super::json::typed::Omitted;

use channel::{ChannelKeys, ChannelSource};
use key_times::KeyTimes;
use pointer::Pointers;

/// Writes the animations into `model`, whose nodes must already be set. Animated nodes with a matrix get translation, rotation and scale
/// instead.
pub fn read(
    reader: &mut Reader,
    raw_pointers: &RawPointers,
    omitted: &Omitted,
    model: &mut Model,
    progress: &Progress,
) -> Result<(), LoadError> {
    progress.start(Stage::Animations)?;
    let mut pointers = Pointers::new(raw_pointers);
    for (index, json) in reader.root.animations.iter().enumerate() {
        let location = Location::new("animation", "animations", index, json.name.as_deref());
        let source = AnimationSource { index, json, omitted, location };
        let animation = read_animation(reader, &source, &mut pointers, model, progress)?;
        model.animations.push(animation);
        progress.step(index + 1, reader.root.animations.len())?;
    }
    (model.pointers, model.rest_pointer_values) = (pointers.list, pointers.rest_values);
    for pointer in &model.pointers {
        if let Property::Material { material, property: MaterialProperty::SpecularFactor | MaterialProperty::SpecularColorFactor } =
            pointer.property
        {
            model.materials[material].specular.is_animated = true;
        }
    }
    decompose_animated_matrices(reader, model);
    Ok(())
}

/// An animation in the file.
struct AnimationSource<'a> {
    index: usize,
    json: &'a json::Animation,
    /// Invalid channels, which are skipped.
    omitted: &'a Omitted,
    location: Location,
}

/// Reads one animation. Of several channels with the same target, the last one is kept, with a finding.
fn read_animation(
    reader: &mut Reader,
    source: &AnimationSource,
    pointers: &mut Pointers,
    model: &Model,
    progress: &Progress,
) -> Result<Animation, LoadError> {
    let mut key_times = KeyTimes::default();
    let mut channels = UniqueChannels::default();
    // Target and pointer index of each channel with KHR_animation_pointer.
    let mut channel_pointers = Vec::new();
    for (index, json) in source.json.channels.iter().enumerate() {
        progress.check()?;
        if source.omitted.channels.contains(&(source.index, index)) {
            continue;
        }
        let channel_source = ChannelSource { animation: &source.location, index };
        let target = match pointers.of_channel(source.index, index) {
            Some(pointer) => channel::read_pointer_target(reader, pointer, pointers, model, channel_source),
            None => channel::read_target(reader, json, model, channel_source)?,
        };
        let Some(target) = target else { continue };
        let sampler_index = json.sampler.value();
        let sampler = existing(&source.json.samplers, sampler_index, "sampler");
        let sampler = sampler.map_err(|problem| channel_source.location().error(problem))?;
        let keys = ChannelKeys { source: channel_source, sampler, sampler_index, target };
        let target = &keys.target;
        let channel = match channel::read(reader, &keys, &mut key_times) {
            Err(problem) if target.pointer.is_some() => {
                let location = channel_source.location();
                let message = format!("{}: {problem}; the channel is ignored.", location.words);
                reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &location.pointer, message);
                None
            }
            channel => channel.map_err(|problem| channel_source.location().error(problem))?,
        };
        let Some(channel) = channel else { continue };
        channel_pointers.extend(target.pointer.map(|pointer| (target.target, pointer)));
        if let Some(earlier) = channels.insert(channel) {
            let message = format!("{} has the same target as channel {earlier}; the last one is used.", channel_source.location().words);
            let earlier = ChannelSource { index: earlier, ..channel_source }.location();
            reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &format!("{}/target", earlier.pointer), message);
        }
    }
    let UniqueChannels { mut channels, mut by_target } = channels;
    drop_single_weights(reader, &mut channels, &mut by_target, pointers, &source.location);
    for (_, pointer) in channel_pointers.iter().filter(|(target, _)| by_target.contains_key(target)) {
        pointers.add_animation(*pointer, source.index);
    }
    channels.sort_by_key(|channel| channel.key_times);
    let key_times = key_times.finish(&mut channels);
    let duration = key_times.iter().filter_map(|times| times.last()).fold(0.0, |longest: f64, &time| longest.max(f64::from(time)));
    Ok(Animation { name: source.json.name.clone(), duration, key_times, channels })
}

/// The channels of an animation, one for each target.
#[derive(Default)]
struct UniqueChannels {
    channels: Vec<Channel>,
    /// Index of the channel of each target.
    by_target: HashMap<Target, usize>,
}

impl UniqueChannels {
    /// Adds a channel. Replaces an earlier channel with the same target, and returns the index of that earlier channel in the file.
    fn insert(&mut self, channel: Channel) -> Option<usize> {
        match self.by_target.get(&channel.target) {
            Some(&earlier) => Some(std::mem::replace(&mut self.channels[earlier], channel).source),
            None => {
                self.by_target.insert(channel.target, self.channels.len());
                self.channels.push(channel);
                None
            }
        }
    }
}

/// Removes channels that animate a single weight if another channel animates the whole array of weights.
fn drop_single_weights(
    reader: &mut Reader,
    channels: &mut Vec<Channel>,
    by_target: &mut HashMap<Target, usize>,
    pointers: &Pointers,
    location: &Location,
) {
    let property = |target| if let Target::Pointer(pointer) = target { Some(pointers.list[pointer].property) } else { None };
    let animated_mesh =
        |channel: &Channel| if let Some(Property::MeshWeights { mesh }) = property(channel.target) { Some(mesh) } else { None };
    let meshes: HashSet<usize> = channels.iter().filter_map(animated_mesh).collect();
    channels.retain(|channel| {
        let is_duplicate = match property(channel.target) {
            Some(Property::NodeWeight { node, .. }) => by_target.contains_key(&Target::Weights(node)),
            Some(Property::MeshWeight { mesh, .. }) => meshes.contains(&mesh),
            _ => false,
        };
        if is_duplicate {
            let location = ChannelSource { animation: location, index: channel.source }.location();
            let message =
                format!("{} animates one weight, but another channel animates the whole array; that one is used.", location.words);
            reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &location.pointer, message);
            by_target.remove(&channel.target);
        }
        !is_duplicate
    });
}

/// Replaces the matrix of a node by translation, rotation and scale if a channel animates one of these.
fn decompose_animated_matrices(reader: &mut Reader, model: &mut Model) {
    let channels =
        model.animations.iter().enumerate().flat_map(|(index, animation)| animation.channels.iter().map(move |channel| (index, channel)));
    for (index, channel) in channels {
        let (Target::Translation(node) | Target::Rotation(node) | Target::Scale(node)) = channel.target else { continue };
        if model.hierarchy.fixed_local[node.index()].take().is_some() {
            let source = model.nodes[node.index()].source;
            let message = format!("Node {source} has a matrix, but is animated; the matrix is decomposed.");
            let pointer = format!("/animations/{index}/channels/{}/target", channel.source);
            reader.findings.error("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", &pointer, message);
        }
    }
}
