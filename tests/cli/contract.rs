//! Runs the command line as a process and tests the contract that other tools rely on.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

use std::path::Path;

use assert_cmd::Command;

use crate::common::gltf_builder::triangle;
use crate::common::skip::skip_outside_ci;

fn sinew(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).assert()
}

fn sample() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb").display().to_string()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = sinew(args).success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("JSON on stdout")
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn a_missing_file_prints_one_line_on_stderr_and_exits_1() {
    let failed = sinew(&["pose", "not-there.glb"]).code(1);
    let said = stderr(&failed);
    assert!(said.starts_with("error: ") && said.contains("not-there.glb") && said.trim_end().lines().count() == 1, "{said}");
    assert!(failed.get_output().stdout.is_empty());
}

#[test]
fn every_error_message_names_its_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let (broken, missing) = (folder.path().join("broken.glb"), folder.path().join("missing.glb"));
    std::fs::write(&broken, b"nothing of the kind").unwrap();
    for file in [broken.to_str().unwrap(), missing.to_str().unwrap()] {
        for command in [&["pose"][..], &["inspect"], &["bench"], &["render", "-o", "unwritten.png"]] {
            let said = stderr(&sinew(&[command, &[file]].concat()).code(1));
            assert!(said.starts_with("error: ") && said.matches(file).count() == 1, "{command:?}: {said}");
        }
    }
    let said = stderr(&sinew(&["pose", &sample(), "--animation", "no such"]).code(1));
    assert!(said.starts_with(&format!("error: {}: ", sample())), "{said}");
}

#[test]
fn the_help_lists_what_a_custom_camera_needs() {
    let help = String::from_utf8(sinew(&["render", "--help"]).success().get_output().stdout.clone()).unwrap();
    assert!(help.contains("needs --target and --yfov"), "{help}");
    let said = stderr(&sinew(&["render", "a.glb", "-o", "a.png", "--eye", "1,2,3"]).code(2));
    assert!(said.contains("--target") && said.contains("--yfov") && said.contains("--focal-length"), "{said}");
}

#[test]
fn wrong_usage_exits_2_and_names_the_fault() {
    for (args, fault) in [
        (&["render"][..], "--output <OUT>"),
        (&["render", "a.glb", "-o", "a.png", "--size", "0x5"], "'0x5' for '--size"),
        (&["render", "a.glb", "-o", "a.png", "--size", "20000x5"], "'20000x5' for '--size"),
        (&["render", "a.glb", "-o", "a.png", "--msaa", "3"], "'--msaa <1|4>': expected 1 or 4"),
        (&["render", "a.glb", "-o", "a.png", "--supersample", "5"], "'--supersample"),
        (&["render", "a.glb", "-o", "a.png", "--eye", "1,2", "--target", "0,0,0", "--yfov", "40"], "'1,2' for '--eye"),
        (&["render", "a.glb", "-o", "a.png", "--eye", "1,2,3", "--yfov", "40"], "--target"),
        (
            &["render", "a.glb", "-o", "a.png", "--eye", "1,2,3", "--target", "0,0,0", "--yfov", "40", "--focal-length", "50"],
            "'--yfov <DEGREES>' cannot be used with '--focal-length",
        ),
        (&["render", "a.glb", "-o", "a.png", "--eye", "1,2,3", "--target", "0,0,0", "--focal-length", "0"], "'0' for '--focal-length"),
        (&["render", "a.glb", "-o", "a.png", "--focal-length", "50"], "--eye"),
        (&["render", "a.glb", "-o", "a.png", "--background", "12345"], "'--background <RRGGBB>': expected six"),
        (
            &["render", "a.glb", "-o", "a.png", "--background", "123456", "--transparent"],
            "'--background <RRGGBB>' cannot be used with '--transparent'",
        ),
        (&["pose", "a.glb", "--times", "x"], "'x' for '--times"),
        (&["pose", "a.glb", "--times", "0,nan"], "'nan' for '--times"),
        (&["pose", "a.glb", "--time", "nan"], "'nan' for '--time "),
        (&["pose", "a.glb", "--time", "0,1"], "'0,1' for '--time "),
        (&["pose", "a.glb", "--time", "0", "--times", "1"], "'--time <S>' cannot be used with '--times"),
        (&["render", "a.glb", "-o", "a.png", "--time", "nan"], "'nan' for '--time "),
        (&["render", "a.glb", "-o", "a.png", "--eye", "1,2,3", "--target", "0,0,0", "--yfov", "400"], "'400' for '--yfov"),
        (
            &["render", "a.glb", "-o", "a.png", "--eye", "5,5,5", "--target", "5,5,5", "--yfov", "40"],
            "--eye and --target are the same point",
        ),
        (
            &["render", "a.glb", "-o", "a.png", "--eye", "1,2,3", "--target", "0,0,0", "--yfov", "40", "--up", "0,0,0"],
            "--up must have a direction",
        ),
        (&["pose", "a.glb", "--vertices", "some"], "'--vertices <all"),
        (&["inspect", "a.glb", "--fail-on", "never"], "'--fail-on"),
        (&["--speed", "fast"], "'--speed"),
        (&["inpsect", "a.glb"], "\"inpsect\""),
        (&["inspect", "a.glb", "--image-limit", "0"], "'--image-limit"),
        (&["bench", "a.glb", "--instances", "0"], "'0' for '--instances"),
        (&["bench", "a.glb", "--instances", "100001"], "'100001' for '--instances"),
        (&["bench", "a.glb", "--frames", "0"], "'--frames"),
    ] {
        let said = stderr(&sinew(args).code(2));
        // The advice below the message names flags, too.
        let message = said.split("\nUsage:").next().unwrap();
        assert!(message.starts_with("error: ") && message.contains(fault), "{args:?}: {said}");
    }
}

#[test]
fn pose_prints_every_node_by_the_files_own_index() {
    let pose = json(&["pose", &sample(), "--animation", "0", "--times", "-0.5,0,0.25,1e9", "--vertices", "0,3,99999999"]);
    let samples = pose["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 4);
    let report = json(&["inspect", &sample(), "--json"]);
    for sample in samples {
        assert_eq!(sample["animation"], 0);
        let nodes = sample["nodes"].as_array().unwrap();
        assert_eq!(nodes.len() as u64, report["nodes"].as_u64().unwrap());
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(node["node"].as_u64().unwrap() as usize, index);
            assert_eq!((node["local"].as_array().unwrap().len(), node["global"].as_array().unwrap().len()), (16, 16));
        }
        for skin in sample["skins"].as_array().unwrap() {
            assert_eq!(skin["joints"].as_array().unwrap().len(), skin["matrices"].as_array().unwrap().len());
            assert_eq!(skin["matrices"][0].as_array().unwrap().len(), 12);
        }
        for primitive in sample["primitives"].as_array().unwrap() {
            assert_eq!(primitive["vertices"], serde_json::json!([0, 3]), "a vertex that is not there is left out");
            assert_eq!(primitive["positions"].as_array().unwrap().len(), 2);
        }
        assert_eq!(sample["pointers"], serde_json::json!({}));
    }
    assert_eq!(samples[0]["nodes"], samples[1]["nodes"], "before the first key, the first value is used");
    assert_ne!(samples[1]["nodes"], samples[2]["nodes"]);
}

