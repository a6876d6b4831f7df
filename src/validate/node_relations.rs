//! Relations between nodes that several checks use: parents and ancestors, loops, joints, animated nodes, and meshes with joints. They are
//! read from the raw JSON, because a file with invalid relations cannot be loaded.

use std::collections::HashSet;

use serde_json::Value;

use crate::validate::read;

/// The positions of a node and its descendants in depth-first order. A node is an ancestor of another if its span contains the position of
/// the other.
#[derive(Debug, Clone, Copy, Default)]
struct NodeSpan {
    /// The root of its tree, which may be the node itself.
    root: usize,
    /// The node's own position.
    first: usize,
    /// One past its last descendant.
    end: usize,
}

/// Relations between nodes, by the file's indices.
pub struct NodeRelations {
    /// The parent of each node.
    parents: Vec<Option<usize>>,
    /// `None` for a node on or below a loop.
    spans: Vec<Option<NodeSpan>>,
    /// Nodes that are joints of a skin.
    joints: HashSet<usize>,
    /// Nodes that a channel animates.
    animated: HashSet<usize>,
    /// For each mesh, whether one of its primitives has joints. `None` if it has no primitives.
    skinned: Vec<Option<bool>>,
}

impl NodeRelations {
    /// Reads the relations from the raw JSON. Invalid indices are skipped.
    pub fn new(root: &Value) -> Self {
        let nodes = read::list(root, "nodes");
        let mut parents = vec![None; nodes.len()];
        for (parent, json) in nodes.iter().enumerate() {
            for (_, child) in read::indices(json, "children") {
                // If a node has several parents, the last one is used, as in the Khronos validator. Loading refuses such a file.
                if let Some(slot) = parents.get_mut(child) {
                    *slot = Some(parent);
                }
            }
        }
        let spans = spans(&parents);
        let joints = read::list(root, "skins").iter().flat_map(|skin| read::indices(skin, "joints")).map(|(_, joint)| joint).collect();
        let channels = read::list(root, "animations").iter().flat_map(|animation| read::list(animation, "channels"));
        let animated = channels.filter_map(|channel| read::index(channel.get("target")?, "node")).collect();
        let is_skinned = |mesh: &Value| {
            let has_attribute =
                |primitive: &Value, name| primitive.get("attributes").is_some_and(|attributes| attributes.get(name).is_some());
            let primitives = read::list(mesh, "primitives");
            (!primitives.is_empty())
                .then(|| primitives.iter().any(|primitive| has_attribute(primitive, "JOINTS_0") && has_attribute(primitive, "WEIGHTS_0")))
        };
        let skinned = read::list(root, "meshes").iter().map(is_skinned).collect();
        Self { parents, spans, joints, animated, skinned }
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.parents.len()
    }

    /// The parent of a node. `None` for a root or a node that does not exist.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied().flatten()
    }

    /// Returns whether a skin has this node as a joint.
    pub fn is_joint(&self, node: usize) -> bool {
        self.joints.contains(&node)
    }

    /// Returns whether a channel animates this node.
    pub fn is_animated(&self, node: usize) -> bool {
        self.animated.contains(&node)
    }

    /// Returns whether a mesh has joints. `None` if it does not exist, or has no primitives.
    pub fn has_joints(&self, mesh: usize) -> Option<bool> {
        self.skinned.get(mesh).copied().flatten()
    }

    /// The root above a node. `None` on or below a loop.
    pub fn root(&self, node: usize) -> Option<usize> {
        Some(self.spans.get(node).copied().flatten()?.root)
    }

    /// Returns whether `ancestor` is this node or above it.
    pub fn is_above(&self, ancestor: usize, node: usize) -> bool {
        let span = |node: usize| self.spans.get(node).copied().flatten();
        span(ancestor).zip(span(node)).is_some_and(|(above, below)| (above.first..above.end).contains(&below.first))
    }

    /// The nodes that are their own ancestors, in ascending order.
    pub fn on_loops(&self) -> Vec<usize> {
        let mut nodes = Vec::new();
        let mut seen = vec![false; self.parents.len()];
        for start in (0..self.parents.len()).filter(|&node| self.spans[node].is_none()) {
            // Walk up to a node seen before. If it is on this path, the path closes a loop.
            let (mut path, mut node) = (Vec::new(), start);
            while !std::mem::replace(&mut seen[node], true) {
                path.push(node);
                let Some(parent) = self.parent(node) else { break };
                node = parent;
            }
            if let Some(loop_start) = path.iter().position(|&other| other == node) {
                nodes.extend_from_slice(&path[loop_start..]);
            }
        }
        nodes.sort_unstable();
        nodes
    }
}

/// Returns the spans of all nodes, depth-first from every root. `None` for nodes on or below a loop, which cannot be reached from a root.
fn spans(parents: &[Option<usize>]) -> Vec<Option<NodeSpan>> {
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = *parent {
            children[parent].push(node);
        }
    }
    let mut spans: Vec<Option<NodeSpan>> = vec![None; parents.len()];
    let mut next = 0;
    for root in (0..parents.len()).filter(|&node| parents[node].is_none()) {
        // Each node is on the stack twice: to enter it, and to leave it after its descendants.
        let mut stack = vec![(root, false)];
        while let Some((node, is_left)) = stack.pop() {
            if is_left {
                spans[node].get_or_insert_default().end = next;
                continue;
            }
            spans[node] = Some(NodeSpan { root, first: next, end: next });
            next += 1;
            stack.push((node, true));
            stack.extend(children[node].iter().map(|&child| (child, false)));
        }
    }
    spans
}
