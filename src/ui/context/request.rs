//! Requests of the panels to the application: files, exports, the clipboard, the window. Panels queue them; the application performs
//! them after the frame.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::session::contact_sheet::SheetOptions;
use crate::session::document::DocumentId;
use crate::session::time::clip::ClipOptions;
use crate::session::view::View;

use super::comparison::OtherPick;
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
    /// Lights the model with a panorama that the user picks.
    EnvironmentDialog,
    /// Lights the model with this panorama. `None` chooses the studio light.
    Environment(Option<PathBuf>),
    /// Opens the next (1) or previous (-1) model of [`crate::ui::context::app_status::AppStatus::files`].
    StepFile(isize),
    /// Opens a model of [`crate::ui::context::app_status::AppStatus::files`], as [`Request::StepFile`] does.
    OpenListed(PathBuf),
    /// Opens the embedded sample model.
    OpenSample,
    /// Reads the open file again.
    Reload,
    CancelLoading,
    /// Compares the open file with one that the user picks.
    CompareDialog,
    /// Compares the open file with the model among the files that were dropped.
    CompareDropped(Vec<PathBuf>),
    /// Compares the open file with its version before the last reload.
    ComparePreviousVersion,
    /// Compares the playing animation with this animation of the open file.
    CompareAnimation(usize),
    /// Selects the counterparts in A of the nodes under a click or a selection box on B, or lists them in the context menu.
    PickOther(OtherPick),
    /// Exchanges A and B.
    SwapCompared,
    StopComparing,
    /// Opens dropped files without asking again.
    OpenDropped(Vec<PathBuf>),
    /// Saves a file to `path`, or asks the user for a path if it is `None`. `overwrite` allows replacing a file.
    Save {
        kind: SaveKind,
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
    CancelExport,
    /// Lists the graphics adapters in [`crate::ui::context::app_status::AppStatus::adapters`].
    ListAdapters,
    /// Looks for ffmpeg, which writes videos.
    LookForFfmpeg,
    /// Copies a `sinew render` command to the clipboard: for the clip, or for the current picture if `clip` is `None`.
    CopyCommand {
        clip: Option<ClipOptions>,
    },
    /// Writes the view of a copied command to `path`, in the format that `--state` reads.
    SaveCommandView {
        view: Box<View>,
        path: PathBuf,
    },
    /// Fits the camera to the bounds of these nodes (source indices), or to the whole model if the list is empty.
    Fit {
        nodes: Vec<usize>,
    },
    /// Fits the camera to a node (source index) and enough of its surroundings to show where it is.
    FitAround {
        node: usize,
    },
    /// Checks the document for problems that it is likely to have in an engine. The checks do not wait until playback pauses.
    RunChecks,
    CancelChecks,
    /// Checks the file against the specification.
    Validate,
    CancelValidation,
    /// Shows a message in the status bar for some seconds.
    ShowMessage(String),
    /// Copies a text to the clipboard.
    CopyText(String),
    /// Copies keys to the clipboard, as text.
    CopyKeys {
        text: String,
        count: usize,
    },
    /// Decodes an image for [`crate::ui::context::image_previews`].
    PreviewImage(PreviewOrder),
    /// Draws the thumbnails of these files for [`crate::ui::context::thumbnails`], and no other thumbnails. `size` is their width and
    /// height, in pixels.
    DrawThumbnails {
        files: Vec<PathBuf>,
        size: u32,
    },
    /// Looks for system fonts that have these characters.
    FindFonts(BTreeSet<char>),
    ToggleFullScreen,
    ClearRecentFiles,
    /// Quits, or asks the user first if an export is running.
    Quit,
    /// Quits. A running export is canceled.
    QuitAnyway,
}

/// The kind of file that is saved, with its options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SaveKind {
    Screenshot(ScreenshotOptions),
    Clip(ClipOptions),
    ContactSheet(SheetOptions),
    /// The view, in the format that `--state` reads.
    View,
}

impl SaveKind {
    /// The file extension. It is empty for a sequence, which is a folder.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Screenshot(_) | Self::ContactSheet(_) => "png",
            Self::Clip(options) => options.format.extension(),
            Self::View => "json",
        }
    }
}

/// The size of a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewDetail {
    Thumbnail,
    Large,
}

impl PreviewDetail {
    /// Maximum width and height, in pixels.
    pub fn longest_side(self) -> u32 {
        match self {
            Self::Thumbnail => 128,
            Self::Large => 2048,
        }
    }
}

/// Describes a preview that the application must decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewOrder {
    pub document: DocumentId,
    /// Index of the image in the model.
    pub image: usize,
    pub detail: PreviewDetail,
    /// Whether the image holds sRGB colors, which are averaged as linear light when the image is reduced.
    pub is_color: bool,
}
