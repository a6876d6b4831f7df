//! Tests the form of the source files: which modules they import (docs/architecture.md), how they begin, how wide their comments are, and
//! whether the fuzz targets include what they need.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

mod fuzz_package;
mod imports;
mod layout;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the text of each file of Rust code below a folder of the repository, by its path below `src`, or by its whole path outside of
/// it.
fn texts(folder: &str) -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join(folder), &mut files);
    assert!(files.len() > 30, "only {} files were found in {folder}", files.len());
    let relative = |file: &PathBuf| file.strip_prefix(root.join("src")).unwrap_or(file).to_owned();
    files.iter().map(|file| (relative(file), std::fs::read_to_string(file).unwrap())).collect()
}

/// The floor of each module, from the table in docs/architecture.md.
static FLOORS: LazyLock<BTreeMap<&str, u32>> = LazyLock::new(|| {
    let rows = include_str!("../../docs/architecture.md").lines().filter_map(|line| {
        let (floor, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
        Some((floor.parse().ok()?, rest.split_once(" | ")?.0))
    });
    rows.flat_map(|(floor, modules)| modules.split(", ").map(move |module| (module.trim_matches('`'), floor))).collect()
});

fn floor(module: &str) -> Option<u32> {
    FLOORS.get(module).copied()
}

fn is_in_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the code with each group of imports written as single paths: `a::{b, c::d}` becomes `a::b a::c::d`.
fn without_braces(code: &str) -> String {
    let mut code = code.to_owned();
    while let Some(open) = code.rfind("::{") {
        let Some(length) = code[open..].find('}') else { break };
        let start = code[..open].trim_end_matches(is_in_path).len();
        let prefix = code[start..open].to_owned();
        let inner = code[open + 3..open + length].split([',', ' ', '\n']).filter(|name| !name.is_empty());
        let paths: Vec<_> = inner.map(|name| format!("{prefix}::{name}")).collect();
        code.replace_range(start..=open + length, &paths.join(" "));
    }
    code
}

/// The paths that a file imports or names, without `crate::`. `super::` is resolved by the folder of the file.
fn imported(relative: &Path, text: &str) -> Vec<String> {
    let mut folder: Vec<&str> = relative.parent().unwrap().iter().map(|part| part.to_str().unwrap()).collect();
    if relative.file_name().unwrap() != "mod.rs" {
        folder.push(relative.file_stem().unwrap().to_str().unwrap());
    }
    let code = without_braces(&without_comments(text));
    let words = code.split(|c| !is_in_path(c));
    let path = |word: &str| {
        let ups = word.matches("super::").count();
        let from_root = word.strip_prefix("crate::").map(str::to_owned);
        let rest = word.trim_start_matches("super::");
        from_root.or((ups > 0 && ups <= folder.len()).then(|| [&folder[..folder.len() - ups], &[rest]].concat().join("::")))
    };
    words.filter_map(path).collect()
}
