//! Animations: channels with their keys, grouped by equal key times. What a channel can do without is mended (times out of
//! order, numbers that are none); what would make it mean something else is an error.

pub(crate) mod channel;
pub(crate) mod key_times;
pub(crate) mod material_pointer;
pub(crate) mod pointer;

use std::collections::{HashMap, HashSet};

use gltf::json;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::pointer::Property;

use super::accessor::Reader;
use super::error::{At, LoadError, Place, existing};
use super::file::progress::{Progress, Stage};
use super::json::pointed::Pointed;
use super::json::typed::Omitted;

use channel::Sampler;
use key_times::KeyTimes;
use pointer::Pointers;

/// Writes the animations into `model`, whose nodes are there. A matrix node that one of them drives is decomposed.
pub fn read(reader: &mut Reader, pointed: &Pointed, left_out: &Omitted, model: &mut Model, progress: &Progress) -> Result<(), LoadError> {
    progress.begin(Stage::Animations)?;
    let mut pointers = Pointers::default();
    for (index, json) in reader.root.animations.iter().enumerate() {
        let place = Place::new("animation", "animations", index, json.name.as_deref());
        let source = Source { index, json, pointed, left_out, place };
        let animation = animation(reader, &source, &mut pointers, model, progress)?;
        model.animations.push(animation);
        progress.step(index + 1, reader.root.animations.len())?;
    }
    (model.pointers, model.rest_driven) = (pointers.list, pointers.rest);
    release_matrices(reader, model);
    Ok(())
}

/// An animation as the file has it.
struct Source<'a> {
    index: usize,
    json: &'a json::Animation,
    pointed: &'a Pointed,
    left_out: &'a Omitted,
    place: Place,
}

fn animation(
    reader: &mut Reader,
    source: &Source,
    pointers: &mut Pointers,
    model: &Model,
    progress: &Progress,
) -> Result<Animation, LoadError> {
    let mut key_times = KeyTimes::default();
    let mut channels: Vec<Channel> = Vec::new();
    let mut driven: HashMap<Target, usize> = HashMap::new();
    let mut through = Vec::new();
    for (index, json) in source.json.channels.iter().enumerate() {
        progress.check()?;
        if source.left_out.channels.contains(&(source.index, index)) {
            continue;
        }
        let place = source.place.child("channel", "channels", index);
        let wanted = match source.pointed.channel(source.index, index) {
            Some(pointer) => channel::pointer_target(reader, pointer, source.pointed, pointers, model, &place),
            None => channel::target(reader, json, model, &place)?,
        };
        let Some(wanted) = wanted else { continue };
        let index_of_sampler = json.sampler.value();
        let sampler = Sampler {
            json: existing(&source.json.samplers, index_of_sampler, "sampler").at(&place)?,
            pointer: format!("{}/samplers/{index_of_sampler}", source.place.pointer),
        };
        let channel = match channel::channel(reader, &sampler, &wanted, &mut key_times, &place) {
            Err(problem) if wanted.pointer.is_some() => {
                let message = format!("{}: {problem}; the channel is ignored.", place.words);
                reader.findings.error("ANIMATION_POINTER_OUTPUT_INVALID", &place.pointer, message);
                None
            }
            read => read.at(&place)?,
        };
        let Some(channel) = channel.map(|channel| Channel { source: index, ..channel }) else { continue };
        through.extend(wanted.pointer.map(|pointer| (wanted.target, pointer)));
        // The place of an earlier channel with the same target is taken over: the last wins.
        match driven.get(&wanted.target) {
            Some(&earlier) => {
                let message = format!("{} has the target of channel {} again; the last counts.", place.words, channels[earlier].source);
                let earlier_place = source.place.child("channel", "channels", channels[earlier].source);
                reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &format!("{}/target", earlier_place.pointer), message);
                channels[earlier] = channel;
            }
            None => {
                driven.insert(wanted.target, channels.len());
                channels.push(channel);
            }
        }
    }
    drop_elements(reader, &mut channels, &mut driven, pointers, &source.place);
    for (_, pointer) in through.iter().filter(|(target, _)| driven.contains_key(target)) {
        pointers.driven_by(*pointer, source.index);
    }
    channels.sort_by_key(|channel| channel.key_times);
    let key_times = key_times.finish(&mut channels);
    let duration = key_times.iter().filter_map(|times| times.last()).fold(0.0, |longest: f64, &time| longest.max(f64::from(time)));
    Ok(Animation { name: source.json.name.clone(), duration, key_times, channels })
}

/// Single weights give way where all weights that they are among are driven, too.
fn drop_elements(
    reader: &mut Reader,
    channels: &mut Vec<Channel>,
    driven: &mut HashMap<Target, usize>,
    pointers: &Pointers,
    place: &Place,
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
            let place = place.child("channel", "channels", channel.source);
            let message = format!("{} drives a weight of which another channel drives the whole array; that one counts.", place.words);
            reader.findings.error("ANIMATION_DUPLICATE_TARGETS", &place.pointer, message);
            driven.remove(&channel.target);
        }
        !twice
    });
}

/// A matrix whose node is driven in translation, rotation or scale gives way to these (the rest transform has them already).
fn release_matrices(reader: &mut Reader, model: &mut Model) {
    let channels =
        model.animations.iter().enumerate().flat_map(|(index, animation)| animation.channels.iter().map(move |channel| (index, channel)));
    for (index, channel) in channels {
        let (Target::Translation(node) | Target::Rotation(node) | Target::Scale(node)) = channel.target else { continue };
        if model.hierarchy.fixed_local[node.index()].take().is_some() {
            let source = model.nodes[node.index()].source;
            let message = format!("Node {source} has a matrix and is animated; the matrix was taken apart.");
            let pointer = format!("/animations/{index}/channels/{}/target", channel.source);
            reader.findings.error("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", &pointer, message);
        }
    }
}
