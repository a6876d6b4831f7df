//! The system's folders for settings, state and pictures, and its file manager.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder for settings: `SINEW_CONFIG_DIR` if it is set, or else the system's. `None` if the system names none.
pub fn config() -> Option<PathBuf> {
    overridden().or_else(|| Some(directories::ProjectDirs::from("", "", "sinew")?.config_dir().to_owned()))
}

/// The folder for crash reports: `SINEW_CONFIG_DIR` if it is set, or else the system's folder for state. `None` if the system names none.
pub fn state() -> Option<PathBuf> {
    overridden().or_else(|| {
        let folders = directories::ProjectDirs::from("", "", "sinew")?;
        Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned())
    })
}

/// The folder that `SINEW_CONFIG_DIR` names, if it names one.
fn overridden() -> Option<PathBuf> {
    std::env::var_os("SINEW_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

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
