//! The settings dialog. It edits preferences for the whole window, such as the theme, the navigation and the units.

use std::path::PathBuf;

use egui::{Button, TextEdit, Ui, vec2};

use crate::ui::actions::{Action, navigation};
use crate::ui::choices::{RELOAD_HINT, RELOAD_LABEL};
use crate::ui::context::Context;
use crate::ui::context::preferences::{Navigation, SCALES, ThemeChoice};
use crate::ui::context::request::Request;
use crate::ui::style::{text, theme};
use crate::ui::widgets::{combo_box, number_field};
use crate::units::{LengthUnit, Units, UpAxis};

use super::parts;

/// Width of the button that chooses a folder, with its gap, in points.
const CHOOSE_WIDTH: f32 = 84.0;

/// Draws the dialog.
pub fn settings_ui(ui: &mut Ui, context: &mut Context) {
    parts::scrolled(ui, |ui| sections_ui(ui, context));
}

/// Draws all sections.
fn sections_ui(ui: &mut Ui, context: &mut Context) {
    ui.set_max_width(ui.available_width() - parts::SCROLL_BAR_WIDTH);
    let preferences = &mut context.preferences;
    ui.label(text::section(ui, "Theme"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        for choice in ThemeChoice::ALL {
            ui.radio_value(&mut preferences.theme, choice, choice.label());
        }
    });
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "UI scale"));
    scale_ui(ui, &mut preferences.scale);
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Navigation"));
    for preset in Navigation::ALL {
        ui.radio_value(&mut preferences.navigation, preset, preset.label());
        ui.indent(preset.label(), |ui| ui.weak(navigation::buttons(preset)));
    }
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Units"));
    units_ui(ui, &mut preferences.units);
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Files"));
    ui.checkbox(&mut preferences.reload_on_change, RELOAD_LABEL).on_hover_text(RELOAD_HINT);
    screenshot_folder_ui(ui, context);
    ui.checkbox(&mut context.preferences.ask_on_drop, "Ask when a file is dropped").on_hover_text(
        "If a file is dropped on an open one, Sinew asks whether to open it, to compare it, or to add its animations. If this is off, \
         the dropped file opens at once.",
    );
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Time"));
    ui.checkbox(&mut context.preferences.snap_on_pause, "Pausing snaps to the nearest frame");
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Graphics adapter"));
    adapter_ui(ui, context);
    ui.checkbox(&mut context.preferences.lower_quality_while_moving, "Lower quality while moving").on_hover_text(
        "Without a graphics card only. A moving picture whose frames would take longer than 50 ms is drawn without antialiasing and, if \
         needed, without automatic shadow, with fewer triangles, or at half the resolution. A still picture always has full quality.",
    );
}

/// Edits the scale of the panels. It is relative to the system's scale, and applied when the drag ends, because otherwise the dialog would
/// move under the pointer during the drag.
fn scale_ui(ui: &mut Ui, scale: &mut f32) {
    ui.horizontal(|ui| {
        let label = ui.label("Scale");
        let mut percent = *scale * 100.0;
        let range = SCALES[0] * 100.0..=SCALES[1] * 100.0;
        let value = number_field::with_decimals(&mut percent, 0).range(range).speed(1.0).suffix(" %");
        if ui.add(value).labelled_by(label.id).changed() {
            *scale = percent / 100.0;
        }
    });
}

/// Chooses the unit of lengths and the up axis.
fn units_ui(ui: &mut Ui, units: &mut Units) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Length unit");
        for unit in LengthUnit::ALL {
            ui.radio_value(&mut units.length, unit, unit.label());
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Up axis");
        for up in UpAxis::ALL {
            ui.radio_value(&mut units.up, up, up.label());
        }
    });
}

/// Chooses the graphics adapter for the next start. The list of adapters may arrive after the dialog has opened.
fn adapter_ui(ui: &mut Ui, context: &mut Context) {
    const AUTOMATIC: &str = "Automatic";
    let chosen = &mut context.preferences.adapter;
    let shown = chosen.clone().unwrap_or_else(|| AUTOMATIC.to_owned());
    let list = combo_box::combo_ui(ui, "Graphics adapter", ui.available_width(), &shown, |ui| {
        ui.selectable_value(chosen, None, AUTOMATIC);
        for name in &context.status.adapters {
            ui.selectable_value(chosen, Some(name.clone()), name);
        }
    });
    list.on_hover_text(format!("{shown}. Takes effect at the next start; sinew --safe avoids the graphics driver"));
}

/// Edits the folder of quick screenshots. An empty field stands for the system's folder for pictures.
fn screenshot_folder_ui(ui: &mut Ui, context: &mut Context) {
    let name = "Folder for quick screenshots";
    let label = ui.label(format!("{name} ({})", Action::ScreenshotNow.shortcut()));
    ui.horizontal(|ui| {
        let folder = &mut context.preferences.screenshot_folder;
        let mut path = folder.as_ref().map_or(String::new(), |folder| folder.display().to_string());
        let default = context.status.pictures_folder.as_ref().map_or(String::new(), |folder| folder.display().to_string());
        let width = ui.available_width() - CHOOSE_WIDTH;
        let field = ui.add(TextEdit::singleline(&mut path).hint_text(default).desired_width(width)).labelled_by(label.id);
        if field.changed() {
            *folder = Some(PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty());
        }
        // The button fills the rest of the row.
        if ui.add_sized(vec2(ui.available_width(), theme::CONTROL_HEIGHT), Button::new("Choose...")).clicked() {
            context.requests.push(Request::ScreenshotFolderDialog);
        }
    });
}
