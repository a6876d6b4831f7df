//! Tests arguments in the order of the usage line, flags before FILE, and the tips about unknown flags.

use std::path::Path;
use std::process::Output;

use serde_json::json;

use crate::common::gltf_builder::Gltf;
use crate::common::skip::skip_outside_ci;

fn sinew(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.current_dir(folder).args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with `model.glb`, and with `walk.glb` and `run.glb`, which have an animation of their name.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["model", "walk", "run"] {
        let mut gltf = Gltf::new();
        let mesh_positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": mesh_positions } }] }));
        gltf.push("nodes", json!({ "name": "Hips", "mesh": 0 }));
        gltf.push("scenes", json!({ "nodes": [0] }));
        if name != "model" {
            let output = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8]);
            let animation = gltf.animation(&[(0, "rotation", "LINEAR", &[0.0, 1.0], output)]);
            gltf.json["animations"][animation]["name"] = name.into();
        }
        std::fs::write(folder.path().join(name).with_extension("glb"), gltf.to_glb()).unwrap();
    }
    folder
}

#[test]
fn the_model_may_follow_the_files_of_animations() {
    let folder = files();
    for arguments in [
        &["pose", "--animations", "walk.glb", "model.glb", "--animation", "walk"][..],
        &["pose", "--animation", "walk", "--animations", "walk.glb", "model.glb"],
        &["pose", "--animations", "run.glb", "walk.glb", "model.glb", "--animation", "walk"],
        &["pose", "--animations", "run.glb", "--animations", "walk.glb", "model.glb", "--animation", "walk"],
        &["pose", "--animations", "run.glb", "walk.glb", "--animation", "walk", "model.glb"],
        &["pose", "--animations", "walk.glb", "--animation", "walk", "--", "model.glb"],
        &["pose", "--animations", "walk.glb", "model.glb", "--animations", "run.glb", "--animation", "walk"],
        &["pose", "model.glb", "--animation", "walk", "--animations", "run.glb", "walk.glb"],
        &["pose", "model.glb", "--animation", "walk", "--animations", "run.glb", "--animations", "walk.glb"],
    ] {
        let output = sinew(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let pose: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(pose["file"], "model.glb", "{arguments:?}");
    }
    let flags = ["-o", "out.png", "--size", "16x16", "--animation", "walk"];
    let output = sinew(folder.path(), &[&["render"], &flags[..], &["--animations", "walk.glb", "model.glb"]].concat());
    if stderr(&output).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_window_opens_the_model_behind_the_files_of_animations() {
    let folder = files();
    // There is no display, so the window tells only which file it would open.
    for (arguments, expected) in [
        (&["--animations", "walk.glb", "missing.glb"][..], "cannot read missing.glb: "),
        (&["--animations", "missing.glb", "model.glb"], "cannot read missing.glb: "),
        (&["--animations", "walk.glb", "model.glb"], "no display "),
        (&["--animations", "walk.glb", "model.glb", "--compare", "run.glb"], "no display "),
        (&["--animations", "walk.glb"], "no display "),
    ] {
        let said = stderr(&sinew(folder.path(), arguments));
        assert!(said.starts_with(&format!("error: {expected}")), "{arguments:?}: {said}");
    }
}

#[test]
fn a_model_that_is_missing_behind_animations_is_a_usage_error() {
    let folder = files();
    for (arguments, missing) in [
        (&["pose", "--animations", "walk.glb"][..], "required arguments were not provided:\n  <FILE>\n"),
        (&["pose", "--animations", "run.glb", "--animations", "walk.glb"], "required arguments were not provided:\n  <FILE>\n"),
        (&["render", "--animations", "walk.glb", "model.glb"], "required arguments were not provided:\n  --output <OUT>\n"),
        (&["render", "model.glb", "--animations", "walk.glb", "run.glb"], "required arguments were not provided:\n  --output <OUT>\n"),
    ] {
        let output = sinew(folder.path(), arguments);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(missing), "{arguments:?}: {output:?}");
    }
    for command in ["pose", "render"] {
        let help = sinew(folder.path(), &[command, "--help"]).stdout;
        let help = String::from_utf8_lossy(&help);
        let usage = help.lines().find(|line| line.starts_with("Usage:")).unwrap();
        assert!(usage.contains(" <FILE>"), "{usage}");
    }
}

#[test]
fn models_may_follow_a_sheet_without_a_grid() {
    let folder = files();
    for files in [&["walk.glb"][..], &["model.glb", "walk.glb", "run.glb"]] {
        let output = sinew(folder.path(), &[&["render", "-o", "out.png", "--size", "64x64", "--sheet"], files].concat());
        if stderr(&output).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert!(output.status.success(), "{output:?}");
        assert_eq!(image::open(folder.path().join("out.png")).unwrap().into_rgba8().dimensions(), (64, 64));
    }
    let output = sinew(folder.path(), &["render", "-o", "out.png", "--sheet", "4", "walk.glb"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("expected COLUMNSxROWS"), "{output:?}");
}

#[test]
fn unknown_flags_get_tips_that_help() {
    let folder = files();
    for (arguments, tip) in [
        (&["inspect", "model.glb", "--fps", "3"][..], ""),
        (&["--fps"], ""),
        (&["--fps", "30", "render", "model.glb"], "'render --fps' exists"),
        (&["render", "model.glb", "-o", "a.png", "--supersampling", "2"], "a similar argument exists: '--supersample'"),
        (&["render", "model.glb", "-o", "a.png", "--frame", "3"], "a similar argument exists: '--time'"),
        (&["pose", "model.glb", "--frame=3"], "some similar arguments exist: '--time', '--times'"),
        (&["bench", "model.glb", "--frame", "3"], "a similar argument exists: '--frames'"),
        (
            &["diff", "model.glb", "walk.glb", "--tolerance", "0.1"],
            "some similar arguments exist: '--tolerance-distance', '--tolerance-angle'",
        ),
    ] {
        let output = sinew(folder.path(), arguments);
        let said = stderr(&output);
        let tips: Vec<&str> = said.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(tips, tip.lines().collect::<Vec<_>>(), "{arguments:?}: {said}");
    }
}
