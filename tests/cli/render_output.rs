//! Tests what `sinew render` does for the name of its output, and its usage errors.

use std::path::Path;

use assert_cmd::Command;

use crate::common::gltf_builder::skinned_triangle;
use crate::common::skip::skip_outside_ci;

fn sinew(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(arguments).assert()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn write(folder: &Path) {
    let mut gltf = skinned_triangle();
    let moves = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.animation(&[(2, "translation", "LINEAR", &[0.0, 1.0], moves)]);
    std::fs::write(folder.join("a.glb"), gltf.to_glb()).unwrap();
}

#[test]
fn conflicts_of_flags_show_the_usage_of_render() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (&["-o", "a.gif"][..], "a clip needs motion"),
        (&["-o", "a.mp4", "--animation", "0", "--transparent"], "MP4 cannot be transparent"),
        (&["-o", "a.gif", "--animation", "0", "--fps", "60"], "the limit is 50"),
        (&["-o", "a.png", "--range", "0..1"], "make a clip"),
        (&["-o", "a.png", "--repeat", "once"], "--repeat is the loop mode of a clip"),
        (&["-o", "a.png", "--sheet", "--repeat", "once", "--overlay", "skeleton"], "--repeat is the loop mode of a clip"),
        (&["-o", "a.png", "--overlay", "none,skeleton"], "--overlay none means no overlay at all"),
        (&["-o", "a.png", "--overlay", "grid", "--overlay", "none"], "--overlay none means no overlay at all"),
        (&["-o", "a%d%d.png", "--animation", "0"], "a name has one number of the frame"),
        (&["-o", "-", "--fps", "30"], "--fps is the rate of a clip"),
        (&["-o", "a.png", "--eye", "5,5,5", "--target", "5,5,5", "--yfov", "40"], "are the same point"),
        (&["-o", "a.png", "--eye", "1e300,0,0", "--target", "0,0,0", "--yfov", "40"], "are too far apart or too close together"),
    ] {
        let said = stderr(&sinew(folder.path(), &[&["render", "a.glb"], arguments].concat()).code(2));
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(said.contains("Usage: sinew render [OPTIONS] --output <OUT> <FILE>"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_missing_output_folder_is_reported_before_the_model_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (arguments, message) in [
        (&["-o", "none/out.png"][..], "cannot write none/out.png: its folder does not exist"),
        (&["-o", "none/out.png", "--sheet"], "cannot write none/out.png: its folder does not exist"),
        (&["-o", "none/out.gif", "--animation", "0"], "cannot write none/out.gif: its folder does not exist"),
        (&["-o", "none/out/%d.png", "--animation", "0"], "cannot write none/out: its folder does not exist"),
        (&["-o", "out.png/"], "out.png/ is a folder: add the name of a file"),
        (&["-o", "file/out.png"], "cannot write file/out.png: a part of its path is a file"),
        (&["-o", "out/%d.png", "--animation", "0"], "missing.glb"),
        (&["-o", "out.png"], "missing.glb"),
    ] {
        let said = stderr(&sinew(folder.path(), &[&["render", "missing.glb"], arguments].concat()).code(1));
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn the_loop_mode_is_accepted_for_stills_that_show_other_moments() {
    let folder = tempfile::tempdir().unwrap();
    // The file does not exist, so that the command ends after it has checked its usage.
    for arguments in [&["--overlay", "ghosts"][..], &["--overlay", "skeleton,contacts"], &["--sheet", "--animation", "0"]] {
        let render = ["render", "missing.glb", "-o", "a.png", "--repeat", "once"];
        let said = stderr(&sinew(folder.path(), &[&render[..], arguments].concat()).code(1));
        assert!(said.contains("missing.glb"), "{said}");
    }
}

#[test]
fn a_dash_writes_the_picture_to_the_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    for flags in [&["--size", "40x30"][..], &["--size", "40x30", "--sheet", "--timings"]] {
        let render = |output| sinew(folder.path(), &[&["render", "a.glb", "-o", output], flags].concat());
        let piped = render("-");
        if stderr(&piped).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        let piped = piped.success();
        let picture = image::load_from_memory(&piped.get_output().stdout).unwrap();
        assert_eq!((picture.width(), picture.height()), (40, 30));
        assert!(!folder.path().join("-").exists());
        render("./-").success();
        assert!(std::fs::read(folder.path().join("-")).unwrap() == piped.get_output().stdout, "the file has other bytes");
        std::fs::remove_file(folder.path().join("-")).unwrap();
    }
}

/// Opening a pipe waits for its other end, so a command that opens one by mistake never ends.
#[test]
#[cfg(unix)]
fn pipes_are_written_as_pictures_and_refused_as_models() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    for pipe in ["in.glb", "out.png", "out.mp4"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.path().join(pipe)).status().unwrap().success());
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).args(arguments).timeout(std::time::Duration::from_mins(2)).assert()
    };
    for (arguments, message) in [
        (&["thumbnail", "in.glb", "a.png"][..], "in.glb is not a regular file"),
        (&["render", "in.glb", "-o", "a.png"], "in.glb is not a regular file"),
        (&["render", "a.glb", "-o", "a.png", "--compare", "in.glb"], "in.glb is not a regular file"),
        (&["render", "a.glb", "-o", "out.mp4", "--turntable", "1", "--size", "16x16"], "it is a device or a pipe"),
    ] {
        let refused = run(arguments);
        if stderr(&refused).contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        let said = stderr(&refused.code(1));
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    for arguments in [&["render", "a.glb", "-o", "out.png", "--size", "64x64"][..], &["thumbnail", "a.glb", "out.png", "--size", "64"]] {
        let pipe = folder.path().join("out.png");
        let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
        run(arguments).success();
        assert_eq!(image::load_from_memory(&reader.join().unwrap()).unwrap().width(), 64, "{arguments:?}");
    }
}

