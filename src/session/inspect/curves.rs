//! Selects the curves to show for a node from an animation's channels, and returns names and units of their parts.

use std::collections::HashMap;

use crate::animation::curve::CurveQuantity;
use crate::animation::keys::pointer_targets;
use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::matching;
use crate::model::node::NodeIndex;
use crate::model::pointer::{Pointer, Property};

/// The channels of an animation by the node that they drive. The table is built in one pass, so that looking up a node searches only the
/// channels that drive no single node.
pub struct NodeChannels<'a> {
    /// The model that has the animation.
    model: &'a Model,
    /// The animation whose channels are sorted.
    animation: &'a Animation,
    /// Indices of the channels that drive a single node, by that node.
    by_node: HashMap<NodeIndex, Vec<usize>>,
    /// Indices of the channels that drive no single node. Each may concern several nodes.
    pointers: Vec<usize>,
}

impl<'a> NodeChannels<'a> {
    /// Sorts the channels of an animation by node.
    pub fn new(model: &'a Model, animation: &'a Animation) -> Self {
        let (mut by_node, mut pointers) = (HashMap::<_, Vec<_>>::new(), Vec::new());
        for (i, channel) in animation.channels.iter().enumerate() {
            match channel.target.node() {
                Some(node) => by_node.entry(node).or_default().push(i),
                None => pointers.push(i),
            }
        }
        Self { model, animation, by_node, pointers }
    }

    /// Indices of the channels that drive a property of a node: its own transform, then its mesh's weights and materials, its camera and
    /// its light.
    pub fn channels_of(&self, node: NodeIndex) -> Vec<usize> {
        let mut channels = self.by_node.get(&node).cloned().unwrap_or_default();
        channels.extend(self.pointers.iter().filter(|&&i| concerns(self.model, self.animation.channels[i].target, node)));
        channels.sort_by_key(|&i| rank(self.animation.channels[i].target));
        channels
    }
}

/// Indices of the channels that drive no node.
pub fn channels_without_node(model: &Model, animation: &Animation) -> Vec<usize> {
    (0..animation.channels.len()).filter(|&i| model.target_node(animation.channels[i].target).is_none()).collect()
}

/// The position of a target in lists: translation, rotation, scale, weights, then pointers.
pub fn rank(target: Target) -> u8 {
    match target {
        Target::Translation(_) => 0,
        Target::Rotation(_) => 1,
        Target::Scale(_) => 2,
        Target::Weights(_) => 3,
        Target::Pointer(_) => 4,
    }
}

/// Returns whether a channel drives a node, or a material, camera or light that the node shows.
pub fn concerns(model: &Model, target: Target, node: NodeIndex) -> bool {
    let Target::Pointer(pointer) = target else { return target.node() == Some(node) };
    let (pointer, data) = (&model.pointers[pointer], model.node(node));
    match pointer.property {
        Property::Material { material, .. } => uses_material(model, data.mesh, material),
        Property::Camera { camera, .. } => data.camera == Some(camera),
        Property::Light { light, .. } => data.light == Some(light),
        property => property.node() == Some(node) || pointer_targets::weight_nodes(model, pointer).contains(&node),
    }
}

/// Identifies the property that a channel drives. The property has the same address in another export of the file, even if that export
/// numbers nodes differently.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    /// The node's name, and the number of nodes of that name before it.
    node: Option<(Option<String>, usize)>,
    /// The path of the target without the node, such as "rotation", or a JSON pointer.
    path: String,
}

/// Computes the addresses of a model's targets.
pub struct Addresses<'a> {
    model: &'a Model,
    /// The number of nodes of the same name before each node, in model order.
    namesakes: Vec<usize>,
}

impl<'a> Addresses<'a> {
    /// Counts the nodes of each name.
    pub fn new(model: &'a Model) -> Self {
        let names = matching::occurrences(model.nodes.iter().map(|node| node.name.as_deref()));
        Self { model, namesakes: names.into_iter().map(|(_, earlier)| earlier).collect() }
    }

    /// The address of a target.
    pub fn address(&self, target: Target) -> Address {
        let node = self.model.target_node(target);
        let path = match target {
            Target::Pointer(pointer) => self.model.pointers[pointer].path.as_str(),
            _ => target.path(),
        };
        // For a pointer to a node, the address has only the part after the node's index: `extensions/KHR_node_visibility/visible`.
        let path_in_node = node.and_then(|_| path.splitn(4, '/').nth(3));
        let node = node.map(|node| (self.model.node(node).name.clone(), self.namesakes[node.index()]));
        Address { node, path: path_in_node.unwrap_or(path).to_owned() }
    }
}

