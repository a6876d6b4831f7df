//! Tests what commands print on stderr: which parts of a file they ignore, and errors in plain words.

use std::path::Path;

use serde_json::json;

use crate::common::gltf_builder::{Gltf, triangle};
use crate::common::skip::skip_outside_ci;

fn sinew(arguments: &[&str]) -> assert_cmd::assert::Assert {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).assert()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// Writes a file into the folder, and returns its path.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// A triangle with a number that is not finite and with an image that does not exist.
fn repaired() -> Gltf {
    let mut gltf = triangle();
    let positions = gltf.floats("VEC3", &[0.0, f32::NAN, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = positions.into();
    gltf.json["meshes"][0]["primitives"][0]["material"] = 0.into();
    gltf.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    gltf.json["textures"] = json!([{"source": 0}]);
    gltf.json["images"] = json!([{"uri": "missing.png"}]);
    gltf
}

#[test]
fn every_command_says_which_parts_of_a_file_are_ignored_or_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (file, fine) = (write(folder.path(), "repaired.glb", &repaired().to_glb()), write(folder.path(), "fine.glb", &triangle().to_glb()));
    let out = folder.path().join("out.png").display().to_string();
    for (arguments, times) in [
        (&["pose", &file][..], 1),
        (&["check", &file], 1),
        (&["diff", &fine, &file], 1),
        (&["bench", &file, "--frames", "1", "--size", "16x16"], 1),
        (&["thumbnail", &file, &out], 1),
        (&["render", &file, "-o", &out, "--size", "16x16"], 1),
        (&["render", &fine, "--compare", &file, "-o", &out, "--size", "16x16"], 1),
        (&["render", &file, &file, "--sheet", "-o", &out, "--size", "64x64"], 2),
        (&["pose", &fine, "--animations", &file], 1),
        (&["pose", &fine], 0),
    ] {
        let said = stderr(&sinew(arguments));
        if said.contains("no graphics adapter") {
            skip_outside_ci("no graphics adapter");
            continue;
        }
        let not_finite = format!("warning: {file}: 1 number of POSITION is not finite; it is replaced by 0. (/accessors/");
        assert_eq!(said.matches(&not_finite).count(), times, "{arguments:?}: {said}");
        let missing = format!("warning: {file}: Image 0 \"missing.png\": ");
        assert_eq!(said.matches(&missing).count(), times, "{arguments:?}: {said}");
        assert_eq!(said.matches("Image 0").count(), times, "each image is reported once: {arguments:?}: {said}");
    }
}

#[test]
fn of_many_warnings_only_the_first_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = repaired();
    gltf.json["images"] = json!(vec![json!({"uri": "missing.png"}); 30]);
    let file = write(folder.path(), "many.glb", &gltf.to_glb());
    let said = stderr(&sinew(&["pose", &file]).success());
    assert_eq!(said.matches("warning: ").count(), 10, "{said}");
    assert!(said.ends_with(&format!("note: 21 more warnings about {file}; list all with sinew inspect\n")), "{said}");
}

#[test]
fn keys_of_a_view_file_that_do_not_exist_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    let state = write(folder.path(), "view.json", br#"{"scene": 0, "anmation": 1, "display": {"skeletn": true, "grid": false}}"#);
    let said = stderr(&sinew(&["pose", &file, "--state", &state]).success());
    assert_eq!(said, format!("note: {state}: these keys are unknown: anmation, display.skeletn\n"));
}

#[test]
fn unknown_keys_deep_in_a_view_file_are_named_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    let view =
        br#"{"switches": {"0": {"drawn": {"of": true}}}, "retarget": [{}, {"pair": {"a": "b"}}], "display": {"ghosts": {"off": 1}}}"#;
    let state = write(folder.path(), "view.json", view);
    let said = stderr(&sinew(&["pose", &file, "--state", &state]).success());
    assert_eq!(said, format!("note: {state}: these keys are unknown: switches.0.drawn.of, retarget.1.pair, display.ghosts.off\n"));
}

