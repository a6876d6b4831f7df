//! Floor 4: the panels, as functions over plain state. They edit the [`View`] and the [`Transport`] in place and push a
//! [`Command`] only for what the application must do. No GPU, no files, no clock.
//!
//! A frame: [`layout::controls_ui`] lays out the window and runs every panel that controls; then the caller poses the model;
//! then [`layout::readouts_ui`] fills the panels that show live values. So a scrub and every value shown are of one frame.

pub mod actions;
pub mod animations;
pub mod clip;
pub mod command_palette;
pub mod copying;
pub mod curves;
pub mod dialogs;
pub mod failure;
pub mod gait;
pub mod ghosts;
pub mod gizmo;
pub mod heat_map;
pub mod hindrance;
pub mod icons;
pub mod inspector;
pub mod isolating;
pub mod joint_names;
pub mod key_columns;
pub mod key_selection;
pub mod lanes;
pub mod layer_row;
pub mod layers;
pub mod layout;
pub mod list;
pub mod menu;
pub mod menu_item;
pub mod menus;
pub mod missing_glyphs;
pub mod navigation;
pub mod node_menu;
pub mod perform;
pub mod plate;
pub mod playing;
pub mod probe;
pub mod probe_plate;
pub mod range_strip;
pub mod ruler;
pub mod screenshot;
pub mod search_field;
pub mod selecting;
pub mod settings;
pub mod sheet;
pub mod shortcuts;
pub mod slider;
pub mod snapping;
pub mod state_plates;
pub mod status;
pub mod steering;
pub mod steps;
pub mod switch_column;
pub mod switching;
pub mod text;
pub mod theme;
pub mod time_axis;
pub mod timeline;
pub mod timeline_zoom;
pub mod trail_dots;
pub mod trails;
pub mod transport_row;
pub mod tree;
pub mod tree_row;
pub mod tree_state;
pub mod units;
pub mod viewport;
pub mod viewport_menu;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::session::clip::ClipOptions;
use crate::session::document::Document;
use crate::session::file_list::Place;
use crate::session::transport::Transport;
use crate::session::view::{View, Weights};

use animations::AnimationsState;
use command_palette::PaletteState;
use curves::state::CurvesState;
use inspector::findings::FindingsState;
use inspector::matrices::Matrix;
use inspector::performance::Performance;
use inspector::statistics::Counts;
use inspector::touching::Touching;
use inspector::weights::WeightsState;
use key_selection::KeySelection;
use lanes::LanesState;
use layers::LayersState;
use missing_glyphs::MissingGlyphs;
use probe::ProbeState;
use ruler::RulerUnit;
use sheet::rows::SheetState;
use snapping::Snap;
use tree_state::TreeState;
use units::Units;
use viewport::ViewportState;

/// All a panel may touch in a frame.
pub struct Frame<'a> {
    pub state: &'a mut UiState,
    pub document: &'a Document,
    pub view: &'a mut View,
    pub transport: &'a mut Transport,
    pub commands: &'a mut Vec<Command>,
}

/// What only the application can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Ask for a file with the system's dialog.
    OpenDialog,
    Open(PathBuf),
    /// Ask for a panorama that gives the light.
    EnvironmentDialog,
    /// Light from this panorama; none: from the studio.
    Environment(Option<PathBuf>),
    /// Of the files given together: the next (1) or the previous one (-1).
    StepFile(isize),
    /// Back to the embedded sample model.
    OpenSample,
    Reload,
    CancelLoading,
    /// Ask for a place (unless `path` is given) and write a picture there.
    SaveScreenshot {
        options: ScreenshotOptions,
        path: Option<PathBuf>,
        overwrite: bool,
    },
    /// At once, beside the last one.
    SaveScreenshotNow,
    /// Ask for a place (unless `path` is given) and write a clip there.
    ExportClip {
        options: ClipOptions,
        path: Option<PathBuf>,
        overwrite: bool,
    },
    CancelExport,
    /// See whether videos can be written.
    LookForFfmpeg,
    /// What is seen, or the clip of it, as a `sinew render` command.
    CopyCommand {
        clip: Option<ClipOptions>,
    },
    /// Ask for a place (unless `path` is given) and write the view there, as `--state` reads it.
    SaveView {
        path: Option<PathBuf>,
    },
    /// The clicked or asked-for camera needs the bounds of these nodes (by file index; empty: everything).
    Fit {
        nodes: Vec<usize>,
    },
    CopyText(String),
    /// Fonts of the system that have these characters.
    FindFonts(BTreeSet<char>),
    Undo,
    Redo,
    ToggleFullScreen,
    ClearRecentFiles,
    Quit,
}

