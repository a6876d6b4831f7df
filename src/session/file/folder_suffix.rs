//! Tells files of the same name apart by their folders.

use std::path::{Path, PathBuf};

/// The name of a file, preceded by as few of its folders as tell it apart from all `others`: `walk.glb`, or `hero/walk.glb` beside
/// `villain/walk.glb`. The file itself may be among the others.
pub fn distinct_name<'a>(path: &Path, others: impl IntoIterator<Item = &'a PathBuf>) -> String {
    let own: Vec<_> = path.components().rev().collect();
    let shared = |other: &Path| own.iter().zip(other.components().rev()).take_while(|(a, b)| **a == *b).count();
    // As many components as the most similar other file shares at its end, and one more.
    let most_shared = others.into_iter().filter(|other| other.as_path() != path).map(|other| shared(other)).max();
    let count = (most_shared.unwrap_or(0) + 1).min(own.len());
    own[..count].iter().rev().collect::<PathBuf>().display().to_string()
}