#[test]
fn numbers_of_a_view_file_outside_their_limits_are_noted_with_their_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    let said = |view: &str| {
        let state = write(folder.path(), "view.json", view.as_bytes());
        stderr(&sinew(&["pose", &file, "--state", &state]).success()).replace(&state, "view.json")
    };
    assert_eq!(
        said(r#"{"rate": -4, "display": {"ghosts": {"before": 9}}}"#),
        "note: view.json: rate: -4 is outside 0.1 to 1000; 0.1 is used\n\
         note: view.json: display.ghosts.before: 9 is outside 0 to 3; 3 is used\n"
    );
    let refused = |view: &str| {
        let state = write(folder.path(), "view.json", view.as_bytes());
        stderr(&sinew(&["pose", &file, "--state", &state]).code(1)).replace(&state, "view.json")
    };
    let orbit = r#"{"camera": {"orbit": {"focus": [0, 40, 0], "yaw": 0, "pitch": 0, "distance": 100, "yfov": 0, "orthographic": false}}}"#;
    let reason = "camera.orbit.yfov: expected radians, more than 0 and less than pi";
    assert_eq!(refused(orbit), format!("error: cannot read the view file view.json: {reason}\n"));
    // The first ten changed numbers are noted one by one. The file has no animation, so the layers fail later.
    for (count, more) in [(10, None), (11, Some("1 more number is replaced")), (32, Some("22 more numbers are replaced"))] {
        let layers = refused(&json!({ "layers": vec![json!({ "weight": 5 }); count] }).to_string());
        assert_eq!(layers.matches("is outside 0 to 1; 1 is used").count(), 10, "{layers}");
        assert_eq!(layers.matches("note: ").count(), if more.is_some() { 11 } else { 10 }, "{layers}");
        assert!(more.is_none_or(|more| layers.contains(&format!("note: view.json: {more}\n"))), "{layers}");
    }
}

#[test]
fn a_view_file_may_begin_with_a_byte_order_mark() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    for (view, code) in [("\u{feff}{\"scene\": 0}", 0), ("\u{feff} \n{}", 0), ("\u{feff}[]", 1), ("\u{feff}\u{feff}{}", 1)] {
        let state = write(folder.path(), "view.json", view.as_bytes());
        let said = stderr(&sinew(&["pose", &file, "--state", &state]).code(code));
        assert_eq!(said.contains("it is not a JSON object"), code == 1, "{view:?}: {said}");
    }
}

#[test]
fn of_many_unknown_keys_of_a_view_file_only_the_first_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    for (count, more) in [(10, ""), (22, " and 12 more")] {
        let keys: Vec<String> = (0..count).map(|key| format!("\"k{key}\": {{}}")).collect();
        let state = write(folder.path(), "view.json", format!("{{{}}}", keys.join(",")).as_bytes());
        let said = stderr(&sinew(&["pose", &file, "--state", &state]).success());
        assert_eq!(said, format!("note: {state}: these keys are unknown: k0, k1, k2, k3, k4, k5, k6, k7, k8, k9{more}\n"));
    }
}

