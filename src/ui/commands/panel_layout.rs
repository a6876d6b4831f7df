//! Opens and closes panels and dialogs, and sets the scale of the window.

use crate::ui::context::Context;
use crate::ui::context::preferences::{SCALES, TimelineRows};
use crate::ui::context::request::Request;
use crate::ui::context::window_state::{Dialog, PanelSwitches};

/// Step by which the window's scale changes. A scale of 1 is the system's scale.
pub const SCALE_STEP: f32 = 0.1;

/// Switches to the next timeline rows: dope sheet, curves, none. A collapsed timeline opens with its previous rows.
pub fn next_timeline_rows(context: &mut Context) {
    let preferences = &mut *context.preferences;
    let rows = &mut preferences.timeline_rows;
    match rows {
        _ if !preferences.timeline => preferences.timeline = true,
        TimelineRows::DopeSheet => *rows = TimelineRows::Curves,
        TimelineRows::Curves => *rows = TimelineRows::None,
        TimelineRows::None => *rows = TimelineRows::DopeSheet,
    }
}

/// Focuses the search field of the nodes. Shows the left panel if it is hidden.
pub fn search_nodes(context: &mut Context) {
    context.preferences.left_panel = true;
    context.window.focus_search = true;
}

/// Shows or hides the inspector.
pub fn toggle_inspector(context: &mut Context) {
    context.show_inspector(!context.inspector_shown());
}

/// Hides all panels. If none is shown, shows those again that were hidden together, or all if they were hidden one by one.
pub fn toggle_all(context: &mut Context) {
    let preferences = &*context.preferences;
    let (left_panel, timeline, file_strip) = (preferences.left_panel, preferences.timeline, preferences.file_strip);
    let shown = PanelSwitches { left_panel, timeline, inspector: context.inspector_shown(), file_strip };
    let next = if left_panel || timeline || shown.inspector || context.file_strip_shown() {
        context.window.hidden_together = Some(shown);
        PanelSwitches::default()
    } else {
        let hidden = context.window.hidden_together.take();
        let hidden = hidden.unwrap_or(PanelSwitches { left_panel: true, timeline: true, inspector: true, file_strip });
        // The file strip may have been switched on in the meantime, although it is not shown beside a single file.
        PanelSwitches { file_strip: hidden.file_strip || file_strip, ..hidden }
    };
    context.preferences.left_panel = next.left_panel;
    context.preferences.timeline = next.timeline;
    context.preferences.file_strip = next.file_strip;
    context.show_inspector(next.inspector);
}

/// Toggles the performance section. Showing it opens the inspector.
pub fn toggle_performance(context: &mut Context) {
    let show = !context.performance_shown();
    context.preferences.performance = show;
    if show {
        context.show_inspector(true);
    }
}

/// Changes the window's scale. The result is a multiple of [`SCALE_STEP`].
pub fn change_scale(context: &mut Context, by: f32) {
    let scale = context.preferences.scale + by;
    context.preferences.scale = ((scale / SCALE_STEP).round() * SCALE_STEP).clamp(SCALES[0], SCALES[1]);
}

/// Resets the window to the system's scale.
pub fn reset_scale(context: &mut Context) {
    context.preferences.scale = 1.0;
}

/// Opens a dialog. It replaces an open dialog.
pub fn open_dialog(context: &mut Context, dialog: Dialog) {
    context.window.dialog = Some(dialog);
}

/// Opens the binding report of the file whose animation is shown. If no such animation is shown, opens the report of the first file.
pub fn open_binding_report(context: &mut Context) {
    let shown = context.view.animation.and_then(|animation| context.document.model.file_of_animation(animation));
    open_dialog(context, Dialog::Binding(shown.unwrap_or_default()));
}

/// Opens the settings, and requests the list of graphics adapters that they show.
pub fn open_settings(context: &mut Context) {
    if context.status.adapters.is_empty() {
        context.requests.push(Request::ListAdapters);
    }
    open_dialog(context, Dialog::Settings);
}

/// Opens the dialog for clips, and requests a search for ffmpeg, because the user may have installed it in the meantime.
pub fn open_clip_dialog(context: &mut Context) {
    context.requests.push(Request::LookForFfmpeg);
    // Each clip starts with the loop mode of the view.
    context.preferences.clip.repeat = None;
    open_dialog(context, Dialog::Clip);
}

/// Opens the next (1) or previous (-1) model of the file list.
pub fn step_file(context: &mut Context, by: isize) {
    if context.status.files.len() > 1 {
        context.requests.push(Request::StepFile(by));
    }
}
