//! The settings dialog: theme, scale, navigation, units and reloading, with their names.

use egui::{DragValue, Ui};

use crate::ui::context::Context;
use crate::ui::preferences::SCALES;
use crate::ui::preferences::{Navigation, ThemeChoice};
use crate::ui::style::units::{LengthUnit, UpAxis};
use crate::ui::style::{text, theme};

impl ThemeChoice {
    pub const ALL: [Self; 3] = [Self::System, Self::Dark, Self::Light];

    pub fn label(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Dark => "Dark",
            Self::Light => "Light",
        }
    }
}

impl Navigation {
    pub const ALL: [Self; 3] = [Self::Sinew, Self::Blender, Self::Maya];

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
            Self::Sinew => "Left drag: orbit. Middle, right or Shift+left: pan. Ctrl+left: box select.",
            Self::Blender => "Middle drag: orbit. Shift+middle: pan. Ctrl+middle: zoom. Left: box select.",
            Self::Maya => "Alt+left drag: orbit. Alt+middle: pan. Alt+right: zoom.",
        }
    }
}

/// Label of the reload switch in the File menu and in the dialog.
pub const RELOAD: &str = "Reload when file changes";
pub const RELOAD_HINT: &str =
    "Reload when the file, its buffers or its textures change on disk, for example after an export. Keeps animation, time and view.";

pub fn settings_ui(ui: &mut Ui, context: &mut Context) {
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
    ui.horizontal(|ui| {
        // Relative to the system's scale. Applied when the drag ends, because the dialog would move under the pointer.
        let label = ui.label("Scale");
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
    ui.label(text::section(ui, "Units"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Length unit");
        for unit in LengthUnit::ALL {
            ui.radio_value(&mut preferences.units.length, unit, unit.label());
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.label("Up axis");
        for up in UpAxis::ALL {
            ui.radio_value(&mut preferences.units.up, up, up.label());
        }
    });
    ui.add_space(theme::SECTION_GAP);
    ui.label(text::section(ui, "Files"));
    ui.checkbox(&mut preferences.reload_on_change, RELOAD).on_hover_text(RELOAD_HINT);
}
