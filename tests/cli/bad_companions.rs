//! Tests `diff` and `--animations` with a second file that is of no use: it is broken, has no animations, or has the same name on thousands
//! of joints. The commands must say so in one line.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::common::gltf_builder::Gltf;
use crate::common::odd_rigs::Character;

/// The exit code and both outputs of a command.
struct Outcome {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

impl Outcome {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }
}

/// Runs the program in a folder.
fn sinew(folder: &Path, args: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(args).output().unwrap();
    Outcome { code: output.status.code(), stdout: output.stdout, stderr: String::from_utf8_lossy(&output.stderr).into_owned() }
}

/// A folder with the plain character as "model.glb".
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.glb"), Character::default().gltf().to_glb()).unwrap();
    folder
}

/// A chain of joints that all have this name. The last is animated.
fn namesakes(count: usize, name: &str) -> Gltf {
    let mut gltf = Gltf::new();
    for joint in 0..count {
        let mut node = json!({ "name": name, "translation": [0.0, 0.01, 0.0] });
        if joint + 1 < count {
            node["children"] = json!([joint + 1]);
        }
        gltf.push("nodes", node);
    }
    gltf.push("scenes", json!({ "nodes": [0] }));
    gltf.push("skins", json!({ "joints": (0..count).collect::<Vec<_>>() }));
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8]);
    gltf.animation(&[(count - 1, "rotation", "LINEAR", &[0.0, 1.0], turns)]);
    gltf
}

#[test]
fn a_broken_second_file_is_named_in_one_line() {
    let folder = folder();
    let whole = Character::default().gltf().to_glb();
    let broken: [(&str, &[u8]); 5] = [
        ("empty.glb", b""),
        ("text.gltf", b"not a model"),
        ("bare.gltf", b"{}"),
        ("half.glb", &whole[..whole.len() / 2]),
        ("endless.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff"),
    ];
    for (file, bytes) in broken {
        std::fs::write(folder.path().join(file), bytes).unwrap();
    }
    std::fs::create_dir(folder.path().join("folder.glb")).unwrap();
    for file in broken.map(|(file, _)| file).into_iter().chain(["folder.glb", "missing.glb"]) {
        for args in [&["diff", "model.glb", file][..], &["diff", file, "model.glb"], &["pose", "model.glb", "--animations", file]] {
            let Outcome { code, stdout, stderr } = sinew(folder.path(), args);
            assert_eq!((code, stdout.len()), (Some(1), 0), "{args:?}: {stderr}");
            assert!(stderr.starts_with("error: ") && stderr.contains(file) && stderr.lines().count() == 1, "{args:?}: {stderr}");
        }
    }
    assert_eq!(std::fs::read(folder.path().join("model.glb")).unwrap(), whole, "the first file is untouched");
}

#[test]
fn a_second_file_without_animations_is_compared_at_rest_and_lends_nothing() {
    let folder = folder();
    let mut still = Character::default().gltf();
    still.json.as_object_mut().unwrap().remove("animations");
    std::fs::write(folder.path().join("still.glb"), still.to_glb()).unwrap();
    for files in [["model.glb", "still.glb"], ["still.glb", "model.glb"]] {
        let found = sinew(folder.path(), &["diff", files[0], files[1], "--json"]);
        assert_eq!(found.stderr, "note: still.glb has no animations; comparing the rest poses\n");
        let json = found.json();
        assert_eq!((json["distance_max"].as_f64(), json["samples"].as_u64()), (Some(0.0), Some(1)), "{json}");
        // That the animation is missing is a difference by itself. Only an animation that B lost exceeds the tolerance.
        assert!(!json["differences"].as_array().unwrap().is_empty());
        let (code, exceeded) = if files[0] == "model.glb" { (3, json!(["LOST_ANIMATION"])) } else { (0, json!([])) };
        assert_eq!((found.code, &json["exceeded"]), (Some(code), &exceeded), "{json}");
    }
    let own = sinew(folder.path(), &["pose", "model.glb", "--animation", "0", "--time", "0.4"]);
    let lent = sinew(folder.path(), &["pose", "model.glb", "--animations", "still.glb", "--animation", "0", "--time", "0.4"]);
    assert_eq!((lent.code, lent.stderr.as_str()), (Some(0), "note: still.glb: it has no animations\n"));
    assert_eq!(own.json()["samples"], lent.json()["samples"]);
}

#[test]
fn two_thousand_joints_of_one_name_are_ambiguous() {
    let folder = folder();
    for (file, name) in [("bones.glb", "Bone"), ("hips.glb", "hips"), ("nameless.glb", "")] {
        std::fs::write(folder.path().join(file), namesakes(2000, name).to_glb()).unwrap();
        let same = sinew(folder.path(), &["diff", file, file, "--json"]);
        assert_eq!((same.code, same.json()["distance_max"].as_f64()), (Some(0), Some(0.0)), "{name}");
        let found = sinew(folder.path(), &["diff", "model.glb", file, "--json"]);
        assert_eq!(found.code, Some(3), "{name}: {}", found.stderr);
        let unmatched = found.json()["unmatched"]["b"].as_array().unwrap().len();
        assert!(unmatched >= 1999, "{name}: {unmatched}");

        let own = sinew(folder.path(), &["pose", "model.glb", "--animation", "0", "--time", "0.4"]);
        let lent = sinew(folder.path(), &["pose", "model.glb", "--animations", file, "--animation", "0", "--time", "0.4"]);
        assert_eq!(lent.code, Some(0), "{name}: {}", lent.stderr);
        assert_eq!(lent.stderr, format!("note: {file}: its animated node has no counterpart in the model\n"));
        assert_eq!(own.json()["samples"], lent.json()["samples"], "{name}: the model's own animation is untouched");
    }
    // The joints are ambiguous even if the model itself has the same 2000 joints.
    std::fs::copy(folder.path().join("bones.glb"), folder.path().join("more.glb")).unwrap();
    let lent = sinew(folder.path(), &["pose", "bones.glb", "--animations", "more.glb", "--animation", "0", "--time", "1"]);
    assert_eq!(lent.code, Some(0), "{}", lent.stderr);
    assert_eq!(lent.stderr, "note: more.glb: its animated node has no counterpart in the model\n");
}

#[test]
fn a_folder_instead_of_a_file_is_named_in_the_error() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("models")).unwrap();
    let commands: [&[&str]; 6] = [
        &["render", "models", "-o", "a.png"],
        &["render", "model.glb", "models", "--sheet", "-o", "a.png"],
        &["pose", "models"],
        &["pose", "model.glb", "--animations", "models"],
        &["diff", "model.glb", "models"],
        &["thumbnail", "models", "a.png"],
    ];
    for args in commands {
        let Outcome { code, stderr, .. } = sinew(folder.path(), args);
        assert_eq!(code, Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains("models is a folder, not a file") && stderr.lines().count() == 1, "{args:?}: {stderr}");
    }
    assert!(!folder.path().join("a.png").exists());
}
