//! Caches the roots of a model's animations, so that the window, ghosts, crowds, bounds and pictures share them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::session::pose::Rig;
use crate::session::pose::in_place::{Root, RootStatus};
use crate::session::view::View;
use crate::session::view::joint_switches::{self, NodeSwitches};
use crate::session::view::layers::Layer;

use super::root_motion;

/// Maximum number of entries. Dragging a layer's weight adds one per step.
const MAX_ENTRIES: usize = 32;

/// Roots by the parts of a view that they depend on.
#[derive(Debug, Default)]
pub struct RootCache {
    /// Ordered by last use, most recent last.
    entries: Mutex<Vec<Entry>>,
}

/// The root of one key.
#[derive(Debug)]
struct Entry {
    key: RootKey,
    /// The root; `None` if nothing travels.
    root: Option<Root>,
}

/// The settings of a view that a root depends on.
#[derive(Debug, PartialEq)]
struct RootKey {
    scene: Option<usize>,
    animation: Option<usize>,
    layers: Vec<Layer>,
    switches: BTreeMap<usize, NodeSwitches>,
}

impl RootKey {
    /// The key of an animation under the view's layers. `None` if nothing plays.
    fn new(view: &View, animation: Option<usize>) -> Option<Self> {
        let plays = animation.is_some() || !view.layers.is_empty();
        let switches = joint_switches::animated_switches(&view.switches);
        plays.then(|| Self { scene: view.scene, animation, layers: view.layers.clone(), switches })
    }
}

impl RootCache {
    /// The cached root of an animation under the view's layers; `Pending` if it is not cached. Never searches.
    pub fn get(&self, view: &View, animation: Option<usize>) -> RootStatus {
        let Some(key) = RootKey::new(view, animation) else { return RootStatus::None };
        self.find(&key).unwrap_or(RootStatus::Pending)
    }

    /// The root of an animation under the view's layers. If it is not cached, this samples the whole animation to find it.
    pub fn get_or_find(&self, rig: Rig, view: &View, animation: Option<usize>) -> RootStatus {
        let Some(key) = RootKey::new(view, animation) else { return RootStatus::None };
        if let Some(known) = self.find(&key) {
            return known;
        }
        // The cache is not locked during the search. If another thread finds the same root, there are two entries for a while.
        let root = root_motion::find(rig, &View { animation, ..view.clone() });
        let mut entries = self.entries();
        if entries.len() >= MAX_ENTRIES {
            entries.remove(0);
        }
        entries.push(Entry { key, root });
        status(root)
    }

    /// The cached root of a key, which becomes the most recently used one.
    fn find(&self, key: &RootKey) -> Option<RootStatus> {
        let mut entries = self.entries();
        let index = entries.iter().position(|entry| entry.key == *key)?;
        entries[index..].rotate_left(1);
        entries.last().map(|entry| status(entry.root))
    }

    /// The entries, locked.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The status of a root that has been searched for.
fn status(root: Option<Root>) -> RootStatus {
    root.map_or(RootStatus::None, RootStatus::Found)
}
