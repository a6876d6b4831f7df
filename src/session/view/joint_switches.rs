//! Joint switches: the switch and solo state of each node's columns, and their effect on the whole model.
//!
//! A column is in effect for a node if its switch is on and either no node is soloed in that column or this node is. Solo never
//! changes the switches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::node::NodeIndex;

/// A switch column. Each node has one switch per column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Joints only: the joint is drawn with the skeleton.
    Drawn,
    /// The animation moves the node. If off, the node stays at rest.
    Animated,
    /// Joints only: the joint moves vertices. If off, its nearest ancestor joint in the same skin moves them instead.
    Influence,
    /// Nodes that are not joints: the node and all nodes below it are drawn.
    Visible,
    /// Joints only: the geometry that the joint carries is drawn; see [`crate::session::pose::geometry_mask`].
    Geometry,
}

impl Column {
    /// Every column, in the order of declaration.
    pub const ALL: [Self; 5] = [Self::Drawn, Self::Animated, Self::Influence, Self::Visible, Self::Geometry];
}

/// One switch of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Switch {
    /// Whether the column is switched on.
    pub on: bool,
    /// Whether the node is soloed in the column.
    pub solo: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { on: true, solo: false }
    }
}

/// The switches of one node, one per column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeSwitches {
    /// Switch of [`Column::Drawn`].
    pub drawn: Switch,
    /// Switch of [`Column::Animated`].
    pub animated: Switch,
    /// Switch of [`Column::Influence`].
    pub influence: Switch,
    /// Switch of [`Column::Visible`].
    pub visible: Switch,
    /// Switch of [`Column::Geometry`].
    pub geometry: Switch,
}

impl NodeSwitches {
    /// The switch of one column.
    pub fn get(&self, column: Column) -> Switch {
        match column {
            Column::Drawn => self.drawn,
            Column::Animated => self.animated,
            Column::Influence => self.influence,
            Column::Visible => self.visible,
            Column::Geometry => self.geometry,
        }
    }

    /// The switch of one column, to change it.
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

/// A node's switch in a column. `source` is the node's index in the file; nodes that are not listed have the default switch.
pub fn switch(switches: &BTreeMap<usize, NodeSwitches>, source: usize, column: Column) -> Switch {
    switches.get(&source).copied().unwrap_or_default().get(column)
}

/// Changes one switch of a node, and removes the node from the list if all of its switches are then at their defaults.
pub fn set(switches: &mut BTreeMap<usize, NodeSwitches>, source: usize, column: Column, change: impl FnOnce(&mut Switch)) {
    let node = switches.entry(source).or_default();
    change(node.get_mut(column));
    if *node == NodeSwitches::default() {
        switches.remove(&source);
    }
}

/// The `animated` switches alone. All other switches affect what is drawn, but not the pose.
pub fn animated_switches(switches: &BTreeMap<usize, NodeSwitches>) -> BTreeMap<usize, NodeSwitches> {
    let held = switches.iter().filter(|(_, node)| node.animated != Switch::default());
    held.map(|(&source, node)| (source, NodeSwitches { animated: node.animated, ..NodeSwitches::default() })).collect()
}

/// The number of nodes of this model that have a column switched off or soloed.
pub fn changed(switches: &BTreeMap<usize, NodeSwitches>, model: &Model) -> usize {
    switches.keys().filter(|&&source| model.node_from_source(source).is_some()).count()
}

/// Returns whether any node of this model is soloed in a column.
pub fn any_solo(model: &Model, switches: &BTreeMap<usize, NodeSwitches>, column: Column) -> bool {
    switches.iter().any(|(&source, node)| node.get(column).solo && model.node_from_source(source).is_some())
}

/// The effect of the switches: one value per node and column, in model order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EffectiveSwitches {
    /// Whether a joint is drawn with the skeleton.
    pub drawn: Vec<bool>,
    /// Whether the animation moves the node.
    pub animated: Vec<bool>,
    /// Whether a joint moves vertices.
    pub influence: Vec<bool>,
    /// Whether the node is drawn. Includes the visibility in the file. All nodes below a node that is off are off, too.
    pub visible: Vec<bool>,
    /// Whether the geometry that a joint carries is drawn.
    pub geometry: Vec<bool>,
}

/// Applies switches and solos to every node of the model.
pub fn effective(model: &Model, switches: &BTreeMap<usize, NodeSwitches>) -> EffectiveSwitches {
    let column = |column: Column| -> Vec<bool> {
        // A single solo anywhere in a column switches off every node of that column that is not soloed.
        let any_solo = any_solo(model, switches, column);
        let on = |source: usize| {
            let switch = switch(switches, source, column);
            switch.on && (!any_solo || switch.solo)
        };
        model.nodes.iter().map(|node| on(node.source)).collect()
    };
    let mut effective = EffectiveSwitches {
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

/// Returns for each node whether it is drawn, in model order. Nodes below a node that is off are not drawn. If any node is soloed, only
/// soloed nodes and the nodes below them are drawn. `file` has the file's own visibility of each node, which an animation may drive
/// (KHR_node_visibility).
pub fn visible(model: &Model, switches: &BTreeMap<usize, NodeSwitches>, file: &[bool]) -> Vec<bool> {
    let any_solo = any_solo(model, switches, Column::Visible);
    let mut shown = vec![true; model.nodes.len()];
    let mut soloed = vec![!any_solo; model.nodes.len()];
    for (i, node) in model.nodes.iter().enumerate() {
        // Parents come before their children, so both of the parent's values are final.
        let own = switch(switches, node.source, Column::Visible);
        let parent = model.hierarchy.parents[i].map(NodeIndex::index);
        shown[i] = own.on && file[i] && parent.is_none_or(|parent| shown[parent]);
        soloed[i] |= own.solo || parent.is_some_and(|parent| soloed[parent]);
    }
    shown.iter().zip(&soloed).map(|(&shown, &soloed)| shown && soloed).collect()
}

/// Returns for each node whether its influence is fixed on, in model order. It is fixed for joints that have no ancestor joint in one of
/// their skins, because no joint can take over their vertices.
pub fn fixed_influences(model: &Model) -> Vec<bool> {
    let mut fixed = vec![false; model.nodes.len()];
    for skin in &model.skins {
        let mut joints: Vec<usize> = skin.joints.iter().map(|joint| joint.index()).collect();
        joints.sort_unstable();
        joints.dedup();
        // A subtree is a range of nodes, so a joint whose index is below the end of the last subtree lies inside it.
        let mut end = 0;
        for joint in joints {
            fixed[joint] |= joint >= end;
            end = end.max(model.hierarchy.subtree_ends[joint] as usize);
        }
    }
    fixed
}
