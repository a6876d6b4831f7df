//! Floor 4: the panels, as functions over plain state. They edit the [`View`] and the [`Transport`] in place and push a
//! [`Request`] only for what the application must do. No GPU, no files, no clock.
//!
//! A frame: [`crate::ui::layout::controls_ui`] lays out the window and runs every panel that controls; then the caller poses the model;
//! then [`crate::ui::layout::readouts_ui`] fills the panels that show live values. So a scrub and every value shown are of one frame.

pub mod actions;
pub mod animations;
pub mod command_palette;
pub mod commands;
pub mod dialogs;
pub mod failure_bar;
pub mod inspector;
pub mod key_selection;
pub mod layout;
pub mod menus;
pub mod per_document;
pub mod perform;
pub mod preferences;
pub mod status_bar;
pub mod style;
pub mod timeline;
pub mod tree;
pub mod viewport;
pub mod widgets;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::session::document::Document;
use crate::session::file::file_list::Place;
use crate::session::time::clip::ClipOptions;
use crate::session::time::transport::Transport;
use crate::session::view::{View, Weights};

use animations::layers::LayersState;
use animations::list::AnimationsState;
use command_palette::PaletteState;
use inspector::driving_animations::Touching;
use inspector::findings::FindingsState;
use inspector::matrices::Matrix;
use inspector::performance::Performance;
use inspector::skinning::WeightsState;
use inspector::statistics::Counts;
use key_selection::KeySelection;
use per_document::PerDocument;
use preferences::{Preferences, ScreenshotOptions};
use style::missing_glyphs::MissingGlyphs;
use timeline::curves::state::CurvesState;
use timeline::dope_sheet::state::SheetState;
use timeline::layer_strips::LanesState;
use tree::state::TreeState;
use viewport::ViewportState;
use viewport::vertex_probe::ProbeState;

/// All a panel may touch in a frame.
pub struct Context<'a> {
    pub state: &'a mut UiState,
    pub document: &'a Document,
    pub view: &'a mut View,
    pub transport: &'a mut Transport,
    pub commands: &'a mut Vec<Request>,
}

/// What only the application can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
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
    pub counts: PerDocument<Option<Counts>>,
    /// Of the active node along its trail.
    pub way: inspector::trail_stats::Measured,
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
