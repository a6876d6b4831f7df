//! The dialog that exports a clip: format, size, frame rate, loop mode, turntable, background, and a summary of the result. The dialog
//! edits the preferences for clips.

use egui::{Checkbox, Ui};

use crate::model::label;
use crate::numbers::counted;
use crate::session::file::output_name::clip_name;
use crate::session::time::clip::{ClipFormat, ClipOptions, MAX_LOOPS, RATES, TURNTABLE_DURATIONS, frame_count, range};
use crate::ui::actions::Action;
use crate::ui::choices::REPEATS;
use crate::ui::context::Context;
use crate::ui::context::request::{Request, SaveKind};
use crate::ui::style::time_text::frame_text;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::number_field;

use super::parts::{buttons, choice_ui, export_button_ui, label, scrolled};
use super::picture_size::{size, size_ui};

/// Initial duration of a turntable, in seconds.
const TURNTABLE_DURATION: f64 = 4.0;

/// Draws the dialog. Exporting pushes a request, which asks for a path. `turntable` is the last duration of a turntable, in seconds. It is
/// remembered while the turntable is off.
pub fn clip_ui(ui: &mut Ui, turntable: &mut Option<f64>, context: &mut Context) {
    let mut options = context.preferences.clip;
    *turntable = options.turntable.or(*turntable);
    let can_export = scrolled(ui, |ui| options_ui(ui, context, &mut options, *turntable));
    ui.add_space(theme::MARGIN);
    context.preferences.clip = options;
    buttons(ui, |ui| {
        if export_button_ui(ui, context, can_export) {
            context.requests.push(Request::Save { kind: SaveKind::Clip(options), path: None, overwrite: false });
            context.window.dialog = None;
        }
        if ui.button("Cancel").clicked() {
            context.window.dialog = None;
        }
        let copy = ui.add_enabled(context.document.path.is_some(), egui::Button::new("Copy render command"));
        let copy = copy.on_disabled_hover_text(Action::CopyCommand.disabled_reason(context).unwrap_or_default());
        if copy.on_hover_text("Copy the sinew render command that writes this clip").clicked() {
            context.window.dialog = None;
            context.requests.push(Request::CopyCommand { clip: Some(options) });
        }
    });
}

/// Edits the options, and describes the clip. Returns whether it can be exported.
fn options_ui(ui: &mut Ui, context: &Context, options: &mut ClipOptions, turntable: Option<f64>) -> bool {
    format_ui(ui, options);
    let without_ffmpeg = options.format.is_video() && !context.status.has_ffmpeg;
    if without_ffmpeg {
        let palette = theme::palette(ui.ctx());
        ui.colored_label(palette.warning, "Video needs ffmpeg, which is not installed. Install it, or use another format.");
    }
    size_ui(ui, [&mut options.width, &mut options.height], &context.status.statistics);
    range_ui(ui, context);
    rate_ui(ui, context, options);
    ui.horizontal(|ui| {
        label(ui, "Loop mode");
        for (label, repeat) in REPEATS {
            let chosen = options.repeat.unwrap_or(context.view.repeat);
            if ui.selectable_label(chosen == repeat, label).clicked() {
                options.repeat = Some(repeat);
            }
        }
    });
    loops_ui(ui, options);
    turntable_ui(ui, options, turntable.unwrap_or(TURNTABLE_DURATION));
    // Not every format has an alpha channel.
    let can_be_transparent = options.format.can_be_transparent();
    let transparent = Checkbox::new(&mut options.transparent, "Transparent background");
    ui.add_enabled(can_be_transparent, transparent).on_disabled_hover_text("MP4 cannot be transparent. Use WebM, GIF or PNG.");
    ui.add(Checkbox::new(&mut options.overlays, "Include overlays"));
    ui.add_space(theme::MARGIN);
    outcome_ui(ui, context, options) && !without_ffmpeg
}

