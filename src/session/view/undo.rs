//! Undoes and redoes the user's choices: switches, bind pose, morph weights, range, loop mode, frame rate, layers, playlist, cross-fade,
//! retargeting, display, in-place mode and selection.
//!
//! Undo does not cover the camera and the node that it follows, time, playing, speed, or the choice of scene and animation. The keys that
//! play also change the speed, so its steps would hide the others.

use super::View;
use super::display::Display;

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
        if view.animation != self.settled.animation {
            self.renew_steps_of_animation(view);
        }
        if same(&self.settled, view) {
            // The fields that undo does not cover are updated, so that a step never restores an old camera.
            self.settled.clone_from(view);
            self.drop_steps_without_effect();
            return;
        }
        // Consecutive selections merge into one step, because undoing every single click would be tedious.
        let merge = only_selection_differs(&self.settled, view)
            && !loses_selection(&self.settled, view)
            && self.past.last().is_some_and(|before| only_selection_differs(before, &self.settled));
        if !merge {
            self.past.push(self.settled.clone());
            if self.past.len() > MAX_STEPS {
                self.past.remove(0);
            }
        }
        self.future.clear();
        self.settled.clone_from(view);
    }

    /// Makes a change to all views of the history. For changes of the view that the application makes: they are no steps, and no step may
    /// revert them.
    pub fn amend(&mut self, change: impl Fn(&mut View)) {
        self.past.iter_mut().chain(&mut self.future).chain([&mut self.settled]).for_each(change);
        self.drop_steps_without_effect();
    }

    /// Gives the steps of the view's animation its current range and bind pose. Choosing an animation resets both without a step, so
    /// without this, the next undo would also restore those from before the choice.
    fn renew_steps_of_animation(&mut self, view: &View) {
        for step in self.past.iter_mut().chain(&mut self.future).filter(|step| step.animation == view.animation) {
            (step.range, step.bind_pose) = (view.range, view.bind_pose);
        }
    }

    /// Drops the next steps to undo and redo that would change nothing. A step about the range or the bind pose of an animation has no
    /// effect while another animation is shown, and would hide the steps before it.
    fn drop_steps_without_effect(&mut self) {
        for steps in [&mut self.past, &mut self.future] {
            while steps.pop_if(|step| same(step, &self.settled)).is_some() {}
        }
    }

    /// Undoes the last step and returns its name. `None` if there is nothing to undo.
    pub fn undo(&mut self, view: &mut View) -> Option<&'static str> {
        self.settle(view);
        let what = self.next_undo();
        if let Some(before) = self.past.pop() {
            self.future.push(view.clone());
            restore(&before, view);
            self.settled.clone_from(view);
            self.drop_steps_without_effect();
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
            self.drop_steps_without_effect();
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
        (a.cross_fade != b.cross_fade, "cross-fade"),
        (a.repeat != b.repeat, "loop mode"),
        (a.rate != b.rate, "frame rate"),
        (a.retarget != b.retarget, "retargeting"),
        (a.in_place != b.in_place, "in place"),
        (a.animation == b.animation && a.range != b.range, "playback range"),
        (a.selection != b.selection, "selection"),
    ];
    differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what).or_else(|| display_difference(&a.display, &b.display))
}

/// The name of the display setting that differs. If several differ, as after applying a preset, this is their common name.
fn display_difference(a: &Display, b: &Display) -> Option<&'static str> {
    let differences = [
        (a.shading != b.shading || a.weights != b.weights, "shading"),
        (a.lighting != b.lighting || a.environment != b.environment || a.shadow != b.shadow, "lighting"),
        (a.tonemap != b.tonemap, "tone mapping"),
        (a.exposure != b.exposure, "exposure"),
        (a.background != b.background, "background"),
        (a.skeleton != b.skeleton, "skeleton"),
        (a.names != b.names, "joint names"),
        (a.joint_shape != b.joint_shape, "joint shape"),
        (a.joint_axes != b.joint_axes, "joint axes"),
        (a.skeleton_depth != b.skeleton_depth, "skeleton occlusion"),
        (a.trail != b.trail, "motion trail"),
        (a.ghosts != b.ghosts, "onion skin"),
        (a.wireframe != b.wireframe, "wireframe"),
        (a.xray != b.xray, "X-ray"),
        (a.outline != b.outline, "selection outline"),
        (a.grid != b.grid, "grid"),
        (a.axes != b.axes, "world axes"),
        (a.path != b.path || a.path_depth != b.path_depth, "root path"),
        (a.speed != b.speed, "speed graph"),
        (a.contacts != b.contacts || a.contact_sensitivity != b.contact_sensitivity, "foot contacts"),
        (a.variant != b.variant, "material variant"),
        (a.crowd != b.crowd, "instances"),
    ];
    let mut changed = differences.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what);
    let first = changed.next();
    if changed.next().is_some() { Some("display settings") } else { first }
}

