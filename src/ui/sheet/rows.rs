//! What the dope sheet remembers between frames: what the animation drives, what of it is open, and the rows that follow. Rows
//! are made anew only when the model, the animation, the search, the filter or what is open changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;
use crate::session::document::Document;
use crate::session::view::View;
use crate::ui::list::ListScroll;
use crate::ui::{search_field, status};

use super::pointing::BoxSelect;

/// Channels are shown at first where they give no more rows than this.
const FIRST_ROWS: usize = 40;

/// What channels drive. Other things than nodes only by KHR_animation_pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    Node(NodeIndex),
    Mesh(usize),
    Material(usize),
    Camera(usize),
    Light(usize),
    /// Of an extension that is not known here.
    Other,
}

/// An element with all its channels.
#[derive(Debug, Clone)]
pub struct Group {
    pub element: Element,
    pub label: String,
    /// How many of the node's ancestors are groups.
    pub depth: u32,
    pub channels: Vec<GroupChannel>,
    /// The key times of its channels, each once: indices into [`Animation::key_times`].
    pub key_times: Vec<usize>,
}

#[derive(Debug, Clone)]
pub struct GroupChannel {
    /// Index into [`Animation::channels`].
    pub channel: usize,
    pub label: String,
    /// "LINEAR, 82 keys".
    pub summary: String,
    /// The value never changes.
    pub constant: bool,
}

/// A group, summed up, or one of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetRow {
    pub group: usize,
    pub channel: Option<usize>,
}

#[derive(Debug, Clone, Default)]
pub struct SheetState {
    pub search: String,
    /// Only the rows of selected nodes.
    pub selected_only: bool,
    pub scroll: ListScroll,
    /// The row on which the keyboard stands.
    pub cursor: Option<SheetRow>,
    /// Where Shift+click counts from.
    pub anchor: Option<SheetRow>,
    /// The time of the key from which Shift+click counts.
    pub key_anchor: Option<f32>,
    /// The active node that was last scrolled to.
    pub revealed: Option<usize>,
    pub boxed: Option<BoxSelect>,
    pub groups: Vec<Group>,
    pub rows: Vec<SheetRow>,
    model: Weak<Model>,
    animation: Option<usize>,
    /// Groups that were opened or closed by hand.
    open: BTreeMap<Element, bool>,
    first_open: bool,
    made_for: Option<MadeFor>,
}

/// Search, and the selection where only that is shown.
type MadeFor = (String, Option<Vec<usize>>);

impl SheetState {
    pub fn follow(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let same_model = std::ptr::eq(self.model.as_ptr(), Arc::as_ptr(model));
        if !same_model || self.animation != view.animation {
            let animation = view.animation.and_then(|a| model.animations.get(a));
            self.groups = animation.map(|animation| groups(model, animation)).unwrap_or_default();
            let rows = self.groups.iter().map(|group| 1 + group.channels.len()).sum::<usize>();
            self.first_open = rows <= FIRST_ROWS;
            (self.model, self.animation) = (Arc::downgrade(model), view.animation);
            (self.cursor, self.anchor, self.key_anchor, self.boxed, self.made_for) = (None, None, None, None, None);
        }
        let made_for = (self.search.clone(), self.selected_only.then(|| view.selection.clone()));
        if self.made_for.as_ref() != Some(&made_for) {
            self.rows = self.made_rows(model, view);
            self.made_for = Some(made_for);
        }
    }

    fn made_rows(&self, model: &Model, view: &View) -> Vec<SheetRow> {
        let wanted = self.search.trim().to_lowercase();
        let mut rows = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            let selected = matches!(group.element, Element::Node(node) if view.selection.contains(&model.node(node).source));
            if self.selected_only && !selected {
                continue;
            }
            let named = search_field::matches(&group.label, &wanted);
            let found = |channel: &&GroupChannel| search_field::matches(&channel.label, &wanted);
            let shown: Vec<_> = match named {
                true => group.channels.iter().filter(|_| self.is_open(number)).collect(),
                false => group.channels.iter().filter(found).collect(),
            };
            if !named && shown.is_empty() {
                continue;
            }
            rows.push(SheetRow { group: number, channel: None });
            rows.extend(shown.into_iter().map(|channel| SheetRow { group: number, channel: Some(channel.channel) }));
        }
        rows
    }

    pub fn is_open(&self, group: usize) -> bool {
        self.open.get(&self.groups[group].element).copied().unwrap_or(self.first_open)
    }

    pub fn set_open(&mut self, group: usize, open: bool) {
        self.open.insert(self.groups[group].element, open);
        self.made_for = None;
    }

    /// The group and those that stand deeper below it.
    pub fn set_subtree_open(&mut self, group: usize, open: bool) {
        let depth = self.groups[group].depth;
        let below = self.groups[group + 1..].iter().take_while(|below| below.depth > depth).count();
        for group in group..=group + below {
            self.set_open(group, open);
        }
    }

    pub fn row_of(&self, wanted: SheetRow) -> Option<usize> {
        self.rows.iter().position(|row| *row == wanted)
    }

    pub fn group_of(&self, node: NodeIndex) -> Option<usize> {
        self.groups.iter().position(|group| group.element == Element::Node(node))
    }

    /// The channels that a row stands for, and what is known of them.
    pub fn channels(&self, row: SheetRow) -> impl Iterator<Item = &GroupChannel> {
        self.groups[row.group].channels.iter().filter(move |channel| row.channel.is_none_or(|wanted| channel.channel == wanted))
    }
}

