//! Files that were given at once, by a drop or on the command line: models to step through, and what they may find beside them.

use std::path::{Path, PathBuf};

/// Endings of what is opened by itself; anything else is taken for a part of a model.
const MODELS: [&str; 4] = ["glb", "gltf", "vrm", "zip"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileList {
    /// Each once, in the order in which they were given.
    pub models: Vec<PathBuf>,
    /// The others: buffers and images, perhaps.
    pub beside: Vec<PathBuf>,
    /// The one that was asked for last.
    pub at: usize,
}

/// A place in a list: "2 of 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub number: usize,
    pub of: usize,
}

impl FileList {
    /// Sorts what was given. The error says why there is nothing to open.
    pub fn new(given: &[PathBuf]) -> Result<Self, String> {
        let is_model =
            |path: &&PathBuf| path.extension().is_some_and(|extension| MODELS.iter().any(|ending| extension.eq_ignore_ascii_case(ending)));
        match given {
            [] => return Err("no file was given".into()),
            // A single file is tried whatever its name: the loader says what it is.
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
            return Err(format!("none of these {} files is a .glb, .gltf, .vrm or .zip", given.len()));
        }
        Ok(list)
    }

    pub fn current(&self) -> Option<&PathBuf> {
        self.models.get(self.at)
    }

    /// On to the next (1) or back to the previous (-1); after the last comes the first.
    pub fn step(&mut self, by: isize) {
        let count = self.models.len() as isize;
        if count > 0 {
            self.at = (self.at as isize + by).rem_euclid(count) as usize;
        }
    }

    /// Where a file stands; none: it is not in the list, or there is no other.
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
