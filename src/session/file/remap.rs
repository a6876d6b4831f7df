//! Carries a view over to a new version of the same file, or to the next file of a list.
//!
//! Another version or file may number nodes and animations differently, so they are matched by name: nodes by the names on the path from
//! the root, morph targets by their name in the mesh of their node, all others by their own name.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::hierarchy::Hierarchy;
use crate::model::matching::{self, occurrences};
use crate::model::node::{Node, NodeIndex};
use crate::session::view::display::Display;
use crate::session::view::layers::Layer;
use crate::session::view::undo::Undo;
use crate::session::view::{View, ViewCamera};

/// The view with its indices adapted to the new model. Entries that the new model lacks are dropped.
pub fn remap_view(view: View, before: &Model, after: &Model) -> View {
    ViewRemap::new(before, after).apply(view)
}

/// The new indices of everything that a view may refer to. One value adapts any number of views.
pub struct ViewRemap<'m> {
    before: &'m Model,
    after: &'m Model,
    animations: Vec<Option<usize>>,
    cameras: Vec<Option<usize>>,
    variants: Vec<Option<usize>>,
    scenes: Vec<Option<usize>>,
    nodes: HashMap<usize, usize>,
}

impl<'m> ViewRemap<'m> {
    /// Matches scenes, animations, cameras and variants by name, and nodes by their path. Animations borrowed from several files often have
    /// equal names, so they are matched by their file, too.
    pub fn new(before: &'m Model, after: &'m Model) -> Self {
        let animation_names = |model: &Model| {
            let file = |index| model.file_of_animation(index).map(|file| model.borrowed[file].path.clone());
            model.animations.iter().enumerate().map(|(index, animation)| (file(index), animation.name.clone())).collect::<Vec<_>>()
        };
        let [old_animations, new_animations] = [before, after].map(animation_names);
        // An animation of another file is not a renamed one.
        let animation = |(old, new): (usize, Option<usize>)| new.filter(|&new| old_animations[old].0 == new_animations[new].0);
        let camera_names = |model: &Model| model.cameras.iter().map(|camera| camera.name.clone()).collect::<Vec<_>>();
        let variant_names = |model: &Model| model.variants.iter().map(|variant| variant.name.clone()).collect::<Vec<_>>();
        Self {
            before,
            after,
            animations: numbers(&old_animations, &new_animations).into_iter().enumerate().map(animation).collect(),
            cameras: numbers(&camera_names(before), &camera_names(after)),
            variants: numbers(&variant_names(before), &variant_names(after)),
            scenes: numbers(&scene_names(before), &scene_names(after)),
            nodes: nodes(before, after),
        }
    }

    /// The view with the new indices. Entries that the new model lacks are dropped.
    pub fn apply(&self, view: View) -> View {
        let Self { before, after, animations, cameras, variants, scenes, nodes } = self;
        let layer = |mut layer: Layer| {
            layer.animation = (*animations.get(layer.animation)?)?;
            layer.mask = layer.mask.map(|mask| mask.iter().filter_map(|node| nodes.get(node).copied()).collect());
            Some(layer)
        };
        let node_morphs = |(node, weights): (usize, BTreeMap<usize, f32>)| {
            let new_node = *nodes.get(&node)?;
            let targets = numbers(&target_names(before, node), &target_names(after, new_node));
            let weights: BTreeMap<_, _> =
                weights.into_iter().filter_map(|(target, weight)| Some(((*targets.get(target)?)?, weight))).collect();
            (!weights.is_empty()).then_some((new_node, weights))
        };
        // All fields are named, so that no index is forgotten.
        let view = View {
            scene: view.scene.and_then(|scene| *scenes.get(scene)?),
            animation: view.animation.and_then(|animation| *animations.get(animation)?),
            range: view.range,
            repeat: view.repeat,
            speed: view.speed,
            rate: view.rate,
            playlist: view.playlist.iter().filter_map(|&animation| *animations.get(animation)?).collect(),
            layers: view.layers.into_iter().filter_map(layer).collect(),
            cross_fade: view.cross_fade,
            switches: view.switches.iter().filter_map(|(node, switch)| Some((*nodes.get(node)?, *switch))).collect(),
            bind_pose: view.bind_pose,
            morphs: view.morphs.into_iter().filter_map(node_morphs).collect(),
            selection: view.selection.iter().filter_map(|node| nodes.get(node).copied()).collect(),
            camera: match view.camera {
                ViewCamera::File(camera) => cameras.get(camera).copied().flatten().map_or(ViewCamera::Fit, ViewCamera::File),
                other => other,
            },
            follow: view.follow.and_then(|node| nodes.get(&node).copied()),
            in_place: view.in_place,
            retarget: view.retarget,
            display: Display { variant: view.display.variant.and_then(|variant| *variants.get(variant)?), ..view.display },
        };
        drop_missing(view, after)
    }

