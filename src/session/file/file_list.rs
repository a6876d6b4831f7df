//! The models that can be stepped through: files that were given together, by a drop or on the command line, or the models of a folder.
//! The folder itself was given, or one of its models.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::model::label;
use crate::paths::file_name;

use super::natural_order;

/// Extensions of files that are opened by themselves. Among several files, any other file counts as part of a model.
const MODELS: [&str; 4] = ["glb", "gltf", "vrm", ARCHIVE];
/// Extension of archives. In a folder, most of them hold no model.
const ARCHIVE: &str = "zip";

/// Returns whether a file name has the extension of a model or of an archive.
pub fn is_model(path: &Path) -> bool {
    MODELS.iter().any(|ending| has_extension(path, ending))
}

/// The models to step through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileList {
    /// Models without duplicates: in the given order, or in the natural order of their names if they come from a folder.
    pub models: Arc<Vec<ListedModel>>,
    /// The other files that were given, such as buffers and images.
    pub opened_together: Vec<PathBuf>,
    /// The file whose folder is listed. `None` for files that were given together.
    pub opened: Option<PathBuf>,
    /// Index of the model that was requested last.
    pub at: usize,
}

/// A model of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedModel {
    pub path: PathBuf,
    /// The name, safe to show, with as few folders as are needed to distinguish it from the others.
    pub name: String,
}

/// A position in a list, displayed as "2 of 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPosition {
    /// Position, from 1.
    pub number: usize,
    /// Length of the list.
    pub count: usize,
}

impl FileList {
    /// Divides the given files into models and other files. For a single model, [`FileList::in_folder`] can list its folder. Returns an
    /// error if none is a model.
    pub fn new(given: &[PathBuf]) -> Result<Self, String> {
        match given {
            [] => return Err("no file was given".into()),
            // A single file is opened whatever its extension, because the loader looks at its content.
            [single] => return Ok(Self::single(single.clone(), Vec::new())),
            _ => {}
        }
        let opened_together: Vec<_> = given.iter().filter(|path| !is_model(path)).cloned().collect();
        let mut known = HashSet::new();
        let models: Vec<_> = given.iter().filter(|path| is_model(path) && known.insert(*path)).cloned().collect();
        match &models[..] {
            [] => Err(format!("none of the {} files is a .glb, .gltf, .vrm or .zip", given.len())),
            [single] => Ok(Self::single(single.clone(), opened_together)),
            _ => Ok(Self { models: named(models), opened_together, opened: None, at: 0 }),
        }
    }

    /// The list of one model, with files that it may need. The other models of its folder are not known yet.
    pub fn single(model: PathBuf, opened_together: Vec<PathBuf>) -> Self {
        Self { opened: Some(model.clone()), models: named(vec![model]), opened_together, at: 0 }
    }

    /// The models among `files`, which are the files in the folder of `opened`. `opened` itself is always listed. Hidden files are left
    /// out, and so are archives unless `opened` is one.
    pub fn in_folder(opened: &Path, files: Vec<PathBuf>, opened_together: Vec<PathBuf>) -> Self {
        let is_archive = has_extension(opened, ARCHIVE);
        let is_wanted = |path: &PathBuf| {
            let is_model = MODELS.iter().any(|ending| has_extension(path, ending) && (*ending != ARCHIVE || is_archive));
            path == opened || is_model && !is_hidden(path)
        };
        let models = sorted(files.into_iter().filter(is_wanted));
        let mut list = Self { models: named(models), opened_together, opened: Some(opened.to_owned()), at: 0 };
        list.at = list.position(opened).unwrap_or(0);
        list
    }

    /// The models among `files`, which are the files in a folder that was opened. `None` if none is a model.
    pub fn of_folder(files: Vec<PathBuf>) -> Option<Self> {
        // Archives are listed only if there are no other models.
        let is_shown_model = |path: &&PathBuf| !is_hidden(path) && is_model(path);
        let rank = |path: &&PathBuf| (has_extension(path, ARCHIVE), file_name(path));
        let compare = |(a_archive, a): &(bool, String), (b_archive, b): &(bool, String)| {
            a_archive.cmp(b_archive).then_with(|| natural_order::compare(a, b))
        };
        let first = files.iter().filter(is_shown_model).min_by(|a, b| compare(&rank(a), &rank(b)))?.clone();
        Some(Self::in_folder(&first, files, Vec::new()))
    }

    /// The new list of the same folder, at the current model. That model stays listed even if it was deleted, so that stepping goes on from
    /// its place.
    pub fn renewed(&self, mut list: Self) -> Self {
        let Some(current) = self.current() else { return list };
        if list.position(current).is_none() {
            list.models = named(sorted(list.models.iter().map(|model| model.path.clone()).chain([current.clone()])));
        }
        list.at = list.position(current).unwrap_or(list.at);
        list
    }

