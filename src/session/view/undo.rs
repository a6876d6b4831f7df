//! Undoes and redoes the user's choices: switches, bind pose, morph weights, range, layers, playlist, retargeting, display, in-place mode
//! and selection.
//!
//! Undo does not cover the camera, time, playback, or the choice of scene and animation.

use super::View;

/// Maximum number of steps. The oldest step is dropped first.
const MAX_STEPS: usize = 200;

/// The history of a view.
#[derive(Debug, Clone, Default)]
pub struct Undo {
    /// Views before each step, oldest first.
    past: Vec<View>,
    /// Views after each undone step; the next one to redo is last.
    future: Vec<View>,
    /// The view at the end of the last gesture.
    settled: View,
}

impl Undo {
    /// An empty history that starts at this view.
    pub fn new(view: &View) -> Self {
        Self { settled: view.clone(), ..Self::default() }
    }

    /// Records a step if a choice that undo covers has changed since the last call. Call it while no gesture is in progress.
    pub fn settle(&mut self, view: &View) {
        if same(&self.settled, view) {
            // The fields that undo does not cover are updated, so that a step never restores an old camera.
            self.settled.clone_from(view);
            return;
        }
        // Consecutive selections merge into one step, because undoing every single click would be tedious.
        let only_selection = same(&View { selection: view.selection.clone(), ..self.settled.clone() }, view);
        let merge = only_selection && self.past.last().is_some_and(|before| only_selection_differs(before, &self.settled));
        if !merge {
            self.past.push(self.settled.clone());
            if self.past.len() > MAX_STEPS {
                self.past.remove(0);
            }
        }
        self.future.clear();
        self.settled.clone_from(view);
    }

    /// Undoes the last step and returns its name. `None` if there is nothing to undo.
    pub fn undo(&mut self, view: &mut View) -> Option<&'static str> {
        self.settle(view);
        let what = self.next_undo();
        if let Some(before) = self.past.pop() {
            self.future.push(view.clone());
            restore(&before, view);
            self.settled.clone_from(view);
        }
        what
    }

    /// Redoes the last undone step and returns its name. `None` if there is nothing to redo.
    pub fn redo(&mut self, view: &mut View) -> Option<&'static str> {
        let what = self.next_redo();
        if let Some(after) = self.future.pop() {
            self.past.push(view.clone());
            restore(&after, view);
            self.settled.clone_from(view);
        }
        what
    }

    /// The name of the step that the next undo reverts. `None` if there is none.
    pub fn next_undo(&self) -> Option<&'static str> {
        self.past.last().and_then(|before| difference(before, &self.settled))
    }

    /// The name of the step that the next redo applies. `None` if there is none.
    pub fn next_redo(&self) -> Option<&'static str> {
        self.future.last().and_then(|after| difference(&self.settled, after))
    }
}

/// Returns whether two views are equal in all choices that undo covers.
fn same(a: &View, b: &View) -> bool {
    difference(a, b).is_none()
}

/// The name of the first covered choice that differs. A range and the bind pose belong to the animation that is shown, so choosing another
/// animation does not count as a step.
fn difference(a: &View, b: &View) -> Option<&'static str> {
    let differences = [
        (a.switches != b.switches, "joint switches"),
        (a.animation == b.animation && a.bind_pose != b.bind_pose, "bind pose"),
        (a.morphs != b.morphs, "morph weights"),
        (a.layers != b.layers, "layers"),
        (a.playlist != b.playlist, "playlist"),
        (a.retarget != b.retarget, "retargeting"),
        (a.display != b.display, "display settings"),
        (a.in_place != b.in_place, "in place"),
        (a.animation == b.animation && a.range != b.range, "playback range"),
        (a.selection != b.selection, "selection"),
    ];
    differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}

/// Returns whether the selection is the only covered choice that differs.
fn only_selection_differs(a: &View, b: &View) -> bool {
    a.selection != b.selection && same(&View { selection: b.selection.clone(), ..a.clone() }, b)
}

/// Copies all choices that undo covers from one view to the other.
fn restore(from: &View, view: &mut View) {
    view.switches.clone_from(&from.switches);
    view.morphs.clone_from(&from.morphs);
    view.layers.clone_from(&from.layers);
    view.playlist.clone_from(&from.playlist);
    view.retarget.clone_from(&from.retarget);
    view.display.clone_from(&from.display);
    view.in_place = from.in_place;
    view.selection.clone_from(&from.selection);
    // The range in seconds has no meaning for another animation.
    if from.animation == view.animation {
        view.range = from.range;
        view.bind_pose = from.bind_pose;
    }
}
