//! Small files, whole or not at all.

use std::io;
use std::path::Path;

/// Writes to a temporary name beside `path` and then renames, so that nobody ever reads half of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&partial, bytes)?;
    std::fs::rename(&partial, path).inspect_err(|_| {
        // The rename's error is the one to tell.
        let _ = std::fs::remove_file(&partial);
    })
}
