//! Tests `sinew diff`, `sinew check` and `--animations` with odd characters: without a skin, with two skins, with joints in another order,
//! with missing joints, with 300 joints, with a motion of ten minutes, with other names, and with another size.

use std::path::Path;

use assert_cmd::Command;
use glam::DVec3;
use serde_json::Value;

use crate::common::odd_rigs::{Character, odd};

/// Writes the plain character and the odd ones. Returns each odd character with its description and its file name.
fn write(folder: &Path) -> Vec<(&'static str, Character, String)> {
    std::fs::write(folder.join("plain.glb"), Character::default().gltf().to_glb()).unwrap();
    let file = |(number, (what, character)): (usize, (&'static str, Character))| {
        let name = format!("odd{number}.glb");
        std::fs::write(folder.join(&name), character.gltf().to_glb()).unwrap();
        (what, character, name)
    };
    odd().into_iter().enumerate().map(file).collect()
}

/// The JSON that a command prints. Asserts that the command exits with 0, or with 3 for differences.
fn json(folder: &Path, args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(args).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 3)), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn each_odd_character_equals_itself_and_differs_from_the_plain_one_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    for (what, odd, file) in write(folder.path()) {
        let same = json(folder.path(), &["diff", &file, &file, "--json"]);
        assert_eq!((same["distance_max"].as_f64(), same["angle_max"].as_f64()), (Some(0.0), Some(0.0)), "{what}");
        assert_eq!((&same["within_tolerance"], &same["differences"]), (&true.into(), &Value::Array(Vec::new())), "{what}");

        let found = json(folder.path(), &["diff", "plain.glb", &file, "--json"]);
        let unmatched = ["a", "b"].map(|side| found["unmatched"][side].as_array().unwrap().len());
        let distance = found["distance_max"].as_f64().unwrap();
        // The plain character has 19 joints and a body.
        let expected = match what {
            "no skin" => [1, 0],
            "two skins" => [0, 1],
            "missing joints" => [3, 0],
            "300 joints" => [0, 281],
            _ => [0, 0],
        };
        assert_eq!(unmatched, expected, "{what}");
        let moves_alike = odd.duration == 1.0 && odd.size == 1.0 && odd.missing.is_empty();
        assert!(if moves_alike { distance < 1e-6 } else { distance > 0.01 }, "{what}: {distance}");
        // No character lacks an ancestor of the foot, so the foot moves as in the plain one unless the duration or the size differs.
        let foot = odd.node("leftFoot");
        let joints = found["joints"].as_array().unwrap();
        let foot = joints.iter().find(|joint| joint["b"] == foot).unwrap_or_else(|| panic!("{what}: the foot is not compared"));
        let alike = odd.duration == 1.0 && odd.size == 1.0;
        assert!(!alike || foot["distance_max"].as_f64().unwrap() < 1e-6, "{what}: {foot}");
    }
}

#[test]
fn each_odd_character_is_checked_with_every_profile() {
    let folder = tempfile::tempdir().unwrap();
    for (what, _, file) in write(folder.path()) {
        for profile in ["generic", "unreal", "unity", "godot", "three"] {
            // The animation of ten minutes is checked with one profile only, because its sampled motion is the same for all profiles.
            if what == "10 minutes" && profile != "unreal" {
                continue;
            }
            let report = json(folder.path(), &["check", &file, "--json", "--profile", profile]);
            let findings = report["findings"].as_array().unwrap();
            assert!(findings.len() < 20, "{what}, {profile}: {findings:?}");
            let codes: Vec<_> = findings.iter().filter_map(|finding| finding["code"].as_str()).collect();
            assert_eq!(codes.contains(&"PROFILE_JOINTS"), what == "300 joints" && profile == "unreal", "{what}, {profile}: {codes:?}");
            let colons = what == "Mixamo's names" && ["godot", "three"].contains(&profile);
            assert_eq!(codes.contains(&"PROFILE_NAMES"), colons, "{what}, {profile}: {codes:?}");
        }
    }
}

/// The global position of a node.
fn place(pose: &Value, node: usize) -> DVec3 {
    let nodes = pose["samples"][0]["nodes"].as_array().unwrap();
    let global = &nodes.iter().find(|entry| entry["node"] == node).unwrap()["global"];
    DVec3::from_array([12, 13, 14].map(|at: usize| global[at].as_f64().unwrap()))
}

#[test]
fn each_odd_character_and_the_plain_one_can_play_the_walk_of_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let plain = Character::default();
    for (what, odd, file) in write(folder.path()) {
        for (model, source, from, to) in [("plain.glb", file.as_str(), &odd, &plain), (file.as_str(), "plain.glb", &plain, &odd)] {
            let own = json(folder.path(), &["pose", source, "--animation", "0", "--time", "0.3"]);
            let carried = json(folder.path(), &["pose", model, "--animations", source, "--animation", "1", "--time", "0.3"]);
            for (upper, lower) in [("leftUpperArm", "leftLowerArm"), ("rightUpperLeg", "rightLowerLeg"), ("leftLowerLeg", "leftFoot")] {
                let direction = |pose: &Value, of: &Character| (place(pose, of.node(lower)) - place(pose, of.node(upper))).normalize();
                let off = direction(&own, from).angle_between(direction(&carried, to)).to_degrees();
                assert!(off < 0.1, "{what}: {lower} of {model} is {off} degrees off");
            }
            // The distance that the hips walk is proportional to their height.
            let hips = |pose: &Value, of: &Character| place(pose, of.node("hips")) / f64::from(of.size);
            let apart = hips(&own, from).distance(hips(&carried, to));
            assert!(apart < 2e-3, "{what}: the hips of {model} are {apart} off");
        }
    }
}
