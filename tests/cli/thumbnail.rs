//! Tests `sinew thumbnail` as file managers run it.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use image::RgbaImage;

/// Runs the command with an empty environment, because a sandbox has no display, no home and no settings.
fn thumbnail(file: &Path, output: &Path, size: Option<u32>) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.env_clear().arg("thumbnail").arg(file).arg(output);
    if let Some(size) = size {
        command.args(["--size", &size.to_string()]);
    }
    command.assert()
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb")
}

/// The first and last columns and rows that are not fully transparent: left, top, right, bottom.
fn extent(picture: &RgbaImage) -> [u32; 4] {
    let covered = picture.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] > 0);
    covered.fold([u32::MAX, u32::MAX, 0, 0], |[left, top, right, bottom], (x, y, _)| [left.min(x), top.min(y), right.max(x), bottom.max(y)])
}

#[test]
fn a_thumbnail_is_a_square_with_the_model_in_its_middle_and_a_transparent_background() {
    let folder = tempfile::tempdir().unwrap();
    for (size, wanted) in [(None, 256), (Some(128), 128)] {
        let output = folder.path().join("thumbnail.png");
        thumbnail(&sample(), &output, size).success();
        let picture = image::open(&output).unwrap().to_rgba8();
        assert_eq!(picture.dimensions(), (wanted, wanted));
        assert_eq!(picture.get_pixel(0, 0).0, [0; 4]);
        let [left, top, right, bottom] = extent(&picture);
        // The model fills most of the picture in its larger dimension, nothing touches the edge, and opposite margins are similar.
        assert!((right - left).max(bottom - top) > wanted * 3 / 4, "{left} {top} {right} {bottom}");
        assert!(left > 0 && top > 0 && right < wanted - 1 && bottom < wanted - 1, "{left} {top} {right} {bottom}");
        assert!(left.abs_diff(wanted - right) < wanted / 5 && top.abs_diff(wanted - bottom) < wanted / 5);
    }
}

#[test]
fn a_program_that_made_the_file_and_keeps_it_open_can_read_the_thumbnail() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("thumbnail.png");
    let mut open = File::options().read(true).write(true).create_new(true).open(&output).unwrap();
    thumbnail(&sample(), &output, Some(64)).success();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut open, &mut bytes).unwrap();
    assert_eq!(image::load_from_memory(&bytes).unwrap().width(), 64);
}

#[test]
fn a_thumbnail_shows_the_first_animation_after_a_third_of_its_duration() {
    let folder = tempfile::tempdir().unwrap();
    let (thumb, still) = (folder.path().join("thumbnail.png"), folder.path().join("still.png"));
    thumbnail(&sample(), &thumb, Some(256)).success();
    let duration = {
        let output = Command::new(env!("CARGO_BIN_EXE_sinew")).args(["inspect", "--json"]).arg(sample()).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["animations"][0]["duration"].as_f64().unwrap()
    };
    // `sinew render` draws the same pose. Its camera fits the whole animation, so the model has another size. Only the aspect ratio of the
    // model's extent, and the share of covered pixels in it, are compared.
    let share = |file: &Path| {
        let picture = image::open(file).unwrap().to_rgba8();
        let [left, top, right, bottom] = extent(&picture);
        let covered = picture.pixels().filter(|pixel| pixel.0[3] > 127).count();
        (covered as f64 / f64::from((right - left) * (bottom - top)), f64::from(right - left) / f64::from(bottom - top))
    };
    let render = |time: f64| {
        let time = time.to_string();
        let args = ["-o", still.to_str().unwrap(), "--animation", "0", "--time", &time, "--size", "1024x1024", "--transparent"];
        Command::new(env!("CARGO_BIN_EXE_sinew")).arg("render").arg(sample()).args(args).assert().success();
        share(&still)
    };
    let (covered, ratio) = share(&thumb);
    let (expected_covered, expected_ratio) = render(duration / 3.0);
    assert!((covered - expected_covered).abs() < 0.02, "{covered} {expected_covered}");
    assert!((ratio - expected_ratio).abs() < 0.03, "{ratio} {expected_ratio}");
    let (_, other) = render(duration * 5.0 / 6.0);
    assert!((ratio - other).abs() > 0.03, "the sample has another shape at other times: {ratio} {other}");
}

#[test]
fn a_small_file_that_draws_very_many_primitives_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, output) = (folder.path().join("many.gltf"), folder.path().join("thumbnail.png"));
    // 400 nodes show a mesh of 400 triangles. Accessors without a buffer view hold zeros, so the file needs no buffer.
    let primitive = serde_json::json!({ "attributes": { "POSITION": 0 } });
    let gltf = serde_json::json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": (0..400).collect::<Vec<_>>() }],
        "nodes": vec![serde_json::json!({ "mesh": 0 }); 400],
        "meshes": [{ "primitives": vec![primitive; 400] }],
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] }],
    });
    fs::write(&file, gltf.to_string()).unwrap();
    let refused = thumbnail(&file, &output, None).code(1);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("draws 160,000 primitives; at most 100,000"), "{message}");
}