#[test]
fn errors_about_a_view_file_name_the_key_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    for (json, expected) in [
        ("[]", "it is not a JSON object"),
        (r#"{"animation": "walk"}"#, "animation: expected a non-negative integer, found string \"walk\""),
        (r#"{"display": {"exposure": "bright"}}"#, "display.exposure: expected a number, found string \"bright\""),
        (r#"{"display": {"lighting": "sun"}}"#, "display.lighting: unknown variant"),
        (r#"{"camera": "orbit"}"#, "camera: "),
        (r#"{"camera": "orbit" , "scene": 0}"#, "camera: "),
        (r#"{"scene": 0, "scene": 1}"#, "scene is given twice"),
        (r#"{"animation": 1 "scene": 0}"#, "expected `,` or `}` at line 1 column 17"),
        (r#"{"scene": 0} 1"#, "trailing characters at line 1"),
        ("{", "EOF while parsing an object"),
    ] {
        let state = write(folder.path(), "view.json", json.as_bytes());
        let said = stderr(&sinew(&["pose", &file, "--state", &state]).code(1));
        assert!(said.starts_with(&format!("error: cannot read the view file {state}: {expected}")), "{json}: {said}");
    }
}

#[test]
fn missing_files_and_folders_are_errors_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    let (missing, out) = (folder.path().join("no").display().to_string(), folder.path().join("no/out.png").display().to_string());
    let below = format!("{file}/out.png");
    for (arguments, expected) in [
        (&["pose", &file, "--state", &missing][..], format!("error: cannot read the view file {missing}: the file does not exist\n")),
        (&["check", &file, "--config", &missing], format!("error: cannot read the configuration {missing}: the file does not exist\n")),
        (&["render", &file, "-o", "a.png", "--environment", &missing], format!("error: cannot read {missing}: the file does not exist\n")),
        (&["render", &file, "-o", &out, "--size", "16x16"], format!("error: cannot write {out}: its folder does not exist\n")),
        (
            &["render", &file, "-o", &below, "--size", "16x16"],
            format!("error: cannot write {below}: a part of its path is a file, not a folder\n"),
        ),
    ] {
        let failed = sinew(arguments).code(1);
        if stderr(&failed).contains("no graphics adapter") {
            skip_outside_ci("no graphics adapter");
            continue;
        }
        assert!(stderr(&failed).ends_with(&expected), "{arguments:?}: {}", stderr(&failed));
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    for (arguments, expected) in [
        (&["render", "a.glb", "-o", "a.png", "--supersample", "5"][..], "expected a whole number from 1 to 4"),
        (&["thumbnail", "a.glb", "a.png", "--size", "15"], "expected a whole number from 16 to 1024"),
        (&["inspect", "a.glb", "--image-limit", "99999999999"], "expected a whole number from 1 to 4294967295"),
        (&["render", "a.glb", "-o", "a.png", "--eye", "0,0,1", "--yfov", "0.005"], "expected degrees, from 0.01 to less than 180"),
        (&["pose", "a.glb", "--scene", "first"], "expected a whole number of 0 or more"),
        (&["bench", "a.glb", "--msaa", "2"], "expected 1 or 4"),
    ] {
        let said = stderr(&sinew(arguments).code(2));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_gif_of_a_faster_animation_says_that_it_has_fewer_frames() {
    let folder = tempfile::tempdir().unwrap();
    for (fps, rates) in [(60.0, "30 frames per second, not 60"), (60_000.0 / 1001.0, "29.97 frames per second, not 59.94")] {
        let mut gltf = triangle();
        let times: Vec<f32> = (0..7).map(|frame| (f64::from(frame) / fps) as f32).collect();
        let heights: Vec<f32> = times.iter().flat_map(|time| [0.0, *time, 0.0]).collect();
        let output = gltf.floats("VEC3", &heights);
        gltf.animation(&[(0, "translation", "LINEAR", &times, output)]);
        let (file, out) = (write(folder.path(), "fast.glb", &gltf.to_glb()), folder.path().join("out.gif").display().to_string());
        let render = |flags: &[&str]| sinew(&[&["render", &file, "-o", &out, "--animation", "0", "--size", "16x16"], flags].concat());
        let noted = render(&[]);
        if stderr(&noted).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert_eq!(stderr(&noted.success()), format!("note: the clip has {rates}: GIF has at most 50\n"));
        assert_eq!(stderr(&render(&["--fps", "20"]).success()), "");
    }
}

#[test]
fn an_overlay_without_selection_and_motion_is_noted_once() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (write(folder.path(), "a.glb", &triangle().to_glb()), folder.path().join("out.png").display().to_string());
    let noted = sinew(&["render", &file, "-o", &out, "--size", "16x16", "--overlay", "trail,outline"]);
    if stderr(&noted).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&noted.success());
    assert!(said.contains("no trail: nothing moves") && said.contains("no outline: nothing is selected"), "{said}");
    assert_eq!(said.matches("note: ").count(), 2, "{said}");
}

#[test]
fn flags_about_light_or_timing_without_light_or_motion_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], output)]);
    let (file, out) = (write(folder.path(), "a.glb", &gltf.to_glb()), folder.path().join("out.png").display().to_string());
    let light = "no effect: --lighting none shows colors without light";
    let motion = "no effect: nothing moves; use --animation";
    for (flags, notes) in [
        (&["--lighting", "none", "--exposure", "1"][..], format!("note: --exposure has {light}\n")),
        (&["--lighting", "none", "--exposure", "0", "--tonemap", "agx"], format!("note: --exposure, --tonemap have {light}\n")),
        (&["--lighting", "none"], String::new()),
        (
            &["--shading", "normals", "--lighting", "flat", "--exposure", "1", "--tonemap", "agx"],
            "note: --lighting, --exposure, --tonemap have no effect: --shading normals shows colors without light\n".into(),
        ),
        (
            &["--overlay", "weights", "--shading", "clay", "--exposure", "1"],
            "note: --shading, --exposure have no effect: --overlay weights shows skin weights as colors\n".into(),
        ),
        (
            &["--compare", &file, "--compare-view", "difference", "--animation", "0", "--tonemap", "agx"],
            "note: --tonemap has no effect: --compare-view difference shows distances as colors\n".into(),
        ),
        (&["--overlay", "shadow", "--lighting", "flat"], "note: no shadow: only --lighting studio has a light that casts one\n".into()),
        (&["--overlay", "shadow", "--shading", "uv"], "note: no shadow: --shading uv shows colors without light\n".into()),
        (&["--lighting", "flat", "--exposure", "1", "--tonemap", "agx"], String::new()),
        (&["--compare", &file, "--compare-stretch"], format!("note: --compare-stretch has {motion}\n")),
        (&["--compare", &file, "--compare-offset", "0.5"], format!("note: --compare-offset has {motion}\n")),
        (&["--compare", &file, "--compare-stretch", "--compare-offset", "0.5", "--animation", "0"], String::new()),
        (&["--compare", &file, "--compare-offset", "0.5", "--sheet"], String::new()),
    ] {
        let noted = sinew(&[&["render", &file, "-o", &out, "--size", "16x16"], flags].concat());
        if stderr(&noted).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert_eq!(stderr(&noted.success()), notes, "{flags:?}");
    }
}

#[test]
fn exactly_the_flags_that_change_nothing_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb").display().to_string();
    let shown = write(folder.path(), "shown.json", br#"{"display": {"environment": {"shown": true}, "grid": false, "shadow": "off"}}"#);
    let out = folder.path().join("out.png").display().to_string();
    let draw = |flags: &[&str]| {
        let drawn = sinew(&[&["render", &sample, "-o", &out, "--size", "48x36", "--msaa", "1"], flags].concat());
        let said = stderr(&drawn);
        (!said.contains("no graphics adapter")).then(|| {
            drawn.success();
            (std::fs::read(&out).unwrap(), said)
        })
    };
    let difference = ["--animation", "0", "--compare", &sample, "--compare-animation", "1", "--compare-view", "difference"];
    for (base, flags) in [
        (&["--shading", "normals"][..], &[&["--exposure", "3"][..], &["--lighting", "none"], &["--overlay", "shadow"]][..]),
        (&["--shading", "roughness"], &[&["--tonemap", "aces"], &["--lighting", "flat"]]),
        (&["--shading", "clay"], &[&["--exposure", "3"], &["--lighting", "flat"], &["--overlay", "shadow"]]),
        (&["--lighting", "none"], &[&["--exposure", "3"], &["--shading", "normals"], &["--overlay", "shadow"]]),
        (&["--lighting", "flat"], &[&["--exposure", "3"], &["--overlay", "shadow"]]),
        (&["--overlay", "weights"], &[&["--exposure", "3"], &["--shading", "uv"], &["--lighting", "none"], &["--select", "3"]]),
        (&["--overlay", "weights,shadow"], &[&["--exposure", "3"], &["--lighting", "flat"]]),
        (&["--overlay", "grid"], &[&["--select", "3"], &["--exposure", "3"]]),
        (&["--overlay", "skeleton"], &[&["--select", "3"]]),
        (&["--state", &shown, "--shading", "uv"], &[&["--exposure", "3"], &["--lighting", "flat"]]),
        (&["--state", &shown, "--shading", "uv", "--background", "2A2D33"], &[&["--exposure", "3"]]),
        (&difference, &[&["--exposure", "3"], &["--shading", "uv"], &["--lighting", "none"]]),
        (&[], &[&["--select", "3"], &["--exposure", "3"], &["--shading", "uv"], &["--lighting", "none"]]),
    ] {
        let Some((plain, _)) = draw(base) else { return skip_outside_ci("no graphics adapter") };
        for flag in flags {
            let (changed, said) = draw(&[base, flag].concat()).unwrap();
            let note = if flag[0] == "--overlay" { "no shadow".to_owned() } else { format!("{} has no effect", flag[0]) };
            assert_eq!(said.contains(&note), changed == plain, "{base:?} {flag:?}: {said}");
        }
    }
}

#[test]
fn a_range_without_an_end_is_refused_if_only_layers_play() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], output)]);
    let file = write(folder.path(), "a.glb", &gltf.to_glb());
    let state = write(folder.path(), "layers.json", br#"{ "layers": [{ "animation": 0 }] }"#);
    let out = folder.path().join("out.gif").display().to_string();
    let render = |range: &str| sinew(&["render", &file, "-o", &out, "--size", "16x16", "--state", &state, "--range", range]);
    let refused = render("0.5..");
    if stderr(&refused).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&refused.code(1));
    assert!(said.contains("--range needs an end, as in 0.5..2"), "{said}");
    render("0.5..1").success();
}