#[test]
fn without_an_animation_pose_prints_the_rest_pose() {
    let pose = json(&["pose", &sample()]);
    assert_eq!(pose["samples"][0]["animation"], serde_json::Value::Null);
    assert_eq!(pose["samples"][0]["time"], 0.0);
    assert!(pose["samples"][0].get("primitives").is_none());
}

#[test]
fn pose_takes_a_single_time_as_render_does() {
    for time in ["0.3", "-1"] {
        let args = |flag| ["pose", &sample(), "--animation", "0", flag, time].map(str::to_owned);
        let [one, many] = ["--time", "--times"].map(|flag| json(&args(flag).each_ref().map(String::as_str)));
        assert_eq!(one, many);
        assert_eq!(one["samples"].as_array().unwrap().len(), 1);
    }
    let help = String::from_utf8(sinew(&["pose", "--help"]).success().get_output().stdout.clone()).unwrap();
    assert!(help.contains("--time <S>"), "{help}");
}

#[test]
fn pose_notes_times_if_nothing_moves() {
    let notes = |flags: &[&str]| stderr(&sinew(&[&["pose", &sample()], flags].concat()).success());
    assert_eq!(notes(&["--times", "0,0.5"]), "note: --times has no effect: nothing moves; use --animation\n");
    assert_eq!(notes(&["--time", "0.5"]), "note: --time has no effect: nothing moves; use --animation\n");
    assert_eq!(notes(&[]), "");
    assert_eq!(notes(&["--time", "0.5", "--animation", "0"]), "");
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    std::fs::write(&state, r#"{"layers": [{"animation": 1}]}"#).unwrap();
    assert_eq!(notes(&["--time", "0.5", "--state", state.to_str().unwrap()]), "");
    std::fs::write(&state, r#"{"animation": 1, "bind_pose": true}"#).unwrap();
    let flags = ["--time", "0.5", "--state", state.to_str().unwrap()];
    assert_eq!(notes(&flags), "note: --time has no effect: the view shows the bind pose; use --animation\n");
    let pose = json(&[&["pose", &sample()], &flags[..]].concat());
    assert_eq!(pose["samples"][0]["animation"], serde_json::Value::Null);
}

#[test]
fn a_view_file_with_nodes_that_the_file_does_not_have_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    let count = json(&["inspect", &sample(), "--json"])["nodes"].as_u64().unwrap();
    for (node, code) in [(count - 1, 0), (count, 1)] {
        for (key, view) in [
            ("selection", serde_json::json!({"selection": [0, node]})),
            ("follow", serde_json::json!({"follow": node})),
            ("switches", serde_json::json!({"switches": {node.to_string(): {"animated": {"on": false}}}})),
            ("morphs", serde_json::json!({"morphs": {node.to_string(): {}}})),
            ("mask", serde_json::json!({"layers": [{"mask": [node]}]})),
        ] {
            std::fs::write(&state, view.to_string()).unwrap();
            let said = stderr(&sinew(&["pose", &sample(), "--state", state.to_str().unwrap()]).code(code));
            let expected = format!("{key}: no node {node}; the file has {count}");
            assert_eq!(said.contains(&expected), code == 1, "{key} {node}: {said}");
        }
    }
}

#[test]
fn a_view_file_with_morph_targets_that_the_node_does_not_have_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    // In the sample, the mesh of node 51 has five morph targets, and node 0 has no mesh.
    for (node, target, expected) in [(51, 4, None), (51, 5, Some("it has 5")), (0, 0, Some("it has 0"))] {
        std::fs::write(&state, format!("{{\"morphs\": {{\"{node}\": {{\"{target}\": 1}}}}}}")).unwrap();
        let run = sinew(&["pose", &sample(), "--state", state.to_str().unwrap()]);
        match expected {
            None => assert_eq!(stderr(&run.success()), ""),
            Some(count) => assert!(stderr(&run.code(1)).contains(&format!("morphs: no morph target {target} of node {node}; {count}"))),
        }
    }
}