/// Picks the file format.
fn format_ui(ui: &mut Ui, options: &mut ClipOptions) {
    choice_ui(ui, "Format", options.format.label(), |ui| {
        for format in ClipFormat::ALL {
            ui.selectable_value(&mut options.format, format, format.label());
        }
    });
}

/// Shows the range of the animation that the clip covers.
fn range_ui(ui: &mut Ui, context: &Context) {
    let [start, end] = range(&context.document.model, context.view);
    if end <= start {
        return;
    }
    let fps = context.document.rate(context.view).fps;
    let [first, last] = [start, end].map(|time| frame_text(time, fps));
    ui.horizontal(|ui| {
        label(ui, "Range");
        ui.label(text::number(format!("{start:.3} s to {end:.3} s, frames {first} to {last}")));
    });
}

/// Edits the frame rate. By default, a clip has the rate of the animation.
fn rate_ui(ui: &mut Ui, context: &Context, options: &mut ClipOptions) {
    ui.horizontal(|ui| {
        let label = label(ui, "Frame rate");
        let mut fps = options.rate(context.document, context.view);
        let value = number_field::with_decimals(&mut fps, 3).min_decimals(0).range(RATES[0]..=options.format.max_rate()).speed(0.1);
        if ui.add(value.suffix(" fps")).labelled_by(label.id).changed() {
            options.fps = Some(fps);
        }
        if options.fps.is_some() {
            let hint = "Use the animation's frame rate";
            if icons::button(ui, icons::RESET, hint).on_hover_text(hint).clicked() {
                options.fps = None;
            }
        }
    });
}

/// Edits how many times the clip plays its range. A turntable has its own duration.
fn loops_ui(ui: &mut Ui, options: &mut ClipOptions) {
    ui.add_enabled_ui(options.turntable.is_none(), |ui| {
        ui.horizontal(|ui| {
            let label = label(ui, "Loops");
            let value = number_field::with_decimals(&mut options.loops, 0).range(1..=MAX_LOOPS).speed(0.05);
            let field = ui.add(value).labelled_by(label.id);
            field
                .on_hover_text("How many times the clip plays the range")
                .on_disabled_hover_text("A turntable lasts for one turn of the camera");
        });
    });
}

/// Edits whether the camera turns around the model, and the duration of a turn, in seconds.
fn turntable_ui(ui: &mut Ui, options: &mut ClipOptions, mut seconds: f64) {
    ui.horizontal(|ui| {
        let mut is_turntable = options.turntable.is_some();
        ui.add(Checkbox::new(&mut is_turntable, "Turntable")).on_hover_text("Rotate the camera around the model");
        let label = ui.add_enabled(is_turntable, egui::Label::new("one turn in"));
        let value = number_field::with_decimals(&mut seconds, 2).range(TURNTABLE_DURATIONS[0]..=TURNTABLE_DURATIONS[1]).speed(0.05);
        ui.add_enabled(is_turntable, value.suffix(" s")).labelled_by(label.id);
        options.turntable = is_turntable.then_some(seconds);
    });
}

/// Describes the clip, or states why it cannot be exported. Returns whether it can be exported.
fn outcome_ui(ui: &mut Ui, context: &Context, options: &ClipOptions) -> bool {
    let (model, fps) = (&context.document.model, options.rate(context.document, context.view));
    let frames = match frame_count(model, &options.view(context.view), fps, options.length()) {
        Ok(frames) => frames,
        Err(error) => {
            ui.colored_label(theme::palette(ui.ctx()).error, label::capitalized(&error.to_string()));
            return false;
        }
    };
    let [width, height] = options.format.size(size([options.width, options.height], &context.status.statistics));
    let (frames, seconds) = (counted(frames, "frame"), frames as f64 / fps);
    ui.label(text::number(format!("{frames}, {seconds:.3} s, {width} \u{D7} {height} pixels")));
    let folder = if options.format == ClipFormat::Sequence { "folder " } else { "" };
    ui.label(text::number(format!("{folder}{}", clip_name(context.document, context.view, options))));
    true
}
