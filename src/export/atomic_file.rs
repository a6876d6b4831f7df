//! A file that is there whole or not at all: written under a temporary name beside its place, then renamed, so that nobody ever
//! sees half of one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum WriteError {
    #[error("{} is there already", path.display())]
    Exists { path: PathBuf },
    #[error("{} cannot be written: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} cannot be encoded: {source}", path.display())]
    Encode { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(
        "{} needs ffmpeg, and there is none: install ffmpeg (https://ffmpeg.org), or take a GIF, an animated PNG or a PNG \
         sequence, which need nothing else", path.display()
    )]
    NoFfmpeg { path: PathBuf },
    #[error("ffmpeg could not write {}: {said}", path.display())]
    Ffmpeg { path: PathBuf, said: String },
}

/// A file on its way. Dropped before [`AtomicFile::keep`], it leaves nothing behind.
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    /// The name was free, and holds an empty file until the whole one takes its place.
    claimed: bool,
    kept: bool,
}

impl AtomicFile {
    /// Without `overwrite` a file that is there already stays as it is.
    pub fn begin(path: &Path, overwrite: bool) -> Result<Self, WriteError> {
        if !overwrite {
            // Claims the name, so that of two who ask for it at once only one gets it.
            OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
                _ => WriteError::Io { path: path.to_owned(), source: error },
            })?;
        }
        Ok(Self { path: path.to_owned(), temporary: temporary_path(path), claimed: !overwrite, kept: false })
    }

    /// What it will be called.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is called until it is whole.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// To be written; whoever else writes to it, by its temporary name, needs none.
    pub fn create(&self) -> Result<File, WriteError> {
        File::create(&self.temporary).map_err(|source| self.error(source))
    }

    /// All of it is written.
    pub fn keep(mut self, file: &File) -> Result<(), WriteError> {
        // Some file systems only find here that there is no room.
        file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path)).map_err(|source| self.error(source))?;
        self.kept = true;
        Ok(())
    }

    pub fn error(&self, source: io::Error) -> WriteError {
        WriteError::Io { path: self.path.clone(), source }
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.kept {
            // The error that led here is the one to tell; what is left behind is ours.
            let _ = fs::remove_file(&self.temporary);
            if self.claimed {
                let _ = fs::remove_file(&self.path);
            }
        }
    }
}

/// In the same folder, since a rename does not cross file systems.
pub fn temporary_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
