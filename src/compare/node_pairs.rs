//! Pairs the nodes of two models.
//!
//! Nodes are paired by the path of their names, then by their name, then by their name without its namespace ("mixamorig:Hips" is "Hips"),
//! and finally by their index in the file if both files have the same number of nodes. Names may be missing, equal or megabytes long, so
//! each is hashed only once.

use std::collections::HashMap;

use crate::model::Model;
use crate::model::matching;
use crate::model::node::{NodeIndex, without_namespace};

/// The pairs of nodes of two models, A and B. A node is in one pair at most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodePairs {
    /// The counterpart in B of each node of A, in model order.
    pub to_b: Vec<Option<NodeIndex>>,
    /// The counterpart in A of each node of B, in model order.
    pub to_a: Vec<Option<NodeIndex>>,
}

/// The id of a name. Equal names have equal ids.
type NameId = usize;

impl NodePairs {
    /// Binds the nodes of two models.
    pub fn new(a: &Model, b: &Model) -> Self {
        let mut node_pairs = Self { to_b: vec![None; a.nodes.len()], to_a: vec![None; b.nodes.len()] };
        let mut ids = NameIds::default();
        let names = [ids.of_nodes(a), ids.of_nodes(b)];
        node_pairs.pair_by_path([a, b], &names);
        node_pairs.pair_by_name(&names);
        let without_namespace = ids.without_namespaces();
        let short_names = names.map(|nodes| nodes.iter().map(|name| name.and_then(|name| without_namespace.get(name).copied())).collect());
        node_pairs.pair_by_name(&short_names);
        // Try paths again, for unnamed nodes and repeated names below a parent that was paired by its name.
        node_pairs.pair_by_path([a, b], &short_names);
        node_pairs.pair_by_index([a, b]);
        node_pairs
    }

    /// The paired nodes, in the order of A.
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

    /// The same pairs with A and B exchanged.
    pub fn swapped(&self) -> Self {
        Self { to_b: self.to_a.clone(), to_a: self.to_b.clone() }
    }

    /// Pairs two nodes that have no counterpart yet.
    fn pair(&mut self, a: NodeIndex, b: NodeIndex) {
        let (Some(to_b), Some(to_a)) = (self.to_b.get_mut(a.index()), self.to_a.get_mut(b.index())) else { return };
        if to_b.is_none() && to_a.is_none() {
            (*to_b, *to_a) = (Some(b), Some(a));
        }
    }

    /// Pairs nodes at the same position below paired parents, parents first. Unnamed nodes match unnamed nodes.
    fn pair_by_path(&mut self, models: [&Model; 2], names: &[Vec<Option<NameId>>; 2]) {
        matching::by_path(models, [&names[0], &names[1]], |node, other| {
            if let Some(other) = other {
                self.pair(node, other);
            }
            self.to_b[node.index()]
        });
    }

    /// Pairs the unpaired nodes of each name in order, if both models have the same number of them.
    fn pair_by_name(&mut self, names: &[Vec<Option<NameId>>; 2]) {
        let [a, b] = [nodes_by_name(unbound(&self.to_b), &names[0]), nodes_by_name(unbound(&self.to_a), &names[1])];
        for (name, nodes) in a {
            let others = b.get(&name).filter(|others| others.len() == nodes.len());
            for (&node, &other) in nodes.iter().zip(others.into_iter().flatten()) {
                self.pair(node, other);
            }
        }
    }

    /// Pairs nodes with the same index in their files, if both files have the same number of nodes.
    fn pair_by_index(&mut self, [a, b]: [&Model; 2]) {
        if a.nodes.len() == b.nodes.len() {
            for (&node, &other) in a.node_of_source.iter().zip(&b.node_of_source) {
                self.pair(node, other);
            }
        }
    }
}

/// The indices of nodes without a counterpart.
fn unbound(counterparts: &[Option<NodeIndex>]) -> impl Iterator<Item = NodeIndex> + '_ {
    counterparts.iter().zip(0..).filter(|(other, _)| other.is_none()).map(|(_, node)| NodeIndex(node))
}

/// Gives each name an id, so that it is hashed only once.
#[derive(Default)]
struct NameIds<'a> {
    ids: HashMap<&'a str, NameId>,
    /// The name of each id.
    names: Vec<&'a str>,
}

impl<'a> NameIds<'a> {
    /// The id of a name.
    fn id(&mut self, name: &'a str) -> NameId {
        *self.ids.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// The id of each node's name; `None` for a node without a name.
    fn of_nodes(&mut self, model: &'a Model) -> Vec<Option<NameId>> {
        let name = |name: &'a Option<String>| name.as_deref().filter(|name| !name.is_empty());
        model.nodes.iter().map(|node| name(&node.name).map(|name| self.id(name))).collect()
    }

    /// For each id, another id that stands for the name without its namespace.
    fn without_namespaces(&self) -> Vec<NameId> {
        let mut short_names = NameIds::default();
        self.names.iter().map(|name| short_names.id(without_namespace(name))).collect()
    }
}

/// The nodes of each name, in model order. `names` has the name of each node of the model.
fn nodes_by_name(nodes: impl Iterator<Item = NodeIndex>, names: &[Option<NameId>]) -> HashMap<NameId, Vec<NodeIndex>> {
    let mut by_name: HashMap<NameId, Vec<NodeIndex>> = HashMap::new();
    for node in nodes {
        if let Some(name) = names.get(node.index()).copied().flatten() {
            by_name.entry(name).or_default().push(node);
        }
    }
    by_name
}
