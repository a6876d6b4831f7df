//! Groups the channels of an animation by the object that they drive, in dope sheet order: nodes in tree order, then other objects. The
//! groups are made once per animation.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;
use crate::numbers;
use crate::session::inspect::curves;

/// The object that channels drive. Objects other than nodes are driven only through KHR_animation_pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    Node(NodeIndex),
    Mesh(usize),
    Material(usize),
    Camera(usize),
    Light(usize),
    /// An object of an unknown extension.
    Other,
}

/// An element and all its channels.
#[derive(Debug, Clone)]
pub struct Group {
    pub element: Element,
    pub label: String,
    /// Number of the node's ancestors that have groups, too.
    pub depth: u32,
    pub channels: Vec<GroupChannel>,
    /// The distinct lists of key times of the channels, as indices into [`Animation::key_times`].
    pub key_times: Vec<usize>,
}

/// A channel in its group.
#[derive(Debug, Clone)]
pub struct GroupChannel {
    /// Index into [`Animation::channels`].
    pub channel: usize,
    /// The path of the channel: `rotation`.
    pub label: String,
    /// "LINEAR, 82 keys".
    pub summary: String,
    /// Whether all keys have exactly the same value.
    pub constant: bool,
}

impl Group {
    /// The node that the channels drive. `None` if the element is not a node.
    pub fn node(&self) -> Option<NodeIndex> {
        match self.element {
            Element::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// The groups of an animation.
pub fn groups(model: &Model, animation: &Animation) -> Vec<Group> {
    let mut channels: BTreeMap<Element, Vec<usize>> = BTreeMap::new();
    for (i, channel) in animation.channels.iter().enumerate() {
        channels.entry(element(model, channel.target)).or_default().push(i);
    }
    // Nodes are in depth-first order, so a stack of subtree ends tracks the open ancestors.
    let mut ends: Vec<u32> = Vec::new();
    let group = |(element, mut channels): (Element, Vec<usize>)| {
        let depth = match element {
            Element::Node(node) => {
                ends.retain(|&end| node.0 < end);
                ends.push(model.hierarchy.subtree_ends[node.index()]);
                ends.len() as u32 - 1
            }
            _ => 0,
        };
        channels.sort_by_key(|&channel| (curves::rank(animation.channels[channel].target), animation.channels[channel].source));
        let mut key_times: Vec<_> = channels.iter().map(|&channel| animation.channels[channel].key_times).collect();
        key_times.sort_unstable();
        key_times.dedup();
        let channels = channels.into_iter().map(|channel| {
            let data = &animation.channels[channel];
            let constant = is_exactly_constant(data);
            let keys = numbers::counted(animation.key_times[data.key_times].len(), "key");
            let summary = format!("{}, {keys}{}", data.interpolation.name(), if constant { ", constant" } else { "" });
            GroupChannel { channel, label: channel_label(model, data.target), summary, constant }
        });
        Group { element, label: element_label(model, element), depth, channels: channels.collect(), key_times }
    };
    channels.into_iter().map(group).collect()
}

/// The element that a target belongs to.
fn element(model: &Model, target: Target) -> Element {
    if let Some(node) = model.target_node(target) {
        return Element::Node(node);
    }
    let Target::Pointer(pointer) = target else { return Element::Other };
    match model.pointers[pointer].property {
        Property::MeshWeights { mesh } | Property::MeshWeight { mesh, .. } => Element::Mesh(mesh),
        Property::Material { material, .. } => Element::Material(material),
        Property::Camera { camera, .. } => Element::Camera(camera),
        Property::Light { light, .. } => Element::Light(light),
        _ => Element::Other,
    }
}

/// The name of an element. Unless the element is a node, its kind precedes the name.
fn element_label(model: &Model, element: Element) -> String {
    let (kind, index, name) = match element {
        Element::Node(node) => return model.node(node).label(),
        Element::Mesh(mesh) => ("mesh", mesh, &model.meshes[mesh].name),
        Element::Material(material) => ("material", material, &model.materials[material].name),
        Element::Camera(camera) => ("camera", camera, &model.cameras[camera].name),
        Element::Light(light) => ("light", light, &model.lights[light].name),
        Element::Other => return "other".to_owned(),
    };
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {name}"),
        _ => format!("{kind} {index}"),
    }
}

/// The path as the specification spells it, or the part of a pointer after its element: `emissiveFactor` for
/// `/materials/0/emissiveFactor`. For [`Element::Other`], this is the whole pointer.
fn channel_label(model: &Model, target: Target) -> String {
    let Target::Pointer(pointer) = target else { return target.path().to_owned() };
    let Some(pointer) = model.pointers.get(pointer) else { return target.path().to_owned() };
    let part = match element(model, target) {
        Element::Light(_) => pointer.path.rsplit('/').next(),
        Element::Other => None,
        _ => pointer.path.splitn(4, '/').nth(3),
    };
    part.unwrap_or(&pointer.path).to_owned()
}

/// Returns whether all keys have exactly the same value and all tangents are zero. The dope sheet shows what the file has, so keys that
/// differ by a rounding error count as different, unlike in [`crate::check`].
fn is_exactly_constant(channel: &Channel) -> bool {
    let components = channel.components.max(1);
    let mut values = channel.output.chunks_exact(components);
    if channel.interpolation != Interpolation::CubicSpline {
        let first = values.next();
        return values.all(|value| Some(value) == first);
    }
    let Some(first) = channel.output.get(components..2 * components) else { return true };
    let has_no_tangents = |key: &[f32]| key[..components].iter().chain(&key[2 * components..]).all(|&tangent| tangent == 0.0);
    channel.output.chunks_exact(3 * components).all(|key| has_no_tangents(key) && &key[components..2 * components] == first)
}

#[cfg(test)]
mod tests {
    use super::{Interpolation, is_exactly_constant};
    use crate::model::animation::Channel;
    use crate::model::animation::Target;
    use crate::model::node::NodeIndex;

    #[test]
    fn a_channel_is_constant_if_all_values_are_equal_and_all_tangents_are_zero() {
        let channel = |interpolation, output: &[f32]| {
            let target = Target::Translation(NodeIndex(0));
            Channel { source: 0, target, key_times: 0, interpolation, output: output.to_vec(), components: 1 }
        };
        assert!(is_exactly_constant(&channel(Interpolation::Linear, &[2.0, 2.0, 2.0])));
        assert!(!is_exactly_constant(&channel(Interpolation::Step, &[2.0, 2.0, 2.5])));
        assert!(is_exactly_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.0, 0.0, 2.0, 0.0])));
        assert!(!is_exactly_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.5, 0.0, 2.0, 0.0])));
        assert!(!is_exactly_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.0, 0.0, 3.0, 0.0])));
    }
}
