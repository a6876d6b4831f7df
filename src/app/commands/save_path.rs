//! Chooses where files are saved: the path that a save dialog suggests, and the path that the user chose in it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::app::App;
use crate::app::documents::open_document::OpenDocument;
use crate::session::file::output_name::{clip_name, picture_name, sheet_name};
use crate::ui::context::request::SaveKind;

/// Highest number that is appended to a default file name if files with the lower numbers exist.
const MAX_NAME_NUMBER: usize = 9_999;
/// Why nothing can be saved before the first model is open.
const NO_MODEL: &str = "no model is open";

impl App {
    /// The folder of quick screenshots: the folder that the user chose, or the system's pictures folder by default.
    pub(super) fn screenshot_folder(&self) -> Option<PathBuf> {
        self.ui.preferences.screenshot_folder.clone().or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// The path that is suggested for saving, see [`Self::default_folder`] and [`Self::free_path`]. An error is the reason for a message.
    pub(crate) fn default_path(&self, kind: SaveKind) -> Result<PathBuf, String> {
        let open = self.open.as_ref().ok_or(NO_MODEL)?;
        self.free_path(kind, &self.default_folder(kind, open).ok_or("no folder to save to")?)
    }

    /// A path in the folder that no file has yet. It is named after file, animation and frame (`fox-walk-0012.png`). If the name is
    /// taken, a number is appended. If all of these names are taken, returns the reason for a message.
    pub(super) fn free_path(&self, kind: SaveKind, folder: &Path) -> Result<PathBuf, String> {
        let open = self.open.as_ref().ok_or(NO_MODEL)?;
        let name = match kind {
            SaveKind::Clip(options) => clip_name(&open.document, &self.view, &options),
            SaveKind::ContactSheet(options) => sheet_name(&open.document, &self.view, &options),
            SaveKind::Screenshot(_) | SaveKind::View => picture_name(&open.document, &self.view, self.transport.time()),
        };
        // The name may have the extension of a picture. Replace it: a view has another extension, and a sequence has none.
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let extension = if kind.extension().is_empty() { String::new() } else { format!(".{}", kind.extension()) };
        let numbered = (2..=MAX_NAME_NUMBER).map(|number| folder.join(format!("{stem}-{number}{extension}")));
        std::iter::once(folder.join(format!("{stem}{extension}")))
            .chain(numbered)
            .find(|path| !path.exists() && !self.workers.screenshots.is_writing(path))
            .ok_or_else(|| format!("all default file names are taken in {}", folder.display()))
    }

    /// The folder that is suggested for saving. It is the first of these that is known: the folder of the last save, the model's folder,
    /// the pictures folder. For a view, the model's folder comes first. `None` if there is no such folder.
    fn default_folder(&self, kind: SaveKind, open: &OpenDocument) -> Option<PathBuf> {
        let model_folder = || open.document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let last_folder = || self.settings.current.save_folder.clone().filter(|folder| folder.is_dir());
        let folder = match kind {
            SaveKind::View => model_folder().or_else(last_folder),
            SaveKind::Screenshot(_) | SaveKind::Clip(_) | SaveKind::ContactSheet(_) => last_folder().or_else(model_folder),
        };
        folder.or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// Saves to the path that the user chose, if any. The next save dialog starts in its folder.
    pub(crate) fn save_path_chosen(&mut self, kind: SaveKind, path: Option<PathBuf>, overwrite: bool) {
        if let Some(path) = path {
            self.settings.current.save_folder = path.parent().map(PathBuf::from);
            self.settings.write_soon(Instant::now());
            self.save(kind, path, overwrite);
        }
        self.end_path_choice(kind);
    }

    /// Lets time go on after the system's dialog for the path of a screenshot has closed.
    pub(crate) fn end_path_choice(&mut self, kind: SaveKind) {
        if matches!(kind, SaveKind::Screenshot(_)) {
            self.is_choosing_picture_path = false;
            // No frames may have been drawn while the dialog was open.
            self.clock.skip();
            self.request_frame();
        }
    }
}
