//! Tests names that try to break a terminal or a layout. Every command prints them shortened on one line, except `inspect --json`,
//! which prints them completely.

use std::path::{Path, PathBuf};

use crate::common::gltf_builder::skinned_triangle;
use crate::common::skip::skip_outside_ci;
use assert_cmd::Command;
use serde_json::{Value, json};

/// A long name, and one with an ANSI escape sequence, line breaks and a mark that reverses the reading direction.
fn names() -> [String; 2] {
    ["n".repeat(100_000), "\u{1b}[31mred\r\nsecond line\u{202e}desrever\u{9b}2J\u{7}".to_owned()]
}

/// Writes a skinned triangle whose nodes, meshes, skins, scenes, materials and animations have hostile names.
fn write_hostile(folder: &Path) -> PathBuf {
    let mut gltf = skinned_triangle();
    let names = names();
    for name in &names {
        let moves = gltf.floats("VEC3", &[0.0; 6]);
        let animation = gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.0], moves)]);
        gltf.json["animations"][animation]["name"] = json!(name);
    }
    for kind in ["nodes", "meshes", "skins", "scenes", "materials"] {
        for (index, object) in gltf.json.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten().enumerate() {
            object["name"] = json!(names[index % 2]);
        }
    }
    gltf.json["asset"]["generator"] = json!(names[1]);
    gltf.json["extensionsUsed"] = json!(names);
    let path = folder.join("hostile.glb");
    std::fs::write(&path, gltf.to_glb()).unwrap();
    path
}

fn sinew(arguments: &[&str], file: &Path) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).arg(arguments[0]).arg(file).args(&arguments[1..]).output().unwrap()
}

/// Asserts that no line is long, and that the output has no control characters except line breaks.
fn assert_is_safe(output: &[u8]) {
    let text = std::str::from_utf8(output).unwrap();
    let unsafe_char = text.chars().find(|&char| char != '\n' && (char.is_control() || char == '\u{202e}'));
    assert_eq!(unsafe_char, None, "{text:.2000}");
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(longest < 10_000, "a line of {longest} characters");
    assert!(!text.contains("panicked"), "{text:.2000}");
}

#[test]
fn inspect_escapes_and_shortens_names() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(&["inspect"], &write_hostile(folder.path()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_is_safe(&output.stdout);
    assert_is_safe(&output.stderr);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("more characters)") && text.contains("\\u{1b}[31mred\\r\\nsecond line\\u{202e}"), "{text}");
}

#[test]
fn check_escapes_and_shortens_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_hostile(folder.path());
    for profile in ["generic", "unreal", "unity", "godot", "three"] {
        let output = sinew(&["check", "--profile", profile], &file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_is_safe(&output.stdout);
        assert_is_safe(&output.stderr);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("NO_MOTION") && text.contains("[31mred"), "{text}");
        let output = sinew(&["check", "--json", "--profile", profile], &file);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["profile"], profile);
        assert!(output.stdout.len() < 100_000, "{} bytes", output.stdout.len());
    }
}

#[test]
fn inspect_prints_whole_names_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(&["inspect", "--json"], &write_hostile(folder.path()));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = names();
    assert!(report["animations"].as_array().unwrap().iter().map(|animation| &animation["name"]).eq(&names), "names are cut or changed");
}

#[test]
fn pose_and_its_errors_survive_hostile_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_hostile(folder.path());
    for name in ["0", "1", &names()[1]] {
        let output = sinew(&["pose", "--animation", name], &file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap();
    }
    let output = sinew(&["pose", "--animation", "missing\u{1b}[31m"], &file);
    assert_eq!(output.status.code(), Some(1));
    assert_is_safe(&output.stderr);
}

#[test]
fn bench_survives_hostile_names() {
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(&["bench", "--frames", "1", "--size", "16x16"], &write_hostile(folder.path()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_is_safe(&output.stdout);
}

#[test]
fn render_draws_hostile_names() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("out.png");
    let arguments = ["render", "-o", picture.to_str().unwrap(), "--overlay", "names,skeleton", "--size", "64x64"];
    let output = sinew(&arguments, &write_hostile(folder.path()));
    if String::from_utf8_lossy(&output.stderr).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_is_safe(&output.stderr);
    assert!(picture.exists());
}