impl Group {
    pub fn node(&self) -> Option<NodeIndex> {
        match self.element {
            Element::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// Nodes along the tree, then all else.
fn groups(model: &Model, animation: &Animation) -> Vec<Group> {
    let mut channels: BTreeMap<Element, Vec<usize>> = BTreeMap::new();
    for (i, channel) in animation.channels.iter().enumerate() {
        channels.entry(element(model, channel.target)).or_default().push(i);
    }
    // Nodes stand in depth-first order: the open ancestors of each are a stack of ends of subtrees.
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
        channels.sort_by_key(|&channel| (rank(animation.channels[channel].target), animation.channels[channel].source));
        let mut key_times: Vec<_> = channels.iter().map(|&channel| animation.channels[channel].key_times).collect();
        key_times.sort_unstable();
        key_times.dedup();
        let channels = channels.into_iter().map(|channel| {
            let data = &animation.channels[channel];
            let constant = is_constant(data);
            let keys = status::counted(animation.key_times[data.key_times].len(), "key");
            let summary = format!("{}, {keys}{}", data.interpolation.name(), if constant { ", constant" } else { "" });
            GroupChannel { channel, label: channel_label(model, data.target), summary, constant }
        });
        Group { element, label: element_label(model, element), depth, channels: channels.collect(), key_times }
    };
    channels.into_iter().map(group).collect()
}

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

fn element_label(model: &Model, element: Element) -> String {
    let (what, index, name) = match element {
        Element::Node(node) => return model.node(node).label(),
        Element::Mesh(mesh) => ("mesh", mesh, &model.meshes[mesh].name),
        Element::Material(material) => ("material", material, &model.materials[material].name),
        Element::Camera(camera) => ("camera", camera, &model.cameras[camera].name),
        Element::Light(light) => ("light", light, &model.lights[light].name),
        Element::Other => return "elsewhere".to_owned(),
    };
    match name {
        Some(name) if !name.is_empty() => format!("{what} {name}"),
        _ => format!("{what} {index}"),
    }
}

/// As everywhere: translation, rotation, scale, then the rest.
fn rank(target: Target) -> u8 {
    match target {
        Target::Translation(_) => 0,
        Target::Rotation(_) => 1,
        Target::Scale(_) => 2,
        Target::Weights(_) => 3,
        Target::Pointer(_) => 4,
    }
}

/// The specification's path; of a pointer what comes after the element: `/materials/0/emissiveFactor`.
fn channel_label(model: &Model, target: Target) -> String {
    let Target::Pointer(pointer) = target else { return target.path().to_owned() };
    let Some(pointer) = model.pointers.get(pointer) else { return target.path().to_owned() };
    let within = match element(model, target) {
        Element::Light(_) => pointer.path.rsplit('/').next(),
        Element::Other => None,
        _ => pointer.path.splitn(4, '/').nth(3),
    };
    within.unwrap_or(&pointer.path).to_owned()
}

/// Whether all keys have one value, and no tangent leads away from it.
fn is_constant(channel: &Channel) -> bool {
    let components = channel.components.max(1);
    let mut values = channel.output.chunks_exact(components);
    if channel.interpolation != Interpolation::CubicSpline {
        let first = values.next();
        return values.all(|value| Some(value) == first);
    }
    let Some(first) = channel.output.get(components..2 * components) else { return true };
    let flat = |key: &[f32]| key[..components].iter().chain(&key[2 * components..]).all(|&tangent| tangent == 0.0);
    channel.output.chunks_exact(3 * components).all(|key| flat(key) && &key[components..2 * components] == first)
}

#[cfg(test)]
mod tests {
    use super::{Interpolation, is_constant};
    use crate::model::animation::{Channel, Target};
    use crate::model::node::NodeIndex;

    #[test]
    fn a_channel_is_constant_where_nothing_leads_away_from_its_value() {
        let channel = |interpolation, output: &[f32]| {
            let target = Target::Translation(NodeIndex(0));
            Channel { source: 0, target, key_times: 0, interpolation, output: output.to_vec(), components: 1 }
        };
        assert!(is_constant(&channel(Interpolation::Linear, &[2.0, 2.0, 2.0])));
        assert!(!is_constant(&channel(Interpolation::Step, &[2.0, 2.0, 2.5])));
        assert!(is_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.0, 0.0, 2.0, 0.0])));
        assert!(!is_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.5, 0.0, 2.0, 0.0])));
        assert!(!is_constant(&channel(Interpolation::CubicSpline, &[0.0, 2.0, 0.0, 0.0, 3.0, 0.0])));
    }
}
