//! Tests the packages for macOS and Windows, and the workflows that make them, as far as that is possible on Linux.
//!
//! `scripts/package` runs with stand-ins for the tools of those systems. The stand-ins for packing only copy or list files.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::skip::skip;
use super::{root, run};

/// Programs that `scripts/package` runs instead of those of the other system: name and script.
type StandIns = [(&'static str, &'static str)];

const MACOS: &StandIns = &[
    ("uname", "echo Darwin"),
    // Arguments: -c icns -o OUT FOLDER.
    ("iconutil", r#"ls "$5" >"$4""#),
    ("codesign", "true"),
    // Arguments: -c -k --keepParent FOLDER OUT.
    ("ditto", r#"mkdir "$5" && cp -R "$4" "$5""#),
];

const WINDOWS: &StandIns = &[
    ("uname", "echo MINGW64_NT-10.0"),
    // Arguments: -a -c -f OUT FOLDER.
    ("System32/tar.exe", r#"cp -R "$5" "$4.folder" && touch "$4" && cp -R "$4.folder" "$OUT""#),
];

/// Writes stand-ins into a folder.
fn write_tools(stand_ins: &StandIns, tools: &Path) {
    for (name, script) in stand_ins {
        let path = tools.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/bash\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
}

/// Runs `scripts/package` with the stand-ins, in a folder that gets the packages. The packed program is a small text.
fn package_with(stand_ins: &StandIns, folder: &Path) {
    let tools = folder.join("tools");
    write_tools(stand_ins, &tools);
    std::fs::write(folder.join("program"), "a program").unwrap();
    let mut command = Command::new(root().join("scripts/package"));
    command.current_dir(folder).args(["--binary", "program", "--output", "dist"]);
    command.env("PATH", format!("{}:{}", tools.display(), std::env::var("PATH").unwrap()));
    run(command.env("SYSTEMROOT", &tools).env("OUT", folder.join("dist/unpacked")));
}

/// macOS has no `nproc`. Some shells export CDPATH.
#[test]
fn the_scripts_find_the_processors_of_macos_and_with_cdpath_the_repository() {
    let tools = tempfile::tempdir().unwrap();
    let cargo = r#"echo "$RUST_TEST_THREADS threads in $PWD:" "$@""#;
    write_tools(&[("cargo", cargo), ("sysctl", "echo 3"), ("uname", "echo Darwin")], tools.path());
    for tool in ["dirname", "mktemp", "rm"] {
        std::os::unix::fs::symlink(Path::new("/usr/bin").join(tool), tools.path().join(tool)).unwrap();
    }
    let output = |script: &str| {
        let mut command = Command::new("/bin/bash");
        run(command.env_clear().current_dir(root()).env("PATH", tools.path()).env("CDPATH", ".").arg(script))
    };
    let root = root().display();
    assert_eq!(output("scripts/test"), format!("6 threads in {root}: test --no-fail-fast\n"));
    assert_eq!(output("scripts/view"), format!(" threads in {root}: run --release --manifest-path {root}/Cargo.toml --\n"));
}

#[test]
fn the_bundle_for_macos_lists_its_file_types() {
    let folder = tempfile::tempdir().unwrap();
    package_with(MACOS, folder.path());
    let version = env!("CARGO_PKG_VERSION");
    let contents = folder.path().join(format!("dist/sinew-{version}-macos.zip/Sinew.app/Contents"));
    assert_eq!(std::fs::read_to_string(contents.join("MacOS/sinew")).unwrap(), "a program");
    assert_eq!(std::fs::metadata(contents.join("MacOS/sinew")).unwrap().permissions().mode() & 0o777, 0o755);
    // The stand-in for iconutil writes the names of the pictures, one per line.
    let icons = std::fs::read_to_string(contents.join("Resources/sinew.icns")).unwrap();
    assert_eq!(icons.lines().count(), 9, "{icons}");
    let info = std::fs::read_to_string(contents.join("Info.plist")).unwrap();
    for text in ["glb", "gltf", "vrm", version, "sinew"] {
        assert!(info.contains(&format!("<string>{text}</string>")), "{text}");
    }
    // Each type that the program opens is declared.
    for identifier in ["org.khronos.glb", "org.khronos.gltf", "com.github.vrm-c.vrm"] {
        assert_eq!(info.matches(&format!("<string>{identifier}</string>")).count(), 2, "{identifier}");
    }
}

#[test]
fn the_archive_for_windows_has_the_program_and_the_licenses() {
    let folder = tempfile::tempdir().unwrap();
    package_with(WINDOWS, folder.path());
    let dist = folder.path().join("dist");
    assert!(dist.join(concat!("sinew-", env!("CARGO_PKG_VERSION"), "-windows.zip")).is_file());
    for file in ["sinew.exe", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "fonts/OFL.txt", "docs/checks.md"] {
        assert!(dist.join("unpacked").join(file).is_file(), "{file} is missing");
    }
}

#[test]
fn the_workflows_pass_actionlint() {
    let workflows = std::fs::read_dir(root().join(".github/workflows")).unwrap().map(|entry| entry.unwrap().path());
    let workflows: Vec<_> = workflows.collect();
    assert_eq!(workflows.len(), 2);
    // Debian has no package of actionlint.
    if Command::new("actionlint").arg("-version").output().is_err() {
        skip("actionlint is not installed");
        return;
    }
    run(Command::new("actionlint").args(&workflows));
}

#[test]
fn a_checkout_with_converted_line_ends_still_has_scripts_that_run() {
    let git = || {
        let mut command = Command::new("git");
        command.arg("-C").arg(root());
        command
    };
    if !git().args(["rev-parse", "--git-dir"]).output().is_ok_and(|output| output.status.success()) {
        return skip("this is no checkout");
    }
    let attributes = run(git().args(["check-attr", "text", "eol", "--", "scripts/package", "Cargo.toml", "docs/checks.md"]));
    assert!(attributes.lines().all(|line| line.ends_with("text: auto") || line.ends_with("eol: lf")), "{attributes}");
}

#[test]
fn the_workflows_use_fixed_versions_and_the_oldest_supported_rust() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap().trim_end_matches('"');
    for name in ["ci.yml", "release.yml"] {
        let text = std::fs::read_to_string(root().join(".github/workflows").join(name)).unwrap();
        assert!(text.contains(&format!("RUST: \"{oldest}.0\"")), "{name}");
        for action in text.lines().filter_map(|line| line.split_once("uses: ").map(|(_, action)| action)) {
            let version = action.split_once("@v").unwrap_or_else(|| panic!("{action}")).1;
            assert_eq!(version.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "{action}");
        }
    }
}
