//! The roots of a model's animations, each found once for all who pose it: window, ghosts, crowd, bounds and pictures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::session::view::View;
use crate::session::view::joint_switches::{self, NodeSwitches};
use crate::session::view::layers::Layer;

use super::root_motion::{self, Root};

/// So many are remembered: a layer whose weight is changed makes another with every step.
const MOST: usize = 32;

/// What was found; clones share it.
#[derive(Debug, Clone)]
pub struct RootCache {
    /// The one that was asked for last stands last.
    found: Arc<Mutex<Vec<Found>>>,
    waits: bool,
}

impl Default for RootCache {
    fn default() -> Self {
        Self { found: Arc::default(), waits: true }
    }
}

/// A root, and all of a view that it depends on.
#[derive(Debug)]
struct Found {
    scene: Option<usize>,
    animation: Option<usize>,
    layers: Vec<Layer>,
    switches: BTreeMap<usize, NodeSwitches>,
    /// None: nothing travels.
    root: Option<Root>,
}

impl RootCache {
    /// For who cannot wait, a window: instead of what is not found yet there is the one that was asked for last.
    pub fn going_on(&self) -> Self {
        Self { found: self.found.clone(), waits: false }
    }

    /// For who can: what is not found yet is found when it is asked for.
    pub fn waiting(&self) -> Self {
        Self { found: self.found.clone(), waits: true }
    }

    /// What carries the model in an animation under the view's layers; none: it stays where it is.
    pub fn root(&self, model: &Model, prepared: &Arc<CompiledModel>, view: &View, animation: Option<usize>) -> Option<Root> {
        if animation.is_none() && view.layers.is_empty() {
            return None;
        }
        let switches = joint_switches::holding(&view.switches);
        let is_it = |found: &Found| {
            found.scene == view.scene && found.animation == animation && found.layers == view.layers && found.switches == switches
        };
        let mut found = self.found();
        if let Some(at) = found.iter().position(is_it) {
            found[at..].rotate_left(1);
            return found.last().and_then(|found| found.root);
        }
        if !self.waits {
            return found.last().and_then(|found| found.root);
        }
        drop(found);
        // Others may find the same meanwhile, and then it stands there twice for a while.
        let root = root_motion::find(model, prepared, &View { animation, ..view.clone() });
        let mut found = self.found();
        if found.len() >= MOST {
            found.remove(0);
        }
        found.push(Found { scene: view.scene, animation, layers: view.layers.clone(), switches, root });
        root
    }

    fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
