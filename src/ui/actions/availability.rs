//! Functions that say whether an action is on and why it is disabled. The rows of [`super::table::TABLE`] refer to them.

use crate::session::view::display::GhostSource;
use crate::session::view::display::{Shading, Weights};
use crate::session::view::playback_range;
use crate::ui::commands::{isolate, locomotion};
use crate::ui::context::Context;

use super::action::Action;

/// The action's label in menus. Undo and redo name the change.
pub fn label(action: Action, context: &Context) -> String {
    let what = match action {
        Action::Undo => context.status.next_undo,
        Action::Redo => context.status.next_redo,
        _ => None,
    };
    what.map_or_else(|| action.label().to_owned(), |what| format!("{}: {what}", action.label()))
}

/// Weight colors replace the shading, so no shading is on while they are shown.
pub fn is_shaded(context: &Context, shading: Shading) -> bool {
    let display = &context.view.display;
    display.shading == shading && display.weights == Weights::Off
}

/// A file without meshes always shows its skeleton.
pub fn is_skeleton_on(context: &Context) -> bool {
    context.view.display.skeleton || context.document.model.is_motion_only()
}

pub fn only_skeleton(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.is_motion_only(), "The file has no mesh, so its skeleton is always shown")
}

pub fn no_animation(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.animations.is_empty(), "The model has no animation")
}

/// An action that is `on` can be switched off without an animation.
pub fn no_animation_unless(context: &Context, on: bool) -> Option<&'static str> {
    no_animation(context).filter(|_| !on)
}

/// The rest pose and the bind pose exist without an animation.
pub fn no_ghosts(context: &Context) -> Option<&'static str> {
    let ghosts = &context.view.display.ghosts;
    no_animation_unless(context, ghosts.shown || ghosts.of != GhostSource::Times)
}

pub fn single_animation(context: &Context) -> Option<&'static str> {
    no_animation(context).or_else(|| unless(context.document.model.animations.len() > 1, "The model has only one animation"))
}

/// From the rest pose, even a single animation is another one.
pub fn no_other_animation(context: &Context) -> Option<&'static str> {
    if context.view.animation.is_none() { no_animation(context) } else { single_animation(context) }
}

/// Layers over the rest pose can be played too.
pub fn nothing_plays(context: &Context) -> Option<&'static str> {
    if playback_range::moves(&context.document.model, context.view) { None } else { motionless(context) }
}

pub fn no_duration(context: &Context) -> Option<&'static str> {
    if playback_range::duration(&context.document.model, context.view) > 0.0 { None } else { motionless(context) }
}

pub fn no_selection(context: &Context) -> Option<&'static str> {
    unless(!context.view.selection.is_empty(), "No node is selected")
}

pub fn nothing_to_copy(context: &Context) -> Option<&'static str> {
    no_selection(context).filter(|_| context.keys.is_empty())
}

pub fn nothing_to_follow(context: &Context) -> Option<&'static str> {
    unless(locomotion::can_follow(context), "No node is selected")
}

pub fn nothing_to_isolate(context: &Context) -> Option<&'static str> {
    unless(isolate::is_possible(context), "No node is selected")
}

pub fn nothing_to_undo(context: &Context) -> Option<&'static str> {
    unless(context.status.next_undo.is_some(), "Nothing was changed yet")
}

pub fn nothing_to_redo(context: &Context) -> Option<&'static str> {
    unless(context.status.next_redo.is_some(), "Nothing was taken back")
}

pub fn no_file(context: &Context) -> Option<&'static str> {
    unless(context.document.path.is_some(), "The sample model is no file: open one")
}

pub fn single_file(context: &Context) -> Option<&'static str> {
    unless(context.status.files > 1, "Only one file was opened")
}

pub fn sample_is_open(context: &Context) -> Option<&'static str> {
    unless(context.document.path.is_some(), "The sample model is open")
}

pub fn studio_is_lit(context: &Context) -> Option<&'static str> {
    unless(context.view.display.environment.file.is_some(), "The studio gives the light already")
}

pub fn no_range(context: &Context) -> Option<&'static str> {
    unless(context.view.range.is_some(), "No in or out point is set")
}

pub fn no_skin(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.skins.is_empty(), "The model has no skin")
}

pub fn no_morphs(context: &Context) -> Option<&'static str> {
    unless(!context.view.morphs.is_empty(), "No morph weight is set by hand")
}

pub fn no_camera(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.cameras.is_empty(), "The file has no camera")
}

pub fn no_switches(context: &Context) -> Option<&'static str> {
    unless(!context.view.switches.is_empty(), "No switch is off or soloed")
}

fn unless(possible: bool, reason: &'static str) -> Option<&'static str> {
    (!possible).then_some(reason)
}

/// The reason why there is no time to play.
fn motionless(context: &Context) -> Option<&'static str> {
    let reason = match context.view.animation {
        _ if context.view.bind_pose => "The bind pose stands still",
        None => "No animation is chosen",
        Some(_) => "The animation has no length",
    };
    no_animation(context).or(Some(reason))
}
