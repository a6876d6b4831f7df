//! Shows a file in the system's file manager.

use std::path::Path;
use std::process::{Command, Stdio};

/// Starts the file manager. Errors with a message for the user if it cannot be started.
pub fn show(file: &Path) -> Result<(), String> {
    let mut command = command(file);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut process = started.map_err(|error| format!("the file manager cannot be started: {error}"))?;
    // The thread waits only so that the ended process does not stay in the system's table.
    std::thread::spawn(move || process.wait());
    Ok(())
}

/// The command that opens the folder, on macOS with the file selected.
fn command(file: &Path) -> Command {
    if cfg!(target_os = "macos") {
        let mut command = Command::new("open");
        command.arg("-R").arg(file);
        return command;
    }
    let mut command = Command::new(if cfg!(target_os = "windows") { "explorer" } else { "xdg-open" });
    command.arg(file.parent().unwrap_or(file));
    command
}
