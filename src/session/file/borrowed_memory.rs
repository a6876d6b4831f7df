//! The files that each model borrowed animations from, remembered between runs. They are stored in the settings file, which anybody can
//! edit, so their number is limited.

use serde::{Deserialize, Serialize};

use crate::session::saved_list::readable_entries;
use crate::session::view::retarget::{MAX_FILES, MAX_PAIRS, Retarget};

/// Maximum number of models. The model whose files changed longest ago is dropped first.
const MAX_MODELS: usize = 100;

/// The files of all models.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BorrowedMemory {
    /// The model whose files changed last comes first.
    #[serde(deserialize_with = "readable_entries")]
    models: Vec<ModelMemory>,
}

/// The files of one model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct ModelMemory {
    /// Path of the model as text, because a path that is not Unicode cannot be written to the settings.
    model: String,
    #[serde(deserialize_with = "readable_entries")]
    files: Vec<RememberedFile>,
}

/// A file whose animations a model plays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RememberedFile {
    /// Path of the file as text.
    pub file: String,
    /// How its animations are carried over.
    pub retarget: Retarget,
}

impl BorrowedMemory {
    /// The files of a model.
    pub fn for_model(&self, model: &str) -> &[RememberedFile] {
        self.models.iter().find(|entry| entry.model == model).map_or(&[], |entry| &entry.files)
    }

    /// Replaces the files `previous` of a model with `files`. A remembered file in neither list stays, with its pairs, because it could not
    /// be read. Files beyond the limits are dropped.
    pub fn replace(&mut self, model: &str, previous: &[String], mut files: Vec<RememberedFile>) {
        let is_listed = |old: &RememberedFile| previous.contains(&old.file) || files.iter().any(|file| file.file == old.file);
        let unread: Vec<_> = self.for_model(model).iter().filter(|old| !is_listed(old)).cloned().collect();
        files.extend(unread);
        self.models.retain(|entry| entry.model != model);
        self.models.insert(0, ModelMemory { model: model.to_owned(), files });
        self.check();
    }

    /// Drops files, models and pairs of nodes beyond the limits, and models without files.
    pub fn check(&mut self) {
        for entry in &mut self.models {
            entry.files.truncate(MAX_FILES);
            for file in &mut entry.files {
                while file.retarget.pairs.len() > MAX_PAIRS {
                    file.retarget.pairs.pop_last();
                }
            }
        }
        self.models.retain(|entry| !entry.files.is_empty());
        self.models.truncate(MAX_MODELS);
    }
}
