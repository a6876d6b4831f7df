//! The files that a model comes from, and the stamp of each as it was read: enough to tell whether it is another file now.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What changes when a file is written, replaced or cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    /// Another file of the same name, however old and long, has another one; 0 where the system has none.
    inode: u64,
}

impl Stamp {
    /// Of the file (or folder) of this name now; none: there is none.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
    }

    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { modified: metadata.modified().ok(), bytes: metadata.len(), inode }
    }
}

/// A file that was read for a model, or looked for in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub path: PathBuf,
    /// As it was just before it was read; none: it was not there.
    pub stamp: Option<Stamp>,
}

impl SourceFile {
    /// Call before reading: what changes meanwhile then counts as changed.
    pub fn now(path: &Path) -> Self {
        Self { path: path.to_owned(), stamp: Stamp::at(path) }
    }
}
