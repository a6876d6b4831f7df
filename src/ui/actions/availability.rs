//! Why an action has nothing to do now, in the words that menus, buttons and the command palette show beside it.

use crate::session::view::display::GhostSource;
use crate::session::view::playback_range;
use crate::ui::commands::isolate;
use crate::ui::timeline::locomotion;
use crate::ui::{Context, perform};

use super::table::{Action, Category};

/// They show how it moves.
const OF_MOTION: [Action; 7] = [
    Action::MotionTrail,
    Action::TrailWindow,
    Action::OnionSkin,
    Action::InPlace,
    Action::GroundPath,
    Action::SpeedGraph,
    Action::FootContacts,
];
/// Layers over the rest pose are enough for them.
const OF_PLAYING: [Action; 7] =
    [Action::PlayPause, Action::PlayBackward, Action::Pause, Action::PlayForward, Action::Slower, Action::Faster, Action::NormalSpeed];
/// They switch what is selected.
const SWITCHES: [Action; 11] = [
    Action::Drawn,
    Action::Animated,
    Action::Influence,
    Action::Geometry,
    Action::IsolateGeometry,
    Action::Solo,
    Action::SubtreeDrawn,
    Action::SubtreeAnimated,
    Action::SubtreeInfluence,
    Action::SubtreeGeometry,
    Action::SubtreeSolo,
];

/// None: it can be done.
pub fn hindrance(action: Action, frame: &Context) -> Option<&'static str> {
    let model = &frame.document.model;
    match action {
        Action::Reload | Action::CopyCommand => unless(frame.document.path.is_some(), "The sample model is no file: open one"),
        Action::PreviousFile | Action::NextFile => unless(frame.state.files > 1, "Only one file was opened"),
        Action::Undo => unless(frame.state.next_undo.is_some(), "Nothing was changed yet"),
        Action::Redo => unless(frame.state.next_redo.is_some(), "Nothing was taken back"),
        Action::OpenSample => unless(frame.document.path.is_some(), "The sample model is open"),
        Action::StudioEnvironment => unless(frame.view.display.environment.file.is_some(), "The studio gives the light already"),
        // From the rest pose there is one to go to.
        Action::PreviousAnimation | Action::NextAnimation if frame.view.animation.is_none() => no_animation(frame),
        Action::PlayInTurn | Action::PreviousAnimation | Action::NextAnimation => {
            no_animation(frame).or_else(|| unless(model.animations.len() > 1, "The model has only one animation"))
        }
        Action::ClearRange => unless(frame.view.range.is_some(), "No in or out point is set"),
        Action::BindPose | Action::BindGhost => unless(!model.skins.is_empty(), "The model has no skin"),
        Action::ResetMorphs => unless(!frame.view.morphs.is_empty(), "No morph weight is set by hand"),
        Action::SelectNone => no_selection(frame),
        Action::CopyValues => no_selection(frame).filter(|_| frame.state.keys.is_empty()),
        Action::Follow | Action::FocusAndFollow => unless(locomotion::can_follow(frame), "No node is selected"),
        Action::NextCamera => unless(!model.cameras.is_empty(), "The file has no camera"),
        Action::ResetSwitches => unless(!frame.view.switches.is_empty(), "No switch is off or soloed"),
        Action::Isolate => unless(isolate::is_possible(frame), "No node is selected"),
        Action::TimelineRows => no_animation(frame),
        // What is on can be switched off, and the rest pose is there without an animation.
        Action::OnionSkin if frame.view.display.ghosts.of != GhostSource::Times => None,
        _ if OF_MOTION.contains(&action) => no_animation(frame).filter(|_| perform::is_on(action, frame) != Some(true)),
        _ if OF_PLAYING.contains(&action) => motionless(frame).filter(|_| !playback_range::moves(model, frame.view)),
        _ if action.entry().category == Category::Time => motionless(frame).filter(|_| playback_range::duration(model, frame.view) <= 0.0),
        _ if SWITCHES.contains(&action) => no_selection(frame),
        _ => None,
    }
}

pub fn no_animation(frame: &Context) -> Option<&'static str> {
    unless(!frame.document.model.animations.is_empty(), "The model has no animation")
}

pub fn no_selection(frame: &Context) -> Option<&'static str> {
    unless(!frame.view.selection.is_empty(), "No node is selected")
}

fn unless(possible: bool, missing: &'static str) -> Option<&'static str> {
    (!possible).then_some(missing)
}

/// Why time has nothing to go through.
fn motionless(frame: &Context) -> Option<&'static str> {
    let still = match frame.view.animation {
        _ if frame.view.bind_pose => "The bind pose stands still",
        None => "No animation is chosen",
        Some(_) => "The animation has no length",
    };
    no_animation(frame).or(Some(still))
}
