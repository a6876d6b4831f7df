//! Parts and forms of paths.

use std::path::{Path, PathBuf};

/// The last component of a path, or the whole path if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The folder that contains a file, and that relative URIs of the file are resolved in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The absolute form of a path, or the path itself if the current folder is unknown. Symbolic links stay.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
