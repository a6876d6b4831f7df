//! Tests how the program starts: by its desktop entry, as file managers do, and on Wayland without an X server.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::common::skip::skip_outside_ci;

use crate::harness::desktop::{Desktop, wait_for};
use crate::harness::metronome;

/// Installs the program and its desktop entry into `home` with the script of the archive. A script stands in for the large program.
fn install(folder: &Path, home: &Path) {
    let archive = folder.join("archive");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for part in ["bin", "share/applications"] {
        fs::create_dir_all(archive.join(part)).unwrap();
    }
    fs::copy(assets.join("package/install.sh"), archive.join("install.sh")).unwrap();
    fs::copy(assets.join("sinew.desktop"), archive.join("share/applications/sinew.desktop")).unwrap();
    let program = archive.join("bin/sinew");
    fs::write(&program, format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_sinew"))).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(Command::new("sh").arg(archive.join("install.sh")).env("PREFIX", home.join(".local")).status().unwrap().success());
}

#[test]
fn files_that_are_opened_together_share_a_window() {
    let Some(desktop) = Desktop::for_app() else { return };
    if Command::new("gio").arg("version").output().is_err() {
        return skip_outside_ci("gio is not installed");
    }
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    install(folder.path(), home.path());
    // The files lie in two folders, so that neither is in the list of the other's folder.
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let files = [metronome(folder.path()), metronome(&other)];
    let path = format!("{}:{}", home.path().join(".local/bin").display(), std::env::var("PATH").unwrap());
    let mut launch = desktop.command(Path::new("gio"), home.path());
    launch.arg("launch").arg(home.path().join(".local/share/applications/sinew.desktop")).args(&files).env("PATH", path);
    assert!(launch.status().unwrap().success());
    let title = format!("{}/metronome.gltf (1 of 2)", folder.path().file_name().unwrap().display());
    let window = wait_for(&title, || desktop.find_window(&title));
    desktop.ask_to_close(window);
    wait_for("the window to close", || desktop.find_window("").is_none().then_some(()));
}

#[test]
fn without_an_x_server_the_window_opens_on_wayland() {
    let home = tempfile::tempdir().unwrap();
    let compositor = UnixListener::bind(home.path().join("compositor")).unwrap();
    compositor.set_nonblocking(true).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.env("DISPLAY", ":4999").env("WAYLAND_DISPLAY", "compositor").env("XDG_RUNTIME_DIR", home.path());
    let mut process = command.env("SINEW_CONFIG_DIR", home.path()).spawn().unwrap();
    // Nothing answers the program, so it gets no further than connecting.
    wait_for("a connection to the compositor", || compositor.accept().ok());
    process.kill().unwrap();
    process.wait().unwrap();
}
