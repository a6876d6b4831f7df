//! Runs `sinew register` and `sinew unregister`: makes a double-click on a glTF file open Sinew, for the current user, or reverts this.

#[cfg(all(unix, not(target_os = "macos")))]
mod desktop_entry;
#[cfg(target_os = "macos")]
mod finder;
pub mod mimeapps;
#[cfg(windows)]
mod registry;
pub mod registry_entries;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod xdg;

use anyhow::Context;

#[cfg(target_os = "macos")]
use finder as system;
#[cfg(windows)]
use registry as system;
#[cfg(all(unix, not(target_os = "macos")))]
use xdg as system;

/// Registers this executable for the current user. Returns a message to print.
pub fn register() -> anyhow::Result<String> {
    let executable = std::env::current_exe().context("cannot find the path of this program")?;
    system::register(&executable)
}

/// Reverts `register`. Returns a message to print.
pub fn unregister() -> anyhow::Result<String> {
    system::unregister()
}
