//! The files that a model was read from, each with a stamp that changes when the file does. The window watches them and reloads
//! the model.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Metadata that changes when a file is written, replaced or truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    /// Length of the file, in bytes.
    bytes: u64,
    /// Distinguishes a new file from an old one with the same name, modification time and length. 0 if the system has no inodes.
    inode: u64,
}

impl Stamp {
    /// The current stamp of a file or folder. `None` if it does not exist or its metadata cannot be read.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from_metadata)
    }

    fn from_metadata(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { modified: metadata.modified().ok(), bytes: metadata.len(), inode }
    }
}

/// A file that was read for a model, or that was missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub path: PathBuf,
    /// The stamp just before reading; `None` if the file was missing.
    pub stamp: Option<Stamp>,
}

impl SourceFile {
    /// The file with its current stamp. Call this before reading, so that a change during reading is also noticed.
    pub fn now(path: &Path) -> Self {
        Self { path: path.to_owned(), stamp: Stamp::at(path) }
    }
}

/// Maximum number of links to follow, for all files together. Links may form an endless chain.
const MAX_LINKS: usize = 1000;

/// Returns the paths, all symbolic links on them, and the targets of these links, without duplicates. A link can be the file itself or a
/// folder above it. As long as none of the returned paths changes, `paths` lead to the same files.
pub fn follow_links(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = Vec::new();
    let (mut visited_names, mut visited_parts) = (HashSet::new(), HashSet::new());
    // A stack of names to visit, with the first path on top.
    let mut pending: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    let mut links = 0;
    while let Some(name) = pending.pop() {
        if !visited_names.insert(name.clone()) {
            continue;
        }
        // Any folder above the file can be a link. `visited_parts` prevents following one twice.
        for part in name.ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let is_new = links < MAX_LINKS && visited_parts.insert(part.to_owned());
            let Some(target) = is_new.then(|| fs::read_link(part).ok()).flatten() else { continue };
            links += 1;
            pending.push(part.parent().unwrap_or(Path::new("")).join(target));
            pending.push(part.to_owned());
        }
        names.push(name);
    }
    names
}