#[test]
fn a_saved_range_after_the_end_of_the_animation_is_refused_like_that_of_the_flag() {
    let folder = tempfile::tempdir().unwrap();
    let (state, out) = (folder.path().join("view.json"), folder.path().join("out.gif").display().to_string());
    let run = |command: &[&str], view: &str| {
        std::fs::write(&state, view).unwrap();
        sinew(&[command, &[&sample(), "--state", state.to_str().unwrap()]].concat())
    };
    let duration = json(&["inspect", &sample(), "--json"])["animations"][1]["duration"].as_f64().unwrap();
    let end = format!("starts at 50 s, after the end of the animation at {duration:.3} s");
    for (view, what) in [
        (r#"{"animation": 1, "range": [50, 60]}"#, "the range of the view"),
        (r#"{"layers": [{}, {"animation": 1, "range": [50, 60]}]}"#, "layer 1: the range"),
    ] {
        let said = stderr(&run(&["pose"], view).code(1));
        assert!(said.contains(&format!("{what} {end}")), "{said}");
    }
    let longer = stderr(&run(&["pose"], r#"{"animation": 1, "range": [0, 60]}"#).success());
    assert_eq!(longer, format!("note: the range of the view has been cut to the end of the animation, {duration:.3} s\n"));
    // Without a chosen animation, and with another range or animation, the saved range has no effect.
    for flags in [&["--animation", "0"][..], &["--animation", "1"]] {
        run(&[&["pose"], flags].concat(), r#"{"animation": 1, "range": [50, 60]}"#).success();
    }
    run(&["pose"], r#"{"range": [50, 60]}"#).success();
    let render = ["render", "--size", "16x16", "--fps", "5", "-o", &out];
    let refused = run(&[&render[..], &["--animation", "1", "--range", "50..60"]].concat(), "{}");
    if stderr(&refused).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&refused.code(1));
    assert!(said.contains(&format!("--range {end}")), "{said}");
    run(&[&render[..], &["--range", "0..0.4"]].concat(), r#"{"animation": 1, "range": [50, 60]}"#).success();
}

#[test]
fn a_view_file_with_a_playlist_of_animations_that_the_file_does_not_have_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    let count = json(&["inspect", &sample(), "--json"])["animations"].as_array().unwrap().len();
    for (animation, code) in [(count - 1, 0), (count, 1)] {
        std::fs::write(&state, serde_json::json!({"playlist": [0, animation]}).to_string()).unwrap();
        let said = stderr(&sinew(&["pose", &sample(), "--state", state.to_str().unwrap()]).code(code));
        assert_eq!(said.contains(&format!("playlist: no animation {animation}; the file has {count}")), code == 1, "{said}");
    }
}

#[test]
fn animations_are_chosen_by_number_or_name_and_a_wrong_name_lists_them() {
    let report = json(&["inspect", &sample(), "--json"]);
    let name = report["animations"][1]["name"].as_str().unwrap().to_owned();
    let by_name = json(&["pose", &sample(), "--animation", &name, "--times", "0.3"]);
    let by_number = json(&["pose", &sample(), "--animation", "1", "--times", "0.3"]);
    assert_eq!(by_name, by_number);
    assert_eq!(by_name, json(&["pose", &sample(), "--animation", &format!("name:{name}"), "--times", "0.3"]));
    let said = stderr(&sinew(&["pose", &sample(), "--animation", "no such"]).code(1));
    assert!(said.contains("no such") && said.contains(&name), "{said}");
    sinew(&["pose", &sample(), "--animation", "99"]).code(1);
    sinew(&["pose", &sample(), "--scene", "99"]).code(1);
}

#[test]
fn a_view_file_is_used_and_flags_override_it() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    // Hold every node at rest, so that the animation has no effect.
    let report = json(&["inspect", &sample(), "--json"]);
    let held: serde_json::Map<_, _> =
        (0..report["nodes"].as_u64().unwrap()).map(|node| (node.to_string(), serde_json::json!({"animated": {"on": false}}))).collect();
    std::fs::write(&state, serde_json::json!({"animation": 1, "switches": held}).to_string()).unwrap();
    let state = state.to_str().unwrap();
    let held = json(&["pose", &sample(), "--state", state, "--times", "0.3"]);
    assert_eq!(held["samples"][0]["animation"], 1);
    assert_eq!(held["samples"][0]["nodes"], json(&["pose", &sample()])["samples"][0]["nodes"]);
    let other = json(&["pose", &sample(), "--state", state, "--animation", "0"]);
    assert_eq!(other["samples"][0]["animation"], 0);
    std::fs::write(state, "{ not json").unwrap();
    sinew(&["pose", &sample(), "--state", state]).code(1);
}

#[test]
fn layers_of_a_view_file_are_posed_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("view.json");
    let state = state.to_str().unwrap();
    let nodes = |args: &[&str]| json(&[&["pose", &sample()][..], args].concat())["samples"][0]["nodes"].clone();
    let save = |view: serde_json::Value| std::fs::write(state, view.to_string()).unwrap();

    // A layer with the second animation over the rest pose gives the pose of that animation. An additive layer of weight 0 changes nothing.
    save(serde_json::json!({"layers": [{"animation": 1}, {"animation": 0, "mode": "additive", "weight": 0.0}]}));
    let second = nodes(&["--animation", "1", "--times", "0.3"]);
    assert!(nodes(&["--state", state, "--times", "0.3"]) == second);
    // The layer plays twice as fast, from the start of its range: it is at 0.3 s when the view is at 0.1 s.
    save(serde_json::json!({"layers": [{"animation": 1, "speed": 2.0, "range": [0.1, 0.9]}]}));
    assert!(nodes(&["--state", state, "--times", "0.1"]) == second);
    save(serde_json::json!({"animation": 0, "layers": [{"animation": 1, "weight": 0.5}]}));
    let half = nodes(&["--state", state, "--times", "0.3"]);
    assert!(half != second && half != nodes(&["--animation", "0", "--times", "0.3"]));

    let picture = |name: &str, args: &[&str]| {
        let out = folder.path().join(name);
        let sample = sample();
        let command = [&["render", &sample, "-o", out.to_str().unwrap(), "--size", "80x60", "--msaa", "1", "--time", "0.3"][..], args];
        let output = Command::new(env!("CARGO_BIN_EXE_sinew")).args(command.concat()).output().unwrap();
        let none = String::from_utf8_lossy(&output.stderr).contains("no graphics adapter");
        assert!(output.status.success() || none, "{output:?}");
        std::fs::read(out).ok()
    };
    let eye = ["--eye", "0,0.2,2", "--target", "0,0.2,0", "--yfov", "30"];
    let first = picture("first.png", &[&["--animation", "0"][..], &eye].concat());
    match picture("layered.png", &[&["--state", state][..], &eye].concat()) {
        Some(layered) => assert!(first.is_some_and(|first| first != layered)),
        None => skip_outside_ci("no graphics adapter"),
    }

    save(serde_json::json!({"layers": [{"animation": 99}]}));
    let said = stderr(&sinew(&["pose", &sample(), "--state", state]).code(1));
    assert!(said.contains("layer 0") && said.contains("99"), "{said}");
}

#[test]
fn inspect_exits_0_if_no_finding_has_the_requested_severity() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.gltf");
    // An unknown extension that is used but not required is a warning.
    std::fs::write(&file, r#"{"asset": {"version": "2.0"}, "extensionsUsed": ["ACME_anvil"], "nodes": [{}]}"#).unwrap();
    let file = file.to_str().unwrap();
    let report = json(&["inspect", file, "--json"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["extensions"][0]["supported"], false);
    sinew(&["inspect", file]).code(0);
    sinew(&["inspect", file, "--fail-on", "error"]).code(0);
}

#[test]
fn inspect_exits_3_on_findings_of_the_requested_severity() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.gltf");
    // A rotation that is not of unit length is an error; the file opens nevertheless.
    std::fs::write(&file, r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 2]}]}"#).unwrap();
    let file = file.to_str().unwrap();
    sinew(&["inspect", file]).code(0);
    sinew(&["inspect", file, "--fail-on", "error"]).code(3);
}

