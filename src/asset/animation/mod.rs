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
use crate::model::pointer::Property;

use super::accessor::Reader;
use super::error::{At, LoadError, Location, existing};
use super::file::progress::{Progress, Stage};
use super::json::pointed::Pointed;
use super::json::typed::Omitted;

use channel::Sampler;
use key_times::KeyTimes;
use pointer::Pointers;

/// Writes the animations into `model`, whose nodes are set. Animated matrix nodes are decomposed.
pub fn read(reader: &mut Reader, pointed: &Pointed, omitted: &Omitted, model: &mut Model, progress: &Progress) -> Result<(), LoadError> {
    progress.start(Stage::Animations)?;
    let mut pointers = Pointers::default();
    for (index, json) in reader.root.animations.iter().enumerate() {
        let location = Location::new("animation", "animations", index, json.name.as_deref());
        let source = AnimationSource { index, json, pointed, omitted, location };
        let animation = animation(reader, &source, &mut pointers, model, progress)?;
        model.animations.push(animation);
        progress.step(index + 1, reader.root.animations.len())?;
    }
    (model.pointers, model.rest_driven) = (pointers.list, pointers.rest);
    release_matrices(reader, model);
    Ok(())
}

/// An animation in the file.
struct AnimationSource<'a> {
    index: usize,
    json: &'a json::Animation,
    pointed: &'a Pointed,
    omitted: &'a Omitted,
    location: Location,
}

fn animation(
    reader: &mut Reader,
    source: &AnimationSource,
    pointers: &mut Pointers,
    model: &Model,
    progress: &Progress,
) -> Result<Animation, LoadError> {
    let mut key_times = KeyTimes::default();
    let mut channels = UniqueChannels::default();
    let mut through = Vec::new();
    for (index, json) in source.json.channels.iter().enumerate() {
        progress.check()?;
        if source.omitted.channels.contains(&(source.index, index)) {
            continue;
        }
        let location = source.location.child("channel", "channels", index);
        let wanted = match source.pointed.channel(source.index, index) {
            Some(pointer) => channel::pointer_target(reader, pointer, source.pointed, pointers, model, &location),
            None => channel::target(reader, json, model, &location)?,
        };
        let Some(wanted) = wanted else { continue };
        let index_of_sampler = json.sampler.value();
        let sampler = Sampler {
            json: existing(&source.json.samplers, index_of_sampler, "sampler").at(&location)?,
            pointer: format!("{}/samplers/{index_of_sampler}", source.location.pointer),
        };
        let channel = match channel::channel(reader, &sampler, &wanted, &mut key_times, &location) {
            Err(problem) if wanted.pointer.is_some() => {
                let message = format!("{}: {problem}; the channel is ignored.", location.words);
                reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &location.pointer, message);
                None
            }
            read => read.at(&location)?,
        };
        let Some(channel) = channel.map(|channel| Channel { source: index, ..channel }) else { continue };
        through.extend(wanted.pointer.map(|pointer| (wanted.target, pointer)));
        if let Some(earlier) = channels.insert(channel) {
            let message = format!("{} has the same target as channel {earlier}; the last one is used.", location.words);
            let earlier = source.location.child("channel", "channels", earlier);
            reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &format!("{}/target", earlier.pointer), message);
        }
    }
    let UniqueChannels { mut channels, mut driven } = channels;
    drop_elements(reader, &mut channels, &mut driven, pointers, &source.location);
    for (_, pointer) in through.iter().filter(|(target, _)| driven.contains_key(target)) {
        pointers.driven_by(*pointer, source.index);
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
    driven: HashMap<Target, usize>,
}

impl UniqueChannels {
    /// Adds a channel. If an earlier one has its target, replaces that one and returns its index in the file.
    fn insert(&mut self, channel: Channel) -> Option<usize> {
        match self.driven.get(&channel.target) {
            Some(&earlier) => Some(std::mem::replace(&mut self.channels[earlier], channel).source),
            None => {
                self.driven.insert(channel.target, self.channels.len());
                self.channels.push(channel);
                None
            }
        }
    }
}

/// Removes channels of single weights if another channel animates the whole array.
fn drop_elements(
    reader: &mut Reader,
    channels: &mut Vec<Channel>,
    driven: &mut HashMap<Target, usize>,
    pointers: &Pointers,
    location: &Location,
) {
    let property = |target| if let Target::Pointer(pointer) = target { Some(pointers.list[pointer].property) } else { None };
    let whole = |channel: &Channel| if let Some(Property::MeshWeights { mesh }) = property(channel.target) { Some(mesh) } else { None };
    let meshes: HashSet<usize> = channels.iter().filter_map(whole).collect();
    channels.retain(|channel| {
        let twice = match property(channel.target) {
            Some(Property::NodeWeight { node, .. }) => driven.contains_key(&Target::Weights(node)),
            Some(Property::MeshWeight { mesh, .. }) => meshes.contains(&mesh),
            _ => false,
        };
        if twice {
            let location = location.child("channel", "channels", channel.source);
            let message =
                format!("{} animates one weight, but another channel animates the whole array; that one is used.", location.words);
            reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &location.pointer, message);
            driven.remove(&channel.target);
        }
        !twice
    });
}

/// Replaces the matrix of a node by translation, rotation and scale if a channel animates one of these.
fn release_matrices(reader: &mut Reader, model: &mut Model) {
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
