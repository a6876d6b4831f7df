//! Requests of the panels to the application: files, exports, the clipboard, the window. Panels queue them; the application performs
//! them after the frame.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::session::contact_sheet::SheetOptions;
use crate::session::time::clip::ClipOptions;

use super::comparison::OtherPick;
use super::image_previews::PreviewOrder;
use super::preferences::ScreenshotOptions;

/// A request that only the application can carry out.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Opens a file that the user picks in the system's dialog.
    OpenDialog,
    /// Opens this file.
    Open(PathBuf),
    /// Adds the animations of files that the user picks.
    AnimationsDialog,
    /// Adds the animations of these files to the open model.
    AddAnimations(Vec<PathBuf>),
    /// Removes the animations of a file, by its number in [`crate::model::Model::borrowed`].
    RemoveAnimations(usize),
    /// Lights the model by a panorama that the user picks.
    EnvironmentDialog,
    /// Lights the model by this panorama. `None` chooses the studio light.
    Environment(Option<PathBuf>),
    /// Opens the next (1) or previous (-1) model of [`crate::ui::context::app_status::AppStatus::files`].
    StepFile(isize),
    /// Opens a model of this list, as stepping does.
    OpenListed(PathBuf),
    /// Opens the embedded sample model.
    OpenSample,
    /// Reads the open file again.
    Reload,
    CancelLoading,
    /// Compares the open file with one that the user picks.
    CompareDialog,
    /// Compares the open file with this one.
    Compare(PathBuf),
    /// Compares the open file with its version before the last reload.
    CompareVersionBefore,
    /// Compares what plays with this animation of the open file.
    CompareAnimation(usize),
    /// Selects the counterpart of what is under a click on B.
    PickOther(OtherPick),
    /// Exchanges A and B.
    SwapCompared,
    StopComparing,
    /// Opens dropped files as if the user had not been asked.
    OpenDropped(Vec<PathBuf>),
    /// Writes a screenshot to `path`, or asks for a place if there is none. `overwrite` allows replacing a file.
    SaveScreenshot {
        options: ScreenshotOptions,
        path: Option<PathBuf>,
        overwrite: bool,
    },
    /// Writes a screenshot to the folder of quick screenshots, without asking.
    SaveScreenshotNow,
    /// Copies a picture of the viewport to the clipboard.
    CopyPicture,
    /// Asks for the folder of quick screenshots.
    ScreenshotFolderDialog,
    /// Shows a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Writes a clip to `path`, or asks for a place if there is none. `overwrite` allows replacing a file.
    ExportClip {
        options: ClipOptions,
        path: Option<PathBuf>,
        overwrite: bool,
    },
    /// Writes a contact sheet to `path`, or asks for a place if there is none. `overwrite` allows replacing a file.
    ExportSheet {
        options: SheetOptions,
        path: Option<PathBuf>,
        overwrite: bool,
    },
    CancelExport,
    /// Lists the graphics adapters in [`crate::ui::context::app_status::AppStatus::adapters`].
    ListAdapters,
    /// Checks whether videos can be written.
    LookForFfmpeg,
    /// Copies a `sinew render` command for the current picture, or for the clip.
    CopyCommand {
        clip: Option<ClipOptions>,
    },
    /// Writes the view to `path`, in the format that `--state` reads, or asks for a place if there is none.
    SaveView {
        path: Option<PathBuf>,
    },
    /// Fits the camera to the bounds of these nodes (source indices; empty for everything).
    Fit {
        nodes: Vec<usize>,
    },
    /// Fits the camera to a node (source index) and enough of what is around it to tell where it is.
    FitAround {
        node: usize,
    },
    /// Checks the document for what may not look right in an engine, even while it plays.
    RunChecks,
    CancelChecks,
    /// Checks the file against the specification.
    Validate,
    CancelValidation,
    /// Copies a text to the clipboard.
    CopyText(String),
    /// Decodes an image for [`crate::ui::context::image_previews`].
    PreviewImage(PreviewOrder),
    /// Draws the thumbnails of these files for [`crate::ui::context::thumbnails`], and no others. `size` is their side, in pixels.
    DrawThumbnails {
        files: Vec<PathBuf>,
        size: u32,
    },
    /// Looks for system fonts that have these characters.
    FindFonts(BTreeSet<char>),
    Undo,
    Redo,
    ToggleFullScreen,
    ClearRecentFiles,
    Quit,
}
