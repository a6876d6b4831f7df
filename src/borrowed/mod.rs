//! Other files whose animations the open model plays: reads them, carries their animations over as the view says, and puts what was bound
//! into words. The window and the command line share it. In the order of imports, this is floor 4.

pub mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::asset::{self, LoadOptions};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::retarget::carry::CarriedFile;
use crate::retarget::method::Method;
use crate::retarget::{Carried, Settings, carry};
use crate::session::file::file_list;
use crate::session::view::retarget::{Retarget, RetargetMethod};

use report::Report;

/// Maximum number of files whose animations a model plays.
pub const MAX_FILES: usize = 100;

/// A file that was read for its animations.
#[derive(Debug, Clone)]
pub struct BorrowedFile {
    pub path: PathBuf,
    /// The model of the file, without its geometry.
    pub model: Arc<Model>,
    /// The files that it was read from, for watching them.
    pub files: Vec<SourceFile>,
}

impl BorrowedFile {
    /// Reads a file for its animations. It may have neither skins nor meshes. Its images are not decoded, and its geometry is dropped.
    ///
    /// Errors as [`asset::load`] does.
    pub fn read(path: &Path, progress: &Progress) -> Result<Self, LoadError> {
        let options = LoadOptions { progress: Some(progress), ..LoadOptions::default() };
        let asset::Loaded { mut model, files, .. } = asset::load(path, &options)?;
        for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            *primitive = Primitive { source: primitive.source, ..Primitive::default() };
        }
        Ok(Self { path: path.to_owned(), model: Arc::new(model), files })
    }

    /// The file's name, with its folder if another of the files has the same name.
    pub fn label(&self, others: &[Arc<Self>]) -> String {
        file_list::distinct_name(&self.path, others.iter().map(|other| &other.path))
    }
}

/// A file whose animations are wanted.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// It was read already.
    Read(Arc<BorrowedFile>),
    /// It may have changed since. If it cannot be read, the old version stays.
    Again(Arc<BorrowedFile>),
    /// It is to be read.
    Path(PathBuf),
}

impl Wanted {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Read(file) | Self::Again(file) => &file.path,
            Self::Path(path) => path,
        }
    }

    /// The file, read now if needed, and why it could not be read.
    fn read(self, progress: &Progress) -> (Option<Arc<BorrowedFile>>, Option<String>) {
        if let Self::Read(file) = self {
            return (Some(file), None);
        }
        match (BorrowedFile::read(self.path(), progress), self) {
            (Ok(file), _) => (Some(Arc::new(file)), None),
            (Err(error), Self::Again(old)) => (Some(old), Some(error.to_string())),
            (Err(error), _) => (None, Some(error.to_string())),
        }
    }
}

/// The files whose animations a model plays.
#[derive(Debug, Clone, Default)]
pub struct Borrowed {
    pub files: Vec<Arc<BorrowedFile>>,
    /// How the animations of each file were carried over.
    pub choices: Vec<Retarget>,
    /// What was bound, one per file.
    pub reports: Vec<Report>,
    /// The files that could not be read, with the reason.
    pub failures: Vec<(PathBuf, String)>,
}

/// Reads the files that were not read yet, and appends the animations of all to those of a model. Files that cannot be read are left out.
pub fn apply(model: Model, wanted: Vec<(Wanted, Retarget)>, progress: &Progress) -> (Model, Borrowed) {
    let mut borrowed = Borrowed::default();
    for (wanted, choice) in wanted.into_iter().take(MAX_FILES) {
        let path = wanted.path().to_owned();
        let (file, failure) = wanted.read(progress);
        borrowed.failures.extend(failure.map(|message| (path, message)));
        if let Some(file) = file {
            borrowed.files.push(file);
            borrowed.choices.push(choice);
        }
    }
    let ModelWithAnimations { model, reports } = with_animations(model, &borrowed.files, &borrowed.choices);
    (model, Borrowed { reports, ..borrowed })
}

/// A model with the animations of other files, and one report per file.
#[derive(Debug)]
pub struct ModelWithAnimations {
    pub model: Model,
    pub reports: Vec<Report>,
}

/// Appends the animations of files to those of a model. Those that it borrowed before are left out. `choices` has one entry per file; the
/// defaults count where it ends. Pure, and slow for long animations.
pub fn with_animations(model: Model, files: &[Arc<BorrowedFile>], choices: &[Retarget]) -> ModelWithAnimations {
    let default = Retarget::default();
    let (mut carried, mut reports) = (Vec::with_capacity(files.len()), Vec::with_capacity(files.len()));
    for (index, file) in files.iter().enumerate() {
        let choice = choices.get(index).unwrap_or(&default);
        let settings = Settings {
            method: match choice.method {
                RetargetMethod::Auto => None,
                RetargetMethod::Direct => Some(Method::Direct),
                RetargetMethod::Rotation => Some(Method::Rotation),
            },
            align_rest: choice.align_rest,
            by_hand: choice.by_hand(&file.model, &model),
        };
        let Carried { animations, binding, method, thinned } = carry::carry(&file.model, &model, &settings);
        let name = file.label(files);
        reports.push(Report::new(name.clone(), file.clone(), &animations, (binding, method, thinned)));
        carried.push(CarriedFile { name, path: file.path.clone(), animations });
    }
    ModelWithAnimations { model: carry::with_animations(model, carried), reports }
}
