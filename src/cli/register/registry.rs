//! Registers on Windows, in the registry of the current user. This needs no administrator rights.

use std::path::Path;

use anyhow::Context;
use windows_registry::{CURRENT_USER, Key};

use crate::cli::{escaped, windows_calls};

use super::registry_entries::{EXTENSIONS, OWN_KEYS, PROGRAMS, TYPE, choices_key, entries, extension_key};

/// Registers an executable. Returns a message to print.
pub fn register(executable: &Path) -> anyhow::Result<String> {
    for entry in entries(executable)? {
        set(&entry.key, &entry.name, &entry.text)?;
    }
    for extension in EXTENSIONS {
        make_default(extension)?;
    }
    windows_calls::announce_file_types();
    Ok(format!(
        "Double-clicking a .glb, .gltf or .vrm file now opens {}\nIf another program still opens, choose Sinew in Settings > Apps > \
         Default apps",
        escaped(executable)
    ))
}

/// Reverts `register`. Returns a message to print.
pub fn unregister() -> anyhow::Result<String> {
    for extension in EXTENSIONS {
        restore_default(extension)?;
        if let Ok(choices) = write(&choices_key(extension)) {
            // The value is missing if Sinew was never registered.
            let _ = choices.remove_value(TYPE);
        }
        remove_if_empty(&choices_key(extension));
        remove_if_empty(&extension_key(extension));
    }
    let (programs, program, _) = PROGRAMS;
    if let Ok(programs) = write(programs) {
        let _ = programs.remove_value(program);
    }
    for key in OWN_KEYS {
        if CURRENT_USER.open(key).is_ok() {
            CURRENT_USER.remove_tree(key).with_context(|| format!("cannot remove {key} from the registry"))?;
        }
    }
    windows_calls::announce_file_types();
    Ok("Sinew no longer opens .glb, .gltf and .vrm files on a double-click".to_owned())
}

/// Makes our type the default of an extension, and remembers the previous one under our own key.
fn make_default(extension: &str) -> anyhow::Result<()> {
    let key = extension_key(extension);
    let previous = CURRENT_USER.open(&key).and_then(|key| key.get_string("")).unwrap_or_default();
    if previous != TYPE {
        set(&previous_key(), extension, &previous)?;
        set(&key, "", TYPE)?;
    }
    Ok(())
}

/// Restores the previous default of an extension, unless another program has become the default since then.
fn restore_default(extension: &str) -> anyhow::Result<()> {
    let Ok(key) = write(&extension_key(extension)) else { return Ok(()) };
    if key.get_string("").is_ok_and(|default| default == TYPE) {
        let previous = CURRENT_USER.open(previous_key()).and_then(|key| key.get_string(extension)).unwrap_or_default();
        let restored = if previous.is_empty() { key.remove_value("") } else { key.set_string("", &previous) };
        restored.with_context(|| format!("cannot restore the program for {extension} files"))?;
    }
    Ok(())
}

/// The key that remembers the previous defaults, by extension.
fn previous_key() -> String {
    format!(r"{}\Previous", OWN_KEYS[2])
}

/// Writes a text value. Creates its key if necessary.
fn set(key: &str, name: &str, text: &str) -> anyhow::Result<()> {
    let written = CURRENT_USER.create(key).and_then(|key| key.set_string(name, text));
    written.with_context(|| format!("cannot write {key} to the registry"))
}

/// Opens an existing key for writing.
fn write(key: &str) -> windows_registry::Result<Key> {
    CURRENT_USER.options().read().write().open(key)
}

/// Removes a key if it is empty. A key that holds data of other programs stays.
fn remove_if_empty(path: &str) {
    let Ok(key) = CURRENT_USER.open(path) else { return };
    let is_empty = key.keys().is_ok_and(|mut keys| keys.next().is_none()) && key.values().is_ok_and(|mut values| values.next().is_none());
    if is_empty {
        // If this fails, an empty key stays, which does no harm.
        let _ = CURRENT_USER.remove_tree(path);
    }
}
