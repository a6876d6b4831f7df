//! Finds targets that more than one animation drives, and how much each animation contributes to the result.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::session::view::layers::{self, Mode};
use crate::session::view::{View, joint_switches};

/// A target and the animations that drive it, in the order of mixing.
#[derive(Debug, Clone, PartialEq)]
pub struct ContestedTarget {
    /// The property that is driven more than once.
    pub target: Target,
    /// The animations that drive it, in the order of mixing. There are at least two.
    pub drivers: Vec<Driver>,
}

/// An animation that drives a contested target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Driver {
    /// Index of the animation in the file.
    pub animation: usize,
    /// Index of the layer; `None` for the view's own animation.
    pub layer: Option<usize>,
    /// How it combines with the result so far. The view's animation counts as an override.
    pub mode: Mode,
    /// Its share of the result, from 0 to 1, once all later layers are mixed in. The shares of the view's animation and of overriding
    /// layers sum to at most 1; the rest pose has the remainder. The share of an additive layer comes on top of this sum.
    pub share: f64,
}

/// All contested targets of a view, in model order of their nodes.
pub fn contested_targets(model: &Model, view: &View) -> Vec<ContestedTarget> {
    if layers::active(&view.layers, model).next().is_none() {
        return Vec::new();
    }
    let animated = joint_switches::effective(model, &view.switches).animated;
    let is_held = |target: Target| model.target_node(target).is_some_and(|node| !animated[node.index()]);
    let mut contested: BTreeMap<(usize, &str), ContestedTarget> = BTreeMap::new();
    let mut add_driver = |target: Target, driver: Driver| {
        // Sorts the list by node, with pointers after all nodes.
        let sort_key = match target {
            Target::Pointer(pointer) => model.nodes.len() + pointer,
            _ => target.node().map_or(0, NodeIndex::index),
        };
        let contested_targets =
            contested.entry((sort_key, target.path())).or_insert_with(|| ContestedTarget { target, drivers: Vec::new() });
        contested_targets.drivers.push(driver);
    };
    if let Some((animation, data)) = view.animation.and_then(|a| Some((a, model.animations.get(a)?))) {
        for channel in data.channels.iter().filter(|channel| !is_held(channel.target)) {
            add_driver(channel.target, Driver { animation, layer: None, mode: Mode::Override, share: 1.0 });
        }
    }
    for (number, layer) in layers::active(&view.layers, model) {
        let included = layer.included(model);
        for channel in model.animations.get(layer.animation).into_iter().flat_map(|animation| &animation.channels) {
            let masked = model.target_node(channel.target).is_some_and(|node| !included[node.index()]);
            if !masked && !is_held(channel.target) {
                let share = layer.effective_weight();
                add_driver(channel.target, Driver { animation: layer.animation, layer: Some(number), mode: layer.mode, share });
            }
        }
    }
    let mut contested: Vec<_> = contested.into_values().filter(|contested_targets| contested_targets.drivers.len() > 1).collect();
    for ContestedTarget { drivers, .. } in &mut contested {
        // An override with weight w multiplies all earlier shares by 1 - w.
        let mut remaining = 1.0;
        for driver in drivers.iter_mut().rev() {
            let weight = driver.share;
            driver.share *= remaining;
            remaining *= if driver.mode == Mode::Override { 1.0 - weight } else { 1.0 };
        }
    }
    contested
}