/// Returns whether the selection is the only covered choice that differs.
fn only_selection_differs(a: &View, b: &View) -> bool {
    a.selection != b.selection && same(&View { selection: b.selection.clone(), ..a.clone() }, b)
}

/// Returns whether the later view lacks selected nodes that would take more than one click to select again, or selects nothing any more.
fn loses_selection(before: &View, after: &View) -> bool {
    let keeps_all = before.selection.iter().all(|node| after.selection.contains(node));
    let is_moved = before.selection.len() == 1 && !after.selection.is_empty();
    !keeps_all && !is_moved
}

/// Copies all choices that undo covers from one view to the other.
pub fn restore(from: &View, view: &mut View) {
    view.switches.clone_from(&from.switches);
    view.morphs.clone_from(&from.morphs);
    view.layers.clone_from(&from.layers);
    view.playlist.clone_from(&from.playlist);
    view.retarget.clone_from(&from.retarget);
    view.display.clone_from(&from.display);
    (view.cross_fade, view.repeat, view.rate) = (from.cross_fade, from.repeat, from.rate);
    view.in_place = from.in_place;
    view.selection.clone_from(&from.selection);
    // The range in seconds has no meaning for another animation.
    if from.animation == view.animation {
        view.range = from.range;
        view.bind_pose = from.bind_pose;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::view::display::{Shading, Weights};

    #[test]
    fn a_step_names_the_display_setting_that_changed() {
        type Change = fn(&mut Display);
        let changes: [(Change, &str); 5] = [
            (|display| display.wireframe = true, "wireframe"),
            (|display| display.trail.shown = true, "motion trail"),
            (|display| (display.shading, display.weights) = (Shading::Clay, Weights::Off), "shading"),
            (|display| display.crowd = 9, "instances"),
            (|display| (display.grid, display.xray) = (false, true), "display settings"),
        ];
        for (change, name) in changes {
            let mut view = View::default();
            let mut undo = Undo::new(&view);
            change(&mut view.display);
            undo.settle(&view);
            assert_eq!((undo.undo(&mut view), view), (Some(name), View::default()));
        }
    }

    #[test]
    fn a_step_without_effect_does_not_hide_the_steps_before_it() {
        let mut view = View { animation: Some(0), ..View::default() };
        let mut undo = Undo::new(&view);
        view.display.wireframe = true;
        undo.settle(&view);
        view.bind_pose = true;
        undo.settle(&view);
        // Choosing another animation ends the bind pose of the first one.
        (view.animation, view.bind_pose) = (Some(1), false);
        undo.settle(&view);
        assert_eq!(undo.next_undo(), Some("wireframe"));
        assert_eq!((undo.undo(&mut view), view.display.wireframe), (Some("wireframe"), false));
        assert_eq!((undo.next_undo(), undo.next_redo()), (None, Some("wireframe")));
    }

    #[test]
    fn a_step_does_not_restore_the_range_and_bind_pose_that_the_choice_of_an_animation_has_reset() {
        for (range, bind_pose) in [(Some([0.5, 1.0]), false), (None, true)] {
            let mut view = View { animation: Some(0), range, bind_pose, ..View::default() };
            let mut undo = Undo::new(&view);
            view.display.wireframe = true;
            undo.settle(&view);
            for animation in [1, 0] {
                view.choose_animation(Some(animation));
                undo.settle(&view);
            }
            assert_eq!(undo.undo(&mut view), Some("wireframe"));
            assert_eq!((view.display.wireframe, view.range, view.bind_pose, undo.next_undo()), (false, None, false, None));
            undo.redo(&mut view);
            assert_eq!((view.display.wireframe, view.range, view.bind_pose), (true, None, false));
            // A range of the animation itself is still undone.
            view.range = Some([0.25, 0.75]);
            undo.settle(&view);
            assert_eq!((undo.undo(&mut view), view.range), (Some("playback range"), None));
        }
    }

    #[test]
    fn every_display_setting_is_covered() {
        // Without a name in `display_difference`, a change of a setting could not be undone.
        let text = serde_json::to_value(Display::default()).unwrap();
        for (setting, value) in text.as_object().unwrap() {
            let other = match value {
                serde_json::Value::Bool(on) => serde_json::json!(!on),
                serde_json::Value::Number(_) => serde_json::json!(7),
                _ => continue,
            };
            let mut changed = text.clone();
            changed[setting] = other;
            let changed: Display = serde_json::from_value(changed).unwrap();
            assert!(display_difference(&Display::default(), &changed).is_some(), "{setting}");
        }
    }
}
