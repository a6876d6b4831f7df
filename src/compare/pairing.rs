//! Finds the counterparts of animations and primitives, and the two animations that a user names.

use std::collections::HashMap;

use thiserror::Error;

use crate::model::Model;
use crate::model::matching;
use crate::model::mesh::{Mesh, Primitive};
use crate::model::node::NodeIndex;
use crate::session::view::selector::{self, SelectError, Selector};

use super::node_pairs::NodePairs;

/// The keys by which animations, materials or material variants of two files are matched: the name and the number of earlier elements with
/// this name, or the index of an element without a name.
pub fn keys<'a>(names: impl Iterator<Item = Option<&'a str>>) -> Vec<(&'a str, usize)> {
    let occurrences = matching::occurrences(names.map(|name| name.filter(|name| !name.is_empty())));
    let key = |(index, (name, earlier)): (usize, (Option<&'a str>, usize))| name.map_or(("", index), |name| (name, earlier));
    occurrences.into_iter().enumerate().map(key).collect()
}

/// The animation of `to` that is compared with an animation of `from`: the n-th one of a name with the n-th one of that name or, if there
/// is none, the one with the same index, unless that is the namesake of another one. `None` if there is neither. The same as
/// [`all_counterparts`] with [`OtherName::Allowed`], but faster for one animation.
pub fn animation(from: &Model, to: &Model, animation: usize) -> Option<usize> {
    let namesake = name(from, animation).and_then(|_| matching::namesake(from, to, animation));
    let is_free = |index: &usize| name(to, *index).is_none_or(|_| matching::namesake(to, from, *index).is_none());
    namesake.or_else(|| from.animations.get(animation).and(to.existing_animation(Some(animation))).filter(is_free))
}

/// The animation of B that is compared with an animation of A that the user chose. If that has a name, its counterpart must not have
/// another name. Returns an error if there is none.
pub fn counterpart(a: &Model, b: &Model, animation: usize) -> Result<usize, PairingError> {
    let found = || counterparts(a, b)[animation];
    let (label, found) = match name(a, animation) {
        Some(name) if matching::earlier_namesakes(a, animation) == 0 => (format!("{name:?}"), found()),
        Some(name) => (format!("{animation} {name:?}"), found()),
        None => (format!("{animation}, which has no name"), b.existing_animation(Some(animation))),
    };
    found.ok_or_else(|| PairingError::NoCounterpart { animation: label, choices: selector::animation_choices(b) })
}

/// The name of an animation. `None` if there is no such animation, or if it has no name.
pub fn name(model: &Model, animation: usize) -> Option<&str> {
    model.animations.get(animation)?.name.as_deref().filter(|name| !name.is_empty())
}

/// For each animation of `from`, the one of `to` that stands for it; `None` if `to` lacks it. An animation with another name never counts:
/// a program that plays it by name would not find it.
pub fn counterparts(from: &Model, to: &Model) -> Vec<Option<usize>> {
    all_counterparts(from, to, OtherName::Excluded)
}

/// Whether an animation at the same index may stand for one that has another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherName {
    Allowed,
    Excluded,
}

/// For each animation of `from`, the one of `to` that stands for it. Each animation stands for at most one other. An animation at the same
/// index counts only if neither of the two has a namesake in the other file; if both have names, `other_name` decides.
pub fn all_counterparts(from: &Model, to: &Model, other_name: OtherName) -> Vec<Option<usize>> {
    let [keys_from, keys_to] = [from, to].map(|model| keys(model.animations.iter().map(|animation| animation.name.as_deref())));
    let [in_from, in_to] = [&keys_from, &keys_to].map(|keys| indices(keys));
    let at_same_index = |index: usize| {
        let (from, to) = (keys_from[index], *keys_to.get(index)?);
        let may_differ = other_name == OtherName::Allowed || from.0.is_empty() || to.0.is_empty();
        (may_differ && !in_from.contains_key(&to)).then_some(index)
    };
    keys_from.iter().enumerate().map(|(index, key)| in_to.get(key).copied().or_else(|| at_same_index(index))).collect()
}

/// The index of each animation or material by its key ([`keys`]).
pub fn indices<'a>(keys: &[(&'a str, usize)]) -> HashMap<(&'a str, usize), usize> {
    keys.iter().copied().zip(0..).collect()
}

/// The material variant of B that stands for one of A: the n-th one of a name for the n-th one of that name, and one without a name for the
/// one without a name at the same index.
pub fn variant(a: &Model, b: &Model, variant: usize) -> Option<usize> {
    let [keys_a, keys_b] = [a, b].map(|model| keys(model.variants.iter().map(|variant| variant.name.as_deref())));
    keys_b.iter().position(|key| keys_a.get(variant) == Some(key))
}

/// The animations that are compared if the user names none: the first one of A that has a counterpart, or the rest poses.
pub fn first_animations(a: &Model, b: &Model) -> [Option<usize>; 2] {
    let counterparts = all_counterparts(a, b, OtherName::Allowed);
    let first = counterparts.into_iter().enumerate().find_map(|(index, other)| Some([Some(index), Some(other?)]));
    first.unwrap_or([None, None])
}

/// The animations of A with their [`counterparts`] in B, in the order of A, without the `first` pair.
pub fn other_animations(a: &Model, b: &Model, first: [Option<usize>; 2]) -> Vec<[usize; 2]> {
    let pairs = counterparts(a, b).into_iter().enumerate().filter_map(|(animation, other)| Some([animation, other?]));
    pairs.filter(|pair| pair.map(Some) != first).collect()
}