/// Writes a triangle with an animation that begins after half a second, which is a warning.
fn write_late(folder: &Path) -> String {
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.5, 1.0], output)]);
    gltf.json["animations"][0]["name"] = "Late".into();
    let file = folder.join("late.glb");
    std::fs::write(&file, gltf.to_glb()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn check_prints_findings_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = &write_late(folder.path());
    let report = json(&["check", file, "--json", "--profile", "godot"]);
    assert_eq!((&report["schema"], &report["file"], &report["profile"]), (&1.into(), &file.as_str().into(), &"godot".into()));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let mut keys: Vec<_> = findings[0].as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    // The finding belongs to no node, so the key "node" is absent.
    assert_eq!(keys, ["animation", "code", "message", "pointer", "severity", "threshold", "time", "unit", "value"]);
    assert_eq!((&findings[0]["code"], &findings[0]["severity"]), (&"FIRST_KEY_NOT_AT_ZERO".into(), &"warning".into()));
    assert_eq!((&findings[0]["value"], &findings[0]["unit"], &findings[0]["animation"]), (&0.5.into(), &"s".into(), &0.into()));
}

#[test]
fn check_exits_3_on_findings_of_the_requested_severity() {
    let folder = tempfile::tempdir().unwrap();
    let file = &write_late(folder.path());
    sinew(&["check", file]).code(0);
    sinew(&["check", file, "--fail-on", "error"]).code(0);
    sinew(&["check", file, "--fail-on", "warning"]).code(3);
    let config = folder.path().join("check.toml");
    let config = config.to_str().unwrap();
    std::fs::write(config, "off = [\"FIRST_KEY_NOT_AT_ZERO\"]").unwrap();
    sinew(&["check", file, "--fail-on", "warning", "--config", config]).code(0);
    std::fs::write(config, "# limits\n[limits]\nfirst_key = 1").unwrap();
    let failed = sinew(&["check", file, "--config", config]).code(1);
    let error = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert!(error.contains("check.toml: line 3: unknown key \"first_key\""), "{error}");
    sinew(&["check", file, "--config", "missing.toml"]).code(1);
    sinew(&["check", "missing.glb"]).code(1);
    sinew(&["check", file, "--profile", "quake"]).code(2);
}

#[test]
fn inspect_reports_an_unreadable_file_and_exits_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.gltf");
    std::fs::write(&file, r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 3}], "scenes": [{"nodes": [0]}]}"#).unwrap();
    let file = file.to_str().unwrap();
    let failed = sinew(&["inspect", file, "--json"]).code(1);
    assert!(stderr(&failed).starts_with("error: ") && stderr(&failed).trim_end().lines().count() == 1);
    let refusal: serde_json::Value = serde_json::from_slice(&failed.get_output().stdout).unwrap();
    assert_eq!((&refusal["schema"], &refusal["findings"][0]["code"]), (&1.into(), &"UNRESOLVED_REFERENCE".into()));
    assert_eq!((&refusal["findings"][0]["pointer"], &refusal["findings"][0]["severity"]), (&"/nodes/0/mesh".into(), &"error".into()));
    assert!(refusal["error"].as_str().unwrap().contains("mesh 3"));
    let text = String::from_utf8(sinew(&["inspect", file]).code(1).get_output().stdout.clone()).unwrap();
    assert!(text.contains("cannot be shown") && text.contains("UNRESOLVED_REFERENCE"), "{text}");
}

#[test]
fn inspect_names_the_fault_of_a_file_that_is_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let truncated = [&b"glTF"[..], &2u32.to_le_bytes(), &100u32.to_le_bytes()].concat();
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.gltf", b"", "INVALID_JSON"),
        ("empty.glb", b"", "GLB_UNEXPECTED_END_OF_HEADER"),
        ("other.glb", b"nothing of the kind", "GLB_INVALID_MAGIC"),
        ("other.gltf", b"nothing of the kind", "INVALID_JSON"),
        ("list.gltf", b"[]", "TYPE_MISMATCH"),
        ("truncated.glb", &truncated, "GLB_LENGTH_MISMATCH"),
    ];
    for (name, bytes, code) in cases {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let failed = sinew(&["inspect", file.to_str().unwrap(), "--json"]).code(1);
        let refusal: serde_json::Value = serde_json::from_slice(&failed.get_output().stdout).unwrap();
        assert_eq!((&refusal["schema"], &refusal["findings"][0]["code"]), (&1.into(), &code.into()), "{name}");
        assert_eq!(refusal["findings"].as_array().unwrap().len(), 1, "{name}");
        assert!(stderr(&failed).starts_with("error: ") && stderr(&failed).trim_end().lines().count() == 1, "{name}");
    }
}

#[test]
fn render_writes_a_png_of_the_requested_size_and_background() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let out = out.to_str().unwrap();
    let output = sinew(&["render", &sample(), "-o", out, "--size", "120x90", "--background", "112233", "--msaa", "1"]);
    if String::from_utf8_lossy(&output.get_output().stderr).contains("no graphics adapter") {
        skip_outside_ci("no graphics adapter");
        return;
    }
    output.code(0);
    let picture = image::open(out).unwrap().into_rgba8();
    assert_eq!(picture.dimensions(), (120, 90));
    assert_eq!(picture.get_pixel(0, 0).0, [0x11, 0x22, 0x33, 0xff]);
    assert_ne!(picture.get_pixel(60, 45).0, [0x11, 0x22, 0x33, 0xff], "the model is in the middle");
    // With a camera from flags and no background, the corner is transparent. An existing file is overwritten.
    let camera = ["--eye", "0,0.2,2", "--target", "0,0.2,0", "--yfov", "30"];
    sinew(&[&["render", &sample(), "-o", out, "--size", "64x64", "--transparent"][..], &camera].concat()).code(0);
    let picture = image::open(out).unwrap().into_rgba8();
    assert_eq!((picture.dimensions(), picture.get_pixel(0, 0).0[3], picture.get_pixel(32, 32).0[3]), ((64, 64), 0, 255));
}

#[test]
fn render_refuses_other_formats_and_missing_animations() {
    let said = stderr(&sinew(&["render", &sample(), "-o", "picture.jpg"]).code(2));
    assert!(said.contains("pictures are written as .png"), "{said}");
    let said = stderr(&sinew(&["render", &sample(), "-o", "picture.png", "--animation", "no such"]).code(1));
    assert!(said.contains("no such"), "{said}");
}