#[test]
fn a_small_file_with_very_many_nodes_or_materials_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, output) = (folder.path().join("many.gltf"), folder.path().join("thumbnail.png"));
    for (elements, count, expected) in
        [("nodes", 100_001, "100,001 nodes; at most 100,000"), ("materials", 20_001, "20,001 materials; at most 20,000")]
    {
        let gltf = serde_json::json!({ "asset": { "version": "2.0" }, elements: vec![serde_json::json!({}); count] });
        fs::write(&file, gltf.to_string()).unwrap();
        let refused = thumbnail(&file, &output, None).code(1);
        let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_model_over_the_size_limit_is_refused_without_being_read() {
    let folder = tempfile::tempdir().unwrap();
    let (large, output) = (folder.path().join("large.glb"), folder.path().join("thumbnail.png"));
    File::create(&large).unwrap().set_len(300 << 20).unwrap();
    let refused = thumbnail(&large, &output, None).code(1);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("at most 268,435,456 are supported"));

    // The limit also applies to a small file that refers to a large one.
    let buffer = folder.path().join("large.bin");
    File::create(&buffer).unwrap().set_len(300 << 20).unwrap();
    let small = folder.path().join("small.gltf");
    let json = serde_json::json!({ "asset": { "version": "2.0" }, "buffers": [{ "uri": "large.bin", "byteLength": 300 << 20 }] });
    fs::write(&small, json.to_string()).unwrap();
    let refused = thumbnail(&small, &output, None).code(1);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("large.bin") && message.contains("are supported"), "{message}");
    assert!(!output.exists());
}

#[test]
fn a_broken_file_leaves_no_thumbnail() {
    let folder = tempfile::tempdir().unwrap();
    let (broken, output) = (folder.path().join("broken.glb"), folder.path().join("thumbnail.png"));
    fs::write(&broken, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    thumbnail(&broken, &output, None).code(1);
    assert!(!output.exists());
}

/// A limit on the size of files has the same effect as a full disk.
#[test]
#[cfg(unix)]
fn a_thumbnail_that_cannot_be_written_completely_is_removed_or_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.png");
    fs::write(&old, [b"\x89PNG\r\n\x1a\n", &[1; 3000][..]].concat()).unwrap();
    for name in ["new.png", "old.png"] {
        // The limit is two blocks of 512 bytes.
        let script = "ulimit -f 2; exec \"$0\" thumbnail \"$1\" \"$2\"";
        let mut command = Command::new("/bin/sh");
        command.env_clear().args(["-c", script, env!("CARGO_BIN_EXE_sinew")]).arg(sample()).arg(folder.path().join(name));
        command.assert().code(1);
    }
    assert!(!folder.path().join("new.png").exists());
    assert_eq!(fs::read(&old).unwrap().len(), 0);
}

#[test]
fn only_pictures_are_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let model = fs::read(sample()).unwrap();
    let path = |name: &str| folder.path().join(name);
    let models = ["a.glb", "b.glb", "model", "model.png", "mesh.obj"];
    for name in models {
        fs::write(path(name), &model).unwrap();
    }
    fs::hard_link(path("a.glb"), path("link.png")).unwrap();
    // A shell replaces *.glb by all models of a folder, and fox.* by all files of a model.
    for (file, output, message) in [
        ("a.glb", "b.glb", "thumbnails are written as .png"),
        ("a.glb", "a.glb", "thumbnails are written as .png"),
        ("a.glb", "new.jpg", "thumbnails are written as .png"),
        ("a.glb", "new.VRM", "thumbnails are written as .png"),
        ("model", "model", "is the model itself"),
        ("model.png", "model.png", "is the model itself"),
        ("a.glb", "link.png", "is the model itself"),
        ("a.glb", "model.png", "exists and is not a PNG"),
        ("a.glb", "mesh.obj", "exists and is not a PNG"),
    ] {
        let refused = thumbnail(&path(file), &path(output), None).code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains(message) && said.contains("Usage: sinew thumbnail"), "{file} {output}: {said}");
    }
    for name in models {
        assert!(fs::read(path(name)).unwrap() == model, "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
}

#[test]
fn a_thumbnail_is_not_written_to_the_standard_output() {
    let refused = thumbnail(&sample(), Path::new("-"), None).code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("- is not the standard output here: name a file"), "{said}");
}

#[test]
fn a_thumbnail_may_have_a_temporary_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["thumbnail-1f3a", ".gnome_desktop_thumbnail.A1B2C3"] {
        let output = folder.path().join(name);
        thumbnail(&sample(), &output, Some(64)).success();
        assert_eq!(image::load_from_memory(&fs::read(output).unwrap()).unwrap().width(), 64);
    }
}

/// The description of the driver is a pipe that nobody writes to, so the driver never starts.
#[test]
#[cfg(target_os = "linux")]
fn a_thumbnail_that_takes_too_long_ends_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let [driver, output] = ["driver.json", "thumbnail.png"].map(|name| folder.path().join(name));
    assert!(std::process::Command::new("mkfifo").arg(&driver).status().unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.env_clear().env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
    let started = std::time::Instant::now();
    let refused = command.arg("thumbnail").arg(sample()).arg(&output).timeout(std::time::Duration::from_secs(60)).assert().code(1);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.ends_with("sample.glb: drawing the thumbnail takes longer than 30 seconds\n"), "{said}");
    assert!(started.elapsed().as_secs() >= 30 && !output.exists());
}
