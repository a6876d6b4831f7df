//! Explains how to register on macOS. There, only the application bundle can register: its `Info.plist` lists the file types.

use std::path::Path;

use anyhow::bail;

/// The steps in Finder that make Sinew the default program.
const BY_HAND: &str = "macOS registers applications by itself: move Sinew.app to Applications. To make it the first choice, select a .glb \
                       file in Finder, File > Get Info, Open with, pick Sinew, Change All";

/// Errors with instructions.
pub fn register(_: &Path) -> anyhow::Result<String> {
    bail!(BY_HAND)
}

/// Errors with instructions.
pub fn unregister() -> anyhow::Result<String> {
    bail!("macOS forgets an application when Sinew.app is moved to the trash")
}
