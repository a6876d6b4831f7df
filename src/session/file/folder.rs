//! Lists the files and the models in a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::file_list::FileList;

/// Maximum number of files that are looked at in a folder.
const MAX_FILES: usize = 100_000;

/// Lists the models in a folder. An error is the reason for a message.
pub fn models(folder: &Path) -> Result<FileList, String> {
    let files = files_in(folder).map_err(|error| format!("cannot list the folder {}: {error}", folder.display()))?;
    let empty = || format!("the folder {} has no .glb, .gltf, .vrm or .zip (its subfolders are not searched)", folder.display());
    FileList::of_folder(files).ok_or_else(empty)
}

/// The files in a folder, without its subfolders.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.take(MAX_FILES).flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_dir());
    Ok(entries.filter(is_file).map(|entry| entry.path()).collect())
}