/// Between frames: what the panels remember for themselves, and what the application tells them.
#[derive(Debug, Clone, Default)]
pub struct UiState {
    pub preferences: Preferences,
    /// A file is being read: shown as a bar under the menu, with a button to cancel.
    pub loading: Option<Loading>,
    /// A clip is being written: shown in the status bar, with a button to cancel.
    pub exporting: Option<Exporting>,
    /// Whether videos can be written.
    pub ffmpeg: bool,
    /// The last file failed: shown as a strip above the viewport until closed.
    pub failure: Option<Failure>,
    /// A short word in the status bar ("Saved fox-walk-0012.png"); the application clears it after some seconds.
    pub note: Option<String>,
    /// Names of files that hover over the window.
    pub hovered_files: Vec<String>,
    /// Whether files can be dropped here (not on native Wayland): else the window never says "drop".
    pub can_drop: bool,
    /// What the status bar and the inspector show of the machine.
    pub statistics: Statistics,
    /// What the last frames took.
    pub performance: Performance,
    /// How many files were given together, to step through; the open one may be another.
    pub files: usize,
    /// Where the open file stands among them.
    pub listed: Option<Place>,
    /// What would be taken back, and done again; none: nothing.
    pub next_undo: Option<&'static str>,
    pub next_redo: Option<&'static str>,
    pub animations: AnimationsState,
    pub layers: LayersState,
    pub lanes: LanesState,
    /// Points that the first foot's lane is scrolled out of sight.
    pub contacts_scroll: f32,
    pub tree: TreeState,
    pub viewport: ViewportState,
    pub counts: Counts,
    /// Which of the active node's matrices the inspector shows.
    pub matrix: Matrix,
    pub touching: Touching,
    pub timeline: timeline::TimelineState,
    pub curves: CurvesState,
    /// How many ghosts are drawn while there is no time for all; none: all are.
    pub ghosts_drawn: Option<usize>,
    /// Nothing in the light from all around casts a shadow: a panorama without a sun.
    pub sunless: bool,
    pub sheet: SheetState,
    pub keys: KeySelection,
    pub missing_glyphs: MissingGlyphs,
    pub probe: ProbeState,
    pub weights: WeightsState,
    /// What was shown before all joints' colours.
    pub weights_below: Weights,
    pub palette: PaletteState,
    /// Of the shortcut page.
    pub shortcut_search: String,
    /// In front of the window.
    pub dialog: Option<Dialog>,
    /// The window is too narrow for the inspector to be open from the start. Written by the layout.
    pub narrow: bool,
    /// Whether the inspector is open while the window is narrow.
    pub inspector_when_narrow: bool,
    /// A list of rows has the keyboard: plain arrows are its own. Written by the lists.
    pub list_focused: bool,
    /// Ctrl+F: the node list's search field takes the keyboard and clears this.
    pub focus_search: bool,
    /// The inspector scrolls to its findings and clears this.
    pub reveal_findings: bool,
    pub findings: FindingsState,
}

impl UiState {
    /// Whether the inspector is open in a window as wide as this one.
    pub fn inspector_shown(&self) -> bool {
        if self.narrow { self.inspector_when_narrow } else { self.preferences.inspector }
    }

    /// Whether the figures of [`Performance`] are looked at.
    pub fn performance_shown(&self) -> bool {
        self.preferences.performance && self.inspector_shown()
    }

