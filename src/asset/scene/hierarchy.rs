//! Orders nodes depth-first, parents before children, so that a pass from front to back can compute global transforms. Works
//! without recursion, so that chains may have any depth. Loops are cut.

use gltf::json;

use crate::asset::error::{At, LoadError, Location, Problem, existing};
use crate::asset::findings::Findings;

/// Nodes by the file's indices, in depth-first order.
#[derive(Debug)]
pub struct NodeOrder {
    /// The file's index of each node.
    pub sources: Vec<usize>,
    /// The position of each node's parent in `sources`.
    pub parents: Vec<Option<u32>>,
    /// One past the last node of each node's subtree, as a position in `sources`.
    pub subtree_ends: Vec<u32>,
}

/// Orders all nodes, including those outside every scene. Errors if a node has two parents or a child does not exist.
pub fn order(root: &json::Root, findings: &mut Findings) -> Result<NodeOrder, LoadError> {
    let parents = parents(root, findings)?;
    let count = root.nodes.len();
    let mut order = NodeOrder { sources: Vec::with_capacity(count), parents: Vec::with_capacity(count), subtree_ends: vec![0; count] };
    let mut visited = vec![false; count];
    // A root is a node without a parent, whether a scene lists it or not.
    for node in (0..count).filter(|&node| parents[node].is_none()) {
        walk(root, node, &mut visited, &mut order);
    }
    // Nodes that no root leads to are below a loop. Cut it to reach them.
    for node in 0..count {
        if !visited[node] {
            let cut = on_loop(node, &parents);
            let message = format!("Node {cut} is its own ancestor; it is shown without a parent.");
            findings.error("NODE_LOOP", &format!("/nodes/{cut}"), message);
            walk(root, cut, &mut visited, &mut order);
        }
    }
    Ok(order)
}

/// The parent of each node, by the file's indices. Errors as [`order`] does.
fn parents(root: &json::Root, findings: &mut Findings) -> Result<Vec<Option<usize>>, LoadError> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(json::Index::value) {
            let location = || Location::new("node", "nodes", parent, node.name.as_deref());
            if child >= root.nodes.len() {
                return existing(&root.nodes, child, "child node").map(|_| Vec::new()).at(&location());
            }
            match parents[child] {
                None => parents[child] = Some(parent),
                Some(same) if same == parent => {
                    let message = format!("Node {child} is listed twice among the children; the second is ignored.");
                    findings.error("DUPLICATE_ELEMENTS", &format!("/nodes/{parent}/children"), message);
                }
                Some(first) => {
                    let location = Location::new("node", "nodes", child, root.nodes[child].name.as_deref());
                    return Err(location.error(Problem::TwoParents { first, second: parent }));
                }
            }
        }
    }
    Ok(parents)
}

/// Appends `start` and its unvisited descendants, depth-first, children in the file's order.
fn walk(root: &json::Root, start: usize, visited: &mut [bool], order: &mut NodeOrder) {
    let mut stack = vec![(start, None)];
    let first = order.sources.len();
    while let Some((node, parent)) = stack.pop() {
        if std::mem::replace(&mut visited[node], true) {
            continue;
        }
        let position = order.sources.len() as u32;
        order.sources.push(node);
        order.parents.push(parent);
        // Children are pushed in reverse, so that the first one is popped first.
        stack.extend(root.nodes[node].children.iter().flatten().rev().map(|child| (child.value(), Some(position))));
    }
    // Backwards, so that the ends of children are known before those of their parents.
    for position in (first..order.sources.len()).rev() {
        order.subtree_ends[position] = order.subtree_ends[position].max(position as u32 + 1);
        if let Some(parent) = order.parents[position] {
            let parent = parent as usize;
            order.subtree_ends[parent] = order.subtree_ends[parent].max(order.subtree_ends[position]);
        }
    }
}

/// A node of the loop above `node`.
fn on_loop(node: usize, parents: &[Option<usize>]) -> usize {
    let up = |node: usize| parents[node].unwrap_or(node);
    // Floyd's cycle detection: the slow and the fast one meet on the loop.
    let (mut slow, mut fast) = (up(node), up(up(node)));
    while slow != fast {
        (slow, fast) = (up(slow), up(up(fast)));
    }
    slow
}
