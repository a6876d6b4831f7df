//! The screenshot dialog: size, antialiasing and background.

use egui::{Checkbox, ComboBox, DragValue, Ui};

use crate::session::file::output_name::picture_name;
use crate::ui::context::Context;
use crate::ui::context::app_status::Statistics;
use crate::ui::context::request::Request;
use crate::ui::style::{text, theme};

use super::parts::{buttons, entered, label, primary_button};

/// Maximum width and height of a picture, in pixels.
const MAX_SIDE: u32 = 16384;
/// Common sizes, in pixels. 0 stands for the viewport's size.
const PRESETS: [(&str, [u32; 2]); 8] = [
    ("Viewport size", [0, 0]),
    ("Small, 640 \u{D7} 360", [640, 360]),
    ("HD, 1280 \u{D7} 720", [1280, 720]),
    ("Full HD, 1920 \u{D7} 1080", [1920, 1080]),
    ("4K, 3840 \u{D7} 2160", [3840, 2160]),
    ("8K, 7680 \u{D7} 4320", [7680, 4320]),
    ("Square, 1024 \u{D7} 1024", [1024, 1024]),
    ("Square, 4096 \u{D7} 4096", [4096, 4096]),
];

/// Converts the size in the options to the size of the picture, in pixels. 0 in the options stands for the viewport's size.
pub fn size(option: [u32; 2], statistics: &Statistics) -> [u32; 2] {
    let viewport = statistics.picture.map(|points| (points * statistics.pixels_per_point).round() as u32);
    let side = |option: u32, viewport: u32| if option == 0 { viewport } else { option }.clamp(1, MAX_SIDE);
    [side(option[0], viewport[0]), side(option[1], viewport[1])]
}

/// Draws the dialog. Saving pushes a request, which asks for a path.
pub fn screenshot_ui(ui: &mut Ui, context: &mut Context) {
    let mut options = context.preferences.screenshot;
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
    ui.add_space(theme::MARGIN);
    context.preferences.screenshot = options;
    buttons(ui, |ui| {
        if primary_button(ui, "Save...").clicked() || entered(ui) {
            context.requests.push(Request::SaveScreenshot { options, path: None, overwrite: false });
            context.window.dialog = None;
        }
        if ui.button("Cancel").clicked() {
            context.window.dialog = None;
        }
    });
}

/// Picks a preset, or edits width and height. `option` is in pixels, with 0 for the viewport's size.
pub fn size_ui(ui: &mut Ui, option: [&mut u32; 2], statistics: &Statistics) {
    let before = option.each_ref().map(|side| **side);
    let [width_option, height_option] = option;
    ui.horizontal(|ui| {
        let preset = PRESETS.into_iter().find(|(_, size)| *size == before);
        let label = label(ui, "Size");
        let chosen = preset.map_or("Custom", |(name, _)| name);
        let combo = ComboBox::from_id_salt("size").selected_text(chosen).width(180.0).show_ui(ui, |ui| {
            for (name, [width, height]) in PRESETS {
                if ui.selectable_label(preset.is_some_and(|(chosen, _)| chosen == name), name).clicked() {
                    (*width_option, *height_option) = (width, height);
                }
            }
        });
        combo.response.labelled_by(label.id);
    });
    ui.horizontal(|ui| {
        let [width, height] = size([*width_option, *height_option], statistics);
        for (name, mut value, option) in [("Width", width, width_option), ("Height", height, height_option)] {
            let label = if name == "Width" { label(ui, name) } else { ui.label(name) };
            if ui.add(DragValue::new(&mut value).range(1..=MAX_SIDE).speed(4.0)).labelled_by(label.id).changed() {
                *option = value;
            }
        }
    });
}
