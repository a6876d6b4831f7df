//! Tests that text from files, and names of files, cannot control the terminal that shows the output of a command. Text output escapes
//! unsafe characters like `\u{1b}`, JSON like `\u001b`.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use sinew::model::label::is_unsafe;

use crate::common::gltf_builder::{skinned_triangle, triangle};
#[cfg(unix)]
use crate::common::skip::skip_outside_ci;

/// A name with characters of all kinds that a terminal may interpret.
const NAME: &str = "a\u{1b}[31m\u{7f}\u{9b}2J\u{200f}\u{2028}\u{202e}\u{2066}\u{206a}\u{fff9}\u{e0041}z";

/// Runs the program, and asserts that stdout and stderr have no unsafe characters except line breaks.
fn sinew(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let assert = Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).assert();
    for output in [&assert.get_output().stdout, &assert.get_output().stderr] {
        let text = String::from_utf8_lossy(output);
        assert_eq!(text.chars().find(|&char| char != '\n' && is_unsafe(char)), None, "{arguments:?}: {text:?}");
    }
    assert
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// Writes a skinned triangle whose strings are all hostile, with an animation that moves a joint to `height`.
fn write_hostile(folder: &Path, file: &str, height: f32) -> String {
    let mut gltf = skinned_triangle();
    let moves = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, height, 0.0]);
    gltf.animation(&[(2, "translation", "LINEAR", &[0.0, 1.0], moves)]);
    for kind in ["nodes", "meshes", "skins", "scenes", "animations"] {
        for object in gltf.json[kind].as_array_mut().unwrap() {
            object["name"] = json!(NAME);
        }
    }
    gltf.json["asset"]["generator"] = json!(NAME);
    gltf.json["extensionsUsed"] = json!([NAME]);
    let path = folder.join(file);
    std::fs::write(&path, gltf.to_glb()).unwrap();
    path.display().to_string()
}

#[test]
fn usage_errors_escape_the_arguments_that_they_quote() {
    for (arguments, escaped) in [
        (&["inspect", "--\u{9b}31mx.glb"][..], "'--\\u{9b}31mx"),
        (&["pose", "x", "--scene", "\u{202e}"], "'\\u{202e}'"),
        (&["inspect", "x", "--a\nb"], "'--a\\nb'"),
    ] {
        let said = stderr(&sinew(arguments).failure());
        assert!(said.contains(escaped), "{said}");
    }
}

#[test]
fn inspect_escapes_the_version() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    gltf.json["asset"]["version"] = json!("2.0\u{1b}[31m\n");
    let path = folder.path().join("version.gltf");
    std::fs::write(&path, gltf.to_gltf()).unwrap();
    let output = sinew(&["inspect", path.to_str().unwrap()]).success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("glTF 2.0\\u{1b}[31m\\n, "), "{text}");
}

#[test]
fn json_output_escapes_unsafe_characters_and_keeps_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let a = write_hostile(folder.path(), "a.glb", 1.0);
    let b = write_hostile(folder.path(), "b.glb", 2.0);
    let json = |arguments: &[&str]| serde_json::from_slice::<Value>(&sinew(arguments).get_output().stdout.clone()).unwrap();
    let inspected = json(&["inspect", &a, "--json"]);
    assert_eq!((&inspected["generator"], &inspected["animations"][0]["name"]), (&json!(NAME), &json!(NAME)));
    assert_eq!(json(&["diff", &a, &b, "--json"])["joints"][0]["name"], json!(NAME));
    assert_eq!(json(&["check", &a, "--json"])["schema"], 1);
    assert_eq!(json(&["pose", &a, "--animation", NAME])["samples"][0]["animation"], 0);
    assert_eq!(json(&["bench", &a, "--frames", "1", "--size", "16x16", "--json"])["file"], json!(a));
}

/// Windows does not allow such names.
#[test]
#[cfg(unix)]
fn names_of_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let still = folder.path().join(format!("still {NAME}.glb")).display().to_string();
    std::fs::write(&still, triangle().to_glb()).unwrap();
    let moving = write_hostile(folder.path(), &format!("moving {NAME}.glb"), 1.0);
    let escaped = "a\\u{1b}[31m\\u{7f}\\u{9b}2J\\u{200f}\\u{2028}\\u{202e}\\u{2066}\\u{206a}\\u{fff9}\\u{e0041}z.glb";
    let said = stderr(&sinew(&["diff", &moving, &still]));
    assert!(said.contains("note: ") && said.contains(&format!("still {escaped} has no animations")), "{said}");
    for command in [&["inspect"][..], &["inspect", "--json"], &["pose"], &["check"], &["check", "--json"], &["diff", "--json", &still]] {
        sinew(&[command, &[&moving]].concat());
    }

    let out = folder.path().join(format!("out {NAME}"));
    let pictures = out.join("%d.png").display().to_string();
    let render = ["render", &moving, "-o", &pictures, "--animation", "0", "--fps", "4", "--size", "16x16"];
    let rendered = sinew(&[&render[..], &["--compare", &still]].concat());
    if stderr(&rendered).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&rendered.success());
    assert!(said.contains(&format!("still {escaped} has no counterpart of animation")), "{said}");
    let said = stderr(&sinew(&[&render[..], &["--range", "0..0.5"]].concat()).success());
    assert!(said.contains("older frames remain") && said.contains("out a\\u{1b}"), "{said}");
}