    /// Adapts all steps of undo. `view` is the view of the new model. If files of borrowed animations were added or removed, the steps take
    /// over its retargeting choices. If chosen animations are lost or come back (`is_complete` is false), they take over its playlist and
    /// layers, which then change without a step.
    pub fn apply_to_history(&self, undo: &mut Undo, view: &View, is_complete: bool) {
        let keeps_files = self.before.borrowed == self.after.borrowed;
        undo.amend(|step| {
            *step = self.apply(std::mem::take(step));
            if !keeps_files {
                step.retarget.clone_from(&view.retarget);
            }
            if !is_complete {
                step.playlist.clone_from(&view.playlist);
                step.layers.clone_from(&view.layers);
            }
        });
    }
}

/// The user's choice of animations before an export that lacks some of them. A later export may have them again.
#[derive(Debug)]
pub struct LostAnimations {
    /// The view with the complete choice. Its indices refer to `names`.
    view: View,
    /// Time of the playhead, in seconds.
    pub time: f64,
    /// A copy of the model to which the indices of `view` refer, without geometry and keys.
    names: Model,
    /// The part of the choice that the incomplete export still had.
    left: Chosen,
}

/// The user's choice of animations. `animation` is `None` while a playlist plays, because the playlist changes the animation by itself.
#[derive(Debug, PartialEq)]
struct Chosen {
    animation: Option<usize>,
    playlist: Vec<usize>,
    layers: Vec<Layer>,
}

impl Chosen {
    /// The choice that a view holds.
    fn from_view(view: &View) -> Self {
        let animation = view.animation.filter(|_| view.playlist.is_empty());
        Self { animation, playlist: view.playlist.clone(), layers: view.layers.clone() }
    }
}

/// Carries a view over like [`remap_view`], and restores animations that an earlier export lacked (`lost`) once they are back.
///
/// Nothing is restored if the user has chosen other animations since. Returns the new view, and the user's choice if the new model lacks a
/// part of it. `time` is the time of the playhead, in seconds.
pub fn remap_and_restore(
    lost: Option<LostAnimations>,
    view: &View,
    time: f64,
    before: &Model,
    after: &Model,
) -> (View, Option<LostAnimations>) {
    let mut now = remap_view(view.clone(), before, after);
    // If the user has chosen other animations since, the current view is the one to restore later.
    let untouched = lost.filter(|lost| lost.left == Chosen::from_view(view));
    let wanted =
        untouched.unwrap_or_else(|| LostAnimations { view: view.clone(), time, names: names(before), left: Chosen::from_view(view) });
    let found = remap_view(wanted.view.clone(), &wanted.names, after);
    let counts = |view: &View| (view.animation.is_some(), view.playlist.len(), view.layers.len());
    // The choice is complete if all wanted animations are found.
    let is_complete = counts(&found) == counts(&wanted.view);
    (now.animation, now.playlist, now.layers) = (found.animation, found.playlist, found.layers);
    let left = Chosen::from_view(&now);
    (now, (!is_complete).then_some(LostAnimations { left, ..wanted }))
}

/// A copy of the model that has only its nodes, animations and their names.
fn names(model: &Model) -> Model {
    let node = |node: &Node| Node { name: node.name.clone(), source: node.source, ..Node::default() };
    let animation = |animation: &Animation| Animation { name: animation.name.clone(), ..Animation::default() };
    Model {
        hierarchy: Hierarchy { parents: model.hierarchy.parents.clone(), ..Hierarchy::default() },
        nodes: model.nodes.iter().map(node).collect(),
        animations: model.animations.iter().map(animation).collect(),
        borrowed: model.borrowed.clone(),
        ..Model::default()
    }
}

/// The view without the entries that the model does not have.
pub fn drop_missing(mut view: View, model: &Model) -> View {
    // All fields are named, so that no index is forgotten.
    let View {
        scene,
        animation,
        playlist,
        layers,
        switches,
        morphs,
        selection,
        camera,
        follow,
        display,
        range: _,
        repeat: _,
        speed: _,
        rate: _,
        cross_fade: _,
        bind_pose: _,
        in_place: _,
        retarget: _,
    } = &mut view;
    *animation = model.existing_animation(*animation);
    playlist.retain(|&animation| animation < model.animations.len());
    // A playlist needs at least two animations.
    if playlist.len() < 2 {
        playlist.clear();
    }
    layers.retain(|layer| layer.animation < model.animations.len());
    for mask in layers.iter_mut().filter_map(|layer| layer.mask.as_mut()) {
        mask.retain(|&node| node < model.nodes.len());
    }
    display.variant = display.variant.filter(|&variant| variant < model.variants.len());
    *scene = scene.filter(|&scene| scene < model.scenes.len());
    selection.retain(|&node| node < model.nodes.len());
    *follow = follow.filter(|&node| node < model.nodes.len());
    switches.retain(|&node, _| node < model.nodes.len());
    morphs.retain(|&node, weights| {
        let count = target_names(model, node).len();
        weights.retain(|&target, _| target < count);
        !weights.is_empty()
    });
    if matches!(camera, ViewCamera::File(camera) if *camera >= model.cameras.len()) {
        *camera = ViewCamera::Fit;
    }
    view
}

