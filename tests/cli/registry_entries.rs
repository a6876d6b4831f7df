//! Tests what `sinew register` writes to the registry of Windows, as plain data.

use std::path::Path;

use sinew::cli::register::registry_entries::{EXTENSIONS, Entry, OWN_KEYS, PROGRAMS, TYPE, choices_key, entries};

const PROGRAM: &str = r"C:\Program Files\Sinew\sinew.exe";

fn text<'a>(entries: &'a [Entry], key: &str, name: &str) -> Option<&'a str> {
    entries.iter().find(|entry| entry.key == key && entry.name == name).map(|entry| entry.text.as_str())
}

#[test]
fn the_command_quotes_program_and_file() {
    let entries = entries(Path::new(PROGRAM)).unwrap();
    let command = Some(r#""C:\Program Files\Sinew\sinew.exe" "%1""#);
    assert_eq!(text(&entries, r"Software\Classes\Sinew.Model\shell\open\command", ""), command);
    assert_eq!(text(&entries, r"Software\Classes\Applications\sinew.exe\shell\open\command", ""), command);
}

#[test]
fn every_extension_is_offered_in_explorer_and_in_the_settings() {
    let entries = entries(Path::new(PROGRAM)).unwrap();
    for extension in [".glb", ".gltf", ".vrm"] {
        assert_eq!(text(&entries, &format!(r"Software\Classes\{extension}\OpenWithProgids"), "Sinew.Model"), Some(""));
        assert_eq!(text(&entries, r"Software\Sinew\Capabilities\FileAssociations", extension), Some("Sinew.Model"));
    }
    assert_eq!(text(&entries, r"Software\RegisteredApplications", "Sinew"), Some(r"Software\Sinew\Capabilities"));
}

#[test]
fn every_entry_is_below_a_key_of_sinew_or_is_a_value_that_unregistering_removes() {
    for entry in entries(Path::new(PROGRAM)).unwrap() {
        let is_own = OWN_KEYS.iter().any(|key| entry.key == *key || entry.key.starts_with(&format!(r"{key}\")));
        let is_choice = EXTENSIONS.iter().any(|extension| entry.key == choices_key(extension)) && entry.name == TYPE;
        let is_program = (entry.key.as_str(), entry.name.as_str()) == (PROGRAMS.0, PROGRAMS.1);
        assert!(is_own || is_choice || is_program, "{entry:?} would stay after sinew unregister");
    }
}

#[test]
fn a_path_that_would_break_the_command_is_refused() {
    assert!(entries(Path::new("C:\\a\"b\\sinew.exe")).is_err());
}
