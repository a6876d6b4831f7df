//! `sinew render` with a clip to write, as a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use image::AnimationDecoder;
use image::codecs::png::PngDecoder;
use sinew::export::video;

pub fn sample() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb").display().to_string()
}

fn sinew(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).arg("render").arg(sample()).args(args).output().unwrap()
}

/// Whether there is something to draw with; the output of a command that drew.
pub fn drew(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    let can_draw = can_draw(&said);
    assert!(!can_draw || output.status.success(), "{said}");
    can_draw
}

/// Whether there is something to draw with, by what a command said.
fn can_draw(said: &str) -> bool {
    let nothing = said.contains("no graphics adapter");
    assert!(!nothing || std::env::var_os("CI").is_none(), "no adapter, and CI must not skip pictures");
    if nothing {
        eprintln!("SKIPPED: no graphics adapter on this machine");
    }
    !nothing
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

const SMALL: [&str; 4] = ["--size", "81x60", "--msaa", "1"];

#[test]
fn each_frame_is_the_still_picture_of_its_time_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let look = [&SMALL[..], &["--animation", "0", "--overlay", "skeleton,names,grid,shadow"]].concat();
    let range = ["--range", "0.1..0.6", "--fps", "8"];
    if !drew(&sinew(folder.path(), &[&look[..], &range, &["-o", "out/%02d.png"]].concat())) {
        return;
    }
    let pictures = files(&folder.path().join("out"));
    // 0.1, 0.225, 0.35, 0.475 and 0.6 s.
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
fn what_a_longer_sequence_left_behind_is_named() {
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
    assert_eq!(files(folder.path()).len(), 5, "0 is new, 1 is replaced, the others stay");
    assert!(fs::read(folder.path().join("1.png")).unwrap() != b"old" && fs::read(folder.path().join("2.png")).unwrap() == b"old");
}

#[test]
fn without_a_range_or_a_rate_it_is_the_whole_animation_at_its_own() {
    let folder = tempfile::tempdir().unwrap();
    if !drew(&sinew(folder.path(), &[&SMALL[..], &["--animation", "0", "-o", "%d.png"]].concat())) {
        return;
    }
    let inspected = Command::new(env!("CARGO_BIN_EXE_sinew")).args(["inspect", &sample(), "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
    let [duration, rate] = ["duration", "rate"].map(|field| report["animations"][0][field].as_f64().unwrap());
    assert_eq!(files(folder.path()).len(), (duration * rate).round() as usize, "the end is the beginning");
    assert!(drew(&sinew(folder.path(), &[&SMALL[..], &["--animation", "0", "--repeat", "once", "-o", "once/%d.png"]].concat())));
    assert_eq!(files(&folder.path().join("once")).len(), (duration * rate).round() as usize + 1);
}

#[test]
fn a_turntable_begins_where_the_camera_stands_and_turns_about_its_target() {
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
        assert!(off < 81 * 60 / 200, "from {eye} {off} pixels differ");
    }
    // A fitted camera stands back until nothing leaves the picture: the edge is background all around.
    assert!(drew(&sinew(folder.path(), &[&SMALL[..], &["--turntable", "1", "--fps", "16", "-o", "fit/%d.png"]].concat())));
    for path in files(&folder.path().join("fit")) {
        let picture = image::open(&path).unwrap().into_rgba8();
        let edge = picture.enumerate_pixels().filter(|(x, y, _)| *x == 0 || *y == 0 || *x == 80 || *y == 59);
        assert!(edge.clone().all(|(_, _, pixel)| pixel.0 == [0x2A, 0x2D, 0x33, 255]), "{}", path.display());
    }
}

#[test]
fn what_makes_no_clip_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let animation = ["--animation", "0"];
    for (args, word) in [
        (&["-o", "out.gif"][..], "--animation"),
        (&["-o", "%04d.png"], "--animation"),
        (&["-o", "out.png", "--range", "0..1"], "--fps"),
        (&["-o", "out.png", "--turntable", "2"], "--fps"),
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
        ["--repeat", "never"],
    ] {
        let output = sinew(folder.path(), &[&animation[..], &wrong, &["-o", "out.gif"]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn a_range_behind_the_end_and_a_clip_without_end_are_one_line_and_exit_1() {
    let folder = tempfile::tempdir().unwrap();
    for (args, word) in [
        (["--animation", "0", "--range", "900..901"], "900"),
        (["--turntable", "3600", "--fps", "1000"], "3600000 frames"),
        (["--animation", "0", "--range", "0.5..0.5"], "nothing moves"),
    ] {
        let output = sinew(folder.path(), &[&SMALL[..], &args, &["-o", "out.webm"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        // Before it a driver may have its say.
        let last = said.trim_end().lines().last().unwrap();
        assert!(last.starts_with("error: ") && last.contains(word), "{said}");
    }
    assert_eq!(files(folder.path()).len(), 0);
}

#[test]
fn without_ffmpeg_it_says_what_to_install_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["out.mp4", "out.webm"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).env("PATH", "").args(["render", &sample(), "--animation", "0", "-o", name]).args(SMALL);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1));
        assert!(
            said.contains("install ffmpeg") && said.contains("GIF") && said.trim_end().lines().last().unwrap().contains(name),
            "{said}"
        );
    }
    assert_eq!(files(folder.path()).len(), 0);
}

/// For programs to be looked for: where ffmpeg is this script.
#[cfg(unix)]
fn path_with_ffmpeg(folder: &Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let ffmpeg = folder.join("ffmpeg");
    fs::write(&ffmpeg, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

/// One that knows no encoder, one that dies of the third picture, one that says nothing.
#[test]
#[cfg(unix)]
fn what_ffmpeg_says_when_it_fails_is_told_and_nothing_is_left() {
    for (script, word) in [
        ("echo \"Unknown encoder 'libx264'\" >&2; exit 1", "Unknown encoder 'libx264'"),
        ("head -c 40000 > /dev/null; echo 'no more room' >&2; exit 1", "no more room"),
        ("cat > /dev/null; exit 1", "without a word"),
        ("echo 'enough of it' >&2; exec 0<&-; exec sleep 1000", "enough of it"),
        // Whoever it started holds its stderr.
        ("echo 'gone' >&2; sleep 30 & exit 1", "gone"),
    ] {
        let (folder, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command
            .current_dir(folder.path())
            .env("PATH", path_with_ffmpeg(programs.path(), script))
            .args(["render", &sample(), "--animation", "0", "-o", "out.mp4"])
            .args(SMALL);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(word) && said.contains("out.mp4"), "{said}");
        assert_eq!(files(folder.path()).len(), 0);
    }
}

/// 81 pixels are odd.
#[test]
fn a_video_has_even_sides() {
    if !video::is_possible() {
        assert!(std::env::var_os("CI").is_none(), "no ffmpeg, and CI must not skip videos");
        return eprintln!("SKIPPED: no ffmpeg on this machine");
    }
    let folder = tempfile::tempdir().unwrap();
    let output = sinew(folder.path(), &[&SMALL[..], &["--animation", "0", "--range", "0..0.5", "--fps", "10", "-o", "out.mp4"]].concat());
    if !drew(&output) {
        return;
    }
    assert!(String::from_utf8_lossy(&output.stderr).contains("82x60"));
    let fields = "stream=width,height,pix_fmt,color_space,color_transfer,color_primaries,color_range,nb_frames,r_frame_rate";
    let mut probe = Command::new("ffprobe");
    probe.args(["-v", "error", "-show_entries", fields, "-of", "default=nw=1"]).arg(folder.path().join("out.mp4"));
    let found = String::from_utf8(probe.output().unwrap().stdout).unwrap();
    for expected in ["width=82", "height=60", "pix_fmt=yuv420p", "color_range=tv", "color_space=bt709", "color_transfer=bt709"] {
        assert!(found.contains(expected), "{expected} in {found}");
    }
    assert!(found.contains("color_primaries=bt709") && found.contains("r_frame_rate=10/1") && found.contains("nb_frames=6"), "{found}");
    assert_eq!(files(folder.path()).len(), 1);
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_nothing_behind() {
    for name in ["out.gif", "out.png", "out/%04d.png", "out.mp4"] {
        if name == "out.mp4" && !video::is_possible() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).args(["render", &sample(), "--turntable", "300", "--fps", "24", "-o", name]).args(SMALL);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Until it has begun to write.
        let began = Instant::now();
        while files(folder.path()).is_empty() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(300));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("nothing was written"), "{said}");
        assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from), "{name}");
    }
}

/// One that never reads, and one that has read all and never ends.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_an_ffmpeg_that_does_not() {
    for (script, turn) in [("exec sleep 1000", "300"), ("cat > /dev/null; exec sleep 1000", "0.5")] {
        let (folder, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let pid = programs.path().join("pid");
        let script = format!("echo $$ > {}\n{script}", pid.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).env("PATH", path_with_ffmpeg(programs.path(), &script));
        command.args(["render", &sample(), "--turntable", turn, "--fps", "24", "-o", "out.mp4"]).args(SMALL);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while !pid.exists() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Until the pipe is full, or the last picture is drawn.
        std::thread::sleep(Duration::from_secs(4));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let interrupted = Instant::now();
        while child.try_wait().unwrap().is_none() && interrupted.elapsed().as_secs() < 15 {
            std::thread::sleep(Duration::from_millis(20));
        }
        let hangs = child.try_wait().unwrap().is_none();
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert!(!hangs, "{script} is waited for");
        assert!(output.status.code() == Some(1) && said.contains("nothing was written"), "{said}");
        assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from));
        let ffmpeg = fs::read_to_string(&pid).unwrap();
        let lives = Command::new("kill").args(["-0", ffmpeg.trim()]).stderr(Stdio::null()).status().unwrap().success();
        assert!(!lives, "it goes on");
    }
}

/// Twice at once: the second comes while a large frame is drawn still.
#[test]
#[cfg(unix)]
fn a_second_interrupt_leaves_nothing_behind_either() {
    for name in ["out.gif", "out/%04d.png"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).args(["render", &sample(), "--turntable", "300", "--fps", "24", "-o", name]);
        let mut child = command.args(["--size", "3000x3000", "--supersample", "4"]).stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while files(folder.path()).is_empty() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        for _ in 0..2 {
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            std::thread::sleep(Duration::from_millis(200));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("nothing was written"), "it did not come to that: {said}");
        assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from), "{name}");
    }
}
