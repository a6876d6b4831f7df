//! Writes the picture of a screenshot or a contact sheet, unless it is canceled.

use std::path::PathBuf;

use image::RgbaImage;

use crate::app::worker_events::SaveOutcome;
use crate::export::atomic_file;
use crate::export::error::{ExportError, WriteError};
use crate::export::formats::encoder::ExportProgress;
use crate::export::formats::png;
use crate::ui::context::request::SaveKind;

/// The destination of a picture.
pub struct PictureFile {
    /// The kind of picture, with its options. If a file of that name exists, the event returns it, so that the user can be asked.
    pub kind: SaveKind,
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

impl PictureFile {
    /// Writes a drawn picture. Errors are returned as an outcome, too.
    pub fn write(self, drawn: Result<RgbaImage, ExportError>, progress: &ExportProgress) -> SaveOutcome {
        match drawn {
            Ok(picture) if !progress.is_canceled() => self.encode_and_write(&picture, progress),
            Ok(_) | Err(ExportError::Canceled) => SaveOutcome::Canceled,
            Err(error) => SaveOutcome::Failed(error.to_string()),
        }
    }

    /// Encodes the picture, which takes seconds for a large one, and writes it unless it was canceled meanwhile.
    fn encode_and_write(self, picture: &RgbaImage, progress: &ExportProgress) -> SaveOutcome {
        let Self { kind, path, overwrite } = self;
        let written = match png::encoded(picture, &path) {
            Ok(_) if progress.is_canceled() => return SaveOutcome::Canceled,
            Ok(bytes) => atomic_file::write(&path, &bytes, overwrite),
            Err(error) => Err(error),
        };
        match written {
            Ok(()) => SaveOutcome::Written(path),
            Err(WriteError::Exists { path }) => SaveOutcome::Exists { kind, path },
            Err(error) => SaveOutcome::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_canceled_after_it_is_drawn_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        let file = || PictureFile { kind: SaveKind::Screenshot(Default::default()), path: path.clone(), overwrite: false };
        let (picture, canceled) = (RgbaImage::from_pixel(2, 1, image::Rgba([1, 2, 3, 4])), ExportProgress::default());
        canceled.cancel();
        assert!(matches!(file().write(Ok(picture.clone()), &canceled), SaveOutcome::Canceled), "before it is encoded");
        assert!(matches!(file().encode_and_write(&picture, &canceled), SaveOutcome::Canceled), "after it is encoded");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(matches!(file().write(Ok(picture.clone()), &ExportProgress::default()), SaveOutcome::Written(_)));
        assert_eq!(image::open(&path).unwrap().to_rgba8(), picture);
    }
}
