//! Tests exporting clips and contact sheets.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::common::skip::skip;
use crate::harness::colors::red;
use crate::harness::desktop::{App, HEIGHT, wait_for};
use crate::harness::{metronome, open_with_preferences};

/// The middle of the first button in the status bar.
const CANCEL: (i32, i32) = (36, HEIGHT as i32 - 12);
/// The loop mode "Once" and the button "Export..." in the dialog of a clip with a custom size.
const ONCE: (i32, i32) = (563, 335);
const EXPORT: (i32, i32) = (726, 557);

/// Opens the metronome with these export options in its settings, and a view without overlays.
fn open(clip: serde_json::Value) -> Option<(App, tempfile::TempDir)> {
    open_with_preferences(json!({"clip": clip}))
}

/// Exports a clip. File dialogs are not available in this test, so the clip is written beside the model.
fn export(app: &App) {
    app.key(&["Control_L", "e"]);
    app.key(&["Return"]);
}

fn beside(folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| !path.ends_with("metronome.gltf") && !path.ends_with("view.json"));
    found
}

#[test]
fn ctrl_e_exports_each_frame_as_the_command_line_draws_it() {
    let Some((app, folder)) = open(json!({"format": "sequence", "width": 120, "height": 90})) else { return };
    export(&app);
    let sequence = folder.path().join("metronome-tick");
    wait_for("the last frame", || sequence.join("0009.png").exists().then_some(()));
    assert_eq!(std::fs::read_dir(&sequence).unwrap().count(), 10, "the end of a loop is not a separate frame");
    for k in 0..10 {
        let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
        sinew.current_dir(folder.path()).args(["render", "metronome.gltf", "--state", "view.json", "--size", "120x90", "-o", "still.png"]);
        assert!(sinew.args(["--time", &(f64::from(k) / 10.0).to_string()]).status().unwrap().success());
        let [clip, still] =
            [sequence.join(format!("{k:04}.png")), folder.path().join("still.png")].map(|path| std::fs::read(path).unwrap());
        assert!(clip == still, "frame {k} differs");
    }
}

#[test]
fn the_ghosts_of_a_clip_follow_the_loop_mode_of_its_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (metronome(folder.path()), folder.path().join("view.json"));
    let ghosts = json!({"shown": true, "before": 2, "after": 2, "step": 2});
    std::fs::write(&state, json!({"animation": 0, "display": {"grid": false, "shadow": "off", "ghosts": ghosts}}).to_string()).unwrap();
    let args = [file.as_path(), Path::new("--paused"), Path::new("--state"), state.as_path()];
    let options = json!({"format": "sequence", "width": 120, "height": 90});
    let settings = json!({"preferences": {"clip": options}}).to_string();
    let Some(app) = App::with_settings(&settings, &args, "metronome.gltf") else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    app.key(&["Control_L", "e"]);
    app.click(ONCE.0, ONCE.1);
    app.click(EXPORT.0, EXPORT.1);
    let sequence = folder.path().join("metronome-tick");
    wait_for("the last frame", || sequence.join("0010.png").exists().then_some(()));
    let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let args = ["--state", "view.json", "--repeat", "once", "--fps", "10", "--size", "120x90", "-o", "once/%04d.png"];
    assert!(sinew.current_dir(folder.path()).args(["render", "metronome.gltf"]).args(args).status().unwrap().success());
    for frame in (0..=10).map(|frame| format!("{frame:04}.png")) {
        let [clip, command] = [sequence.join(&frame), folder.path().join("once").join(&frame)].map(|path| std::fs::read(path).unwrap());
        assert!(clip == command, "{frame} differs");
    }
}

#[test]
fn ctrl_shift_e_exports_the_contact_sheet_that_the_command_line_draws() {
    let options = json!({"content": "phases", "phases": 4, "width": 300, "height": 300});
    let Some((app, folder)) = open_with_preferences(json!({"sheet": options})) else { return };
    app.key(&["Control_L", "Shift_L", "e"]);
    app.key(&["Return"]);
    let sheet = folder.path().join("metronome-tick-sheet.png");
    let picture = wait_for("the sheet", || image::open(&sheet).ok()).to_rgba8();
    let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let args = ["--state", "view.json", "--animation", "0", "--size", "300x300", "--sheet", "2x2", "-o", "other.png"];
    assert!(sinew.current_dir(folder.path()).args(["render", "metronome.gltf"]).args(args).status().unwrap().success());
    let other = image::open(folder.path().join("other.png")).unwrap().to_rgba8();
    assert_eq!(picture.dimensions(), (300, 300));
    assert_eq!(crate::common::pixels::differ(&picture, &other), 0);
    // A second export does not replace the first.
    app.key(&["Control_L", "Shift_L", "e"]);
    app.key(&["Return"]);
    wait_for("the second sheet", || image::open(folder.path().join("metronome-tick-sheet-2.png")).ok());
}

#[test]
fn canceling_an_export_or_quitting_leaves_no_files() {
    let Some((app, folder)) = open(json!({"format": "gif", "width": 640, "height": 480, "turntable": 600.0})) else { return };
    export(&app);
    wait_for("the export to begin", || (!beside(&folder).is_empty()).then_some(()));
    app.settle();
    app.click(CANCEL.0, CANCEL.1);
    wait_for("nothing to be left", || beside(&folder).is_empty().then_some(()));
    export(&app);
    wait_for("the export to begin", || (!beside(&folder).is_empty()).then_some(()));
    // Sinew asks first. Esc keeps the export; without the question, Esc would cancel it.
    for ask in [|app: &App| app.key(&["Control_L", "q"]), App::ask_to_close] {
        ask(&app);
        app.key(&["Escape"]);
        app.settle();
        assert!(!beside(&folder).is_empty(), "the export goes on");
    }
    // The second button quits.
    app.ask_to_close();
    app.key(&["Tab"]);
    app.key(&["Tab"]);
    app.key(&["Return"]);
    assert_eq!(app.wait_for_exit().code(), Some(0));
    assert_eq!(beside(&folder), [""; 0].map(PathBuf::from));
}

/// Returns whether this process ignores a signal. The processes that it starts then ignore it, too.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    (u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1)) & 1 == 1
}

#[test]
fn a_signal_that_ends_the_process_leaves_no_files() {
    for (signal, number, mut clip) in [("TERM", 15, json!({"format": "gif"})), ("INT", 2, json!({"format": "sequence"}))] {
        (clip["width"], clip["height"], clip["turntable"]) = (json!(640), json!(480), json!(600.0));
        if is_ignored(number) {
            // Jobs of a shell in the background ignore SIGINT, and so do their children.
            skip(&format!("SIG{signal} is ignored here"));
            continue;
        }
        let Some((app, folder)) = open(clip) else { return };
        export(&app);
        wait_for("the export to begin", || (!beside(&folder).is_empty()).then_some(()));
        app.signal(signal);
        // A shell loop around the program ends only if the program ends by the signal.
        assert_eq!(app.wait_for_exit().signal(), Some(number));
        assert_eq!(beside(&folder), [""; 0].map(PathBuf::from), "after {signal}");
    }
}