#[test]
fn errors_name_the_file_once_also_if_its_name_is_a_part_of_the_message() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a", &triangle().to_glb());
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew"));
        stderr(&command.args(arguments).current_dir(folder.path()).assert().failure())
    };
    let said = run(&["pose", "a", "--animation", "nope"]);
    assert!(said.starts_with("error: a: "), "{said}");
    for missing in ["no", "missing.glb"] {
        let said = run(&["pose", missing]);
        assert!(said.starts_with(&format!("error: cannot read {missing}: ")), "{said}");
    }
}

#[test]
fn usage_errors_say_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "fine.glb", &triangle().to_glb());
    for (arguments, expected) in [
        (&["diff", &file, &file, "--tolerance-distance", "-1"][..], "expected a number of 0 or more"),
        (&["diff", &file, &file, "--tolerance-angle", "-0.5"], "expected a number of 0 or more"),
        (&["bench", &file, "--frames", "-1"], "expected a whole number from 1 to"),
        (&["pose", &file, "--scene", "-1"], "expected a whole number of 0 or more"),
        (&["render", &file, "-o", "-", "--fps", "10"], "or OUT.png for an animated PNG"),
    ] {
        let said = stderr(&sinew(arguments).code(2));
        assert!(said.contains(expected) && !said.contains("tip:"), "{arguments:?}: {said}");
    }
}

