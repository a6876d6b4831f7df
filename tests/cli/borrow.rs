//! Tests `--animations`: the animations of other files play on a model.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::gltf_builder::Gltf;
use crate::common::skip::skip_outside_ci;

fn sinew(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(args).assert()
}

/// A chain of two named nodes, and named animations. Each animation turns the second node about Z from rest to (0, 0, 0.6, 0.8).
fn chain(names: [&str; 2], animations: &[&str]) -> Gltf {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({ "name": names[0], "children": [1] }));
    gltf.push("nodes", json!({ "name": names[1], "translation": [0.0, 1.0, 0.0] }));
    gltf.push("scenes", json!({ "nodes": [0] }));
    for name in animations {
        let output = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8]);
        let animation = gltf.animation(&[(1, "rotation", "LINEAR", &[0.0, 1.0], output)]);
        gltf.json["animations"][animation]["name"] = (*name).into();
    }
    gltf
}

fn write(folder: &TempDir, name: &str, gltf: &Gltf) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, gltf.to_glb()).unwrap();
    path
}

fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "model.glb", &chain(["Hips", "Arm"], &["Own"]));
    write(&folder, "one.glb", &chain(["rig:Hips", "rig:Arm"], &["Wave", "Nod"]));
    write(&folder, "two.glb", &chain(["Hips", "Tail"], &["Wag"]));
    folder
}

fn pose(folder: &TempDir, args: &[&str]) -> (Value, String) {
    let done = sinew(folder.path(), &[&["pose", "model.glb"], args].concat()).success();
    let output = done.get_output();
    (serde_json::from_slice(&output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn animations_of_other_files_are_numbered_after_the_models_own_and_found_by_name() {
    let folder = files();
    let (by_number, notes) = pose(&folder, &["--animations", "one.glb", "--animation", "2", "--time", "1"]);
    assert_eq!(notes, "");
    let (by_name, _) = pose(&folder, &["--animation", "Nod", "--time", "1", "--animations", "one.glb", "two.glb"]);
    for output in [by_number, by_name] {
        let sample = &output["samples"][0];
        assert_eq!(sample["animation"], 2);
        // The sine of half the angle is 0.6. That gives the whole angle a sine of 0.96.
        let sine = sample["nodes"][1]["local"][1].as_f64().unwrap();
        assert!((sine - 0.96).abs() < 1e-6, "{sine}");
    }
}

#[test]
fn a_note_says_what_is_not_bound() {
    let folder = files();
    let (output, notes) = pose(&folder, &["--animations", "two.glb", "--animation", "Wag", "--time", "1"]);
    assert_eq!(output["samples"][0]["animation"], 1);
    assert_eq!(notes, "note: two.glb: its animated node has no counterpart in the model\n");
}

/// A chain with one material, whose animations drive its emissive factor.
fn glowing(animations: &[&str]) -> Gltf {
    let mut gltf = chain(["Hips", "Arm"], animations);
    gltf.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    gltf.push("materials", json!({}));
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let input = gltf.floats("SCALAR", &[0.0, 1.0]);
    let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": "/materials/0/emissiveFactor" } } });
    if animations.is_empty() {
        gltf.push("animations", json!({ "name": "Glow", "channels": [], "samplers": [] }));
    }
    let animation = &mut gltf.json["animations"][0];
    let sampler = animation["samplers"].as_array().unwrap().len();
    animation["samplers"].as_array_mut().unwrap().push(json!({ "input": input, "output": output }));
    animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": sampler, "target": target }));
    gltf
}

#[test]
fn a_note_lists_the_properties_whose_animations_are_left_out() {
    let folder = files();
    write(&folder, "both.glb", &glowing(&["Wave"]));
    write(&folder, "only.glb", &glowing(&[]));
    let (_, notes) = pose(&folder, &["--animations", "both.glb", "--animation", "Wave"]);
    assert_eq!(notes, "note: both.glb: the animations of these properties are left out: /materials/0/emissiveFactor\n");
    let (_, notes) = pose(&folder, &["--animations", "only.glb", "--animation", "Glow"]);
    let expected = [
        "note: only.glb: these animations move nothing of the model: Glow\n",
        "note: only.glb: the animations of these properties are left out: /materials/0/emissiveFactor\n",
    ];
    assert_eq!(notes, expected.concat());
}

#[test]
fn a_view_file_binds_nodes_by_hand() {
    let folder = files();
    let view = json!({ "animation": 1, "retarget": [{ "pairs": { "Tail": "Arm" } }] });
    std::fs::write(folder.path().join("view.json"), view.to_string()).unwrap();
    let (output, notes) = pose(&folder, &["--animations", "two.glb", "--state", "view.json", "--time", "1"]);
    assert_eq!(notes, "");
    assert!((output["samples"][0]["nodes"][1]["local"][1].as_f64().unwrap() - 0.96).abs() < 1e-6);
}

#[test]
fn a_broken_file_is_an_error_that_names_it_once() {
    let folder = files();
    std::fs::write(folder.path().join("broken.glb"), b"nothing of the kind").unwrap();
    for file in ["broken.glb", "missing.glb"] {
        let failed = sinew(folder.path(), &["pose", "model.glb", "--animations", "one.glb", file]).code(1);
        let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(said.starts_with("error: ") && said.matches(file).count() == 1 && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn an_animation_number_that_is_too_large_is_an_error() {
    let folder = files();
    let failed = sinew(folder.path(), &["pose", "model.glb", "--animations", "one.glb", "--animation", "3"]).code(1);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(said.contains("no animation 3; the file has 3"), "{said}");
}

#[test]
fn a_file_compared_with_itself_by_another_path_also_has_the_borrowed_animations() {
    let folder = files();
    let render = ["render", "model.glb", "-o", "a.png", "--size", "32x16", "--animations", "one.glb", "--animation", "Wave"];
    let compared = sinew(folder.path(), &[&render[..], &["--compare", "./model.glb", "--compare-animation", "Nod"]].concat());
    if String::from_utf8_lossy(&compared.get_output().stderr).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    compared.success();
}
