//! The screenshot dialog: size, antialiasing and background.

use egui::{Checkbox, Ui};

use crate::session::file::output_name::picture_name;
use crate::ui::context::Context;
use crate::ui::context::preferences::ScreenshotOptions;
use crate::ui::context::request::{Request, SaveKind};
use crate::ui::style::{text, theme};

use super::parts::{buttons, entered, label, primary_button, scrolled};
use super::picture_size::{size, size_ui};

/// Draws the dialog. Saving pushes a request, which asks for a path.
pub fn screenshot_ui(ui: &mut Ui, context: &mut Context) {
    let mut options = context.preferences.screenshot;
    scrolled(ui, |ui| options_ui(ui, context, &mut options));
    ui.add_space(theme::MARGIN);
    context.preferences.screenshot = options;
    buttons(ui, |ui| {
        if primary_button(ui, "Save...").clicked() || entered(ui) {
            context.requests.push(Request::Save { kind: SaveKind::Screenshot(options), path: None, overwrite: false });
            context.window.dialog = None;
        }
        if ui.button("Cancel").clicked() {
            context.window.dialog = None;
        }
    });
}

/// Edits the options, and describes the picture.
fn options_ui(ui: &mut Ui, context: &Context, options: &mut ScreenshotOptions) {
    size_ui(ui, [&mut options.width, &mut options.height], &context.status.statistics);
    ui.horizontal(|ui| {
        label(ui, "Supersampling");
        for samples in 1..=4 {
            ui.selectable_value(&mut options.supersample, samples, format!("{samples} \u{D7} {samples}"))
                .on_hover_text("More samples are smoother and take longer (4x MSAA is always on)");
        }
    });
    ui.add(Checkbox::new(&mut options.transparent, "Transparent background"));
    ui.add(Checkbox::new(&mut options.overlays, "Include overlays"));
    ui.add_space(theme::MARGIN);
    let [width, height] = size([options.width, options.height], &context.status.statistics);
    ui.label(text::number(format!("{width} \u{D7} {height} pixels, PNG")));
    ui.label(text::number(picture_name(context.document, context.view, context.transport.time())));
}
