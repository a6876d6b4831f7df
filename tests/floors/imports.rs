//! Tests that modules import only from lower floors (docs/architecture.md), and follow the rules inside a floor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{floor, imported, is_in_path, texts, without_comments};

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
    let texts = texts("src");
    let modules = texts.iter().filter(|(file, _)| !["lib.rs", "main.rs"].iter().any(|root| *file == Path::new(root)));
    let wrong: Vec<_> = modules.flat_map(|(file, text)| wrong_imports(file, text)).collect();
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
const INNER_RULES: [(&str, &str, &[&str]); 16] = [
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
    ("ui/actions/mod.rs", "", &[]),
    ("render/pipelines/key.rs", "render::pipelines", &[]),
    ("render/passes", "render::renderer", &[]),
    ("render/passes", "render::frame", &[]),
    ("export", "ui", &[]),
];

/// Whether a path is the module `prefix` or inside it. Every path is inside the empty prefix.
fn is_below(path: &str, prefix: &str) -> bool {
    prefix.is_empty() || path == prefix || path.starts_with(&format!("{prefix}::"))
}

#[test]
fn imports_inside_a_floor_follow_their_rules() {
    let (texts, mut wrong) = (texts("src"), Vec::new());
    for (place, forbidden, allowed) in INNER_RULES {
        let inside: Vec<_> = texts.iter().filter(|(file, _)| file.starts_with(place)).collect();
        assert!(!inside.is_empty(), "there is no {place}");
        for (file, text) in inside {
            let against = |path: &&String| is_below(path, forbidden) && !allowed.iter().any(|allowed| is_below(path, allowed));
            wrong.extend(imported(file, text).iter().filter(against).map(|path| format!("{} must not import {path}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns, for each module, the modules that it imports or names. The `mod.rs` files above a module do not count, because they hold what
/// their folder shares.
fn module_imports(texts: &BTreeMap<PathBuf, String>) -> BTreeMap<String, BTreeSet<String>> {
    let name = |file: &PathBuf| {
        let path = file.with_extension("").to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "::");
        path.trim_end_matches("::mod").to_owned()
    };
    let modules: BTreeSet<String> = texts.keys().map(name).collect();
    let imports = texts.iter().map(|(file, text)| {
        let own = name(file);
        // A `mod.rs` names the modules below it without `crate::`.
        let code = if file.ends_with("mod.rs") { without_comments(text) } else { String::new() };
        let words = code.split(|c| !is_in_path(c)).filter(|word| word.contains("::"));
        let below = words.map(|word| format!("{own}::{word}"));
        let paths = imported(file, text).into_iter().chain(below);
        let ends = |path: &str| path.match_indices("::").map(|(end, _)| end).chain([path.len()]).collect::<Vec<_>>();
        let module = |path: String| ends(&path).iter().rev().map(|&end| path[..end].to_owned()).find(|path| modules.contains(path));
        let is_above = |module: &String| own == *module || own.starts_with(&format!("{module}::"));
        (own.clone(), paths.filter_map(module).filter(|module| !is_above(module)).collect())
    });
    imports.collect()
}

/// Returns the modules that a module imports directly or through others.
fn reached<'a>(module: &'a str, imports: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![module]);
    while let Some(module) = open.pop() {
        open.extend(imports[module].iter().map(String::as_str).filter(|module| found.insert(*module)));
    }
    found
}

/// Returns the files that import each other in circles, which hide the order in which to read them. Each circle has the names of its
/// modules.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|module| (module.as_str(), reached(module, imports))).collect();
    let circle = |module: &&str| reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect::<Vec<_>>();
    reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_circle_of_files_imports_each_other() {
    let imports = module_imports(&texts("src"));
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 1000, "too few imports were found");
    assert_eq!(circles(&imports), BTreeSet::new());
}

#[test]
fn circles_are_found_through_each_kind_of_path() {
    let texts = [
        ("a/mod.rs", "mod b;\nuse b::{B, C};"),
        ("a/b.rs", "use super::Shared;\nuse crate::c::C;"),
        ("c.rs", "use super::d;"),
        ("d.rs", "// crate::e::E\nuse crate::a::A;"),
        ("e.rs", "use crate::a::b::B;"),
    ];
    let imports = module_imports(&texts.map(|(file, text)| (PathBuf::from(file), text.to_owned())).into());
    assert_eq!(circles(&imports), BTreeSet::from([vec!["a", "a::b", "c", "d"]]));
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
    let (src, texts) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), texts("src/ui"));
    let mut wrong = Vec::new();
    for panel in PANELS {
        let own = Path::new("ui").join(panel);
        assert!(src.join(&own).is_dir() || src.join(&own).with_extension("rs").is_file(), "there is no panel {panel}");
        for (file, text) in &texts {
            let knows_all =
                ["state", "layout", "perform", "mod"].iter().any(|name| *file == Path::new("ui").join(name).with_extension("rs"));
            if knows_all || file.starts_with(&own) || *file == own.with_extension("rs") {
                continue;
            }
            let panel = format!("ui::{panel}");
            let against = imported(file, text).into_iter().filter(|path| is_below(path, &panel));
            wrong.extend(against.map(|path| format!("{} must not import {path}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_layout_and_perform_know_the_state_of_all_panels() {
    let importers = |module: &str| -> Vec<PathBuf> {
        let texts = texts("src/ui").into_iter();
        texts.filter(|(file, text)| imported(file, text).iter().any(|path| is_below(path, module))).map(|(file, _)| file).collect()
    };
    assert_eq!(importers("ui::state"), [Path::new("ui/layout.rs"), Path::new("ui/perform.rs")]);
    assert_eq!(importers("ui::perform"), [Path::new("ui/layout.rs")]);
    assert!(importers("ui::layout").is_empty());
}