#[test]
#[cfg(unix)]
fn a_folder_instead_of_a_settings_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (file, path) = (write(folder.path(), "fine.glb", &triangle().to_glb()), folder.path().display().to_string());
    for (arguments, what) in [(&["check", &file, "--config", &path], "configuration"), (&["pose", &file, "--state", &path], "view file")] {
        let said = stderr(&sinew(arguments).code(1));
        assert_eq!(said, format!("error: cannot read the {what} {path}: it is a folder, not a file\n"));
    }
}

#[test]
fn a_range_beyond_the_end_of_the_animation_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 0.708_333_3], output)]);
    let (file, out) = (write(folder.path(), "a.glb", &gltf.to_glb()), folder.path().join("out.gif").display().to_string());
    let flags = ["-o", &out, "--size", "16x16", "--animation", "0", "--fps", "5"];
    for (range, note) in [
        ("0.2..3", "note: --range has been cut to the end of the animation, 0.708 s\n"),
        ("0.2..0.709", "note: --range has been cut to the end of the animation, 0.708 s\n"),
        ("0.2..0.7084", ""),
        ("0.2..", ""),
        ("..0.5", ""),
    ] {
        let noted = sinew(&[&["render", &file, "--range", range], &flags[..]].concat());
        if stderr(&noted).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert_eq!(stderr(&noted.success()), note, "{range}");
    }
}

