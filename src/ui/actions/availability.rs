//! Functions that return whether an action is on, or why it is disabled. The rows of [`super::table::TABLE`] refer to them. The panels show
//! the reason to the user; `None` means that the action is enabled.

use crate::compare::counterpart::CompareView;
use crate::model::material::Material;
use crate::session::camera::bookmarks::MAX_BOOKMARKS;
use crate::session::camera::view_preset::MAX_PRESETS;
use crate::session::view::display::GhostSource;
use crate::session::view::display::{HeatMap, Shading};
use crate::session::view::joint_switches::Column;
use crate::session::view::playback_range;
use crate::ui::commands::camera::bookmarks;
use crate::ui::commands::locomotion;
use crate::ui::commands::nodes::switches::Scope;
use crate::ui::commands::nodes::{isolate, switches};
use crate::ui::context::Context;
use crate::ui::context::comparison::OtherKind;

/// The reason why nothing can be done with other models: the folder has none, and none were opened together with this one.
const NO_OTHER_MODEL: &str = "No other model in the folder or list";

/// Returns whether this shading is on. No shading is on while weight colors are shown, because they replace it.
pub fn is_shaded(context: &Context, shading: Shading) -> bool {
    let display = &context.view.display;
    display.shading == shading && display.heat_map == HeatMap::Off
}

/// Returns whether the skeleton is shown. A file without meshes always shows it.
pub fn is_skeleton_on(context: &Context) -> bool {
    context.view.display.skeleton || context.document.is_motion_only
}

/// The skeleton of a file without meshes cannot be hidden, because nothing else would be shown.
pub fn only_skeleton(context: &Context) -> Option<&'static str> {
    unless(!context.document.is_motion_only, "Always shown in a file without meshes")
}

/// The file strip needs several models, but a strip that is on can always be switched off.
pub fn cannot_show_file_strip(context: &Context) -> Option<&'static str> {
    unless(context.status.files.len() > 1 || context.preferences.file_strip, NO_OTHER_MODEL)
}

/// The animation actions need an animation in the file.
pub fn no_animation(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.animations.is_empty(), "The model has no animations")
}

/// Like [`no_animation`], but an action that is on can always be switched off.
pub fn no_animation_unless(context: &Context, is_on: bool) -> Option<&'static str> {
    no_animation(context).filter(|_| !is_on)
}

/// A trail needs an animation and a selected node, but a trail that is on can always be switched off.
pub fn cannot_show_trail(context: &Context) -> Option<&'static str> {
    no_animation(context).or_else(|| no_selection(context)).filter(|_| !context.view.display.trail.shown)
}

/// Ghosts need an animation, unless they show the rest pose or the bind pose.
pub fn cannot_show_ghosts(context: &Context) -> Option<&'static str> {
    let ghosts = &context.view.display.ghosts;
    no_animation_unless(context, ghosts.shown || ghosts.source != GhostSource::Times)
}

/// Actions that step through the animations need at least two.
pub fn single_animation(context: &Context) -> Option<&'static str> {
    no_animation(context).or_else(|| unless(context.document.model.animations.len() > 1, "The model has only one animation"))
}

/// Like [`single_animation`], but one animation is enough while the rest pose is shown.
pub fn no_animation_to_step_to(context: &Context) -> Option<&'static str> {
    if context.view.animation.is_none() { no_animation(context) } else { single_animation(context) }
}

/// Playback needs an animation or moving layers over the rest pose.
pub fn nothing_plays(context: &Context) -> Option<&'static str> {
    if playback_range::moves(&context.document.model, context.view) { None } else { motionless(context) }
}

/// Actions that move in time need an animation that lasts longer than 0 s and is not replaced by the bind pose.
pub fn no_duration(context: &Context) -> Option<&'static str> {
    let moves = !context.view.bind_pose && playback_range::duration(&context.document.model, context.view) > 0.0;
    if moves { None } else { motionless(context) }
}

/// Actions on the selection need a selected node.
pub fn no_selection(context: &Context) -> Option<&'static str> {
    unless(!context.view.selection.is_empty(), "No node is selected")
}

/// Actions on switches need a node of their scope that has a switch of these columns.
pub fn no_switch(context: &Context, columns: &[Column], scope: Scope) -> Option<&'static str> {
    let reason = match scope {
        Scope::Nodes => "No selected node has this switch",
        Scope::Subtrees => "No node of the branch has this switch",
    };
    no_selection(context).or_else(|| unless(switches::any_exists(context, columns, scope), reason))
}

/// Copying needs selected keys or nodes.
pub fn nothing_to_copy(context: &Context) -> Option<&'static str> {
    no_selection(context).filter(|_| context.keys.is_empty())
}

/// The camera needs a selected node to follow, or a known root node.
pub fn nothing_to_follow(context: &Context) -> Option<&'static str> {
    unless(locomotion::can_follow(context), "No node is selected")
}

