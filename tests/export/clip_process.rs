//! Tests clips that `sinew render` writes, which runs as a separate process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, RgbaImage, imageops};

use crate::common::gltf_builder::motion_only;
use crate::common::skip::skip_outside_ci;

pub fn sample() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb").display().to_string()
}

pub fn sinew(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).arg("render").arg(sample()).args(args).output().unwrap()
}

/// Returns whether the command could draw. If it could, asserts that the command succeeded.
pub fn drew(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    let can_draw = can_draw(&said);
    assert!(!can_draw || output.status.success(), "{said}");
    can_draw
}

/// Returns false if the output of a command says that there is no graphics adapter.
pub fn can_draw(said: &str) -> bool {
    let nothing = said.contains("no graphics adapter");
    if nothing {
        skip_outside_ci("no graphics adapter");
    }
    !nothing
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_file_without_meshes_shows_its_skeleton_unless_the_overlay_is_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("motion.glb"), motion_only().to_glb()).unwrap();
    let draw = |flags: &[&str]| {
        let arguments = ["render", "motion.glb", "--animation", "0", "--time", "1", "--msaa", "1", "--size", "120x90", "-o", "out.png"];
        let output = Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder.path()).args(arguments).args(flags).output().unwrap();
        drew(&output).then(|| image::open(folder.path().join("out.png")).unwrap().into_rgba8())
    };
    let Some(bare) = draw(&["--overlay", "none"]) else { return };
    let is_background = |pixel: &image::Rgba<u8>| pixel.0 == [0x2A, 0x2D, 0x33, 255];
    assert!(bare.pixels().all(is_background));
    let drawn = draw(&[]).unwrap();
    let drawn_rows: Vec<u32> = drawn.enumerate_pixels().filter(|(.., pixel)| !is_background(pixel)).map(|(_, y, _)| y).collect();
    let (top, bottom) = (*drawn_rows.first().unwrap(), *drawn_rows.last().unwrap());
    assert!(drawn_rows.len() > 50 && top > 0 && bottom < 89, "{} pixels from row {top} to {bottom}", drawn_rows.len());
    assert!(drawn == draw(&["--overlay", "skeleton"]).unwrap());
}

pub const SMALL: [&str; 4] = ["--size", "81x60", "--msaa", "1"];

#[test]
fn each_frame_equals_the_still_picture_at_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let look = [&SMALL[..], &["--animation", "0", "--overlay", "skeleton,names,grid,shadow"]].concat();
    let range = ["--range", "0.1..0.6", "--fps", "8"];
    if !drew(&sinew(folder.path(), &[&look[..], &range, &["-o", "out/%02d.png"]].concat())) {
        return;
    }
    let pictures = files(&folder.path().join("out"));
    // The frames are at 0.1, 0.225, 0.35, 0.475 and 0.6 s.
    assert_eq!(pictures.len(), 5);
    for (k, picture) in pictures.iter().enumerate() {
        let time = (0.1 + k as f64 / 8.0).min(0.6).to_string();
        assert!(drew(&sinew(folder.path(), &[&look[..], &["--time", &time, "-o", "still.png"]].concat())));
        assert!(fs::read(picture).unwrap() == fs::read(folder.path().join("still.png")).unwrap(), "frame {k} at {time} s differs");
    }
    assert_ne!(fs::read(&pictures[0]).unwrap(), fs::read(&pictures[4]).unwrap());
    assert!(drew(&sinew(folder.path(), &[&look[..], &range, &["-o", "out.png"]].concat())));
    let decoder = PngDecoder::new(std::io::BufReader::new(fs::File::open(folder.path().join("out.png")).unwrap())).unwrap();
    let frames = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), 5);
    for (frame, picture) in frames.into_iter().zip(&pictures) {
        assert!(frame.into_buffer() == image::open(picture).unwrap().into_rgba8());
    }
}

#[test]
fn files_left_by_a_longer_sequence_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["1.png", "2.png", "3.png", "5.png"] {
        fs::write(folder.path().join(name), "old").unwrap();
    }
    let clip = ["--animation", "0", "--range", "0..0.1", "--fps", "10", "-o", "%d.png"];
    let output = sinew(folder.path(), &[&SMALL[..], &clip].concat());
    if !drew(&output) {
        return;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.lines().any(|line| line.starts_with("note: ") && line.contains("2.png") && line.contains("3.png")), "{said}");
    assert_eq!(files(folder.path()).len(), 5, "frame 0 is new, frame 1 is replaced, the others stay");
    assert!(fs::read(folder.path().join("1.png")).unwrap() != b"old" && fs::read(folder.path().join("2.png")).unwrap() == b"old");
}