#[test]
fn bench_reports_the_cost_of_a_frame() {
    let args = ["bench", &sample(), "--instances", "100", "--frames", "3", "--size", "64x48", "--msaa", "1"];
    let bench = json(&[&args[..], &["--json"]].concat());
    let inspected = json(&["inspect", &sample(), "--json"]);
    assert_eq!((&bench["instances"], &bench["frames"], &bench["nodes"]), (&100.into(), &3.into(), &inspected["nodes"]));
    for field in ["joints", "channels", "key_times"] {
        assert!(bench[field].as_u64().unwrap() > 0, "{field}");
    }
    let number = |object: &str, field: &str| bench[object][field].as_f64().unwrap_or_else(|| panic!("no {object}.{field}"));
    let mut stages = 0.0;
    for field in ["sample", "hierarchy", "palette"] {
        // The palette may take less time than the measurements vary.
        assert!(number("ns_per_joint", field) > 0.0 || field == "palette" && number("ns_per_joint", field) == 0.0, "{field}");
        stages += number("ms_per_frame", field);
        let joints = 100.0 * bench["joints"].as_f64().unwrap();
        assert!((number("ns_per_joint", field) * joints * 1e-6 - number("ms_per_frame", field)).abs() < 1e-9, "{field}");
    }
    assert!(stages > 0.0 && number("ms_per_frame", "total") >= number("ms_per_frame", "pose"));
    assert!(bench["layout"].is_string());
    if bench["adapter"].is_string() {
        assert!(bench["backend"].is_string() && number("ms_per_frame", "record") > 0.0);
        // All hundred members move, so at least their joint matrices of 48 bytes each are uploaded.
        assert!(bench["upload_bytes"].as_u64().unwrap() >= 100 * 48 * bench["joints"].as_u64().unwrap());
        // Position, normal and texture coordinates take 24 bytes.
        assert!(bench["bytes_per_vertex"].as_f64().unwrap() >= 24.0);
        if !bench["gpu_ms"].is_null() {
            assert!(number("gpu_ms", "median") > 0.0 && number("gpu_ms", "p95") >= number("gpu_ms", "median"));
            // The pixels may take less time than the measurements vary, and so may the upload.
            assert!(number("gpu_ms", "vertices") > 0.0);
        }
    }
    let text = String::from_utf8(sinew(&args).success().get_output().stdout.clone()).unwrap();
    for row in ["sample", "hierarchy", "palette", "total", "upload", "GPU upload", "  vertices", "  pixels"] {
        if bench["gpu_ms"].is_null() && (row.starts_with(' ') || row == "GPU upload") {
            continue;
        }
        assert!(text.lines().any(|line| line.starts_with(row)), "{row} in {text}");
    }
    // Large counts have a comma before each group of three digits.
    assert!(bench["compiled_bytes"].as_u64().unwrap() >= 1000, "no large count to look at");
    for (unit, count) in [(" bytes); kernel", &bench["compiled_bytes"]), (" bytes per frame", &bench["upload_bytes"])] {
        if count.as_u64().is_some_and(|count| count >= 1000) {
            let number = text[..text.find(unit).unwrap()].rsplit([' ', '(']).next().unwrap();
            assert!(number.contains(',') && number.split(',').skip(1).all(|digits| digits.len() == 3), "{number} in {text}");
        }
    }
}

#[test]
fn bench_prints_null_for_what_it_cannot_measure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("triangle.glb"), triangle().to_glb()).unwrap();
    let file = folder.path().join("triangle.glb").display().to_string();
    let args = ["bench", &file, "--frames", "5", "--size", "16x16"];
    let bench = json(&[&args[..], &["--json"]].concat());
    assert!(bench["layout"].is_null() && bench["ns_per_joint"].is_null(), "{bench}");
    let stage = |name: &str| bench["ms_per_frame"][name].as_f64().unwrap();
    // Writing a single matrix may take less time than the measurements vary.
    assert!(stage("hierarchy") > 0.0 && (0.0..stage("total")).contains(&stage("palette")), "{bench}");
    let text = String::from_utf8(sinew(&args).success().get_output().stdout.clone()).unwrap();
    assert!(!text.contains("layout") && text.contains("\nkernel "), "{text}");
}

#[test]
fn bench_measures_the_cpu_without_a_gpu_adapter() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let args = ["bench", &sample(), "--frames", "2"];
    // This backend does not exist on the test machines, so no adapter is found.
    let command = command.args(args).env("WGPU_BACKEND", "dx12");
    let text = String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
    assert_eq!(text.contains("upload"), cfg!(windows), "{text}");
    let done = command.arg("--json").assert().success();
    let bench: serde_json::Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    if cfg!(not(windows)) {
        assert!(bench["gpu_ms"].is_null() && bench["adapter"].is_null() && bench["ms_per_frame"]["record"].is_null());
        assert!(bench["upload_bytes"].is_null(), "{bench}");
        assert!(stderr(&done).starts_with("note: "), "{}", stderr(&done));
    }
    assert!(bench["ns_per_joint"]["pose"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_view_file_may_show_a_crowd() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("crowd.json");
    std::fs::write(&state, r#"{ "animation": 0, "display": { "crowd": 9, "grid": false, "shadow": "off" } }"#).unwrap();
    let covered = |name: &str, state: &[&str]| {
        let output = folder.path().join(name);
        let args = ["render", &sample(), "-o", output.to_str().unwrap(), "--size", "128x96", "--transparent"];
        let done = sinew(&[&args[..], &["--eye", "0,20,0.1", "--target", "0,0,0", "--yfov", "10"], state].concat());
        if stderr(&done).contains("no graphics adapter") {
            return None;
        }
        done.success();
        Some(image::open(&output).unwrap().into_rgba8().pixels().filter(|pixel| pixel.0[3] > 0).count())
    };
    let counted = covered("alone.png", &["--animation", "0"]).zip(covered("crowd.png", &["--state", state.to_str().unwrap()]));
    let Some((alone, crowd)) = counted else {
        skip_outside_ci("no graphics adapter");
        return;
    };
    assert!(alone > 0 && crowd > 6 * alone && crowd < 12 * alone, "{crowd} pixels of nine, {alone} of one");
}

/// Writes a small .hdr that is bright only on the right.
fn panorama(folder: &Path) -> String {
    let path = folder.join("right.hdr");
    let light = |x: u32, _: u32| image::Rgb(if x / 4 == 12 { [9.0f32, 3.0, 1.0] } else { [0.02; 3] });
    image::ImageBuffer::from_fn(64, 32, light).save(&path).unwrap();
    path.display().to_string()
}

#[test]
fn render_lights_the_model_with_a_panorama_and_shows_it_as_background_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let environment = panorama(folder.path());
    let draw = |more: &[&str]| {
        let out = folder.path().join("out.png").display().to_string();
        let mut args = vec!["render", "", "-o", &out, "--size", "96x96"];
        let sample = sample();
        args[1] = &sample;
        args.extend(more);
        sinew(&args).success();
        image::open(&out).unwrap().into_rgb8()
    };
    let (studio, panorama) = (draw(&[]), draw(&["--environment", &environment]));
    assert_ne!(studio, panorama);
    assert_eq!(studio.get_pixel(0, 0), panorama.get_pixel(0, 0), "the panorama is not shown as background");

    // The path is relative to the view file's folder.
    let state = folder.path().join("view.json");
    let text = r#"{"display":{"grid":false,"environment":{"file":"right.hdr","rotation":90,"shown":true,"blur":0.4}}}"#;
    std::fs::write(&state, text).unwrap();
    let state = state.display().to_string();
    let behind = draw(&["--state", &state]);
    assert_ne!(behind.get_pixel(0, 0), panorama.get_pixel(0, 0));
    assert_eq!(draw(&["--state", &state, "--background", "102030"]).get_pixel(0, 0).0, [16, 32, 48]);
}

#[test]
fn render_warns_when_an_environment_has_no_sun_for_the_requested_shadow() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |environment: &str, shadow: bool| {
        let out = folder.path().join("out.png").display().to_string();
        let mut args = vec!["render", "", "-o", &out, "--size", "64x64", "--environment", environment];
        let sample = sample();
        args[1] = &sample;
        args.extend(shadow.then_some(["--overlay", "shadow"]).into_iter().flatten());
        stderr(&sinew(&args).success())
    };
    let sunless = panorama(folder.path());
    let said = draw(&sunless, true);
    assert!(said.starts_with("note: no shadow: ") && said.trim_end().lines().count() == 1, "{said}");
    assert_eq!(draw(&sunless, false), "");

    let path = folder.path().join("sunny.hdr");
    let light = |x: u32, y: u32| image::Rgb(if (x, y) == (70, 18) { [900.0f32, 900.0, 700.0] } else { [0.1; 3] });
    image::ImageBuffer::from_fn(128, 64, light).save(&path).unwrap();
    assert_eq!(draw(&path.display().to_string(), true), "");
}

