//! The order of nodes: the file's children lists to a depth-first sequence, parents first. Without recursion, so that a
//! chain may be as deep as it likes; loops are cut.

use gltf::json;

use crate::asset::error::{At, LoadError, Place, Problem, existing};
use crate::asset::findings::Findings;

/// Nodes by the file's indices, in depth-first order.
#[derive(Debug)]
pub struct Order {
    /// The file's index of each node.
    pub sources: Vec<usize>,
    /// For each node, the place of its parent in `sources`.
    pub parents: Vec<Option<u32>>,
    /// One past the last node of each node's subtree, in places of `sources`.
    pub subtree_ends: Vec<u32>,
}

/// Orders all nodes, those outside every scene too. A node with two parents is an error.
pub fn order(root: &json::Root, findings: &mut Findings) -> Result<Order, LoadError> {
    let parents = parents(root, findings)?;
    let count = root.nodes.len();
    let mut order = Order { sources: Vec::with_capacity(count), parents: Vec::with_capacity(count), subtree_ends: vec![0; count] };
    let mut visited = vec![false; count];
    for node in (0..count).filter(|&node| parents[node].is_none()) {
        walk(root, node, &mut visited, &mut order);
    }
    // What no root leads to hangs on a loop; nodes of a loop have no other way in than to cut it.
    for node in 0..count {
        if !visited[node] {
            let cut = on_loop(node, &parents);
            let message = format!("Node {cut} is its own ancestor; it is shown as if it had no parent.");
            findings.error("NODE_LOOP", &format!("/nodes/{cut}"), message);
            walk(root, cut, &mut visited, &mut order);
        }
    }
    Ok(order)
}

/// The parent of each node, by the file's indices.
fn parents(root: &json::Root, findings: &mut Findings) -> Result<Vec<Option<usize>>, LoadError> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(json::Index::value) {
            let place = || Place::new("node", "nodes", parent, node.name.as_deref());
            if child >= root.nodes.len() {
                return existing(&root.nodes, child, "child node").map(|_| Vec::new()).at(&place());
            }
            match parents[child] {
                None => parents[child] = Some(parent),
                Some(same) if same == parent => {
                    let message = format!("Node {child} is listed twice among the children; once is enough.");
                    findings.error("DUPLICATE_ELEMENTS", &format!("/nodes/{parent}/children"), message);
                }
                Some(first) => {
                    let place = Place::new("node", "nodes", child, root.nodes[child].name.as_deref());
                    return Err(place.error(Problem::TwoParents { first, second: parent }));
                }
            }
        }
    }
    Ok(parents)
}

/// Appends `start` and everything below it that was not visited, depth-first, children in the file's order.
fn walk(root: &json::Root, start: usize, visited: &mut [bool], order: &mut Order) {
    let mut stack = vec![(start, None)];
    let first = order.sources.len();
    while let Some((node, parent)) = stack.pop() {
        if std::mem::replace(&mut visited[node], true) {
            continue;
        }
        let place = order.sources.len() as u32;
        order.sources.push(node);
        order.parents.push(parent);
        stack.extend(root.nodes[node].children.iter().flatten().rev().map(|child| (child.value(), Some(place))));
    }
    // Backwards, so that every child's end is known before its parent's.
    for place in (first..order.sources.len()).rev() {
        order.subtree_ends[place] = order.subtree_ends[place].max(place as u32 + 1);
        if let Some(parent) = order.parents[place] {
            let parent = parent as usize;
            order.subtree_ends[parent] = order.subtree_ends[parent].max(order.subtree_ends[place]);
        }
    }
}

/// A node of the loop that `node` hangs on.
fn on_loop(node: usize, parents: &[Option<usize>]) -> usize {
    let up = |node: usize| parents[node].unwrap_or(node);
    // Two walkers, one twice as fast: they meet on the loop.
    let (mut slow, mut fast) = (up(node), up(up(node)));
    while slow != fast {
        (slow, fast) = (up(slow), up(up(fast)));
    }
    slow
}
