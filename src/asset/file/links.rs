//! From the names of files to every name that they are reached by: a link on the way may come to lead elsewhere.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Links that are followed, all files together: they may lead on and on.
const MOST_LINKS: usize = 1000;

/// The paths, the links on their ways (each a file or a folder above one), and what these lead to, each once. While nothing
/// changes under these names, the paths lead to the same files.
pub fn followed(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = Vec::new();
    let (mut known, mut checked) = (HashSet::new(), HashSet::new());
    let mut waiting: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    let mut links = 0;
    while let Some(name) = waiting.pop() {
        if !known.insert(name.clone()) {
            continue;
        }
        for part in name.ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let is_new = links < MOST_LINKS && checked.insert(part.to_owned());
            let Some(target) = is_new.then(|| fs::read_link(part).ok()).flatten() else { continue };
            links += 1;
            waiting.push(part.parent().unwrap_or(Path::new("")).join(target));
            waiting.push(part.to_owned());
        }
        names.push(name);
    }
    names
}
