//! Tests the dialog that says why the window does not open. It appears only if a desktop started the program. Scripts stand in for the
//! programs that show dialogs.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Writes a program to the folder. It writes its arguments to PROGRAM.shown and ends with the exit code.
fn write_program(folder: &Path, program: &str, exit_code: i32) {
    let path = folder.join(program);
    std::fs::write(&path, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >{}.shown\nexit {exit_code}\n", path.display())).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Starts the window without a display. Only the named programs, which succeed, and those already in the folder are in `PATH`.
fn start(folder: &Path, programs: &[&str], by_desktop: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    for program in programs {
        write_program(folder, program, 0);
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
fn a_program_that_fails_at_once_does_not_hide_the_error() {
    let folder = tempfile::tempdir().unwrap();
    write_program(folder.path(), "zenity", 1);
    start(folder.path(), &["notify-send"], true);
    assert!(shown(folder.path(), "zenity").is_some());
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
fn a_shell_gets_no_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let output = start(folder.path(), &["zenity"], false);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(shown(folder.path(), "zenity"), None);
}
