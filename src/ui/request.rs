//! What a panel asks the application to do: files, exports, the clipboard, the window itself.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::session::time::clip::ClipOptions;

use super::preferences::ScreenshotOptions;

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