/// Returns whether scenes, nodes, animations, cameras, variants and morph targets have the same names in the same order. Views then need no
/// remapping.
pub fn is_same(before: &Model, after: &Model) -> bool {
    let animations = |model: &Model| model.animations.iter().map(|animation| animation.name.clone()).collect::<Vec<_>>();
    let cameras = |model: &Model| model.cameras.iter().map(|camera| camera.name.clone()).collect::<Vec<_>>();
    let is_same_node = |(old, new): (&Node, &Node)| {
        let [old_targets, new_targets] = [target_names(before, old.source), target_names(after, new.source)];
        old.source == new.source && old.name == new.name && old_targets == new_targets
    };
    before.hierarchy.parents == after.hierarchy.parents
        && before.nodes.len() == after.nodes.len()
        && before.nodes.iter().zip(&after.nodes).all(is_same_node)
        && animations(before) == animations(after)
        && before.borrowed == after.borrowed
        && cameras(before) == cameras(after)
        && before.variants == after.variants
        && scene_names(before) == scene_names(after)
}

/// The names of the scenes.
fn scene_names(model: &Model) -> Vec<Option<&str>> {
    model.scenes.iter().map(|scene| scene.name.as_deref()).collect()
}

/// The names of the morph targets of a node, which is an index in the file. `None` for each target without a name.
fn target_names(model: &Model, source: usize) -> Vec<Option<&str>> {
    let mesh = model.node_from_source(source).and_then(|node| model.meshes.get(model.node(node).mesh?));
    let Some(mesh) = mesh else { return Vec::new() };
    (0..mesh.target_count).map(|target| mesh.target_names.get(target).map(String::as_str)).collect()
}

/// The new index of each old entry, in old order. The n-th old entry of a name matches the n-th new entry of that name.
///
/// An old entry whose name is gone counts as renamed if the new entry with its index has a name that is new.
fn numbers<T: Eq + Hash>(before: &[T], after: &[T]) -> Vec<Option<usize>> {
    let (old, new) = (occurrences(before), occurrences(after));
    let known: HashSet<_> = old.iter().collect();
    let found: HashMap<_, _> = new.iter().enumerate().map(|(i, key)| (key, i)).collect();
    let renamed = |i: usize| new.get(i).filter(|key| !known.contains(key)).map(|_| i);
    old.iter().enumerate().map(|(i, key)| found.get(key).copied().or_else(|| renamed(i))).collect()
}

/// The new index of each old node; both are indices in the file. A node matches the node on the same path or, if there is none, the only
/// node with its name.
pub fn nodes(before: &Model, after: &Model) -> HashMap<usize, usize> {
    let [names_before, names_after] = [before, after].map(node_names);
    let (unique_before, unique) = (unique_names(&names_before), unique_names(&names_after));
    let by_name = |node: NodeIndex| {
        let name = names_before[node.index()]?;
        unique_before.get(name).and(unique.get(name)).copied()
    };
    let names: [&[_]; 2] = [&names_before, &names_after];
    let found = matching::by_path([before, after], names, |node, at_path| at_path.or_else(|| by_name(node)));
    let source = |model: &Model, node: NodeIndex| model.node(node).source;
    let found = found.iter().enumerate();
    found.filter_map(|(old, new)| Some((source(before, NodeIndex(old as u32)), source(after, (*new)?)))).collect()
}

/// The names of all nodes.
fn node_names(model: &Model) -> Vec<Option<&str>> {
    model.nodes.iter().map(|node| node.name.as_deref()).collect()
}

/// The nodes whose name no other node has, by name. `names` has the names of all nodes.
fn unique_names<'a>(names: &[Option<&'a str>]) -> HashMap<&'a str, NodeIndex> {
    let mut unique: HashMap<&str, Option<NodeIndex>> = HashMap::new();
    for (name, node) in names.iter().zip(0..) {
        if let Some(name) = name {
            unique.entry(name).and_modify(|only| *only = None).or_insert(Some(NodeIndex(node)));
        }
    }
    unique.into_iter().filter_map(|(name, node)| Some((name, node?))).collect()
}
