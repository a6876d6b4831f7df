//! Sorts files that were opened at once, by a drop or on the command line, into models to step through and files that they may need.

use std::path::{Path, PathBuf};

/// Extensions of files that are opened by themselves. Any other file counts as part of a model.
const MODELS: [&str; 4] = ["glb", "gltf", "vrm", "zip"];

/// The files that were opened at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileList {
    /// Models without duplicates, in the given order.
    pub models: Vec<PathBuf>,
    /// The other files, such as buffers and images.
    pub beside: Vec<PathBuf>,
    /// Index of the model that was requested last.
    pub at: usize,
}

/// A position in a list, displayed as "2 of 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Position, from 1.
    pub number: usize,
    /// Length of the list.
    pub of: usize,
}

impl FileList {
    /// Sorts the given files. Errors if none of them is a model.
    pub fn new(given: &[PathBuf]) -> Result<Self, String> {
        let is_model =
            |path: &&PathBuf| path.extension().is_some_and(|extension| MODELS.iter().any(|ending| extension.eq_ignore_ascii_case(ending)));
        match given {
            [] => return Err("no file was given".into()),
            // A single file is opened whatever its extension, because the loader looks at its content.
            [single] => return Ok(Self { models: vec![single.clone()], ..Self::default() }),
            _ => {}
        }
        let mut list = Self { beside: given.iter().filter(|path| !is_model(path)).cloned().collect(), ..Self::default() };
        for path in given.iter().filter(is_model) {
            if !list.models.contains(path) {
                list.models.push(path.clone());
            }
        }
        if list.models.is_empty() {
            return Err(format!("none of the {} files is a .glb, .gltf, .vrm or .zip", given.len()));
        }
        Ok(list)
    }

    /// The model that was requested last. `None` if the list is empty.
    pub fn current(&self) -> Option<&PathBuf> {
        self.models.get(self.at)
    }

    /// Steps to the next model (1) or to the previous one (-1), and wraps around at the ends.
    pub fn step(&mut self, by: isize) {
        let count = self.models.len() as isize;
        if count > 0 {
            self.at = (self.at as isize + by).rem_euclid(count) as usize;
        }
    }

    /// The position of a file in the list. `None` if the list does not have it, or has no other file.
    pub fn place(&self, path: Option<&Path>) -> Option<Place> {
        let at = self.models.iter().position(|model| Some(model.as_path()) == path)?;
        (self.models.len() > 1).then_some(Place { number: at + 1, of: self.models.len() })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} of {}", self.number, self.of)
    }
}

/// A name with its position among the files given together: "fox.glb (2 of 5)".
pub fn with_place(name: &str, place: Option<Place>) -> String {
    place.map_or_else(|| name.to_owned(), |place| format!("{name} ({place})"))
}

/// The name of a file, preceded by as few of its folders as tell it apart from all `others`: `walk.glb`, or `hero/walk.glb` beside
/// `villain/walk.glb`. The file itself may be among the others.
pub fn distinct_name<'a>(path: &Path, others: impl IntoIterator<Item = &'a PathBuf>) -> String {
    let own: Vec<_> = path.components().rev().collect();
    let shared = |other: &Path| own.iter().zip(other.components().rev()).take_while(|(a, b)| **a == *b).count();
    // As many components as the most similar other file shares at its end, and one more.
    let most_shared = others.into_iter().filter(|other| other.as_path() != path).map(|other| shared(other)).max();
    let count = (most_shared.unwrap_or(0) + 1).min(own.len());
    own[..count].iter().rev().collect::<PathBuf>().display().to_string()
}

/// The last component of a path, or the whole path if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
