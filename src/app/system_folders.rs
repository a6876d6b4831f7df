//! The system's folder for pictures, and its file manager.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The system's pictures folder, or the user's home folder if there is none. `None` if the system names neither.
pub fn pictures() -> Option<PathBuf> {
    let folders = directories::UserDirs::new()?;
    Some(folders.picture_dir().filter(|folder| folder.is_dir()).unwrap_or_else(|| folders.home_dir()).to_owned())
}

/// Shows a file in the file manager. Errors with a message for the user if it cannot be started.
pub fn show_file(file: &Path) -> Result<(), String> {
    let mut command = command(file);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut process = started.map_err(|error| format!("the file manager cannot be started: {error}"))?;
    // Wait for the process, so that it does not remain as a zombie process after it has ended.
    std::thread::spawn(move || process.wait());
    Ok(())
}

/// The command that opens the folder of a file in the file manager, on macOS with the file selected.
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
