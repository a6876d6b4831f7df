//! Finds which node of one model is which node of another.
//!
//! Nodes are bound by the path of their names, then by their name, then by their name without its namespace ("mixamorig:Hips" is "Hips"),
//! and at last by their index in the file if both files have the same number of nodes. Names come from files: they may be missing, equal
//! or megabytes long. Each is hashed once.

use std::collections::HashMap;

use crate::model::Model;
use crate::model::node::{NodeIndex, without_namespace};

/// The pairs of nodes of two models, A and B. A node is in one pair at most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// One per node of A, in model order: its counterpart in B.
    pub to_b: Vec<Option<NodeIndex>>,
    /// One per node of B, in model order: its counterpart in A.
    pub to_a: Vec<Option<NodeIndex>>,
}

/// A node's place below its parent: the parent's counterpart in B, the number of its name, and the number of siblings with that name
/// before it.
type Place = (Option<NodeIndex>, usize, usize);

impl Binding {
    /// Binds the nodes of two models.
    pub fn new(a: &Model, b: &Model) -> Self {
        let mut binding = Self { to_b: vec![None; a.nodes.len()], to_a: vec![None; b.nodes.len()] };
        let mut names = NameNumbers::default();
        let full = [names.of_nodes(a), names.of_nodes(b)];
        binding.by_path([a, b], &full);
        binding.by_name(&full);
        let short = names.without_namespaces();
        let bare = full.map(|nodes| nodes.iter().map(|name| name.and_then(|name| short.get(name).copied())).collect());
        binding.by_name(&bare);
        // Unnamed nodes and repeated names below a parent that was found by its name only.
        binding.by_path([a, b], &bare);
        binding.by_index([a, b]);
        binding
    }

    /// The bound nodes, in the order of A.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> + '_ {
        self.to_b.iter().zip(0..).filter_map(|(b, a)| Some((NodeIndex(a), (*b)?)))
    }

    /// The nodes of A without a counterpart.
    pub fn only_in_a(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        unbound(&self.to_b)
    }

    /// The nodes of B without a counterpart.
    pub fn only_in_b(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        unbound(&self.to_a)
    }

    /// The same binding with A and B exchanged.
    pub fn swapped(&self) -> Self {
        Self { to_b: self.to_a.clone(), to_a: self.to_b.clone() }
    }

    /// Binds two nodes that have no counterpart yet.
    fn bind(&mut self, a: NodeIndex, b: NodeIndex) {
        let (Some(to_b), Some(to_a)) = (self.to_b.get_mut(a.index()), self.to_a.get_mut(b.index())) else { return };
        if to_b.is_none() && to_a.is_none() {
            (*to_b, *to_a) = (Some(b), Some(a));
        }
    }

    /// Binds nodes at the same place below bound parents, parents first.
    fn by_path(&mut self, [a, b]: [&Model; 2], names: &[Vec<Option<usize>>; 2]) {
        // Unnamed nodes have a number of their own.
        let number = |name: Option<usize>| name.map_or(0, |name| name + 1);
        let mut places: HashMap<Place, NodeIndex> = HashMap::new();
        let mut counts: HashMap<(Option<NodeIndex>, usize), usize> = HashMap::new();
        for (node, name) in b.node_indices().zip(&names[1]) {
            let (parent, name) = (b.hierarchy.parent(node), number(*name));
            let count = counts.entry((parent, name)).or_default();
            places.insert((parent, name, *count), node);
            *count += 1;
        }
        counts.clear();
        for (node, name) in a.node_indices().zip(&names[0]) {
            let (parent, name) = (a.hierarchy.parent(node), number(*name));
            let count = counts.entry((parent, name)).or_default();
            let nth = std::mem::replace(count, *count + 1);
            let parent = match parent {
                Some(parent) => match self.to_b[parent.index()] {
                    None => continue,
                    bound => bound,
                },
                None => None,
            };
            if let Some(&other) = places.get(&(parent, name, nth)) {
                self.bind(node, other);
            }
        }
    }

    /// Binds the unbound nodes of a name in their order, if both models have equally many of them.
    fn by_name(&mut self, names: &[Vec<Option<usize>>; 2]) {
        let [a, b] = [by_number(unbound(&self.to_b), &names[0]), by_number(unbound(&self.to_a), &names[1])];
        for (name, nodes) in a {
            let others = b.get(&name).filter(|others| others.len() == nodes.len());
            for (&node, &other) in nodes.iter().zip(others.into_iter().flatten()) {
                self.bind(node, other);
            }
        }
    }

    /// Binds nodes with the same index in their files, if the files have equally many nodes.
    fn by_index(&mut self, [a, b]: [&Model; 2]) {
        if a.nodes.len() == b.nodes.len() {
            for (&node, &other) in a.node_of_source.iter().zip(&b.node_of_source) {
                self.bind(node, other);
            }
        }
    }
}

/// The indices of nodes without a counterpart.
fn unbound(counterparts: &[Option<NodeIndex>]) -> impl Iterator<Item = NodeIndex> + '_ {
    counterparts.iter().zip(0..).filter(|(other, _)| other.is_none()).map(|(_, node)| NodeIndex(node))
}

/// Numbers names, so that each is hashed once. Equal names have equal numbers.
#[derive(Default)]
struct NameNumbers<'a> {
    numbers: HashMap<&'a str, usize>,
    /// The names by number.
    names: Vec<&'a str>,
}

impl<'a> NameNumbers<'a> {
    /// The number of a name.
    fn number(&mut self, name: &'a str) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// The number of each node's name; `None` for a node without a name.
    fn of_nodes(&mut self, model: &'a Model) -> Vec<Option<usize>> {
        let name = |name: &'a Option<String>| name.as_deref().filter(|name| !name.is_empty());
        model.nodes.iter().map(|node| name(&node.name).map(|name| self.number(name))).collect()
    }

    /// For each number: that of the name without its namespace, among numbers of their own.
    fn without_namespaces(&self) -> Vec<usize> {
        let mut bare = NameNumbers::default();
        self.names.iter().map(|name| bare.number(without_namespace(name))).collect()
    }
}

/// The nodes of each name, in model order.
fn by_number(nodes: impl Iterator<Item = NodeIndex>, names: &[Option<usize>]) -> HashMap<usize, Vec<NodeIndex>> {
    let mut found: HashMap<usize, Vec<NodeIndex>> = HashMap::new();
    for node in nodes {
        if let Some(name) = names.get(node.index()).copied().flatten() {
            found.entry(name).or_default().push(node);
        }
    }
    found
}
