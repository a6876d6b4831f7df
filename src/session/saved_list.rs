//! Named lists in the settings file, such as camera bookmarks and view presets. Anybody can edit that file, so broken entries are skipped
//! and names are made safe to show.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::model::label;

/// Maximum number of characters of a name.
pub const MAX_NAME_CHARS: usize = 60;

/// The name without control characters and direction marks, limited in length.
pub fn plain_name(name: &str) -> String {
    name.chars().map(|char| if label::is_unsafe(char) { ' ' } else { char }).take(MAX_NAME_CHARS).collect()
}

/// The name of a bookmark or a view preset as shown in lists. An empty name is replaced by a placeholder.
pub fn shown_name(name: &str) -> &str {
    if name.trim().is_empty() { "Unnamed" } else { name }
}

/// Reads a list and skips entries that cannot be read, so that the others survive a broken one.
pub fn readable_entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = serde_json::Value::deserialize(deserializer)?;
    let values = if let serde_json::Value::Array(values) = values { values } else { Vec::new() };
    Ok(values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect())
}

/// A name that no bookmark or preset in the list has: "Bookmark 3".
pub fn free_name<'a>(what: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let count = names.clone().count();
    let mut numbered = (count + 1..).map(|number| format!("{what} {number}"));
    numbered.find(|name| names.clone().all(|other| other != name)).unwrap_or_default()
}
