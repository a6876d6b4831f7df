//! Tests that modules import only from lower floors (docs/architecture.md), and follow the rules inside a floor.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

use std::path::{Path, PathBuf};

const FLOORS: [(&str, u32); 22] = [
    ("model", 1),
    ("codec", 1),
    ("colors", 1),
    ("camera", 1),
    ("system_fonts", 1),
    ("numbers", 1),
    ("asset", 2),
    ("animation", 2),
    ("units", 2),
    ("session", 3),
    ("report", 3),
    ("validate", 3),
    ("retarget", 3),
    ("captions", 4),
    ("check", 4),
    ("compare", 4),
    ("borrowed", 4),
    ("ui", 5),
    ("render", 5),
    ("export", 6),
    ("app", 7),
    ("cli", 7),
];

fn floor(module: &str) -> Option<u32> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|&(_, floor)| floor)
}

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

/// Returns a message for each import of a file from its own floor or a higher one. A module may import from itself.
fn wrong_imports(relative: &Path, text: &str) -> Vec<String> {
    let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
    let own = floor(module).unwrap_or_else(|| panic!("{} stands on no floor", relative.display()));
    let message = |path: &String| {
        let (other, above) = path.split("::").next().and_then(|name| Some((name, floor(name)?)))?;
        (other != module && above >= own).then(|| format!("{}: {module} (floor {own}) imports {path} (floor {above})", relative.display()))
    };
    imported(relative, text).iter().filter_map(message).collect()
}

