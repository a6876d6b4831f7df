//! The screenshot dialog: how large, how smooth, with what behind it.

use egui::{Checkbox, ComboBox, DragValue, Key, Ui};

use crate::session::picture_name::picture_name;

use super::dialogs::{buttons, primary_button};
use super::{Command, Frame, ScreenshotOptions, UiState, text, theme};

/// Pixels a side.
const LARGEST: u32 = 16384;
const PRESETS: [(&str, [u32; 2]); 7] = [
    ("As the viewport", [0, 0]),
    ("HD, 1280 x 720", [1280, 720]),
    ("Full HD, 1920 x 1080", [1920, 1080]),
    ("4K, 3840 x 2160", [3840, 2160]),
    ("8K, 7680 x 4320", [7680, 4320]),
    ("Square, 1024 x 1024", [1024, 1024]),
    ("Square, 4096 x 4096", [4096, 4096]),
];

/// Pixels of the picture that the options ask for.
pub fn size(options: &ScreenshotOptions, state: &UiState) -> [u32; 2] {
    let viewport = state.statistics.viewport.map(|points| (points * state.statistics.pixels_per_point).round() as u32);
    let side = |wanted: u32, viewport: u32| if wanted == 0 { viewport } else { wanted }.clamp(1, LARGEST);
    [side(options.width, viewport[0]), side(options.height, viewport[1])]
}

pub fn screenshot_ui(ui: &mut Ui, frame: &mut Frame) {
    let mut options = frame.state.preferences.screenshot;
    size_ui(ui, &mut options, frame.state);
    ui.horizontal(|ui| {
        ui.label("Samples a pixel");
        for samples in 1..=4 {
            ui.selectable_value(&mut options.supersample, samples, format!("{samples} x {samples}"))
                .on_hover_text("Beyond the four of each edge: more takes longer and is smoother");
        }
    });
    ui.add(Checkbox::new(&mut options.transparent, "Transparent background"));
    ui.add(Checkbox::new(&mut options.overlays, "What lies over the model as shown"));
    ui.add_space(theme::MARGIN);
    let [width, height] = size(&options, frame.state);
    ui.label(text::number(format!("{width} x {height} pixels, PNG")));
    ui.label(text::number(picture_name(frame.document, frame.view, frame.transport.time())));
    ui.add_space(theme::MARGIN);
    frame.state.preferences.screenshot = options;
    buttons(ui, |ui| {
        // Enter goes on, unless it ends the typing of a number.
        let entered = ui.memory(|memory| memory.focused().is_none()) && ui.input(|input| input.key_pressed(Key::Enter));
        if primary_button(ui, "Save...").clicked() || entered {
            frame.commands.push(Command::SaveScreenshot { options, path: None, overwrite: false });
            frame.state.dialog = None;
        }
        if ui.button("Cancel").clicked() {
            frame.state.dialog = None;
        }
    });
}

fn size_ui(ui: &mut Ui, options: &mut ScreenshotOptions, state: &UiState) {
    ui.horizontal(|ui| {
        let preset = PRESETS.into_iter().find(|(_, size)| *size == [options.width, options.height]);
        let label = ui.label("Size");
        let chosen = preset.map_or("Own", |(name, _)| name);
        let combo = ComboBox::from_id_salt("size").selected_text(chosen).width(180.0).show_ui(ui, |ui| {
            for (name, [width, height]) in PRESETS {
                if ui.selectable_label(preset.is_some_and(|(chosen, _)| chosen == name), name).clicked() {
                    (options.width, options.height) = (width, height);
                }
            }
        });
        combo.response.labelled_by(label.id);
    });
    ui.horizontal(|ui| {
        let [mut width, mut height] = size(options, state);
        for (name, value, option) in [("Width", &mut width, &mut options.width), ("Height", &mut height, &mut options.height)] {
            let label = ui.label(name);
            if ui.add(DragValue::new(value).range(1..=LARGEST).speed(4.0)).labelled_by(label.id).changed() {
                *option = *value;
            }
        }
    });
}
