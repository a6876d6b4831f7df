//! Edits the text of a desktop entry: sets the command that it runs, and reverts that.
//!
//! A registered entry has the key [`PREVIOUS`]. Its value is the command that an installation wrote to the entry before. It is empty if
//! there was no entry.

/// Key for the previous command. Desktops ignore keys that begin with `X-`.
const PREVIOUS: &str = "X-Sinew-Previous-Exec";

/// Returns whether the entry belongs to an installation, so that it stays when its registration is reverted.
pub fn is_installed(entry: &str) -> bool {
    value(entry, PREVIOUS) != Some("")
}

/// The entry with the command of the template, run by another program than `sinew`. `entry` is the existing one, if there is one; otherwise
/// the template is used.
pub fn registered(entry: Option<&str>, template: &str, program: &str) -> String {
    let command = value(template, "Exec").unwrap_or_default().replacen("sinew", program, 1);
    let previous = entry.and_then(|entry| value(entry, PREVIOUS).or_else(|| value(entry, "Exec")));
    let exec = format!("Exec={command}\n{PREVIOUS}={}", previous.unwrap_or_default());
    with_exec(if previous.is_some() { entry.unwrap_or(template) } else { template }, &exec)
}

/// The entry of an installation as it was before [`registered`].
pub fn unregistered(entry: &str) -> String {
    value(entry, PREVIOUS).map_or_else(|| entry.to_owned(), |previous| with_exec(entry, &format!("Exec={previous}")))
}

/// The entry with other lines instead of its command and the previous command.
fn with_exec(entry: &str, exec: &str) -> String {
    let mut is_found = false;
    let replace = |line| {
        // Only the first command is that of the entry. Others belong to its actions.
        let is_exec = !is_found && value(line, "Exec").is_some();
        is_found |= is_exec;
        [if is_exec { exec } else { line }, "\n"]
    };
    entry.lines().filter(|line| value(line, PREVIOUS).is_none()).flat_map(replace).collect()
}

/// The value of the first line with a key.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
}