#[test]
fn render_warns_when_an_outline_is_requested_without_a_selection() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    let said = stderr(&sinew(&["render", &sample(), "-o", &out, "--size", "64x64", "--overlay", "outline"]).success());
    assert!(said.starts_with("note: no outline: ") && said.trim_end().lines().count() == 1, "{said}");
    let state = folder.path().join("view.json");
    std::fs::write(&state, r#"{"selection":[0]}"#).unwrap();
    let state = state.display().to_string();
    let args = ["render", &sample(), "-o", &out, "--size", "64x64", "--overlay", "outline", "--state", &state];
    assert_eq!(stderr(&sinew(&args).success()), "");
}

#[test]
fn render_selects_nodes_by_name_or_number_and_draws_their_trails_and_ghosts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    let draw = |more: &[&str]| {
        let sample = sample();
        let mut args = vec!["render", &sample, "-o", &out, "--size", "96x72", "--animation", "0", "--time", "0.4"];
        args.extend(more);
        (stderr(&sinew(&args).success()), image::open(&out).unwrap().into_rgba8())
    };
    let (_, bare) = draw(&[]);
    let (said, _) = draw(&["--overlay", "trail"]);
    assert!(said.starts_with("note: no trail: nothing is selected") && said.trim_end().lines().count() == 1, "{said}");
    let (_, ghosts) = draw(&["--overlay", "ghosts"]);
    let (said, trail) = draw(&["--overlay", "trail", "--select", "3,2"]);
    assert!(said.is_empty() && ghosts != bare && trail != bare && trail != ghosts);
    let names: Vec<_> = [3, 2].map(node_name).to_vec();
    assert_eq!(draw(&["--overlay", "trail", "--select", &names.join(",")]).1, trail);

    let refused = sinew(&["render", &sample(), "-o", &out, "--select", "nobody"]).code(1);
    let said = stderr(&refused);
    assert!(said.contains("no node named \"nobody\"; the file has") && said.trim_end().lines().count() == 1, "{said}");
}

/// Returns the name of a node of the sample model.
fn node_name(node: usize) -> String {
    let model = sinew::asset::load(Path::new(&sample()), &sinew::asset::LoadOptions::default()).unwrap().model;
    model.node(model.node_from_source(node).unwrap()).name.clone().unwrap()
}

#[test]
fn an_unreadable_environment_prints_one_line_and_exits_1() {
    let folder = tempfile::tempdir().unwrap();
    let (out, broken) = (folder.path().join("out.png"), folder.path().join("broken.hdr"));
    std::fs::write(&broken, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 100 +X 99999999\n").unwrap();
    for (file, expected) in [("not-there.hdr", "not-there.hdr"), (&sample(), "sample.glb"), (broken.to_str().unwrap(), "broken.hdr")] {
        let failed = sinew(&["render", &sample(), "-o", out.to_str().unwrap(), "--environment", file]).code(1);
        let said = stderr(&failed);
        assert!(said.starts_with("error: ") && said.contains(expected) && said.trim_end().lines().count() == 1, "{said}");
        let flat = ["render", &sample(), "-o", out.to_str().unwrap(), "--environment", file, "--lighting", "flat"];
        assert_eq!(stderr(&sinew(&flat).code(1)), said);
        assert!(!out.exists());
    }
}

/// Writes a rig of a root and a tip. The tip moves up by `height` meters in one second.
fn write_rig(folder: &Path, name: &str, height: f32) -> String {
    let mut gltf = crate::common::gltf_builder::Gltf::new();
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    gltf.push("nodes", serde_json::json!({ "name": "Root", "children": [1] }));
    gltf.push("nodes", serde_json::json!({ "name": "Tip" }));
    let keys = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, height, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.0], keys)]);
    gltf.json["animations"][0]["name"] = serde_json::json!("lift:up");
    let path = folder.join(name);
    std::fs::write(&path, gltf.to_glb()).unwrap();
    path.display().to_string()
}

#[test]
fn diff_exits_0_within_the_tolerance_and_3_beyond_it() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (write_rig(folder.path(), "a.glb", 1.0), write_rig(folder.path(), "b.glb", 1.25));
    sinew(&["diff", &a, &a]).success();
    sinew(&["diff", &a, &b]).code(3);
    sinew(&["diff", &a, &b, "--tolerance-distance", "0.3"]).success();
    let output = sinew(&["diff", &a, &b, "--json"]).code(3).get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        (json["schema"].as_u64(), json["distance_max"].as_f64(), json["joints"][0]["name"].as_str()),
        (Some(1), Some(0.25), Some("Tip"))
    );
    assert_eq!(json["joints"][0]["time"], 1.0);
    let text = String::from_utf8(sinew(&["diff", &a, &b]).code(3).get_output().stdout.clone()).unwrap();
    assert!(text.contains("\"Tip\"") && text.contains("max 0.250 m"), "{text}");
}