#[test]
fn a_clip_defaults_to_the_whole_animation_at_its_own_rate() {
    let folder = tempfile::tempdir().unwrap();
    if !drew(&sinew(folder.path(), &[&SMALL[..], &["--animation", "0", "-o", "%d.png"]].concat())) {
        return;
    }
    let inspected = Command::new(env!("CARGO_BIN_EXE_sinew")).args(["inspect", &sample(), "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
    let [duration, rate] = ["duration", "rate"].map(|field| report["animations"][0][field].as_f64().unwrap());
    assert_eq!(files(folder.path()).len(), (duration * rate).round() as usize, "the last frame would repeat the first one");
    assert!(drew(&sinew(folder.path(), &[&SMALL[..], &["--animation", "0", "--repeat", "once", "-o", "once/%d.png"]].concat())));
    assert_eq!(files(&folder.path().join("once")).len(), (duration * rate).round() as usize + 1);
}

#[test]
fn a_turntable_starts_at_the_camera_and_turns_around_its_target() {
    let folder = tempfile::tempdir().unwrap();
    let camera = |eye| [&SMALL[..], &["--eye", eye, "--target", "0,0.5,0", "--yfov", "40"]].concat();
    let turn = ["--turntable", "1", "--fps", "4", "-o", "turn/%d.png"];
    if !drew(&sinew(folder.path(), &[&camera("0,1,3")[..], &turn].concat())) {
        return;
    }
    let turned = files(&folder.path().join("turn"));
    assert_eq!(turned.len(), 4);
    for (picture, eye) in turned.iter().zip(["0,1,3", "3,1,0", "0,1,-3", "-3,1,0"]) {
        assert!(drew(&sinew(folder.path(), &[&camera(eye)[..], &["-o", "still.png"]].concat())));
        let [found, expected] = [picture, &folder.path().join("still.png")].map(|path| image::open(path).unwrap().into_rgba8());
        let off = found.pixels().zip(expected.pixels()).filter(|(a, b)| a != b).count();
        assert!(off < 81 * 60 / 200, "seen from {eye}, {off} pixels differ");
    }
    // The fitted camera is far enough away that nothing leaves the picture, so all edges show the background.
    assert!(drew(&sinew(folder.path(), &[&SMALL[..], &["--turntable", "1", "--fps", "16", "-o", "fit/%d.png"]].concat())));
    for path in files(&folder.path().join("fit")) {
        let picture = image::open(&path).unwrap().into_rgba8();
        let edge = picture.enumerate_pixels().filter(|(x, y, _)| *x == 0 || *y == 0 || *x == 80 || *y == 59);
        assert!(edge.clone().all(|(_, _, pixel)| pixel.0 == [0x2A, 0x2D, 0x33, 255]), "{}", path.display());
    }
}

/// Seen from above, the camera turns counterclockwise, so the picture turns clockwise.
#[test]
fn a_turntable_seen_from_above_turns_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let camera = ["--eye", "0,3,0", "--target", "0,0,0", "--yfov", "60", "--lighting", "none", "--size", "60x60", "--supersample", "2"];
    if !drew(&sinew(folder.path(), &[&camera[..], &["--turntable", "1", "--fps", "4", "-o", "%d.png"]].concat())) {
        return;
    }
    let frames: Vec<_> = files(folder.path()).iter().map(|path| image::open(path).unwrap().into_rgba8()).collect();
    assert!(drew(&sinew(folder.path(), &[&camera[..], &["-o", "still.png"]].concat())));
    assert!(frames[0] == image::open(folder.path().join("still.png")).unwrap().into_rgba8());
    let mean_difference = |a: &RgbaImage, b: &RgbaImage| {
        let differences = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b)));
        differences.sum::<f64>() / a.as_raw().len() as f64
    };
    for (frame, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        let [turned, wrong] = [imageops::rotate90(&frames[frame]), imageops::rotate270(&frames[frame])];
        let [turned, wrong] = [turned, wrong].map(|picture| mean_difference(&picture, &frames[next]));
        assert!(turned < 1.0 && wrong > 4.0 * turned, "frame {next} differs by {turned} from the turned frame {frame}, else by {wrong}");
    }
}