    pub fn show_inspector(&mut self, show: bool) {
        *if self.narrow { &mut self.inspector_when_narrow } else { &mut self.preferences.inspector } = show;
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Dialog {
    Screenshot,
    /// The application found a file where the picture should go.
    Overwrite {
        options: ScreenshotOptions,
        path: PathBuf,
    },
    Clip,
    /// The application found a file where the clip should go.
    OverwriteClip {
        options: ClipOptions,
        path: PathBuf,
    },
    /// The copied command needs the view saved there.
    SaveForCommand {
        /// What no flag can say.
        beyond_flags: Vec<&'static str>,
        path: PathBuf,
    },
    Settings,
    /// The command palette.
    Commands,
    Shortcuts,
    About,
}

/// Remembered between runs. Never the view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: ThemeChoice,
    /// Times the system's own.
    pub scale: f32,
    pub navigation: Navigation,
    /// Of lengths and axes that are read.
    pub units: Units,
    pub left_panel: bool,
    pub inspector: bool,
    pub timeline: bool,
    /// A section of the inspector.
    pub performance: bool,
    pub left_width: f32,
    pub inspector_width: f32,
    /// Of the timeline with its rows.
    pub timeline_height: f32,
    /// Of the names beside the rows.
    pub names_width: f32,
    pub timeline_rows: TimelineRows,
    pub ruler: RulerUnit,
    pub snap: Snap,
    /// Rotations as angles, else as quaternions.
    pub euler_curves: bool,
    pub screenshot: ScreenshotOptions,
    pub clip: ClipOptions,
    /// Newest first, at most 20.
    pub recent_files: Vec<PathBuf>,
    /// Panoramas, newest first.
    pub recent_environments: Vec<PathBuf>,
    /// The navigation hint was seen.
    pub hint_seen: bool,
    /// A file that changes on disk is read again.
    pub reload_on_change: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            scale: 1.0,
            navigation: Navigation::Sinew,
            units: Units::default(),
            left_panel: true,
            inspector: true,
            timeline: true,
            performance: false,
            left_width: 240.0,
            inspector_width: 300.0,
            timeline_height: 260.0,
            names_width: 200.0,
            timeline_rows: TimelineRows::Sheet,
            ruler: RulerUnit::Frames,
            snap: Snap::Frames,
            euler_curves: true,
            screenshot: ScreenshotOptions::default(),
            clip: ClipOptions::default(),
            recent_files: Vec::new(),
            recent_environments: Vec::new(),
            hint_seen: false,
            reload_on_change: true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}

/// What stands under the ruler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimelineRows {
    None,
    #[default]
    Sheet,
    Curves,
}

/// Which mouse buttons steer the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Navigation {
    #[default]
    Sinew,
    Blender,
    Maya,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScreenshotOptions {
    /// Pixels; 0: the viewport's.
    pub width: u32,
    pub height: u32,
    /// Samples a side, 1 to 4, beyond the 4x MSAA.
    pub supersample: u32,
    pub transparent: bool,
    /// Skeleton, names, grid and axes as the view shows them.
    pub overlays: bool,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        Self { width: 0, height: 0, supersample: 1, transparent: false, overlays: true }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    pub name: String,
    /// "Reading", "Decoding geometry"...
    pub stage: String,
    /// 0 to 1, none: not known.
    pub fraction: Option<f32>,
}

/// A clip on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exporting {
    pub name: String,
    /// So many are written, of so many.
    pub written: usize,
    pub frames: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The file's name.
    pub name: String,
    /// What and where.
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    pub frame_ms: f32,
    pub adapter: String,
    /// What of the device's memory the model and its picture take, and how many bytes.
    pub memory: Vec<(&'static str, u64)>,
    /// Of the device's memory, on average; none: nothing is known of it.
    pub bytes_per_vertex: Option<f64>,
    /// Points of the viewport, and pixels to the point.
    pub viewport: [f32; 2],
    pub pixels_per_point: f32,
}
