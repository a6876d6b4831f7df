//! Tests the dialog that says why the window does not open. It appears only if a desktop started the program. Scripts stand in for the
//! programs that show dialogs.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Starts the window without a display. `PATH` has only the programs in `folder`: those that are there, and the named ones, which
/// write their arguments to PROGRAM.shown.
fn start(folder: &Path, programs: &[&str], by_desktop: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    for program in programs {
        let path = folder.join(program);
        write_program(&path, &format!("printf '%s\\n' \"$@\" >{}.shown", path.display()));
    }
    command.env("PATH", folder).env("SINEW_CONFIG_DIR", folder).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    for variable in ["GIO_LAUNCHED_DESKTOP_FILE", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"] {
        command.env_remove(variable);
    }
    if by_desktop {
        command.env("DESKTOP_STARTUP_ID", "launcher-1");
    }
    command.output().unwrap()
}

/// Writes a shell script.
fn write_program(path: &Path, script: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn shown(folder: &Path, program: &str) -> Option<String> {
    std::fs::read_to_string(folder.join(format!("{program}.shown"))).ok()
}

#[test]
fn the_first_installed_program_shows_the_error() {
    for (programs, used, unused) in [(["zenity", "kdialog"], "zenity", "kdialog"), (["kdialog", "xmessage"], "kdialog", "xmessage")] {
        let folder = tempfile::tempdir().unwrap();
        let output = start(folder.path(), &programs, true);
        assert_eq!(output.status.code(), Some(1));
        let text = shown(folder.path(), used).unwrap_or_else(|| panic!("{used} was not run"));
        assert!(text.contains("Sinew cannot start") && text.contains("no display to open a window on"), "{text}");
        assert_eq!(shown(folder.path(), unused), None);
    }
}

#[test]
fn a_program_that_fails_at_once_is_followed_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    write_program(&folder.path().join("zenity"), "exit 1");
    start(folder.path(), &["notify-send"], true);
    assert!(shown(folder.path(), "notify-send").is_some_and(|text| text.contains("no display to open a window on")));
}

#[test]
fn without_a_dialog_program_the_error_is_only_printed() {
    let folder = tempfile::tempdir().unwrap();
    let output = start(folder.path(), &[], true);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: no display"));
}

#[test]
fn a_display_that_cannot_be_used_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    // Empty files in the place of a library keep the loader from finding it.
    for (libraries, reason) in [
        (&["libxkbcommon-x11.so.0", "libxkbcommon-x11.so"][..], "libxkbcommon-x11 cannot be loaded"),
        (&["libxkbcommon.so.0", "libxkbcommon.so"], "libxkbcommon cannot be loaded"),
        (&["libXi.so.6", "libXi.so"], "Failed to load one of xlib's shared libraries"),
        (&[], "Failed to open connection to X server"),
    ] {
        let loaded_first = tempfile::tempdir().unwrap();
        for library in libraries {
            std::fs::write(loaded_first.path().join(library), "").unwrap();
        }
        write_program(&folder.path().join("zenity"), &format!("printf '%s' \"$6\" >{}/zenity.shown", folder.path().display()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.env("PATH", folder.path()).env("SINEW_CONFIG_DIR", folder.path()).env("DESKTOP_STARTUP_ID", "launcher-1");
        command.env("DISPLAY", ":4242").env_remove("WAYLAND_DISPLAY").env("LD_LIBRARY_PATH", loaded_first.path());
        let output = command.output().unwrap();
        let message = format!("cannot open a window on DISPLAY=:4242: {reason}; the commands that sinew --help lists work without one");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*printed), (Some(1), &*format!("error: {message}\n")));
        assert_eq!(shown(folder.path(), "zenity").as_deref(), Some(&*message));
    }
}

#[test]
fn a_shell_gets_no_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let output = start(folder.path(), &["zenity"], false);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(shown(folder.path(), "zenity"), None);
}
