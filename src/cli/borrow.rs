//! Appends the animations of other files to a model, for `--animations`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;

use crate::asset::LoadOptions;
use crate::borrowed::report::BindingReport;
use crate::borrowed::{self, BorrowedFile, ModelWithAnimations};
use crate::model::Model;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::view::View;
use crate::session::view::retarget::MAX_FILES;

use super::{about, messages};

/// Reads the files whose animations a model plays, and prints warnings about the parts that are ignored or repaired. Errors if a file
/// cannot be read.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Arc<BorrowedFile>>> {
    if paths.len() > MAX_FILES {
        bail!("--animations takes at most {MAX_FILES} files");
    }
    let read = |path: &PathBuf| {
        let file = BorrowedFile::read(path, &LoadOptions::default()).map_err(about(path))?;
        messages::findings(path, &file.model.findings);
        Ok(Arc::new(file))
    };
    paths.iter().map(read).collect()
}

/// Adds the animations of these files to a model, carried over with the choices of the view. Prints notes on stderr about nodes and
/// animations that could not be carried over.
pub fn with_animations(model: Model, files: &[Arc<BorrowedFile>], view: &View) -> Model {
    if files.is_empty() {
        return model;
    }
    let ModelWithAnimations { model, reports } = borrowed::with_animations(model, files, &view.retarget);
    let notes = |report: &BindingReport| report.notes().into_iter().map(|note| format!("{}: {note}", report.name)).collect::<Vec<_>>();
    for note in reports.iter().flat_map(notes) {
        messages::note(terminal::escape(&note, MAX_MESSAGE_CHARS));
    }
    model
}
