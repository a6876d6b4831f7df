//! Writes a file completely or not at all: it is written under a temporary name in the same folder and renamed when it is complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// An error that occurred while writing a file. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum WriteError {
    #[error("{} already exists", path.display())]
    Exists { path: PathBuf },
    #[error("cannot write {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot encode {}: {source}", path.display())]
    Encode { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(
        "{} needs ffmpeg, which is not installed: install ffmpeg (https://ffmpeg.org), or use a GIF, an animated PNG or a PNG \
         sequence", path.display()
    )]
    NoFfmpeg { path: PathBuf },
    #[error("ffmpeg could not write {}: {message}", path.display())]
    Ffmpeg { path: PathBuf, message: String },
}

/// Writes bytes to a file, completely or not at all. Returns an error if the file exists and `overwrite` is false.
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), WriteError> {
    let output = AtomicFile::new(path, overwrite)?;
    let mut file = output.create()?;
    file.write_all(bytes).map_err(|source| output.error(source))?;
    output.commit(&file)
}

/// A file that is being written. If it is dropped before [`AtomicFile::commit`], it leaves nothing behind.
pub struct AtomicFile {
    /// Path of the complete file.
    path: PathBuf,
    /// Path of the file until it is complete.
    temporary: PathBuf,
    /// Whether an empty file reserves the path until the complete one replaces it. True unless existing files may be overwritten.
    is_reserved: bool,
    /// Whether the complete file was moved to its path.
    is_committed: bool,
}

impl AtomicFile {
    /// Prepares to write to a path, and reserves it unless `overwrite` is true. Returns an error if the file exists and `overwrite` is
    /// false.
    pub fn new(path: &Path, overwrite: bool) -> Result<Self, WriteError> {
        if !overwrite {
            // An empty file reserves the path, so that of two concurrent writers only one gets it.
            OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
                _ => WriteError::Io { path: path.to_owned(), source: error },
            })?;
        }
        Ok(Self { path: path.to_owned(), temporary: temporary_path(path), is_reserved: !overwrite, is_committed: false })
    }

    /// The final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the file until it is complete.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Creates the temporary file. Not needed if another program creates it.
    pub fn create(&self) -> Result<File, WriteError> {
        File::create(&self.temporary).map_err(|source| self.error(source))
    }

    /// Moves the complete file to its final path. `file` is the temporary file, which is synced first.
    pub fn commit(mut self, file: &File) -> Result<(), WriteError> {
        // Some file systems report a full disk only on sync.
        file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path)).map_err(|source| self.error(source))?;
        self.is_committed = true;
        Ok(())
    }

    /// The error for a failed operation on this file.
    pub fn error(&self, source: io::Error) -> WriteError {
        WriteError::Io { path: self.path.clone(), source }
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_committed {
            // The error that led here has been reported, so a failed cleanup is ignored.
            let _ = fs::remove_file(&self.temporary);
            if self.is_reserved {
                let _ = fs::remove_file(&self.path);
            }
        }
    }
}

/// The temporary path for a file. It is hidden and in the same folder, because a rename cannot cross file systems.
pub fn temporary_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The temporary file is a link to a device that is always full.
    #[test]
    #[cfg(target_os = "linux")]
    fn on_a_full_disk_the_old_file_stays_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        write(&path, b"old", true).unwrap();
        std::os::unix::fs::symlink("/dev/full", temporary_path(&path)).unwrap();
        let error = write(&path, b"new", true).unwrap_err();
        assert!(matches!(error, WriteError::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_existing_file_is_not_replaced_without_overwrite() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("view.json");
        write(&path, b"old", false).unwrap();
        assert!(matches!(write(&path, b"new", false), Err(WriteError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}
