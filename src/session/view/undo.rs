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
        self.settle(view);
        let what = self.next_redo();
        if let Some(after) = self.future.pop() {
            self.past.push(view.clone());
            restore(&after, view);
            self.settled.clone_from(view);
            self.drop_steps_without_effect();
        }
        what
    }

    /// Returns whether undo would change the view. The view may have changed since [`Undo::settle`].
    pub fn can_undo(&self, view: &View) -> bool {
        self.next_undo().is_some() || !same(&self.settled, view)
    }

    /// Returns whether redo would change the view. A change since [`Undo::settle`] ends the steps to redo.
    pub fn can_redo(&self, view: &View) -> bool {
        self.next_redo().is_some() && same(&self.settled, view)
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
    // All fields are named, so that none is forgotten.
    let View {
        animation,
        range,
        repeat,
        rate,
        playlist,
        layers,
        cross_fade,
        switches,
        bind_pose,
        morphs,
        selection,
        in_place,
        retarget,
        display,
        scene: _,
        speed: _,
        camera: _,
        follow: _,
    } = a;
    let differences = [
        (*switches != b.switches, "joint switches"),
        (*animation == b.animation && *bind_pose != b.bind_pose, "bind pose"),
        (*morphs != b.morphs, "morph weights"),
        (*layers != b.layers, "layers"),
        (*playlist != b.playlist, "playlist"),
        (*cross_fade != b.cross_fade, "cross-fade"),
        (*repeat != b.repeat, "loop mode"),
        (*rate != b.rate, "frame rate"),
        (*retarget != b.retarget, "retargeting"),
        (*in_place != b.in_place, "in place"),
        (*animation == b.animation && *range != b.range, "playback range"),
        (*selection != b.selection, "selection"),
    ];
    differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what).or_else(|| display_difference(display, &b.display))
}

/// The name of the display setting that differs. If several differ, as after applying a preset, this is their common name.
fn display_difference(a: &Display, b: &Display) -> Option<&'static str> {
    // All fields are named, so that none is forgotten.
    let Display {
        shading,
        lighting,
        environment,
        tonemap,
        exposure,
        background,
        skeleton,
        names,
        joint_shape,
        joint_axes,
        skeleton_depth,
        trail,
        ghosts,
        wireframe,
        xray,
        outline,
        heat_map,
        grid,
        axes,
        ground_path,
        path_depth,
        speed_graph,
        contacts,
        contact_sensitivity,
        shadow,
        variant,
        crowd,
    } = a;
    let differences = [
        (*shading != b.shading || *heat_map != b.heat_map, "shading"),
        (*lighting != b.lighting || *environment != b.environment || *shadow != b.shadow, "lighting"),
        (*tonemap != b.tonemap, "tone mapping"),
        (*exposure != b.exposure, "exposure"),
        (*background != b.background, "background"),
        (*skeleton != b.skeleton, "skeleton"),
        (*names != b.names, "joint names"),
        (*joint_shape != b.joint_shape, "joint shape"),
        (*joint_axes != b.joint_axes, "joint axes"),
        (*skeleton_depth != b.skeleton_depth, "skeleton occlusion"),
        (*trail != b.trail, "motion trail"),
        (*ghosts != b.ghosts, "onion skin"),
        (*wireframe != b.wireframe, "wireframe"),
        (*xray != b.xray, "X-ray"),
        (*outline != b.outline, "selection outline"),
        (*grid != b.grid, "grid"),
        (*axes != b.axes, "world axes"),
        (*ground_path != b.ground_path || *path_depth != b.path_depth, "root path"),
        (*speed_graph != b.speed_graph, "speed graph"),
        (*contacts != b.contacts || *contact_sensitivity != b.contact_sensitivity, "foot contacts"),
        (*variant != b.variant, "material variant"),
        (*crowd != b.crowd, "instances"),
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
    // The range in seconds has no meaning for another animation.
    let of_animation = if from.animation == view.animation { from } else { &*view };
    // All fields are named, so that none is forgotten.
    *view = View {
        scene: view.scene,
        animation: view.animation,
        range: of_animation.range,
        repeat: from.repeat,
        speed: view.speed,
        rate: from.rate,
        playlist: from.playlist.clone(),
        layers: from.layers.clone(),
        cross_fade: from.cross_fade,
        switches: from.switches.clone(),
        bind_pose: of_animation.bind_pose,
        morphs: from.morphs.clone(),
        selection: from.selection.clone(),
        camera: view.camera,
        follow: view.follow,
        in_place: from.in_place,
        retarget: from.retarget.clone(),
        display: from.display.clone(),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::view::display::{HeatMap, Shading};

    #[test]
    fn a_step_names_the_display_setting_that_changed() {
        type Change = fn(&mut Display);
        let changes: [(Change, &str); 5] = [
            (|display| display.wireframe = true, "wireframe"),
            (|display| display.trail.shown = true, "motion trail"),
            (|display| (display.shading, display.heat_map) = (Shading::Clay, HeatMap::Off), "shading"),
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
    fn a_change_that_is_not_settled_ends_the_steps_to_redo() {
        let mut view = View::default();
        let mut undo = Undo::new(&view);
        view.display.wireframe = true;
        assert_eq!(undo.undo(&mut view), Some("wireframe"));
        view.display.grid = !view.display.grid;
        let changed = view.clone();
        assert_eq!((undo.redo(&mut view), &view), (None, &changed));
        assert_eq!((undo.undo(&mut view), view), (Some("grid"), View::default()));
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
}
