//! Other files whose animations the open model plays: reads them, carries their animations over with the choices of the view, and reports
//! the nodes that have no counterpart. The window and the command line share this code.

pub mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::asset::error::LoadError;
use crate::asset::file::stamp::SourceFile;
use crate::asset::{self, LoadOptions};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::retarget::carry::CarriedFile;
use crate::retarget::method::Method;
use crate::retarget::{Carried, Settings, carry};
use crate::session::file::file_list;
use crate::session::view::retarget::{MAX_FILES, Retarget, RetargetMethod};

use report::BindingReport;

/// A file that was read for its animations.
#[derive(Debug, Clone)]
pub struct BorrowedFile {
    pub path: PathBuf,
    /// The model of the file, without its geometry.
    pub model: Arc<Model>,
    /// The files that the model was read from. They are watched for changes.
    pub files: Vec<SourceFile>,
}

impl BorrowedFile {
    /// Reads a file for its animations. The file needs no skins or meshes. Its images are not decoded, and its geometry is dropped.
    ///
    /// Returns the same errors as [`asset::load`].
    pub fn read(path: &Path, options: &LoadOptions) -> Result<Self, LoadError> {
        let asset::Loaded { mut model, files, .. } = asset::load(path, options)?;
        for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            *primitive = Primitive { source: primitive.source, ..Primitive::default() };
        }
        Ok(Self { path: path.to_owned(), model: Arc::new(model), files })
    }

    /// A copy with the current stamps of the files.
    fn with_stamps_of_now(&self) -> Self {
        Self { files: self.files.iter().map(|file| SourceFile::now(&file.path)).collect(), ..self.clone() }
    }

    /// The file's name, with its folder if another of the files has the same name.
    pub fn label(&self, others: &[Arc<Self>]) -> String {
        file_list::distinct_name(&self.path, others.iter().map(|other| &other.path))
    }
}

/// A file to borrow animations from.
#[derive(Debug, Clone)]
pub enum FileRequest {
    /// The file was read already.
    Loaded(Arc<BorrowedFile>),
    /// The file was read already but may have changed, so it is read again. If that fails, the old version is used, with the current stamps
    /// of its files, so that they are read again only when they change.
    Reload(Arc<BorrowedFile>),
    /// The file was not read yet.
    Path(PathBuf),
}

impl FileRequest {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Loaded(file) | Self::Reload(file) => &file.path,
            Self::Path(path) => path,
        }
    }

    /// Reads the file if needed. Returns the file, and the error message if it could not be read. If a reload fails, returns the old
    /// version and the message.
    fn read(self, options: &LoadOptions) -> (Option<Arc<BorrowedFile>>, Option<String>) {
        let old = match &self {
            Self::Loaded(file) => return (Some(file.clone()), None),
            Self::Reload(old) => Some(old.with_stamps_of_now()),
            Self::Path(_) => None,
        };
        match BorrowedFile::read(self.path(), options) {
            Ok(file) => (Some(Arc::new(file)), None),
            Err(error) => (old.map(Arc::new), Some(error.to_string())),
        }
    }
}

/// The files whose animations a model plays.
#[derive(Debug, Clone, Default)]
pub struct Borrowed {
    pub files: Vec<Arc<BorrowedFile>>,
    /// The user's choices for each file.
    pub choices: Vec<Retarget>,
    /// The report on each file.
    pub reports: Vec<BindingReport>,
    /// The files that could not be read or reloaded, with the reason.
    pub failures: Vec<(PathBuf, String)>,
}

impl Borrowed {
    /// The total size of the files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.model.asset.bytes).fold(0, u64::saturating_add)
    }
}

/// Reads the requested files, and appends their animations to a model's animations. A file that cannot be read is left out, unless an
/// earlier version of it is already loaded; see [`FileRequest::Reload`]. The byte limit of `options` is for the model and all files
/// together.
pub fn apply(model: Model, requests: Vec<(FileRequest, Retarget)>, options: &LoadOptions) -> (Model, Borrowed) {
    let mut borrowed = Borrowed::default();
    for (request, choice) in requests.into_iter().take(MAX_FILES) {
        let path = request.path().to_owned();
        let byte_limit = options.byte_limit.map(|limit| limit.saturating_sub(model.asset.bytes.saturating_add(borrowed.bytes())));
        let (file, failure) = request.read(&LoadOptions { byte_limit, ..*options });
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
    pub reports: Vec<BindingReport>,
}

/// Appends the animations of files to a model's animations. Animations that the model borrowed before are removed. `choices` has one entry
/// per file; missing entries are defaults. Takes seconds for long animations.
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
        let Carried { animations, frame_rates, binding, method, reduced } = carry::carry(&file.model, &model, &settings);
        let name = file.label(files);
        let idle = report::idle_animations(&file.model, &animations);
        reports.push(BindingReport { name: name.clone(), file: file.clone(), binding, method, reduced, idle });
        carried.push(CarriedFile { name, path: file.path.clone(), animations, frame_rates });
    }
    ModelWithAnimations { model: carry::with_animations(model, carried), reports }
}
