//! The user's choices for carrying the animations of another file over to the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::selector::{self, Selector};

/// Maximum number of files that a model borrows animations from.
pub const MAX_FILES: usize = 100;
/// Maximum number of nodes that are paired by hand per file.
pub const MAX_PAIRS: usize = 1000;
/// Maximum length of the names by which pairs are remembered, in bytes. Nodes with longer names are remembered by their index.
const MAX_NAME_BYTES: usize = 255;

/// The choices for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retarget {
    pub method: RetargetMethod,
    /// Whether the model's limbs are first rotated to their directions in the rest pose of the other file. Only
    /// [`RetargetMethod::Rotation`] uses this.
    pub align_rest: bool,
    /// Maps nodes of the other file to the nodes of the model that the user paired them with. `None` leaves a node without a counterpart.
    /// Keys and values have the syntax of a [`Selector`].
    pub pairs: BTreeMap<String, Option<String>>,
}

impl Default for Retarget {
    fn default() -> Self {
        Self { method: RetargetMethod::Auto, align_rest: true, pairs: BTreeMap::new() }
    }
}

/// How keyframes are carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetargetMethod {
    /// Chooses one of the other methods by the rest poses of both files.
    #[default]
    Auto,
    /// Copies local transforms unchanged.
    Direct,
    /// Carries over global rotations, relative to the rest poses.
    Rotation,
}

impl RetargetMethod {
    /// All methods, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Direct, Self::Rotation];

    /// The label in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatic",
            Self::Direct => "Direct",
            Self::Rotation => "By rotation",
        }
    }
}

impl Retarget {
    /// The pairs that were made by hand, as nodes of both models. Leaves out pairs whose nodes cannot be found in the models.
    pub fn by_hand(&self, source: &Model, target: &Model) -> Vec<(NodeIndex, Option<NodeIndex>)> {
        let pairs = self.pairs.iter().take(MAX_PAIRS);
        let node = |model: &Model, key: &str| {
            let Ok(selector) = key.parse::<Selector>();
            model.node_from_source(selector::node(model, &selector).ok()?.index)
        };
        let pair = |(from, to): (&String, &Option<String>)| {
            let source = node(source, from)?;
            match to {
                Some(to) => Some((source, Some(node(target, to)?))),
                None => Some((source, None)),
            }
        };
        pairs.filter_map(pair).collect()
    }
}

/// The text that stands for a node in [`Retarget::pairs`]: its name if no other node has it; otherwise its index in the file.
pub fn node_key(model: &Model, node: NodeIndex) -> String {
    let index = || model.node(node).source.to_string();
    let Some(name) = model.node(node).name.as_deref().filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len())) else { return index() };
    if model.nodes.iter().filter(|other| other.name.as_deref() == Some(name)).count() > 1 {
        return index();
    }
    let Ok(read) = name.parse::<Selector>();
    if read == Selector::Name(name.into()) { name.into() } else { format!("name:{name}") }
}
