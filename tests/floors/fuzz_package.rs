//! Tests that the package of the fuzz targets includes what it needs. No test builds the targets, because they need a package of their own.

use std::path::Path;

use crate::{floor, imported, is_in_path, texts, without_comments};

/// The lines of the section `[dependencies]` of a Cargo.toml, without comments.
fn dependencies(cargo_toml: &str) -> Vec<&str> {
    let section = cargo_toml.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    section.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

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
