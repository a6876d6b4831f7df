//! The settings dialog: theme, scale, navigation, units and reloading, with their names. Changes apply at once.

use std::path::PathBuf;

use egui::{DragValue, ScrollArea, TextEdit, Ui};

use crate::ui::actions::action::Action;
use crate::ui::context::Context;
use crate::ui::preferences::SCALES;
use crate::ui::preferences::{Navigation, ThemeChoice};
use crate::ui::request::Request;
use crate::ui::style::units::{LengthUnit, UpAxis};
use crate::ui::style::{text, theme};

impl ThemeChoice {
    /// All themes, in the order of the dialog.
    pub const ALL: [Self; 3] = [Self::System, Self::Dark, Self::Light];

    /// The label in menus and in the dialog.
    pub fn label(self) -> &'static str {
        match self {
            Self::System => "As the system",
            Self::Dark => "Dark",
            Self::Light => "Light",
        }
    }
}

impl Navigation {
    /// All ways to navigate, in the order of the dialog.
    pub const ALL: [Self; 3] = [Self::Sinew, Self::Blender, Self::Maya];

    /// The label in menus and in the dialog.
    pub fn label(self) -> &'static str {
        match self {
            Self::Sinew => "Sinew",
            Self::Blender => "Blender",
            Self::Maya => "Maya",
        }
    }

    /// Describes the mouse buttons of the chosen navigation.
    pub fn buttons(self) -> &'static str {
        match self {
            Self::Sinew => "Left orbits; middle, right or Shift+left pans; Ctrl+left selects in a box",
            Self::Blender => "Middle orbits, with Shift pans, with Ctrl zooms; left selects in a box",
            Self::Maya => "Alt+left orbits, Alt+middle pans, Alt+right zooms",
        }
    }
}

/// Label of the reload switch in the File menu and in the dialog.
pub const RELOAD: &str = "Reload when the file changes";
/// Tooltip of the reload switch.
pub const RELOAD_HINT: &str =
    "Reads the file again when it, its buffers or its textures are written, as by a new export. Animation, time and view stay as they are";

/// Width of the button that chooses a folder, with its gap, in points.
const CHOOSE_WIDTH: f32 = 96.0;
/// Height of everything but the sections, and their minimum height, in points.
const ABOVE_AND_BELOW: f32 = 140.0;
const MIN_HEIGHT: f32 = 100.0;

/// Draws the dialog. It scrolls in a low window.
pub fn settings_ui(ui: &mut Ui, context: &mut Context) {
    let height = (ui.ctx().content_rect().height() - ABOVE_AND_BELOW).max(MIN_HEIGHT);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| sections_ui(ui, context));
}

/// Draws all sections.
fn sections_ui(ui: &mut Ui, context: &mut Context) {
    let preferences = &mut context.preferences;
    ui.label(text::section(ui, "Theme"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        for choice in ThemeChoice::ALL {
            ui.radio_value(&mut preferences.theme, choice, choice.label());
        }
    });
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Size"));
    ui.horizontal(|ui| {
        // Relative to the system's scale. Applied when the drag ends, because the dialog would move under the pointer.
        let label = ui.label("Scale of the window");
        let mut percent = preferences.scale * 100.0;
        let range = SCALES[0] * 100.0..=SCALES[1] * 100.0;
        let value = DragValue::new(&mut percent).range(range).speed(1.0).max_decimals(0).suffix(" %").update_while_editing(false);
        if ui.add(value).labelled_by(label.id).changed() {
            preferences.scale = percent / 100.0;
        }
    });
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Navigation"));
    for navigation in Navigation::ALL {
        ui.radio_value(&mut preferences.navigation, navigation, navigation.label());
        ui.indent(navigation.label(), |ui| ui.weak(navigation.buttons()));
    }
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Numbers"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Lengths in");
        for unit in LengthUnit::ALL {
            ui.radio_value(&mut preferences.units.length, unit, unit.label());
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Upwards is");
        for up in UpAxis::ALL {
            ui.radio_value(&mut preferences.units.up, up, up.label());
        }
    });
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Files"));
    ui.checkbox(&mut preferences.reload_on_change, RELOAD).on_hover_text(RELOAD_HINT);
    screenshot_folder_ui(ui, context);
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Time"));
    ui.checkbox(&mut context.preferences.snap_on_pause, "Pausing snaps to the nearest frame");
}

/// Edits the folder of quick screenshots. While the field is empty, it is the system's folder for pictures.
fn screenshot_folder_ui(ui: &mut Ui, context: &mut Context) {
    let name = "Folder of quick screenshots";
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
        if ui.button("Choose...").clicked() {
            context.requests.push(Request::ScreenshotFolderDialog);
        }
    });
}
