//! A view of a file carried over to the same file as it was read again. Another export may count nodes and animations anew, so
//! they are found again by name: an animation among the animations, a node by the names on the way down to it.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::hierarchy::Hierarchy;
use crate::model::node::{Node, NodeIndex};
use crate::session::view::layers::Layer;
use crate::session::view::{View, ViewCamera};

/// The view as it was, as far as the model still has what it names.
pub fn carried(mut view: View, before: &Model, after: &Model) -> View {
    let names = |model: &Model| model.animations.iter().map(|animation| animation.name.clone()).collect::<Vec<_>>();
    let animations = numbers(&names(before), &names(after));
    let names = |model: &Model| model.cameras.iter().map(|camera| camera.name.clone()).collect::<Vec<_>>();
    let cameras = numbers(&names(before), &names(after));
    let names = |model: &Model| model.variants.iter().map(|variant| variant.name.clone()).collect::<Vec<_>>();
    let variants = numbers(&names(before), &names(after));
    let nodes = nodes(before, after);

    view.animation = view.animation.and_then(|animation| *animations.get(animation)?);
    view.playlist = view.playlist.iter().filter_map(|&animation| *animations.get(animation)?).collect();
    view.layers = std::mem::take(&mut view.layers)
        .into_iter()
        .filter_map(|mut layer| {
            layer.animation = (*animations.get(layer.animation)?)?;
            layer.mask = layer.mask.map(|mask| mask.iter().filter_map(|node| nodes.get(node).copied()).collect());
            Some(layer)
        })
        .collect();
    view.selection = view.selection.iter().filter_map(|node| nodes.get(node).copied()).collect();
    view.switches = view.switches.iter().filter_map(|(node, switch)| Some((*nodes.get(node)?, *switch))).collect();
    view.follow = view.follow.and_then(|node| nodes.get(&node).copied());
    view.morphs = std::mem::take(&mut view.morphs).into_iter().filter_map(|(node, targets)| Some((*nodes.get(&node)?, targets))).collect();
    view.display.variant = view.display.variant.and_then(|variant| *variants.get(variant)?);
    if let ViewCamera::File(camera) = view.camera {
        view.camera = cameras.get(camera).copied().flatten().map_or(ViewCamera::Fit, ViewCamera::File);
    }
    still_there(view, after)
}

/// What a person had chosen of the animations, before an export came without them: it may have been a slip.
#[derive(Debug)]
pub struct LostAnimations {
    view: View,
    /// Seconds.
    pub time: f64,
    /// What the view's names mean; without anything that takes room.
    names: Model,
    /// What was left of the choice.
    left: Chosen,
}

/// A person's choice of animations. A playlist changes which one plays by itself.
#[derive(Debug, PartialEq)]
struct Chosen {
    animation: Option<usize>,
    playlist: Vec<usize>,
    layers: Vec<Layer>,
}

impl Chosen {
    fn of(view: &View) -> Self {
        let animation = view.animation.filter(|_| view.playlist.is_empty());
        Self { animation, playlist: view.playlist.clone(), layers: view.layers.clone() }
    }
}

/// As [`carried`], but animations that an earlier export lacked (`missed`) are taken up again once they are back, unless a person
/// chose others meanwhile. Tells what is missed now. `time`: where playing is.
pub fn carried_with(
    missed: Option<LostAnimations>,
    view: &View,
    time: f64,
    before: &Model,
    after: &Model,
) -> (View, Option<LostAnimations>) {
    let mut now = carried(view.clone(), before, after);
    let untouched = missed.filter(|missed| missed.left == Chosen::of(view));
    let wanted = untouched.unwrap_or_else(|| LostAnimations { view: view.clone(), time, names: names(before), left: Chosen::of(view) });
    let found = carried(wanted.view.clone(), &wanted.names, after);
    let counts = |view: &View| (view.animation.is_some(), view.playlist.len(), view.layers.len());
    let whole = counts(&found) == counts(&wanted.view);
    (now.animation, now.playlist, now.layers) = (found.animation, found.playlist, found.layers);
    let left = Chosen::of(&now);
    (now, (!whole).then_some(LostAnimations { left, ..wanted }))
}

/// A model of nothing but nodes, animations and their names.
fn names(model: &Model) -> Model {
    let node = |node: &Node| Node { name: node.name.clone(), source: node.source, ..Node::default() };
    let animation = |animation: &Animation| Animation { name: animation.name.clone(), ..Animation::default() };
    Model {
        hierarchy: Hierarchy { parents: model.hierarchy.parents.clone(), ..Hierarchy::default() },
        nodes: model.nodes.iter().map(node).collect(),
        animations: model.animations.iter().map(animation).collect(),
        ..Model::default()
    }
}