#[test]
fn diff_compares_all_animations_unless_one_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let rig = |name: &str, second_height: f32| {
        let mut gltf = crate::common::gltf_builder::Gltf::new();
        gltf.push("nodes", serde_json::json!({ "name": "Tip" }));
        for (animation, height) in [("lift", 1.0), ("drop", second_height)] {
            let keys = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, height, 0.0]);
            let index = gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], keys)]);
            gltf.json["animations"][index]["name"] = serde_json::json!(animation);
        }
        let path = folder.path().join(name);
        std::fs::write(&path, gltf.to_glb()).unwrap();
        path.display().to_string()
    };
    let (a, b) = (rig("a.glb", -1.0), rig("b.glb", -1.5));
    let output = sinew(&["diff", &a, &b, "--json"]).code(3).get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&json["distance_max"], &json["other_animations"][0]["distance_max"]), (&0.0.into(), &0.5.into()), "{json}");
    assert_eq!(json["exceeded"], serde_json::json!(["JOINT_DISTANCE"]));
    sinew(&["diff", &a, &b, "--tolerance-distance", "0.6"]).success();
    sinew(&["diff", &a, &b, "--animation", "drop"]).code(3);
    let output = sinew(&["diff", &a, &b, "--animation", "lift", "--json"]).success().get_output().stdout.clone();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&output).unwrap()["other_animations"], serde_json::json!([]));
}

#[test]
fn diff_finds_animations_by_name_and_names_the_file_that_lacks_one() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (write_rig(folder.path(), "a.glb", 1.0), write_rig(folder.path(), "b.glb", 1.25));
    for animation in ["0", "lift:up", "lift:up:0", "0:0", "0:lift:up", "lift:up:lift:up"] {
        let json: serde_json::Value =
            serde_json::from_slice(&sinew(&["diff", &a, &b, "--json", "--animation", animation]).code(3).get_output().stdout).unwrap();
        assert_eq!(json["animation"], serde_json::json!({ "a": 0, "b": 0 }), "{animation}");
    }
    assert!(stderr(&sinew(&["diff", &a, &b, "--animation", "no such"]).code(1)).contains("a.glb"));
    assert!(stderr(&sinew(&["diff", &a, &b, "--animation", "0:7"]).code(1)).contains("b.glb"));
    assert!(stderr(&sinew(&["diff", &a, "missing.glb"]).code(1)).contains("missing.glb"));
    for wrong in [&["diff", &a][..], &["diff", &a, &b, "--tolerance-distance", "-1"], &["diff", &a, &b, "--tolerance-angle", "NaN"]] {
        sinew(wrong).code(2);
    }
}

#[test]
fn an_animation_that_the_user_chose_is_not_compared_with_one_of_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let rig = |name: &str, animations: &[&str]| {
        let path = folder.path().join(name).display().to_string();
        let mut gltf = crate::common::gltf_builder::skinned_triangle();
        for animation in animations {
            let moves = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
            let index = gltf.animation(&[(2, "translation", "LINEAR", &[0.0, 1.0], moves)]);
            if !animation.is_empty() {
                gltf.json["animations"][index]["name"] = serde_json::json!(animation);
            }
        }
        std::fs::write(&path, gltf.to_glb()).unwrap();
        path
    };
    let (a, b) = (rig("a.glb", &["walk", "run", "", "run"]), rig("b.glb", &["survey", "run", "jump"]));
    let diff = |animation: &str| sinew(&["diff", &a, &b, "--animation", animation]);
    for (animation, wanted) in [("walk", "animation \"walk\""), ("0", "animation \"walk\""), ("3", "animation 3 \"run\"")] {
        let said = stderr(&diff(animation).code(1));
        let expected =
            format!("{b}: no counterpart of {wanted}; the file has 3: 0 \"survey\", 1 \"run\", 2 \"jump\"; choose one with --animation");
        assert!(said.contains(&expected), "{animation}: {said}");
    }
    let compared = |animation: &str| {
        let text = String::from_utf8(diff(animation).success().get_output().stdout.clone()).unwrap();
        text.lines().find_map(|line| line.trim().strip_prefix("compared")).unwrap().trim().to_owned()
    };
    assert!(compared("run").starts_with("A animation 1 \"run\", 1.000 s; B animation 1 \"run\", 1.000 s; at "), "{}", compared("run"));
    assert!(compared("walk:survey").starts_with("A animation 0 \"walk\", 1.000 s; B animation 0 \"survey\","));
    // An animation without a name is compared with the one of the same number.
    assert!(compared("2").starts_with("A animation 2, 1.000 s; B animation 2 \"jump\","), "{}", compared("2"));
    let still = rig("still.glb", &[]);
    let said = stderr(&sinew(&["diff", &a, &still, "--animation", "2"]).code(1));
    assert!(
        said.contains("no counterpart of animation 2, which has no name; the file has no animations") && !said.contains("choose"),
        "{said}"
    );

    let out = folder.path().join("out.png").display().to_string();
    let render = ["render", &a, "-o", &out, "--size", "32x16", "--msaa", "1", "--compare", &b, "--animation", "walk"];
    let refused = sinew(&render);
    if stderr(&refused).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&refused.code(1));
    assert!(said.contains("b.glb: no counterpart of animation \"walk\"") && said.contains("choose one with --compare-animation"), "{said}");
    sinew(&[&render[..], &["--compare-animation", "survey"]].concat()).success();
}

/// Writing to /dev/full always fails, as on a full disk.
#[test]
#[cfg(target_os = "linux")]
fn commands_do_their_work_if_stderr_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        std::process::Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).current_dir(folder.path()).stderr(full).output().unwrap()
    };
    assert_eq!(run(&["render", "missing.glb", "-o", "out.png"]).status.code(), Some(1));
    assert_eq!(run(&["pose", "missing.glb"]).status.code(), Some(1));
    assert_eq!(run(&["pose"]).status.code(), Some(2));
    let noted = run(&["pose", &sample(), "--vertices", "99999999"]);
    assert!(noted.status.success() && !noted.stdout.is_empty(), "{noted:?}");
}