    /// The model that was requested last. `None` if the list is empty.
    pub fn current(&self) -> Option<&PathBuf> {
        self.models.get(self.at).map(|model| &model.path)
    }

    /// The files that a model may need. Files that were given with one model are not used for other models of its folder.
    pub fn opened_with(&self, model: &Path) -> &[PathBuf] {
        if self.opened.as_deref().is_none_or(|opened| opened == model) { &self.opened_together } else { &[] }
    }

    /// Index of the next model (1) or the previous one (-1), which wraps around at the ends.
    pub fn neighbor(&self, by: isize) -> usize {
        let count = self.models.len().max(1) as isize;
        (self.at as isize + by).rem_euclid(count) as usize
    }

    /// Steps to the next model (1) or to the previous one (-1), and wraps around at the ends.
    pub fn step(&mut self, by: isize) {
        self.at = self.neighbor(by);
    }

    /// Index of a file in the list. `None` if the list does not have it.
    pub fn position(&self, path: &Path) -> Option<usize> {
        self.models.iter().position(|model| model.path == path)
    }

    /// The position of a file in the list. `None` if the list does not contain it, or contains no other file.
    pub fn list_position(&self, path: Option<&Path>) -> Option<ListPosition> {
        let at = self.position(path?)?;
        (self.models.len() > 1).then_some(ListPosition { number: at + 1, count: self.models.len() })
    }
}

/// Returns whether a file is hidden, as on Linux and macOS.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether a path has this extension, in upper or lower case.
fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Sorts the models of a folder in the natural order of their names.
fn sorted(models: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut models: Vec<_> = models.map(|path| (file_name(&path), path)).collect();
    models.sort_by(|(a, _), (b, _)| natural_order::compare(a, b));
    models.into_iter().map(|(_, path)| path).collect()
}

/// Gives the models names that distinguish them.
fn named(models: Vec<PathBuf>) -> Arc<Vec<ListedModel>> {
    let names = distinct_names(&models);
    Arc::new(models.into_iter().zip(names).map(|(path, name)| ListedModel { path, name }).collect())
}

/// The names that [`distinct_name`] gives to all paths, safe to show. The time grows in proportion to the number of paths.
fn distinct_names(paths: &[PathBuf]) -> Vec<String> {
    let components: Vec<Vec<_>> = paths.iter().map(|path| path.components().rev().map(Component::as_os_str).collect()).collect();
    let mut names = vec![String::new(); paths.len()];
    let mut unnamed: Vec<usize> = (0..paths.len()).collect();
    let mut count = 1;
    while !unnamed.is_empty() {
        // The last `count` components of a path, and the number of unnamed paths with the same ones.
        let end = |i: usize| &components[i][..count.min(components[i].len())];
        let mut same: HashMap<&[&OsStr], usize> = HashMap::new();
        for &i in &unnamed {
            *same.entry(end(i)).or_default() += 1;
        }
        unnamed.retain(|&i| {
            let is_distinct = same.get(end(i)) == Some(&1) || count >= components[i].len();
            if is_distinct {
                let name = end(i).iter().rev().collect::<PathBuf>();
                names[i] = label::clean(&name.display().to_string()).into_owned();
            }
            !is_distinct
        });
        count += 1;
    }
    names
}

impl std::fmt::Display for ListPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} of {}", self.number, self.count)
    }
}

/// A name with its position in a list of files: "fox.glb (2 of 5)".
pub fn with_list_position(name: &str, position: Option<ListPosition>) -> String {
    position.map_or_else(|| name.to_owned(), |position| format!("{name} ({position})"))
}

/// The name of a file, preceded by as few of its folders as are needed to distinguish it from all `others`: `walk.glb`, or `hero/walk.glb`
/// beside `villain/walk.glb`. The file itself may be among the others.
pub fn distinct_name<'a>(path: &Path, others: impl IntoIterator<Item = &'a PathBuf>) -> String {
    let own: Vec<_> = path.components().rev().collect();
    let shared = |other: &Path| own.iter().zip(other.components().rev()).take_while(|(a, b)| **a == *b).count();
    // Show one component more than this path and the most similar other path have in common at their ends.
    let most_shared = others.into_iter().filter(|other| other.as_path() != path).map(|other| shared(other)).max();
    let count = (most_shared.unwrap_or(0) + 1).min(own.len());
    own[..count].iter().rev().collect::<PathBuf>().display().to_string()
}