#[test]
fn a_picture_without_a_model_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    let mut other_scene = triangle();
    other_scene.push("nodes", json!({}));
    other_scene.push("scenes", json!({ "nodes": [1] }));
    let no_mesh = "note: nothing to draw: no node of the scene has a mesh";
    let cases: [(&str, Vec<u8>, &[&str], String); 8] = [
        (
            "empty_scene.gltf",
            br#"{"asset": {"version": "2.0"}, "scenes": [{}]}"#.to_vec(),
            &[],
            "note: nothing to draw: the scene is empty\n".into(),
        ),
        ("no_nodes.gltf", br#"{"asset": {"version": "2.0"}}"#.to_vec(), &[], "note: nothing to draw: the scene is empty\n".into()),
        ("other_scene.glb", other_scene.to_glb(), &["--scene", "1"], format!("{no_mesh}\n")),
        ("other_scene.glb", other_scene.to_glb(), &["--scene", "1", "--overlay", "skeleton"], String::new()),
        ("other_scene.glb", other_scene.to_glb(), &["--scene", "1", "--overlay", "names"], String::new()),
        ("other_scene.glb", other_scene.to_glb(), &[], String::new()),
        ("skeleton.gltf", br#"{"asset": {"version": "2.0"}, "nodes": [{}]}"#.to_vec(), &[], String::new()),
        (
            "skeleton.gltf",
            br#"{"asset": {"version": "2.0"}, "nodes": [{}]}"#.to_vec(),
            &["--overlay", "none"],
            format!("{no_mesh}, and --overlay none hides the skeleton\n"),
        ),
    ];
    for (name, bytes, flags, note) in cases {
        let file = write(folder.path(), name, &bytes);
        let noted = sinew(&[&["render", &file, "-o", &out, "--size", "16x16"], flags].concat());
        if stderr(&noted).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert_eq!(stderr(&noted.success()), note, "{name} {flags:?}");
    }
}

#[test]
fn blanks_around_the_names_of_a_list_are_left_out_unless_a_name_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    for name in ["A", "B", " B", " B", "C"] {
        gltf.push("nodes", json!({ "name": name }));
    }
    let (file, out) = (write(folder.path(), "a.glb", &gltf.to_glb()), folder.path().join("out.png").display().to_string());
    let render = |flags: &[&str]| sinew(&[&["render", &file, "-o", &out, "--size", "16x16"], flags].concat());
    let refused = render(&["--select", "A, B , D"]);
    if stderr(&refused).contains("no graphics adapter") {
        return skip_outside_ci("no graphics adapter");
    }
    assert!(stderr(&refused.code(1)).contains("no node named \"D\""));
    assert_eq!(stderr(&render(&["--select", "A, C ,\t2"]).success()), "");
    assert_eq!(stderr(&render(&["--select", "A, B"]).success()), "note: 2 nodes are named \" B\"; using number 3\n");
    assert_eq!(stderr(&render(&["--overlay", "grid, axes"]).success()), "");
    assert!(stderr(&render(&["--overlay", "grid, axis"]).code(2)).contains("invalid value 'axis'"));
}
