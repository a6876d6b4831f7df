//! Tests that source files begin with a description, and that comments are at most as wide as code.

use std::path::Path;

use crate::texts;

#[test]
fn every_file_begins_with_a_description() {
    let silent: Vec<_> = texts("src").into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(file, _)| file).collect();
    assert!(silent.is_empty(), "no opening paragraph: {silent:?}");
}

#[test]
fn comments_are_at_most_as_wide_as_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let settings = std::fs::read_to_string(root.join("rustfmt.toml")).unwrap();
    let max_width: usize = settings.lines().find_map(|line| line.strip_prefix("max_width = ")).unwrap().parse().unwrap();
    let mut wide = Vec::new();
    for (file, text) in texts("src").into_iter().chain(texts("tests")) {
        let lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//") && line.chars().count() > max_width);
        wide.extend(lines.map(|(at, _)| format!("{}:{}", file.display(), at + 1)));
    }
    assert!(wide.is_empty(), "wider than {max_width} columns: {wide:#?}");
}
