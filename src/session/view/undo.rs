//! Undo and redo of what a person chose: switches, the bind pose, morph weights, range, layers, playlist, display, selection. Not
//! the camera, not time, not playing.

use super::View;

/// Older steps fall off.
const DEPTH: usize = 200;

#[derive(Debug, Clone, Default)]
pub struct Undo {
    past: Vec<View>,
    future: Vec<View>,
    /// As it was when the last gesture ended.
    settled: View,
}

impl Undo {
    /// A new file begins with nothing to undo.
    pub fn new(view: &View) -> Self {
        Self { settled: view.clone(), ..Self::default() }
    }

    /// Call when no gesture is going on: remembers a step if anything that undo covers has changed since the last call.
    pub fn settle(&mut self, view: &View) {
        if same(&self.settled, view) {
            // The rest is carried along, so that a step never brings back an old camera.
            self.settled.clone_from(view);
            return;
        }
        // Consecutive selections are one step: nobody wants to walk back through every click.
        let only_selection = same(&View { selection: view.selection.clone(), ..self.settled.clone() }, view);
        let merge = only_selection && self.past.last().is_some_and(|before| only_selection_differs(before, &self.settled));
        if !merge {
            self.past.push(self.settled.clone());
            if self.past.len() > DEPTH {
                self.past.remove(0);
            }
        }
        self.future.clear();
        self.settled.clone_from(view);
    }

    /// What was taken back, in a word; none: there was nothing.
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

    /// What was done again.
    pub fn redo(&mut self, view: &mut View) -> Option<&'static str> {
        let what = self.next_redo();
        if let Some(after) = self.future.pop() {
            self.past.push(view.clone());
            restore(&after, view);
            self.settled.clone_from(view);
        }
        what
    }

    /// What the next undo takes back, in a word; none: there is nothing.
    pub fn next_undo(&self) -> Option<&'static str> {
        self.past.last().and_then(|before| difference(before, &self.settled))
    }

    pub fn next_redo(&self) -> Option<&'static str> {
        self.future.last().and_then(|after| difference(&self.settled, after))
    }
}

/// Equal in everything that undo covers.
fn same(a: &View, b: &View) -> bool {
    difference(a, b).is_none()
}

/// The first that differs of what undo covers. A range belongs to its animation: choosing another one is no step.
fn difference(a: &View, b: &View) -> Option<&'static str> {
    let differences = [
        (a.switches != b.switches, "switches"),
        (a.animation == b.animation && a.bind_pose != b.bind_pose, "bind pose"),
        (a.morphs != b.morphs, "morph weights"),
        (a.layers != b.layers, "layers"),
        (a.playlist != b.playlist, "playlist"),
        (a.display != b.display, "display"),
        (a.in_place != b.in_place, "in place"),
        (a.animation == b.animation && a.range != b.range, "range"),
        (a.selection != b.selection, "selection"),
    ];
    differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}

fn only_selection_differs(a: &View, b: &View) -> bool {
    a.selection != b.selection && same(&View { selection: b.selection.clone(), ..a.clone() }, b)
}

fn restore(from: &View, view: &mut View) {
    view.switches.clone_from(&from.switches);
    view.morphs.clone_from(&from.morphs);
    view.layers.clone_from(&from.layers);
    view.playlist.clone_from(&from.playlist);
    view.display.clone_from(&from.display);
    view.in_place = from.in_place;
    view.selection.clone_from(&from.selection);
    if from.animation == view.animation {
        view.range = from.range;
        view.bind_pose = from.bind_pose;
    }
}