/// A reason why the animations that a user names cannot be compared. The messages list the names in the file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PairingError {
    #[error(transparent)]
    Select(#[from] SelectError),
    #[error("no counterpart of animation {animation}; {choices}")]
    NoCounterpart { animation: String, choices: String },
}

/// The animations that a text names: "A:B", or "A" alone for an animation of A and its [`counterpart`]. Names may contain colons. Returns
/// an error with the file that has no such animation.
pub fn resolve(text: &str, a: &Model, b: &Model) -> Result<[usize; 2], (ComparedFile, PairingError)> {
    let find = |model: &Model, text: &str| {
        let Ok(selector) = text.parse::<Selector>();
        selector::animation(model, &selector).map(|selected| selected.index)
    };
    let unknown = match find(a, text) {
        Ok(first) => return counterpart(a, b, first).map(|second| [first, second]).map_err(|error| (ComparedFile::B, error)),
        Err(error) => error,
    };
    let mut failure = None;
    for (colon, _) in text.match_indices(':').take(MAX_COLONS) {
        let (left, right) = (&text[..colon], &text[colon + 1..]);
        match (find(a, left), find(b, right)) {
            (Ok(first), Ok(second)) => return Ok([first, second]),
            (Ok(_), Err(error)) => failure = failure.or(Some((ComparedFile::B, error.into()))),
            (Err(error), Ok(_)) => failure = failure.or(Some((ComparedFile::A, error.into()))),
            (Err(_), Err(_)) => {}
        }
    }
    Err(failure.unwrap_or((ComparedFile::A, unknown.into())))
}

/// Maximum number of colons at which a text is split into the names of A and B.
const MAX_COLONS: usize = 16;

/// One of the two compared files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedFile {
    A,
    B,
}

/// Primitives with the same index in the meshes of two paired nodes.
#[derive(Debug, Clone, Copy)]
pub struct PrimitivePair<'a> {
    /// The nodes that show the primitives.
    pub nodes: [NodeIndex; 2],
    /// Index of the primitives, the same in both meshes.
    pub index: usize,
    pub a: &'a Primitive,
    pub b: &'a Primitive,
}

/// Tells which pairs have the same topology. Nodes that share a mesh share its primitives, whose indices are compared only once.
#[derive(Default)]
pub struct Topologies {
    known: HashMap<[*const Primitive; 2], bool>,
}

impl Topologies {
    /// [`PrimitivePair::has_same_topology`] for a pair of primitives of the same models as in all other calls.
    pub fn are_same(&mut self, pair: &PrimitivePair) -> bool {
        *self.known.entry([pair.a, pair.b].map(std::ptr::from_ref)).or_insert_with(|| pair.has_same_topology())
    }
}

impl PrimitivePair<'_> {
    /// Returns whether vertex n of one primitive is vertex n of the other: in the files, both have equally many vertices and the same
    /// indices. Vertices that loading has copied for generated tangents do not matter.
    pub fn has_same_topology(&self) -> bool {
        fn indices(primitive: &Primitive) -> impl Iterator<Item = u32> {
            primitive.indices.iter().map(|&vertex| primitive.source_vertex(vertex))
        }
        let counts = |primitive: &Primitive| (primitive.source_vertex_count, primitive.indices.len());
        self.a.topology == self.b.topology && counts(self.a) == counts(self.b) && indices(self.a).eq(indices(self.b))
    }
}

/// The primitives of paired nodes whose meshes have equally many primitives.
pub fn primitives<'a>(a: &'a Model, b: &'a Model, node_pairs: &NodePairs) -> Vec<PrimitivePair<'a>> {
    let meshes = node_pairs.pairs().filter_map(|(node_a, node_b)| Some(([node_a, node_b], mesh(a, node_a)?, mesh(b, node_b)?)));
    let same_count = meshes.filter(|(_, a, b)| a.primitives.len() == b.primitives.len());
    let pairs = same_count.flat_map(|(nodes, a, b)| {
        let primitives = a.primitives.iter().zip(&b.primitives).enumerate();
        primitives.map(move |(index, (a, b))| PrimitivePair { nodes, index, a, b })
    });
    pairs.collect()
}

/// The number of vertices of A at nodes whose mesh has another number of primitives in B, or none.
pub fn unpaired_vertices(a: &Model, b: &Model, node_pairs: &NodePairs) -> usize {
    let counterpart = |node: NodeIndex| node_pairs.to_b[node.index()].and_then(|node| mesh(b, node));
    let meshes = a.node_indices().filter_map(|node| Some((node, mesh(a, node)?)));
    let unpaired = meshes.filter(|(node, mesh)| counterpart(*node).is_none_or(|other| other.primitives.len() != mesh.primitives.len()));
    let vertices = unpaired.flat_map(|(_, mesh)| mesh.primitives.iter().map(|primitive| primitive.source_vertex_count));
    vertices.fold(0, usize::saturating_add)
}

/// The nodes of B that show the mesh of a node of A with this counterpart: the counterpart itself or, if it has no mesh, its children with
/// a mesh that are only in B. Optimizers move a mesh to a new child if they change the transform of the mesh, but not that of its node.
pub fn mesh_nodes(b: &Model, node_pairs: &NodePairs, counterpart: NodeIndex) -> Vec<NodeIndex> {
    if mesh(b, counterpart).is_some() {
        return vec![counterpart];
    }
    let new_children = b.hierarchy.children(counterpart).filter(|child| node_pairs.to_a[child.index()].is_none());
    new_children.filter(|&child| mesh(b, child).is_some()).collect()
}

/// The mesh that a node shows.
pub fn mesh(model: &Model, node: NodeIndex) -> Option<&Mesh> {
    model.node(node).mesh.and_then(|mesh| model.meshes.get(mesh))
}
