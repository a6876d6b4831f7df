//! Tests that modules import only from lower floors (docs/architecture.md), follow the rules inside a floor, begin with a description, and
//! have comments of limited width.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

use std::collections::{BTreeMap, BTreeSet};
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

fn is_in_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
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

/// The lines of the section `[dependencies]` of a Cargo.toml, without comments.
fn dependencies(cargo_toml: &str) -> Vec<&str> {
    let section = cargo_toml.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    section.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// No test builds the fuzz targets, because they need a package of their own.
#[test]
fn the_fuzz_targets_include_all_modules_and_dependencies_that_they_need() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let (library, fuzz, program) = (read("fuzz/src/lib.rs"), read("fuzz/Cargo.toml"), read("Cargo.toml"));
    let included: Vec<&str> = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(included.contains(&"asset"), "{included:?}");
    let own = dependencies(&fuzz);
    for line in own.iter().filter(|line| !line.starts_with("libfuzzer-sys = ")) {
        assert!(program.lines().any(|other| other == *line), "{line}: Cargo.toml has other features or another version");
    }
    for (file, text) in texts("src") {
        if !included.iter().any(|module| file.starts_with(module) || file == Path::new(module).with_extension("rs")) {
            continue;
        }
        for path in imported(&file, &text) {
            let module = path.split("::").next().unwrap();
            assert!(floor(module).is_none() || included.contains(&module), "{}: fuzz/src/lib.rs lacks {module}", file.display());
        }
        let code = without_comments(&text);
        for name in dependencies(&program).iter().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name) {
            let is_used = code.match_indices(&format!("{}::", name.replace('-', "_"))).any(|(at, _)| !code[..at].ends_with(is_in_path));
            let is_listed = own.iter().any(|line| line.starts_with(&format!("{name} = ")));
            assert!(is_listed || !is_used, "{}: fuzz/Cargo.toml lacks {name}", file.display());
        }
    }
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
        let words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').filter(|word| word.contains("::"));
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
