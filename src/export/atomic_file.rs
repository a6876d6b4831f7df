//! Writes a file completely or not at all: it is written under a temporary name in the same folder and renamed when it is complete. The new
//! file has the permissions of the one that it replaces. Devices and pipes are written directly, because a rename would replace them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::WriteError;

/// Longest name of a file on usual file systems, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// Writes bytes to a file, completely or not at all. Returns an error if the file exists and `overwrite` is false.
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), WriteError> {
    let output = AtomicFile::new(path, overwrite)?;
    let mut file = output.create()?;
    file.write_all(bytes).map_err(|reason| output.error(reason))?;
    output.commit(&file)
}

/// A file that is being written. If it is dropped before [`AtomicFile::commit`], it leaves nothing behind.
pub struct AtomicFile {
    /// Path of the complete file, as the user gave it.
    path: PathBuf,
    /// The file that is replaced. It differs from `path` if that is a symbolic link.
    target: PathBuf,
    /// Path of the file until it is complete.
    temporary: PathBuf,
    /// Whether the path is a device or a pipe.
    is_special: bool,
    /// Whether an empty file reserves the path until the complete one replaces it. True unless existing files may be overwritten.
    is_reserved: bool,
    /// Whether the complete file was moved to its path.
    is_committed: bool,
}

impl AtomicFile {
    /// Prepares to write to a path, and reserves it unless `overwrite` is true. Returns an error if the file exists and `overwrite` is
    /// false, or if it is write-protected.
    pub fn new(path: &Path, overwrite: bool) -> Result<Self, WriteError> {
        if !overwrite {
            // An empty file reserves the path, so that of two concurrent writers only one gets it.
            OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
                _ => WriteError::Io { path: path.to_owned(), reason: error },
            })?;
        }
        let is_special = is_special(path);
        let target = link_target(path);
        if !is_special && target.exists() {
            check_writable(&target).map_err(|reason| WriteError::Io { path: path.to_owned(), reason })?;
        }
        let temporary = if is_special { path.to_owned() } else { temporary_path(&target) };
        Ok(Self { path: path.to_owned(), target, temporary, is_special, is_reserved: !overwrite, is_committed: false })
    }

    /// The final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the file until it is complete. Returns an error for a device or pipe, which has no such path.
    pub fn temporary(&self) -> Result<&Path, WriteError> {
        let reason = || io::Error::new(io::ErrorKind::Unsupported, "it is a device or a pipe");
        if self.is_special { Err(self.error(reason())) } else { Ok(&self.temporary) }
    }

    /// Creates the temporary file with the permissions of the file that it replaces, or opens a device or pipe.
    pub fn create(&self) -> Result<File, WriteError> {
        let open = || {
            let file = OpenOptions::new().write(true).create(!self.is_special).truncate(!self.is_special).open(&self.temporary)?;
            if let Ok(replaced) = fs::metadata(&self.target)
                && file.metadata()?.is_file()
            {
                keep_permissions(&file, replaced.permissions())?;
            }
            Ok(file)
        };
        open().map_err(|reason| self.error(reason))
    }

    /// Moves the complete file to its final path. `file` is the temporary file, which is synced first.
    pub fn commit(mut self, file: &File) -> Result<(), WriteError> {
        if !self.is_special {
            // Some file systems report a full disk only on sync.
            file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.target)).map_err(|reason| self.error(reason))?;
        }
        self.is_committed = true;
        Ok(())
    }

    /// The error for a failed operation on this file.
    pub fn error(&self, reason: io::Error) -> WriteError {
        WriteError::Io { path: self.path.clone(), reason }
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_committed && !self.is_special {
            // The error that led here has been reported, so a failed cleanup is ignored.
            let _ = fs::remove_file(&self.temporary);
            if self.is_reserved {
                let _ = fs::remove_file(&self.path);
            }
        }
    }
}

/// Returns an error if an existing file is write-protected. A rename would replace it nevertheless.
pub fn check_writable(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(path).map(drop)
}

/// Gives a new file the permissions of the one that it replaces.
pub fn keep_permissions(file: &File, replaced: Permissions) -> io::Result<()> {
    // Some file systems cannot change permissions.
    if file.metadata()?.permissions() == replaced { Ok(()) } else { file.set_permissions(replaced) }
}

/// The file that a path leads to if it is a symbolic link, otherwise the path itself.
fn link_target(path: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    // A link to a missing file is replaced.
    if is_link { fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

/// Returns whether a path is a device, a pipe or something else that is neither a file nor a folder.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The path at which [`AtomicFile`] writes the file until it is complete. `None` for a device or pipe.
pub fn path_until_complete(path: &Path) -> Option<PathBuf> {
    (!is_special(path)).then(|| temporary_path(&link_target(path)))
}

/// The temporary path for a file. It is hidden and in the same folder, because a rename cannot cross file systems. Its name has at most as
/// many bytes as file systems allow.
pub fn temporary_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let suffix = format!(".{}.tmp", std::process::id());
    let mut temporary = OsString::from(".");
    if name.len() + 1 + suffix.len() <= MAX_NAME_BYTES {
        temporary.push(name);
    } else {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        temporary.push(format!("{:016x}", hasher.finish()));
    }
    temporary.push(suffix);
    path.with_file_name(temporary)
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
        assert!(matches!(error, WriteError::Io { reason, .. } if reason.kind() == io::ErrorKind::StorageFull));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_the_file_behind_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("picture.png"), folder.path().join("link.png"));
        write(&path, b"old", true).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"new", true).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        for mode in [0o600, 0o666] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write(&path, b"new", true).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_write_protected_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        if OpenOptions::new().write(true).open(&path).is_ok() {
            // Past the test harness, which hides what passing tests print.
            return writeln!(io::stderr(), "SKIPPED a_write_protected_file_is_not_replaced: root may write to it").unwrap();
        }
        let error = write(&path, b"new", true).unwrap_err();
        assert!(matches!(error, WriteError::Io { reason, .. } if reason.kind() == io::ErrorKind::PermissionDenied));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_written_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe.png");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        write(&path, b"picture", true).unwrap();
        assert_eq!(reader.join().unwrap(), b"picture");
        assert!(!fs::metadata(&path).unwrap().is_file());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_may_have_the_longest_name_that_file_systems_allow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("{}.png", "n".repeat(251)));
        write(&path, b"picture", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"picture");
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
