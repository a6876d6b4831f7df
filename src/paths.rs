//! The folder of a file, and its name.

use std::path::Path;

/// The last component of a path, or the whole path if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The folder that contains a file, and that relative URIs of the file are resolved in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
