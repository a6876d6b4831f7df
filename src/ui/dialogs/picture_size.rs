//! The size of a picture or clip, for the dialogs that export one: the choice of a preset, and the fields of width and height.

use egui::Ui;

use crate::session::MAX_PICTURE_SIDE;
use crate::ui::context::app_status::Statistics;
use crate::ui::widgets::number_field;

use super::parts::{choice_ui, label};

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
    let side = |option: u32, viewport: u32| if option == 0 { viewport } else { option }.clamp(1, MAX_PICTURE_SIDE);
    [side(option[0], viewport[0]), side(option[1], viewport[1])]
}

/// Picks a preset, or edits width and height. `option` is in pixels, with 0 for the viewport's size.
pub fn size_ui(ui: &mut Ui, option: [&mut u32; 2], statistics: &Statistics) {
    let before = option.each_ref().map(|side| **side);
    let [width_option, height_option] = option;
    let preset = PRESETS.into_iter().find(|(_, size)| *size == before).map(|(name, _)| name);
    choice_ui(ui, "Size", preset.unwrap_or("Custom"), |ui| {
        for (name, [width, height]) in PRESETS {
            if ui.selectable_label(preset == Some(name), name).clicked() {
                (*width_option, *height_option) = (width, height);
            }
        }
    });
    ui.horizontal(|ui| {
        let [width, height] = size([*width_option, *height_option], statistics);
        for (name, mut value, option) in [("Width", width, width_option), ("Height", height, height_option)] {
            let label = if name == "Width" { label(ui, name) } else { ui.label(name) };
            if ui.add(number_field::with_decimals(&mut value, 0).range(1..=MAX_PICTURE_SIDE).speed(4.0)).labelled_by(label.id).changed() {
                *option = value;
            }
        }
    });
}
