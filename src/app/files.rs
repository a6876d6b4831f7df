//! Small files, whole or not at all.

use std::io;
use std::path::Path;

/// Writes to a temporary name beside `path` and then renames, so that nobody ever reads half of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path)).inspect_err(|_| {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&partial);
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// A device that is always full stands where the new file is written.
    #[test]
    #[cfg(target_os = "linux")]
    fn on_a_full_disk_the_old_file_stays_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        write_whole(&path, b"old").unwrap();
        let partial = folder.path().join(format!("settings.json.{}.tmp", std::process::id()));
        std::os::unix::fs::symlink("/dev/full", &partial).unwrap();
        assert_eq!(write_whole(&path, b"new").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
