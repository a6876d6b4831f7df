//! Tests the man pages that `sinew generate` writes, and the exit codes in the help of commands.

use std::path::Path;

use assert_cmd::Command;

/// The text of the pages, by their names without the extension, sorted.
fn pages(folder: &Path) -> Vec<(String, String)> {
    Command::new(env!("CARGO_BIN_EXE_sinew")).arg("generate").arg(folder).assert().success();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|extension| extension == "1"));
    // Backslashes escape the hyphens of flags.
    let read = |path: &Path| std::fs::read_to_string(path).unwrap().replace('\\', "");
    let mut pages: Vec<_> = pages.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), read(&path))).collect();
    pages.sort();
    pages
}

#[test]
fn every_command_that_the_first_page_lists_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(folder.path());
    let (first, first_text) = &pages[0];
    assert_eq!(first, "sinew");
    let mut listed: Vec<_> = first_text.lines().filter_map(|line| line.strip_suffix("(1)")).collect();
    listed.sort_unstable();
    let commands: Vec<_> = pages[1..].iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(listed, commands);
    assert!(commands.contains(&"sinew-render") && commands.len() == 9, "{commands:?}");
}

#[test]
fn the_completions_list_the_commands_that_the_help_lists() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(folder.path());
    for name in ["sinew.bash", "_sinew", "sinew.fish"] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        for (page, _) in &pages[1..] {
            assert!(text.contains(page.strip_prefix("sinew-").unwrap()), "{name} has no {page}");
        }
        assert!(text.contains("image-limit") && text.contains("version"), "{name} lacks flags of the window");
        // The help hides this command.
        assert!(!text.contains("generate"), "{name}");
    }
}

#[test]
fn the_synopsis_shows_the_values_of_flags() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in pages(folder.path()) {
        let synopsis = text.split(".SH SYNOPSIS").nth(1).unwrap().split(".SH").next().unwrap();
        for (page, expected) in [
            ("sinew", "[--animation <A>]"),
            ("sinew", "[FILES]..."),
            ("sinew", "<COMMAND>"),
            ("sinew-check", "[--json] [--fail-on <SEVERITY>] [--profile <NAME>] [--config <FILE>]"),
            ("sinew-render", " --output <OUT> [--size <WxH>]"),
            ("sinew-diff", "<A> <B>"),
        ] {
            assert!(page != name || synopsis.contains(expected), "{expected} is missing in {synopsis}");
        }
    }
}

#[test]
fn every_command_lists_its_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in &pages(folder.path())[1..] {
        let help = Command::new(env!("CARGO_BIN_EXE_sinew")).args(["help", name.strip_prefix("sinew-").unwrap()]).assert().success();
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        let has_findings = ["sinew-inspect", "sinew-check", "sinew-diff"].contains(&name.as_str());
        for text in [page, &help] {
            let codes = text.split("Exit codes:").nth(1).unwrap_or_else(|| panic!("{name} has no exit codes: {text}"));
            assert!(codes.contains("1 failed, 2 wrong usage") && codes.contains(", 3 ") == has_findings, "{name}: {codes}");
        }
    }
}
