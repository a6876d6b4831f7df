//! The model kept where it is: what the node that carries it travels along the ground is taken back from all that hangs with it.
//! Heights stay, and so does every local transform.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use crate::animation::prepared::Prepared;
use crate::model::Model;

use super::layer::Layer;
use super::root_motion::{self, Root};
use super::switches::{self, NodeSwitches};
use super::transport::Moment;
use super::view::View;

/// What is known of the view's animation, and of the one that gives way to it. Nothing in it is state.
#[derive(Debug, Clone, Default)]
pub struct InPlace {
    now: Option<Known>,
    before: Option<Known>,
}

#[derive(Debug, Clone)]
struct Known {
    made_for: Key,
    root: Option<Root>,
}

/// All of a view that its root depends on.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    scene: Option<usize>,
    animation: Option<usize>,
    layers: Vec<Layer>,
    switches: BTreeMap<usize, NodeSwitches>,
}

/// What is to be moved, and by how much.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// Nodes in the model's order.
    pub nodes: Range<usize>,
    pub by: DVec3,
}

impl InPlace {
    /// What brings the model back at a moment; none: nothing travels. `place`: where each node is.
    pub fn shift(
        &mut self,
        model: &Model,
        prepared: &Arc<Prepared>,
        view: &View,
        moment: &Moment,
        place: impl Fn(usize) -> DVec3,
    ) -> Option<Shift> {
        let now = known(&mut self.now, model, prepared, view, view.animation);
        let fade = moment.fade.filter(|fade| fade.weight() < 1.0);
        let before = fade.and_then(|fade| known(&mut self.before, model, prepared, view, fade.from));
        let weight = fade.map_or(1.0, |fade| fade.weight());
        let (root, home) = match (now, before) {
            (Some(now), Some(before)) => (now, before.home.lerp(now.home, weight)),
            (Some(root), None) | (None, Some(root)) => (root, root.home),
            (None, None) => return None,
        };
        let by = (home - place(root.node)).with_y(0.0);
        by.is_finite().then(|| Shift { nodes: model.hierarchy.subtree(root.carried), by })
    }
}

fn known<'a>(
    known: &'a mut Option<Known>,
    model: &Model,
    prepared: &Arc<Prepared>,
    view: &View,
    animation: Option<usize>,
) -> Option<&'a Root> {
    let switches = switches::holding(&view.switches);
    let is_made =
        |made: &Key| made.scene == view.scene && made.animation == animation && made.layers == view.layers && made.switches == switches;
    if !known.as_ref().is_some_and(|known| is_made(&known.made_for)) {
        let layers = view.layers.clone();
        let root = root_motion::find(model, prepared, &View { animation, ..view.clone() });
        *known = Some(Known { made_for: Key { scene: view.scene, animation, layers, switches }, root });
    }
    known.as_ref()?.root.as_ref()
}