/// Help and version are results, like a report.
#[test]
#[cfg(target_os = "linux")]
fn help_and_version_that_cannot_be_printed_are_errors() {
    for args in [&["--help"][..], &["render", "--help"], &["--version"], &["help"], &["inspect", &sample()]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.starts_with("error: cannot print the result: No space left on device"), "{args:?}: {said}");
        assert!(!sinew(args).success().get_output().stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn an_animation_of_a_file_without_animations_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("still.glb");
    std::fs::write(&file, triangle().to_glb()).unwrap();
    let file = file.to_str().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    for animation in ["0", "5", "walk"] {
        for command in [&["pose"][..], &["bench"], &["render", "-o", &out], &["diff", file]] {
            let refused = sinew(&[command, &[file, "--animation", animation]].concat());
            if stderr(&refused).contains("no graphics adapter") {
                return skip_outside_ci("no graphics adapter");
            }
            let said = stderr(&refused.code(1));
            assert!(said.contains("the file has no animations"), "{command:?} {animation}: {said}");
        }
    }
    sinew(&["bench", file, "--frames", "1", "--size", "16x16"]).success();
}

#[test]
fn render_notes_times_and_overlays_of_motion_if_nothing_moves() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    let notes = |flags: &[&str]| {
        let rendered = sinew(&[&["render", &sample(), "-o", &out, "--size", "64x64", "--msaa", "1", "--select", "3"], flags].concat());
        let can_draw = !stderr(&rendered).contains("no graphics adapter");
        can_draw.then(|| stderr(&rendered.success()))
    };
    let Some(said) = notes(&["--overlay", "trail,ghosts,weights,path,contacts"]) else {
        return skip_outside_ci("no graphics adapter");
    };
    assert_eq!(said, "note: no trail, ghosts, path, contacts: nothing moves; use --animation\n");
    assert_eq!(notes(&["--overlay", "weights,skeleton"]).unwrap(), "");
    assert_eq!(notes(&["--overlay", "trail,ghosts,path", "--animation", "0"]).unwrap(), "");
    assert_eq!(notes(&["--overlay", "ghosts,outline", "--sheet"]).unwrap(), "");
    assert_eq!(notes(&["--time", "0.5"]).unwrap(), "note: --time has no effect: nothing moves; use --animation\n");
    assert_eq!(notes(&["--time", "0.5", "--animation", "0"]).unwrap(), "");
    let state = folder.path().join("view.json");
    let notes_of = |view: &str, flags: &[&str]| {
        std::fs::write(&state, view).unwrap();
        notes(&[flags, &["--state", state.to_str().unwrap()]].concat()).unwrap()
    };
    assert_eq!(notes_of(r#"{"display": {"ghosts": {"of": "rest"}}}"#, &["--overlay", "ghosts,outline"]), "");
    let bind_pose = notes_of(r#"{"animation": 1, "bind_pose": true}"#, &["--time", "0.5"]);
    assert_eq!(bind_pose, "note: --time has no effect: the view shows the bind pose; use --animation\n");
    let layers = r#"{"layers": [{"animation": 1}]}"#;
    let turntable = notes_of(layers, &["--fps", "10", "--turntable", "0.2", "--range", "0.2..0.3"]);
    assert_eq!(turntable, "note: --range has no effect: layers over the rest pose have no end; use --animation\n");
    assert_eq!(notes_of(layers, &["--fps", "10", "--range", "0.2..0.3"]), "");
}

#[test]
fn render_notes_that_an_environment_lights_nothing_without_studio_lighting() {
    let folder = tempfile::tempdir().unwrap();
    let (environment, out) = (panorama(folder.path()), folder.path().join("out.png").display().to_string());
    for (lighting, expected) in [("flat", 1), ("none", 1), ("studio", 0)] {
        let flags = ["--size", "32x32", "--environment", &environment, "--lighting", lighting];
        let rendered = sinew(&[&["render", &sample(), "-o", &out], &flags[..]].concat());
        if stderr(&rendered).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        let said = stderr(&rendered.success());
        assert_eq!(said.matches("note: --environment has no effect").count(), expected, "{lighting}: {said}");
    }
}

#[test]
fn bench_has_no_times_per_joint_without_joints() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_late(folder.path());
    let args = ["bench", &file, "--frames", "2", "--size", "32x24", "--msaa", "1"];
    let bench = json(&[&args[..], &["--json"]].concat());
    assert!(bench["ns_per_joint"].is_null() && bench["joints"] == 0 && bench["ms_per_frame"]["pose"].as_f64().unwrap() > 0.0, "{bench}");
    let text = String::from_utf8(sinew(&args).success().get_output().stdout.clone()).unwrap();
    assert!(!text.contains("per joint") && text.contains("ms per frame"), "{text}");
    let pose = text.lines().find(|line| line.starts_with("pose")).unwrap();
    assert_eq!(pose.split_whitespace().count(), 2, "{text}");
}

#[test]
fn messages_about_one_object_are_singular() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = crate::common::gltf_builder::skinned_triangle();
    let weights = gltf.floats("VEC4", &[1.5, -0.5, 0.0, 0.0, 0.75, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let positions = gltf.floats("VEC3", &[0.0, f32::NAN, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let primitive = &mut gltf.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["WEIGHTS_0"] = weights.into();
    primitive["attributes"]["POSITION"] = positions.into();
    primitive["targets"] = serde_json::json!([{}]);
    gltf.json["meshes"][0]["weights"] = serde_json::json!([0, 0]);
    let file = folder.path().join("one.glb");
    std::fs::write(&file, gltf.to_glb()).unwrap();
    let text = String::from_utf8(sinew(&["inspect", file.to_str().unwrap()]).get_output().stdout.clone()).unwrap();
    for expected in [
        "Mesh 0, primitive 0: 1 vertex has negative weights",
        "1 number of POSITION is not finite; it is replaced by 0.",
        "The mesh has 2 weights for 1 morph target.",
        "1 joint is used twice by a vertex.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    for wrong in [" 1 vertices", " 1 numbers", " 1 joints"] {
        assert!(!text.contains(wrong), "{wrong}: {text}");
    }

    let late = write_late(folder.path());
    let text =
        String::from_utf8(sinew(&["bench", &late, "--frames", "1", "--size", "16x16"]).success().get_output().stdout.clone()).unwrap();
    assert!(text.contains("1 x 0 joints (1 node), 1 channel on 1 set of key times") && text.contains("medians of 1 frame,"), "{text}");
    let out = folder.path().join("out.png").display().to_string();
    let sheet = sinew(&["render", &late, &late, "-o", &out, "--sheet", "1x1", "--size", "64x64"]);
    let said = stderr(&sheet);
    if said.contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    assert!(said.contains("2 tiles do not fit into 1 x 1; the last one is left out"), "{said}");
}