#[test]
fn imports_go_down_only() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let modules = files.iter().filter(|file| !["lib.rs", "main.rs"].iter().any(|root| **file == src.join(root)));
    let wrong: Vec<_> =
        modules.flat_map(|file| wrong_imports(file.strip_prefix(&src).unwrap(), &std::fs::read_to_string(file).unwrap())).collect();
    assert!(files.len() > 30, "only {} files were looked at", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_from_a_higher_floor_are_found_in_every_form() {
    let file = Path::new("session/pose/solve.rs");
    for text in [
        "use crate::ui;",
        "use crate::render::picture::Picture;",
        "use crate::{model::Model, ui::{self, style}};",
        "use crate::{\n    model::Model,\n    ui,\n};",
        "use super::super::super::ui::style;",
        "use super::super::super::{animation, ui};",
        "fn draw() {\n    crate::ui::style::draw();\n}",
    ] {
        assert!(!wrong_imports(file, text).is_empty(), "{text}");
    }
    for text in ["use crate::{model, animation::{self, keys}};", "use super::super::view;", "use super::layers;", "// crate::ui"] {
        assert_eq!(wrong_imports(file, text), [""; 0], "{text}");
    }
    assert_eq!(wrong_imports(Path::new("numbers.rs"), "use super::render;").len(), 1);
}

/// Rules inside a floor: a folder or file of `src`, the prefix of paths that it must not import, and exceptions.
const INNER_RULES: [(&str, &str, &[&str]); 14] = [
    ("codec", "", &["codec"]),
    ("session/view", "session", &["session::view"]),
    ("session/time", "session", &["session::time", "session::view", "session::document"]),
    ("session/time/transport.rs", "session::document", &[]),
    ("session/pose/solve.rs", "session::motion", &[]),
    ("session/pose/solve.rs", "session::locomotion", &[]),
    ("session/pose/solve.rs", "session::pose::in_place", &[]),
    ("session/document.rs", "session::analyses", &[]),
    ("session/document.rs", "session::motion", &[]),
    ("session/document.rs", "session::locomotion", &[]),
    ("session/document.rs", "session::inspect", &[]),
    ("render/passes", "render::renderer", &[]),
    ("render/passes", "render::frame", &[]),
    ("export", "ui", &[]),
];

/// Returns the code with each group of imports written as single paths: `a::{b, c::d}` becomes `a::b a::c::d`.
fn without_braces(code: &str) -> String {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut code = code.to_owned();
    while let Some(open) = code.rfind("::{") {
        let Some(length) = code[open..].find('}') else { break };
        let start = code[..open].trim_end_matches(is_path).len();
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
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
    let code = without_braces(&code);
    let words = code.split(move |c| !is_path(c));
    let path = |word: &str| {
        let ups = word.matches("super::").count();
        let from_root = word.strip_prefix("crate::").map(str::to_owned);
        let rest = word.trim_start_matches("super::");
        from_root.or((ups > 0 && ups <= folder.len()).then(|| [&folder[..folder.len() - ups], &[rest]].concat().join("::")))
    };
    words.filter_map(path).collect()
}

#[test]
fn imports_inside_a_floor_follow_their_rules() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let is_below = |path: &str, prefix: &str| prefix.is_empty() || path == prefix || path.starts_with(&format!("{prefix}::"));
    let mut wrong = Vec::new();
    for (place, forbidden, allowed) in INNER_RULES {
        let mut found = false;
        for file in &files {
            let relative = file.strip_prefix(&src).unwrap();
            if !relative.starts_with(place) {
                continue;
            }
            found = true;
            let paths = imported(relative, &std::fs::read_to_string(file).unwrap());
            let against = |path: &&String| is_below(path, forbidden) && !allowed.iter().any(|allowed| is_below(path, allowed));
            wrong.extend(paths.iter().filter(against).map(|path| format!("{} must not import {path}", relative.display())));
        }
        assert!(found, "there is no {place}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The panels, as files or folders of `src/ui`. The other files and folders there either are shared, such as `actions`, `commands`,
/// `context`, `style` and `widgets`, or know all panels: `state`, `layout` and `perform`.
const PANELS: [&str; 11] = [
    "animations",
    "command_palette",
    "dialogs",
    "failure_bar",
    "file_strip",
    "inspector",
    "menus",
    "status_bar",
    "timeline",
    "tree",
    "viewport",
];

#[test]
fn no_panel_imports_another() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src.join("ui"), &mut files);
    let mut wrong = Vec::new();
    for panel in PANELS {
        let own = Path::new("ui").join(panel);
        assert!(src.join(&own).is_dir() || src.join(&own).with_extension("rs").is_file(), "there is no panel {panel}");
        for file in &files {
            let relative = file.strip_prefix(&src).unwrap();
            let knows_all =
                ["state", "layout", "perform", "mod"].iter().any(|name| relative == Path::new("ui").join(name).with_extension("rs"));
            if knows_all || relative.starts_with(&own) || relative == own.with_extension("rs") {
                continue;
            }
            let paths = imported(relative, &std::fs::read_to_string(file).unwrap());
            let panel = format!("ui::{panel}");
            let against = paths.iter().filter(|path| **path == panel || path.starts_with(&format!("{panel}::")));
            wrong.extend(against.map(|path| format!("{} must not import {path}", relative.display())));
        }
    }
    assert!(files.len() > 30, "only {} files were looked at", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_layout_and_perform_know_the_state_of_all_panels() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src.join("ui"), &mut files);
    let mut wrong = Vec::new();
    for file in &files {
        let relative = file.strip_prefix(&src).unwrap();
        if ["ui/state.rs", "ui/layout.rs", "ui/perform.rs"].iter().any(|name| relative == Path::new(name)) {
            continue;
        }
        let paths = imported(relative, &std::fs::read_to_string(file).unwrap());
        let all = ["ui::state", "ui::layout", "ui::perform"];
        let against = paths.iter().filter(|path| all.iter().any(|all| path == all || path.starts_with(&format!("{all}::"))));
        wrong.extend(against.map(|path| format!("{} must not import {path}", relative.display())));
    }
    assert!(files.len() > 30, "only {} files were looked at", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_begins_with_a_description() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let silent: Vec<_> = files.iter().filter(|file| !std::fs::read_to_string(file).unwrap().starts_with("//!")).collect();
    assert!(silent.is_empty(), "no opening paragraph: {silent:?}");
}
