//! Lists the differences between two models that do not depend on the time: nodes, hierarchy, rest pose, inverse bind matrices, what nodes
//! show, geometry, morph targets, joint weights, animations, materials.
//!
//! Each kind of difference is listed at most [`MAX_LISTED`] times; one more entry has the number of the others.

pub mod content;
pub mod deformers;
pub mod scene;
pub mod skeleton;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::deformation::Deformation;
use super::node_pairs::NodePairs;

/// Maximum number of entries of one kind.
pub const MAX_LISTED: usize = 20;

/// A difference between two models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The kind of difference, for scripts.
    pub code: &'static str,
    /// The difference in words.
    pub message: String,
    /// The number of differences that this entry stands for because they are not listed. `None` if it is a difference itself.
    #[serde(skip)]
    pub unlisted: Option<usize>,
}

impl Difference {
    /// The number of differences that this entry stands for.
    pub fn count(&self) -> usize {
        self.unlisted.unwrap_or(1)
    }
}

/// The differences in the order in which they are found.
#[derive(Debug, Default)]
struct Differences {
    listed: Vec<Difference>,
    /// For each code, the number of all differences, listed or not.
    counts: BTreeMap<&'static str, usize>,
}

impl Differences {
    /// Adds a difference. `message` is called only if the difference is listed.
    fn add(&mut self, code: &'static str, message: impl FnOnce() -> String) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_LISTED {
            self.listed.push(Difference { code, message: message(), unlisted: None });
        }
    }

    /// The listed differences. The last one of each kind is followed by the number of those not listed.
    fn finish(self) -> Vec<Difference> {
        let mut all = Vec::new();
        let mut counts = BTreeMap::<&'static str, usize>::new();
        for difference in self.listed {
            let code = difference.code;
            all.push(difference);
            let count = counts.entry(code).or_default();
            *count += 1;
            if *count == MAX_LISTED && self.counts[code] > MAX_LISTED {
                let unlisted = self.counts[code] - MAX_LISTED;
                all.push(Difference { code, message: format!("and {unlisted} more"), unlisted: Some(unlisted) });
            }
        }
        all
    }
}

/// Lists the differences between two models, A and B. `animations` are the compared ones.
pub fn find([a, b]: [&Model; 2], node_pairs: &NodePairs, animations: [Option<usize>; 2], deformation: &Deformation) -> Vec<Difference> {
    let mut differences = Differences::default();
    skeleton::compare_nodes([a, b], node_pairs, &mut differences);
    skeleton::compare_rest_poses([a, b], node_pairs, &mut differences);
    skeleton::compare_bind_matrices([a, b], node_pairs, &mut differences);
    scene::compare_scenes([a, b], node_pairs, &mut differences);
    content::compare_geometry([a, b], node_pairs, &mut differences);
    content::compare_attributes([a, b], node_pairs, &mut differences);
    deformers::compare_targets([a, b], node_pairs, deformation, &mut differences);
    deformers::compare_weights([a, b], deformation, &mut differences);
    content::compare_animation_lists([a, b], &mut differences);
    if let [Some(first), Some(second)] = animations {
        content::compare_keys([a, b], [first, second], &mut differences);
    }
    content::compare_materials([a, b], &mut differences);
    content::compare_primitive_materials([a, b], node_pairs, &mut differences);
    differences.finish()
}

/// The name of a node in messages.
fn name(model: &Model, node: NodeIndex) -> String {
    let node = model.node(node);
    match &node.name {
        Some(_) => format!("node {} {:?}", node.source, node.label()),
        None => node.label(),
    }
}