/// Isolating needs a selected node. Ending the isolation does not.
pub fn nothing_to_isolate(context: &Context) -> Option<&'static str> {
    unless(isolate::is_possible(context), "No node is selected")
}

/// Undo needs a change that can be reverted.
pub fn nothing_to_undo(context: &Context) -> Option<&'static str> {
    unless(context.undo.can_undo(context.view), "Nothing to undo")
}

/// Redo needs a change that undo has reverted.
pub fn nothing_to_redo(context: &Context) -> Option<&'static str> {
    unless(context.undo.can_redo(context.view), "Nothing to redo")
}

/// A binding report needs a file whose animations were added to the model.
pub fn nothing_borrowed(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.borrowed.is_empty(), "No animations of other files were added")
}

/// Some actions need a file on disk. The sample model has none, because it is embedded in the program.
pub fn no_file(context: &Context) -> Option<&'static str> {
    unless(context.document.path.is_some(), "No file is open")
}

/// A bookmark needs a file to belong to. The number of bookmarks per file is limited.
pub fn cannot_save_bookmark(context: &Context) -> Option<&'static str> {
    no_file(context).or_else(|| unless(bookmarks::of_file(context).len() < MAX_BOOKMARKS, "There are too many bookmarks: delete one"))
}

/// The number of view presets is limited.
pub fn too_many_presets(context: &Context) -> Option<&'static str> {
    unless(context.preferences.view_presets.len() < MAX_PRESETS, "There are too many view presets: delete one")
}

/// Stepping through files needs another model in the same folder, or among the files that were opened together.
pub fn single_file(context: &Context) -> Option<&'static str> {
    unless(context.status.files.len() > 1, NO_OTHER_MODEL)
}

/// Returns whether two files are compared in this layout.
pub fn is_compared(context: &Context, layout: CompareView) -> bool {
    context.comparison.as_deref().is_some_and(|status| status.choices.layout == layout)
}

/// Actions that change or end a comparison need one.
pub fn not_comparing(context: &Context) -> Option<&'static str> {
    unless(context.comparison.is_some(), "Nothing is compared")
}

/// A and B cannot be swapped if B is the previous version, because that version is no longer a file.
pub fn cannot_swap(context: &Context) -> Option<&'static str> {
    let is_version = context.comparison.as_deref().is_some_and(|status| status.kind == OtherKind::PreviousVersion);
    not_comparing(context).or_else(|| unless(!is_version, "The previous version is no longer a file"))
}

/// Comparing with the previous version of the file needs a reload.
pub fn no_previous_version(context: &Context) -> Option<&'static str> {
    unless(context.status.has_previous_version, "The file has not been reloaded")
}

/// Comparing two animations needs a playing animation and at least one other animation.
pub fn nothing_to_compare(context: &Context) -> Option<&'static str> {
    single_animation(context).or_else(|| unless(context.view.animation.is_some(), "No animation is playing"))
}

/// Opening the sample model does nothing if it is open.
pub fn sample_is_open(context: &Context) -> Option<&'static str> {
    unless(context.document.path.is_some(), "The sample model is already open")
}

/// Choosing the studio light does nothing if it is in use.
pub fn studio_light_in_use(context: &Context) -> Option<&'static str> {
    unless(context.view.display.environment.file.is_some(), "Studio is already the environment")
}

/// Clearing the range needs an in or out point.
pub fn no_range(context: &Context) -> Option<&'static str> {
    unless(context.view.range.is_some(), "No in or out point is set")
}

/// The bind pose needs a skin.
pub fn no_skin(context: &Context) -> Option<&'static str> {
    unless(!context.document.model.skins.is_empty(), "The model has no skins")
}

/// Resetting morph weights needs at least one weight that was set by hand.
pub fn no_morphs(context: &Context) -> Option<&'static str> {
    unless(!context.view.morphs.is_empty(), "No morph weight is overridden")
}

/// Switching cameras needs a camera that a node of the file carries.
pub fn no_camera(context: &Context) -> Option<&'static str> {
    unless(context.document.model.nodes.iter().any(|node| node.camera.is_some()), "No node has a camera")
}

/// The specular shading needs a material with specular values.
pub fn no_specular(context: &Context) -> Option<&'static str> {
    unless(context.document.model.materials.iter().any(Material::has_specular), "No material has specular values")
}

/// Resetting switches needs at least one changed switch.
pub fn no_switches(context: &Context) -> Option<&'static str> {
    unless(!context.view.switches.is_empty(), "No joint switch is changed")
}

/// Returns the reason, or `None` if the action is enabled.
fn unless(is_enabled: bool, reason: &'static str) -> Option<&'static str> {
    (!is_enabled).then_some(reason)
}

/// The reason why nothing can be played.
fn motionless(context: &Context) -> Option<&'static str> {
    let reason = match context.view.animation {
        _ if context.view.bind_pose => "The bind pose does not move",
        None => "No animation is selected",
        Some(_) => "The animation has a duration of 0 s",
    };
    no_animation(context).or(Some(reason))
}
