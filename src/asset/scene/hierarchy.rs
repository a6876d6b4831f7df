//! Orders nodes depth-first, parents before children, so that one pass in this order can compute global transforms. Works without
//! recursion, so that the hierarchy may have any depth. Loops are cut.

use gltf::json;

use crate::asset::error::{At, LoadError, Location, Problem, existing};
use crate::asset::findings::Findings;

/// The nodes of a file in depth-first order.
#[derive(Debug)]
pub struct NodeOrder {
    /// The file's index of each node.
    pub sources: Vec<usize>,
    /// The position of each node's parent in `sources`.
    pub parents: Vec<Option<u32>>,
}

/// Orders all nodes, including those outside every scene. Returns an error if a node has two parents or a child does not exist.
pub fn order(root: &json::Root, findings: &mut Findings) -> Result<NodeOrder, LoadError> {
    let parents = parents(root, findings)?;
    let count = root.nodes.len();
    let mut order = NodeOrder { sources: Vec::with_capacity(count), parents: Vec::with_capacity(count) };
    let mut visited = vec![false; count];
    // A root is a node without a parent, whether a scene lists it or not.
    for node in (0..count).filter(|&node| parents[node].is_none()) {
        walk(root, node, &mut visited, &mut order);
    }
    // Nodes that no root leads to are on or below a loop. Cut the loop to reach them.
    for node in 0..count {
        if !visited[node] {
            let cut = find_loop_node(node, &parents);
            let message = format!("Node {cut} is its own ancestor; it is shown without a parent.");
            findings.error("NODE_LOOP", &format!("/nodes/{cut}"), message);
            walk(root, cut, &mut visited, &mut order);
        }
    }
    Ok(order)
}

/// The parent of each node, by the file's indices. Returns the same errors as [`order`].
fn parents(root: &json::Root, findings: &mut Findings) -> Result<Vec<Option<usize>>, LoadError> {
    let mut parents: Vec<Option<usize>> = vec![None; root.nodes.len()];
    // The last node with a finding about its children.
    let mut reported = None;
    for (parent, node) in root.nodes.iter().enumerate() {
        for (position, child) in node.children.iter().flatten().map(json::Index::value).enumerate() {
            let location = || Location::new("node", "nodes", parent, node.name.as_deref());
            if child >= root.nodes.len() {
                return existing(&root.nodes, child, "child node").map(|_| Vec::new()).at(&location());
            }
            match parents[child] {
                None => parents[child] = Some(parent),
                // One finding per parent is enough: a broken file may list a child a million times.
                Some(same) if same == parent => {
                    if reported.replace(parent) == Some(parent) {
                        continue;
                    }
                    let message = format!("Node {child} is listed twice among the children; the second is ignored.");
                    findings.error("DUPLICATE_ELEMENTS", &format!("/nodes/{parent}/children/{position}"), message);
                }
                Some(other) => {
                    let location = Location::new("node", "nodes", child, root.nodes[child].name.as_deref());
                    return Err(location.error(Problem::TwoParents { first: other, second: parent }));
                }
            }
        }
    }
    Ok(parents)
}

/// Appends `start` and its unvisited descendants, depth-first, children in the file's order.
fn walk(root: &json::Root, start: usize, visited: &mut [bool], order: &mut NodeOrder) {
    let mut stack = vec![(start, None)];
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
}

/// Finds a node on the loop that `node` is on or below.
fn find_loop_node(node: usize, parents: &[Option<usize>]) -> usize {
    let parent_of = |node: usize| parents[node].unwrap_or(node);
    // Floyd's cycle detection: the slow and the fast position meet on the loop.
    let (mut slow, mut fast) = (parent_of(node), parent_of(parent_of(node)));
    while slow != fast {
        (slow, fast) = (parent_of(slow), parent_of(parent_of(fast)));
    }
    slow
}