/// The view without what the model does not have.
pub fn still_there(mut view: View, model: &Model) -> View {
    view.animation = view.animation.filter(|&animation| animation < model.animations.len());
    view.playlist.retain(|&animation| animation < model.animations.len());
    // One alone is no playlist.
    if view.playlist.len() < 2 {
        view.playlist.clear();
    }
    view.layers.retain(|layer| layer.animation < model.animations.len());
    for mask in view.layers.iter_mut().filter_map(|layer| layer.mask.as_mut()) {
        mask.retain(|&node| node < model.nodes.len());
    }
    view.display.variant = view.display.variant.filter(|&variant| variant < model.variants.len());
    view.scene = view.scene.filter(|&scene| scene < model.scenes.len());
    view.selection.retain(|&node| node < model.nodes.len());
    view.follow = view.follow.filter(|&node| node < model.nodes.len());
    view.switches.retain(|&node, _| node < model.nodes.len());
    view.morphs.retain(|&node, _| node < model.nodes.len());
    if matches!(view.camera, ViewCamera::File(camera) if camera >= model.cameras.len()) {
        view.camera = ViewCamera::Fit;
    }
    view
}

/// Whether nodes, animations, cameras and variants are called the same in the same order: then a view means the same in both.
pub fn is_same(before: &Model, after: &Model) -> bool {
    let nodes = |model: &Model| model.nodes.iter().map(|node| (node.source, node.name.clone())).collect::<Vec<_>>();
    let animations = |model: &Model| model.animations.iter().map(|animation| animation.name.clone()).collect::<Vec<_>>();
    let cameras = |model: &Model| model.cameras.iter().map(|camera| camera.name.clone()).collect::<Vec<_>>();
    before.hierarchy.parents == after.hierarchy.parents
        && nodes(before) == nodes(after)
        && animations(before) == animations(after)
        && cameras(before) == cameras(after)
        && before.variants == after.variants
}

/// By old number the new one: the first of a name is the first of that name, and so on. What is not found by its name was
/// renamed, if what has its number now is new.
fn numbers<T: Eq + Hash>(before: &[T], after: &[T]) -> Vec<Option<usize>> {
    let (old, new) = (counted(before), counted(after));
    let known: HashSet<_> = old.iter().collect();
    let found: HashMap<_, _> = new.iter().enumerate().map(|(i, key)| (key, i)).collect();
    let renamed = |i: usize| new.get(i).filter(|key| !known.contains(key)).map(|_| i);
    old.iter().enumerate().map(|(i, key)| found.get(key).copied().or_else(|| renamed(i))).collect()
}

/// Each with how many equal ones come before it.
fn counted<T: Eq + Hash>(names: &[T]) -> Vec<(&T, usize)> {
    let mut seen: HashMap<&T, usize> = HashMap::new();
    let mut count = |name| {
        let count = seen.entry(name).or_default();
        *count += 1;
        (name, *count - 1)
    };
    names.iter().map(&mut count).collect()
}

/// By old number of a node (the file's) the new one: the node of that path, else the only one of that name.
fn nodes(before: &Model, after: &Model) -> HashMap<usize, usize> {
    let mut paths: HashMap<_, NodeIndex> = HashMap::new();
    let mut nth: HashMap<(Option<NodeIndex>, Option<&str>), usize> = HashMap::new();
    for (node, parent, name) in walk(after) {
        let nth = nth.entry((parent, name)).or_default();
        paths.insert((parent, name, *nth), node);
        *nth += 1;
    }
    let (unique_before, unique) = (unique_names(before), unique_names(after));
    let mut nth: HashMap<(Option<NodeIndex>, Option<&str>), usize> = HashMap::new();
    let mut found: Vec<Option<NodeIndex>> = vec![None; before.nodes.len()];
    for (node, parent, name) in walk(before) {
        let count = nth.entry((parent, name)).or_default();
        // Parents come first.
        let path = match parent {
            Some(parent) => found[parent.index()].and_then(|parent| paths.get(&(Some(parent), name, *count))),
            None => paths.get(&(None, name, *count)),
        };
        *count += 1;
        let by_name = || unique_before.get(name?).and(unique.get(name?)).copied();
        found[node.index()] = path.copied().or_else(by_name);
    }
    let source = |model: &Model, node: NodeIndex| model.node(node).source;
    let found = found.iter().enumerate();
    found.filter_map(|(old, new)| Some((source(before, NodeIndex(old as u32)), source(after, (*new)?)))).collect()
}

fn unique_names(model: &Model) -> HashMap<&str, NodeIndex> {
    let mut names: HashMap<&str, Option<NodeIndex>> = HashMap::new();
    for (node, _, name) in walk(model) {
        if let Some(name) = name {
            names.entry(name).and_modify(|only| *only = None).or_insert(Some(node));
        }
    }
    names.into_iter().filter_map(|(name, node)| Some((name, node?))).collect()
}

/// Nodes with parent and name, parents first.
fn walk(model: &Model) -> impl Iterator<Item = (NodeIndex, Option<NodeIndex>, Option<&str>)> {
    model.nodes.iter().zip(&model.hierarchy.parents).zip(0..).map(|((node, parent), i)| (NodeIndex(i), *parent, node.name.as_deref()))
}
