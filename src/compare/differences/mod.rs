//! Lists what differs between two models without moving: nodes, hierarchy, rest pose, bind matrices, geometry, animations, materials.
//!
//! A kind of difference is listed [`MAX_LISTED`] times at most; one more entry says how many others there are.

pub mod content;
pub mod skeleton;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::binding::Binding;

/// Maximum number of entries of one kind.
pub const MAX_LISTED: usize = 20;

/// Something that differs, as text for a person, and a code for scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub code: &'static str,
    pub message: String,
}

/// The differences in the order in which they are found. Counts those that are not listed.
#[derive(Debug, Default)]
struct Differences {
    listed: Vec<Difference>,
    counts: BTreeMap<&'static str, usize>,
}

impl Differences {
    /// Adds a difference. The message is made only if it is listed.
    fn add(&mut self, code: &'static str, message: impl FnOnce() -> String) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_LISTED {
            self.listed.push(Difference { code, message: message() });
        }
    }

    /// The listed differences, each kind followed by the number of its others.
    fn finish(self) -> Vec<Difference> {
        let mut all = Vec::new();
        let mut listed = self.listed.into_iter().peekable();
        while let Some(difference) = listed.next() {
            let code = difference.code;
            all.push(difference);
            let more = self.counts.get(code).map_or(0, |count| count.saturating_sub(MAX_LISTED));
            if more > 0 && listed.peek().is_none_or(|next| next.code != code) {
                all.push(Difference { code, message: format!("and {more} more") });
            }
        }
        all
    }
}

/// Lists the differences between two models, A and B. `animations` are the compared ones.
pub fn find([a, b]: [&Model; 2], binding: &Binding, animations: [Option<usize>; 2]) -> Vec<Difference> {
    let mut found = Differences::default();
    skeleton::nodes([a, b], binding, &mut found);
    skeleton::rest_pose([a, b], binding, &mut found);
    skeleton::bind_matrices([a, b], binding, &mut found);
    content::geometry([a, b], binding, &mut found);
    content::listed_animations([a, b], &mut found);
    if let [Some(first), Some(second)] = animations {
        content::compared_animations([a, b], [first, second], &mut found);
    }
    content::materials([a, b], &mut found);
    found.finish()
}

/// A node as messages name it.
fn name(model: &Model, node: NodeIndex) -> String {
    let node = model.node(node);
    match &node.name {
        Some(_) => format!("node {} {:?}", node.source, node.label()),
        None => node.label(),
    }
}