#[test]
fn a_doubled_percent_sign_makes_an_ordinary_name() {
    let folder = tempfile::tempdir().unwrap();
    if !drew(&sinew(folder.path(), &[&SMALL[..], &["-o", "50%%done.png"]].concat())) {
        return;
    }
    assert_eq!(files(folder.path()), [folder.path().join("50%done.png")]);
    let clip = ["--animation", "0", "--range", "0..0.1", "--fps", "10", "-o", "a%%04d-%d%%.png"];
    assert!(drew(&sinew(folder.path(), &[&SMALL[..], &clip].concat())));
    let names = ["50%done.png", "a%04d-0%%.png", "a%04d-1%%.png"].map(|name| folder.path().join(name));
    assert_eq!(files(folder.path()), names, "only before a number is a percent sign doubled");
}

#[test]
#[cfg(target_os = "linux")]
fn a_sequence_whose_name_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"o\xff%d.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let output = command.current_dir(folder.path()).args(["render", &sample(), "--animation", "0", "-o"]).arg(name).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("must be UTF-8"), "{said}");
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn a_turntable_without_an_animation_notes_that_range_and_repeat_have_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    let turn = ["--turntable", "0.5", "--fps", "4", "--range", "0..1", "--repeat", "once", "-o", "turn.gif"];
    let output = sinew(folder.path(), &[&SMALL[..], &turn].concat());
    if !drew(&output) {
        return;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("note: --range, --repeat have no effect: nothing moves; use --animation"), "{said}");
}

#[test]
fn invalid_or_contradictory_clip_options_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let animation = ["--animation", "0"];
    for (args, word) in [
        (&["-o", "out.gif"][..], "--animation"),
        (&["-o", "%04d.png"], "--animation"),
        (&["-o", "out/%5d.png", "--animation", "0"], "%04d"),
        (&["-o", "%010d.png", "--animation", "0", "--fps", "10"], "%04d"),
        (&["-o", "out.png", "--range", "0..1"], "--fps"),
        (&["-o", "out.png", "--turntable", "2"], "--fps"),
        (&["-o", "out.png", "--loops", "2"], "--fps"),
        (&["-o", "out.gif", "--turntable", "2", "--loops", "2"], "--loops"),
        (&["-o", "out.gif", "--animation", "0", "--time", "1"], "--range"),
        (&["-o", "out.mp4", "--animation", "0", "--transparent"], "transparent"),
        (&["-o", "out.gif", "--animation", "0", "--fps", "60"], "50"),
    ] {
        let output = sinew(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(word), "{args:?}: {said}");
    }
    for wrong in [
        ["--fps", "0"],
        ["--fps", "1e9"],
        ["--fps", "nan"],
        ["--fps", "-24"],
        ["--range", "1"],
        ["--range", "2..1"],
        ["--range", "-1..1"],
        ["--range", "0..nan"],
        ["--range", "0..inf"],
        ["--turntable", "0"],
        ["--turntable", "inf"],
        ["--loops", "0"],
        ["--loops", "1001"],
        ["--loops", "-1"],
        ["--repeat", "never"],
    ] {
        let output = sinew(folder.path(), &[&animation[..], &wrong, &["-o", "out.gif"]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn clips_with_an_impossible_range_or_length_end_with_an_error_and_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    for (args, word) in [
        (["--animation", "0", "--range", "900..901"], "starts at 900 s, after the end of the animation at 1.000 s"),
        (["--turntable", "3600", "--fps", "1000"], "3,600,000 frames"),
        (["--animation", "0", "--range", "0.5..0.5"], "nothing moves"),
        (["--animation", "0", "--range", "1..2"], "nothing moves"),
    ] {
        let output = sinew(folder.path(), &[&SMALL[..], &args, &["-o", "out.webm"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        // The graphics driver may write messages before the error.
        let last = said.trim_end().lines().last().unwrap();
        assert!(last.starts_with("error: ") && last.contains(word), "{said}");
    }
    assert_eq!(files(folder.path()).len(), 0);
}
