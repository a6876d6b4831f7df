//! Plain data of the window that several panels share: the open dialog, the layout, and what one panel requests from another. It is not
//! saved between runs.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use crate::model::texture::TextureSlot;
use crate::session::document::DocumentId;
use crate::session::pick::vertex::Vertex;
use crate::session::view::View;

use super::comparison::OtherMenu;
use super::preferences::Preferences;
use super::request::SaveKind;

/// State of the window: the open dialog, the layout, the keyboard focus.
#[derive(Debug, Clone, Default)]
pub struct WindowState {
    /// The dialog in front. `None` if there is none.
    pub dialog: Option<Dialog>,
    /// Dialogs that appear one after the other when the dialog in front has closed.
    pub waiting_dialogs: VecDeque<Dialog>,
    /// Whether the window is too narrow to show the inspector by default. The layout sets this.
    pub is_narrow: bool,
    /// Whether the inspector is open while the window is narrow.
    pub inspector_when_narrow: bool,
    /// The height of the timeline in a short window, in points. `None` stands for the initial height.
    pub short_timeline_height: Option<f32>,
    /// The panels that were shown when all were hidden together. They are shown again together. `None` if no panels are hidden like that.
    pub hidden_together: Option<PanelSwitches>,
    /// Whether a list of rows has the keyboard focus, so that it receives the arrow keys. The lists set this.
    pub list_focused: bool,
    /// Whether Esc was pressed, so that the widget with the keyboard focus loses it. The layout resets this flag.
    pub releases_focus: bool,
    /// Whether the last click on the rail of a slider may be the first of a double-click. The sliders that a double-click resets set this.
    pub is_rail_clicked: bool,
    /// Asks the node list to focus its search field. The node list resets this flag.
    pub focus_search: bool,
    /// The section to which the inspector scrolls in the next frame. The inspector takes it.
    pub revealed_section: Option<RevealedSection>,
    /// Whether the inspector's checks are visible. The inspector sets this.
    pub shows_checks: bool,
    /// The layer whose details are open.
    pub open_layer: Option<usize>,
    /// The vertex that the user chose in the inspector. A click into the viewport clears it.
    pub marked_vertex: Option<Vertex>,
    /// The content of the context menu of B, the second model of a comparison. The application sets this.
    pub other_menu: OtherMenu,
}

impl WindowState {
    /// Returns whether the inspector is shown at the current width of the window.
    pub fn inspector_shown(&self, preferences: &Preferences) -> bool {
        if self.is_narrow { self.inspector_when_narrow } else { preferences.inspector }
    }

    /// Shows or hides the inspector. This is remembered separately for narrow and wide windows.
    pub fn show_inspector(&mut self, preferences: &mut Preferences, show: bool) {
        *if self.is_narrow { &mut self.inspector_when_narrow } else { &mut preferences.inspector } = show;
    }

    /// Returns whether a gesture is in progress: a mouse button is down, or a second click would reset a slider. The changes of a gesture
    /// are one undo step.
    pub fn is_in_gesture(&self, egui: &egui::Context) -> bool {
        self.is_rail_clicked || egui.input(|input| input.pointer.any_down())
    }

    /// Ends the wait for the second click on the rail of a slider if it would be too late for a double-click. The layout calls this.
    pub fn end_rail_click(&mut self, egui: &egui::Context) {
        if !self.is_rail_clicked {
            return;
        }
        let delay = egui.options(|options| options.input_options.max_double_click_delay);
        let (is_down, passed) = egui.input(|input| (input.pointer.any_down(), f64::from(input.pointer.time_since_last_click())));
        self.is_rail_clicked = is_down || passed < delay;
        if self.is_rail_clicked && !is_down {
            egui.request_repaint_after(Duration::from_secs_f64(delay - passed));
        }
    }

    /// Shows a dialog that an event opens and not the user. If another dialog is open, this one waits until that one is closed.
    pub fn ask(&mut self, dialog: Dialog) {
        self.waiting_dialogs.push_back(dialog);
        self.show_next_dialog();
    }

    /// Shows a dialog in front of all others. They return when it is closed.
    pub fn ask_first(&mut self, dialog: Dialog) {
        if self.dialog.as_ref() != Some(&dialog)
            && let Some(covered) = self.dialog.replace(dialog)
        {
            self.waiting_dialogs.push_front(covered);
        }
    }

    /// Shows the next dialog that waits, if none is open.
    pub fn show_next_dialog(&mut self) {
        if self.dialog.is_none() {
            self.dialog = self.waiting_dialogs.pop_front();
        }
    }

    /// Returns whether a dialog of a screenshot is open or waits.
    pub fn asks_about_screenshot(&self) -> bool {
        self.dialog
            .iter()
            .chain(&self.waiting_dialogs)
            .any(|dialog| matches!(dialog, Dialog::Screenshot | Dialog::Overwrite { kind: SaveKind::Screenshot(_), .. }))
    }

    /// Returns whether the numbers of [`super::app_status::Performance`] are shown.
    pub fn performance_shown(&self, preferences: &Preferences) -> bool {
        preferences.performance && self.inspector_shown(preferences)
    }
}

/// A section of the inspector that opens when there is something to see in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevealedSection {
    Comparison,
    Checks,
    Findings,
}

/// Whether each of the panels is shown that can be hidden together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PanelSwitches {
    pub left_panel: bool,
    pub timeline: bool,
    pub inspector: bool,
    /// Whether the file strip is switched on. It is shown only beside several files.
    pub file_strip: bool,
}

/// A use of a texture: the property of a material that refers to the texture, and a mesh with that material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureUse {
    /// The id of the document as it was first read from the file. Reloading the file does not change it.
    pub document: DocumentId,
    pub mesh: usize,
    pub material: usize,
    pub slot: TextureSlot,
}

/// The dialog in front of the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    Screenshot,
    /// A file already exists where another one should be saved.
    Overwrite {
        kind: SaveKind,
        path: PathBuf,
    },
    Clip,
    /// A file was dropped while another one is open.
    Dropped {
        model: PathBuf,
        /// The model and the files that were dropped with it.
        files: Vec<PathBuf>,
    },
    /// The options of a contact sheet.
    ContactSheet,
    /// The copied command reads the view from a file, which must be saved first.
    SaveForCommand {
        /// The parts of the view that no flag can express.
        settings_without_flag: Vec<&'static str>,
        /// How the command's picture differs from the window's picture.
        differences: Vec<&'static str>,
        path: PathBuf,
        /// The view that the command needs.
        view: Box<View>,
    },
    /// The binding report of a file whose animations the model plays, by the number of the file.
    Binding(usize),
    /// An enlarged texture of a material.
    Texture(TextureUse),
    Settings,
    /// The camera bookmarks of the open file.
    Bookmarks,
    ViewPresets,
    /// The command palette is open.
    CommandPalette,
    Shortcuts,
    About,
    /// The user quits while a clip, a contact sheet or a screenshot is being written.
    Quit,
}
