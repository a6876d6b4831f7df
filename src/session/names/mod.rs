//! The names that lists show. They omit the prefix that a whole skeleton shares, and are shortened so that the parts in which they differ
//! from their neighbors stay.

pub mod list;
pub mod parts;
pub mod prefix;

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::node::{Node, NodeIndex};

use list::NameList;

/// Whether the names of joints are shown without the prefix of their skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameStyle {
    /// Without the prefix.
    #[default]
    Short,
    /// With the prefix.
    Full,
}

/// The names of a model's nodes and animations. They are computed once per document.
#[derive(Debug, Clone)]
pub struct Names {
    /// Labels of all nodes in depth-first order.
    nodes: NameList,
    /// The byte at which the short name of each node begins.
    starts: Vec<usize>,
    /// Labels of all animations in the file's order.
    animations: NameList,
}

impl Names {
    /// The names of a model. `joints` tells for each node whether it is a joint.
    pub fn new(model: &Model, joints: &[bool]) -> Self {
        let nodes: Vec<_> = model.nodes.iter().map(Node::label).collect();
        let animations = model.animations.iter().enumerate().map(|(i, animation)| animation.label(i)).collect();
        let starts = prefix::starts(model, joints, &nodes);
        Self { nodes: NameList::new(nodes), starts, animations: NameList::new(animations) }
    }

    /// The name of a node in this style.
    pub fn node(&self, node: NodeIndex, style: NameStyle) -> &str {
        &self.nodes.get(node.index())[self.start(node, style)..]
    }

    /// The name of a node in this style, shortened until `fits` accepts it.
    pub fn fit_node(&self, node: NodeIndex, style: NameStyle, fits: &dyn Fn(&str) -> bool) -> String {
        self.nodes.fit(node.index(), self.start(node, style), fits)
    }

    /// The name of an animation.
    pub fn animation(&self, animation: usize) -> &str {
        self.animations.get(animation)
    }

    /// The name of an animation, shortened until `fits` accepts it.
    pub fn fit_animation(&self, animation: usize, fits: &dyn Fn(&str) -> bool) -> String {
        self.animations.fit(animation, 0, fits)
    }

    /// The byte at which the name of a node begins in this style.
    fn start(&self, node: NodeIndex, style: NameStyle) -> usize {
        if style == NameStyle::Short { self.starts[node.index()] } else { 0 }
    }
}