#[test]
fn files_that_are_read_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    std::fs::rename(folder.path().join("a.glb"), folder.path().join("model")).unwrap();
    let model = std::fs::read(folder.path().join("model")).unwrap();
    for view in ["view", "v0.png"] {
        std::fs::write(folder.path().join(view), "{}").unwrap();
    }
    for (arguments, name) in [
        (&["model", "-o", "model"][..], "model"),
        (&["model", "-o", "./model"], "model"),
        (&["model", "--state", "view", "-o", "view"], "view"),
        (&["model", "--state", "v0.png", "-o", "v%d.png", "--turntable", "1"], "v0.png"),
        (&["other.glb", "model", "--sheet", "-o", "model"], "model"),
        (&["other.glb", "--compare", "model", "-o", "model"], "model"),
    ] {
        let said = stderr(&sinew(folder.path(), &[&["render"], arguments].concat()).code(2));
        assert!(said.contains(&format!("-o would overwrite {name}, which is read")), "{arguments:?}: {said}");
    }
    assert!(std::fs::read(folder.path().join("model")).unwrap() == model);
    assert_eq!(std::fs::read_to_string(folder.path().join("view")).unwrap(), "{}");
    // The panorama of a view may have any name, too.
    std::fs::write(folder.path().join("view"), r#"{"display": {"environment": {"file": "studio"}}}"#).unwrap();
    std::fs::write(folder.path().join("studio"), "#?RADIANCE").unwrap();
    let said = stderr(&sinew(folder.path(), &["render", "model", "--state", "view", "-o", "./studio"]).code(1));
    assert!(said.contains("would overwrite studio, the panorama of the view"), "{said}");
}

#[test]
fn the_output_is_a_file_and_not_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    std::fs::create_dir(folder.path().join("frames")).unwrap();
    for output in ["frames", "frames/", "new/", "."] {
        for arguments in [&["render", "a.glb", "-o", output][..], &["thumbnail", "a.glb", output]] {
            let said = stderr(&sinew(folder.path(), arguments).code(1));
            let expected = format!("error: {output} is a folder: add the name of a file, as in ");
            assert!(said.starts_with(&expected) && said.trim_end().lines().count() == 1, "{arguments:?}: {said}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path().join("frames")).unwrap().count(), 0);
}

#[test]
fn textures_of_the_model_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    image::RgbaImage::from_pixel(2, 2, image::Rgba([255; 4])).save(folder.path().join("skin0007.png")).unwrap();
    let texture = std::fs::read(folder.path().join("skin0007.png")).unwrap();
    let gltf = r#"{"asset": {"version": "2.0"}, "images": [{"uri": "TEXTURE"}], "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}"#;
    // The last name is encoded as URIs demand (RFC 3986, 2.1).
    for (file, image) in [("a.gltf", "skin0007.png"), ("plain.gltf", "skin0007"), ("percent.gltf", "skin%25d")] {
        std::fs::write(folder.path().join(file), gltf.replace("TEXTURE", image)).unwrap();
    }
    std::fs::write(folder.path().join("skin0007"), &texture).unwrap();
    std::fs::write(folder.path().join("skin%d"), &texture).unwrap();
    write(folder.path());
    let outputs = [
        &["render", "a.gltf", "-o", "skin0007.png"][..],
        &["render", "a.gltf", "-o", "skin%04d.png", "--turntable", "1"],
        &["render", "a.glb", "-o", "skin0007.png", "--compare", "a.gltf"],
        &["render", "a.glb", "a.gltf", "-o", "skin0007.png", "--sheet"],
        &["render", "a.glb", "-o", "skin0007.png", "--animations", "a.gltf"],
        &["thumbnail", "a.gltf", "skin0007.png"],
    ];
    for arguments in outputs {
        let said = stderr(&sinew(folder.path(), arguments).code(1));
        if said.contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        assert!(said.contains("skin0007.png") && said.contains("file of the model"), "{arguments:?}: {said}");
        assert!(std::fs::read(folder.path().join("skin0007.png")).unwrap() == texture, "{arguments:?} changed the texture");
    }
    // Other names in the same folder are fine.
    sinew(folder.path(), &["render", "a.gltf", "-o", "skin00007.png", "--size", "16x16"]).success();
    // Without an extension, the output is one picture, also if its name looks like those of numbered ones.
    let said = stderr(&sinew(folder.path(), &["render", "percent.gltf", "-o", "skin%d", "--size", "16x16"]).code(1));
    assert!(said.contains("skin%d, a file of the model"), "{said}");
    assert!(std::fs::read(folder.path().join("skin%d")).unwrap() == texture);
    sinew(folder.path(), &["render", "plain.gltf", "-o", "skin%04d", "--size", "16x16"]).success();
}
