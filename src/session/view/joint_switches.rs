//! Joint switches: what each node's columns say (own switch and solo), and what follows from them for the whole model.
//!
//! Effective = own switch and (nothing soloed in that column, or this node soloed). Solo never writes the switches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::node::NodeIndex;

/// The switch columns of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Joints: drawn in the overlay.
    Drawn,
    /// Driven by the animation; off: held at rest.
    Animated,
    /// Joints: moves vertices; off: the nearest influencing ancestor joint of the same skin does instead.
    Influence,
    /// Any other node: drawn, with everything below it.
    Visible,
    /// Joints: what they carry is drawn; see [`crate::session::pose::geometry_mask`].
    Geometry,
}

impl Column {
    pub const ALL: [Self; 5] = [Self::Drawn, Self::Animated, Self::Influence, Self::Visible, Self::Geometry];
}

/// One switch of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Switch {
    pub on: bool,
    pub solo: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { on: true, solo: false }
    }
}

/// All switches of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeSwitches {
    pub drawn: Switch,
    pub animated: Switch,
    pub influence: Switch,
    pub visible: Switch,
    pub geometry: Switch,
}

impl NodeSwitches {
    pub fn get(&self, column: Column) -> Switch {
        match column {
            Column::Drawn => self.drawn,
            Column::Animated => self.animated,
            Column::Influence => self.influence,
            Column::Visible => self.visible,
            Column::Geometry => self.geometry,
        }
    }

    fn get_mut(&mut self, column: Column) -> &mut Switch {
        match column {
            Column::Drawn => &mut self.drawn,
            Column::Animated => &mut self.animated,
            Column::Influence => &mut self.influence,
            Column::Visible => &mut self.visible,
            Column::Geometry => &mut self.geometry,
        }
    }
}

/// A node's switch, by the file's index.
pub fn switch(switches: &BTreeMap<usize, NodeSwitches>, source: usize, column: Column) -> Switch {
    switches.get(&source).copied().unwrap_or_default().get(column)
}

/// Changes one switch; a node whose switches are all at their defaults is dropped from the list.
pub fn set(switches: &mut BTreeMap<usize, NodeSwitches>, source: usize, column: Column, change: impl FnOnce(&mut Switch)) {
    let node = switches.entry(source).or_default();
    change(node.get_mut(column));
    if *node == NodeSwitches::default() {
        switches.remove(&source);
    }
}

/// Those that hold nodes still; the others say what is drawn and how.
pub fn holding(switches: &BTreeMap<usize, NodeSwitches>) -> BTreeMap<usize, NodeSwitches> {
    let held = switches.iter().filter(|(_, node)| node.animated != Switch::default());
    held.map(|(&source, node)| (source, NodeSwitches { animated: node.animated, ..NodeSwitches::default() })).collect()
}

/// How many nodes have anything switched or soloed that this model has.
pub fn changed(switches: &BTreeMap<usize, NodeSwitches>, model: &Model) -> usize {
    switches.keys().filter(|&&source| model.node_from_source(source).is_some()).count()
}

/// What the switches mean for every node, in the model's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effective {
    pub drawn: Vec<bool>,
    pub animated: Vec<bool>,
    pub influence: Vec<bool>,
    /// With the file's own visibility, and off below a node that is off.
    pub visible: Vec<bool>,
    pub geometry: Vec<bool>,
}

pub fn effective(model: &Model, switches: &BTreeMap<usize, NodeSwitches>) -> Effective {
    let soloed = Column::ALL.map(|column| switches.values().any(|node| node.get(column).solo));
    let column = |column: Column| -> Vec<bool> {
        let any_solo = soloed[column as usize];
        let on = |source: usize| {
            let switch = switch(switches, source, column);
            switch.on && (!any_solo || switch.solo)
        };
        model.nodes.iter().map(|node| on(node.source)).collect()
    };
    let mut effective = Effective {
        drawn: column(Column::Drawn),
        animated: column(Column::Animated),
        influence: column(Column::Influence),
        geometry: column(Column::Geometry),
        visible: Vec::new(),
    };
    let file: Vec<bool> = model.nodes.iter().map(|node| node.visible).collect();
    effective.visible = visible(model, switches, &file);
    effective
}

/// Visibility is inherited both ways: below a node that is off nothing shows, below a soloed node everything does.
/// `file`: whether the file shows each node by itself, which an animation may drive (KHR_node_visibility).
pub fn visible(model: &Model, switches: &BTreeMap<usize, NodeSwitches>, file: &[bool]) -> Vec<bool> {
    let any_solo = switches.values().any(|node| node.visible.solo);
    let mut shown = vec![true; model.nodes.len()];
    let mut soloed = vec![!any_solo; model.nodes.len()];
    for (i, node) in model.nodes.iter().enumerate() {
        let own = switch(switches, node.source, Column::Visible);
        let parent = model.hierarchy.parents[i].map(NodeIndex::index);
        shown[i] = own.on && file[i] && parent.is_none_or(|parent| shown[parent]);
        soloed[i] |= own.solo || parent.is_some_and(|parent| soloed[parent]);
    }
    shown.iter().zip(&soloed).map(|(&shown, &soloed)| shown && soloed).collect()
}

/// For each node: whether its influence cannot be switched off. So it is for joints without an ancestor joint in (one of) their
/// skins: there is nobody to take over.
pub fn fixed_influences(model: &Model) -> Vec<bool> {
    let mut fixed = vec![false; model.nodes.len()];
    for skin in &model.skins {
        let mut joints: Vec<usize> = skin.joints.iter().map(|joint| joint.index()).collect();
        joints.sort_unstable();
        joints.dedup();
        // A subtree is a range, so a joint that starts before the last subtree's end stands inside it.
        let mut end = 0;
        for joint in joints {
            fixed[joint] |= joint >= end;
            end = end.max(model.hierarchy.subtree_ends[joint] as usize);
        }
    }
    fixed
}
