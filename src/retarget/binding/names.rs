//! Shortens names to what two programs write alike.

/// The name after its last colon or bar: "Hips" of "mixamorig:Hips". `None` if nothing follows.
pub fn without_namespace(name: &str) -> Option<&str> {
    name.rsplit([':', '|']).next().filter(|name| !name.is_empty())
}

/// The letters and digits of the name without its namespace, in lower case. `None` if it has none.
pub fn letters(name: &str) -> Option<String> {
    let letters: String = without_namespace(name)?.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    Some(letters).filter(|letters| !letters.is_empty())
}
