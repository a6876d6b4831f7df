//! The model kept where it is: what the node that carries it travels along the ground is taken back from all that hangs with it.
//! Heights stay, and so does every local transform. While one animation gives way to another, each is kept in place by its own
//! root, and what is taken back is mixed as the poses are.

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::session::locomotion::root_cache::RootCache;
use crate::session::locomotion::root_motion::Root;
use crate::session::time::transport::{Fade, Moment};
use crate::session::view::{View, joint_switches};

use super::solve::{self, Posed};

/// Room to pose an animation by itself. Nothing in it is state.
#[derive(Debug, Clone, Default)]
pub struct InPlace {
    alone: Option<Box<Alone>>,
}

#[derive(Debug, Clone)]
struct Alone {
    view: View,
    posed: Posed,
}

/// What is to be moved, and by how much.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// Nodes in the model's order.
    pub nodes: Range<usize>,
    pub by: DVec3,
}

impl Shift {
    fn new(model: &Model, root: Root, place: DVec3, weight: f64) -> Option<Self> {
        let by = (root.home - place).with_y(0.0) * weight;
        by.is_finite().then(|| Self { nodes: model.hierarchy.subtree(root.carried), by })
    }
}

impl InPlace {
    /// What brings the model back at a moment: by the root of the animation, and of the one that gives way to it. `place`: where
    /// each node is.
    pub fn shifts(
        &mut self,
        model: &Model,
        prepared: &Arc<CompiledModel>,
        roots: &RootCache,
        view: &View,
        moment: &Moment,
        place: impl Fn(usize) -> DVec3,
    ) -> [Option<Shift>; 2] {
        let root = |animation| roots.root(model, prepared, view, animation);
        let Some(fade) = moment.fade.filter(|fade| fade.weight() < 1.0) else {
            return [root(view.animation).and_then(|root| Shift::new(model, root, place(root.node), 1.0)), None];
        };
        let now = (view.animation, Moment { fade: None, ..*moment });
        let before = (fade.from, before(&fade, moment));
        [(now, fade.weight()), (before, 1.0 - fade.weight())].map(|((animation, moment), weight)| {
            let root = root(animation)?;
            let place = self.alone(model, prepared, view, animation).place(model, moment, root.node);
            Shift::new(model, root, place, weight)
        })
    }

    fn alone(&mut self, model: &Model, prepared: &Arc<CompiledModel>, view: &View, animation: Option<usize>) -> &mut Alone {
        // Where its root is, nothing else of the switches tells; what is left of its meshes would take long.
        let switches = joint_switches::holding(&view.switches);
        let free = || View { in_place: false, switches: switches.clone(), ..view.clone() };
        let new = || Box::new(Alone { view: free(), posed: Posed::with(model, prepared.clone()) });
        let alone = self.alone.get_or_insert_with(new);
        let made = &alone.view;
        if made.scene != view.scene || made.layers != view.layers || made.switches != switches {
            alone.view = free();
        }
        alone.view.animation = animation;
        alone
    }
}

impl Alone {
    fn place(&mut self, model: &Model, moment: Moment, node: usize) -> DVec3 {
        solve::pose(model, &self.view, moment, &mut self.posed);
        self.posed.globals[node].translation
    }
}

/// When the animation is that gives way.
fn before(fade: &Fade, moment: &Moment) -> Moment {
    Moment { time: fade.head.time, returning: fade.head.returning, fade: None, ..*moment }
}