/// Returns whether a mesh uses a material by default.
fn uses_material(model: &Model, mesh: Option<usize>, material: usize) -> bool {
    let primitives = mesh.and_then(|mesh| model.meshes.get(mesh)).map(|mesh| mesh.primitives.as_slice()).unwrap_or_default();
    primitives.iter().any(|primitive| primitive.material == Some(material))
}

/// The title of the property that a channel drives: "Translation", or the path of a pointer.
pub fn title(model: &Model, target: Target) -> String {
    match target {
        Target::Translation(_) => "Translation".to_owned(),
        Target::Rotation(_) => "Rotation".to_owned(),
        Target::Scale(_) => "Scale".to_owned(),
        Target::Weights(_) => "Weights".to_owned(),
        Target::Pointer(pointer) => model.pointers[pointer].path.clone(),
    }
}

/// The unit of a channel's values. Empty for values without a unit.
pub fn unit(channel: &Channel, quantity: CurveQuantity) -> &'static str {
    match (channel.target, quantity.velocity) {
        (Target::Translation(_), false) => "m",
        (Target::Translation(_), true) => "m/s",
        (Target::Rotation(_), false) if quantity.euler => "\u{00B0}",
        (Target::Rotation(_), true) if quantity.euler => "\u{00B0}/s",
        (_, false) => "",
        (_, true) => "1/s",
    }
}

/// Number of decimals to show: one for angles, three for all other values.
pub fn decimals(channel: &Channel, quantity: CurveQuantity) -> usize {
    if quantity.is_euler(channel) { 1 } else { 3 }
}

/// The name of one of a channel's curves.
pub fn part_name(model: &Model, channel: &Channel, quantity: CurveQuantity, part: usize) -> String {
    if is_speed(channel, quantity, part) {
        return "Speed".to_owned();
    }
    let letters: &[&str] = match channel.target {
        Target::Weights(node) => return target_name(model, model.node(node).mesh, part),
        Target::Pointer(pointer) => match pointed_name(model, &model.pointers[pointer], channel.components, part) {
            Ok(name) => return name,
            Err(letters) => letters,
        },
        _ => &["X", "Y", "Z", "W"],
    };
    letters.get(part).map_or_else(|| part.to_string(), |&letter| letter.to_owned())
}

/// The name of a pointer's part, or the letters for all of its parts.
fn pointed_name(model: &Model, pointer: &Pointer, components: usize, part: usize) -> Result<String, &'static [&'static str]> {
    match pointer.property {
        Property::MeshWeights { mesh } => Ok(target_name(model, Some(mesh), part)),
        Property::MeshWeight { mesh, weight } => Ok(target_name(model, Some(mesh), weight)),
        Property::NodeWeight { node, weight } => Ok(target_name(model, model.node(node).mesh, weight)),
        _ if components == 1 => Ok("Value".to_owned()),
        _ if is_color(&pointer.path) => Err(&["R", "G", "B", "A"]),
        _ => Err(&["X", "Y", "Z", "W"]),
    }
}

/// Returns whether a pointer drives a color, judged by the names of the specification and its extensions.
fn is_color(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    ["olor", "olorFactor", "emissiveFactor", "diffuseFactor"].iter().any(|end| name.ends_with(end))
}

/// The name of a mesh's morph target, or "target" and its index if it has none.
pub fn target_name(model: &Model, mesh: Option<usize>, target: usize) -> String {
    let names = mesh.and_then(|mesh| model.meshes.get(mesh)).map(|mesh| mesh.target_names.as_slice()).unwrap_or_default();
    names.get(target).filter(|name| !name.is_empty()).cloned().unwrap_or_else(|| format!("target {target}"))
}

/// The axis, from 0, whose color a part has. Components of vectors have one; weights, single numbers and speeds have none.
pub fn axis(channel: &Channel, quantity: CurveQuantity, part: usize) -> Option<usize> {
    let is_vector = match channel.target {
        Target::Weights(_) => false,
        Target::Pointer(_) => (2..=4).contains(&channel.components),
        _ => true,
    };
    (is_vector && !is_speed(channel, quantity, part)).then_some(part)
}

/// Returns whether a part is the speed, which follows the channel's own components.
fn is_speed(channel: &Channel, quantity: CurveQuantity, part: usize) -> bool {
    quantity.has_speed(channel) && part + 1 == quantity.curve_count(channel)
}
