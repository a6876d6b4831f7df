//! Tests `sinew render` if ffmpeg is missing, fails or hangs, and if an interrupt arrives. The command must print a message and leave no
//! files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sinew::export::formats::video;

use super::clip_process::{SMALL, can_draw, drew, files, sample, sinew};
use crate::common::skip::skip_outside_ci;

#[test]
fn without_ffmpeg_the_error_says_what_to_install_and_no_file_is_left() {
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

/// Writes a script as `ffmpeg` to a folder, and returns a PATH that begins with this folder.
#[cfg(unix)]
fn path_with_ffmpeg(folder: &Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let ffmpeg = folder.join("ffmpeg");
    fs::write(&ffmpeg, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

/// Each script stands for an ffmpeg that fails: it lacks an encoder, fails at the third picture, fails without a message, stops reading, or
/// leaves a child process behind.
#[test]
#[cfg(unix)]
fn the_message_of_a_failed_ffmpeg_is_shown_and_no_file_is_left() {
    for (script, word) in [
        ("echo \"Unknown encoder 'libx264'\" >&2; exit 1", "Unknown encoder 'libx264'"),
        ("head -c 40000 > /dev/null; echo 'no more room' >&2; exit 1", "no more room"),
        ("cat > /dev/null; exit 1", "no error message"),
        ("echo 'enough of it' >&2; exec 0<&-; exec sleep 1000", "enough of it"),
        // The child process keeps ffmpeg's stderr open.
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

/// The requested width of 81 pixels is odd.
#[test]
fn a_video_has_even_width_and_height() {
    if !video::is_ffmpeg_installed() {
        return skip_outside_ci("ffmpeg is not installed");
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
fn an_interrupt_leaves_no_files() {
    for name in ["out.gif", "out.png", "out/%04d.png", "out.mp4"] {
        if name == "out.mp4" && !video::is_ffmpeg_installed() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).args(["render", &sample(), "--turntable", "300", "--fps", "24", "-o", name]).args(SMALL);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Wait until the program has begun to write.
        let began = Instant::now();
        while files(folder.path()).is_empty() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(300));
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
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

/// `nohup` starts programs that ignore a hangup.
#[test]
#[cfg(unix)]
fn a_hangup_that_is_ignored_does_not_stop_a_clip() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sinew")]);
    command.args(["render", &sample(), "--turntable", "20", "--fps", "24", "-o", "out.gif"]).args(SMALL);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while files(folder.path()).is_empty() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if !can_draw(&said) {
        return;
    }
    assert!(output.status.success(), "{said}");
    assert_eq!(files(folder.path()), [folder.path().join("out.gif")]);
}

/// One script reads no more than the beginning. The other reads everything and never ends.
#[test]
#[cfg(unix)]
fn an_interrupt_stops_a_hanging_ffmpeg() {
    for (read, turn) in [("head -c 1000 > /dev/null", "300"), ("cat > /dev/null", "0.5")] {
        let (folder, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [pid, hangs] = ["pid", "hangs"].map(|name| programs.path().join(name));
        let script = format!("echo $$ > {}\n{read}\necho > {}\nexec sleep 1000", pid.display(), hangs.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).env("PATH", path_with_ffmpeg(programs.path(), &script));
        command.args(["render", &sample(), "--turntable", turn, "--fps", "24", "-o", "out.mp4"]).args(SMALL);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while !hangs.exists() && child.try_wait().unwrap().is_none() && began.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Wait until the pipe is full, which holds a few pictures, or until sinew waits for the end of ffmpeg.
        std::thread::sleep(Duration::from_millis(500));
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let interrupted = Instant::now();
        while child.try_wait().unwrap().is_none() && interrupted.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(20));
        }
        let still_waits = child.try_wait().unwrap().is_none();
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert!(!still_waits, "sinew still waits for {script}");
        assert!(output.status.code() == Some(1) && said.contains("nothing was written"), "{said}");
        assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from));
        let ffmpeg = fs::read_to_string(&pid).unwrap();
        let lives = Command::new("kill").args(["-0", ffmpeg.trim()]).stderr(Stdio::null()).status().unwrap().success();
        assert!(!lives, "ffmpeg still runs");
    }
}

/// Interrupts twice in a row. The second interrupt arrives while a large frame is still being drawn, unless the machine is fast.
#[test]
#[cfg(unix)]
fn a_second_interrupt_leaves_no_files() {
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
            Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
            std::thread::sleep(Duration::from_millis(200));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if !can_draw(&said) {
            return;
        }
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_eq!(files(folder.path()), [""; 0].map(PathBuf::from), "{name}");
    }
}
