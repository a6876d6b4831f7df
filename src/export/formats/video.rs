//! Encodes MP4 and WebM with the user's ffmpeg, which reads raw pictures from its standard input and writes the file.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use image::RgbaImage;

use crate::cancel::Cancel;
use crate::session::time::clip::ClipFormat;

use crate::export::atomic_file::AtomicFile;
use crate::export::error::WriteError;

use super::encoder::{Encoder, Shape};

/// Name of the program.
const FFMPEG: &str = "ffmpeg";
/// Maximum number of bytes to keep of ffmpeg's error output.
const MAX_STDERR_BYTES: usize = 64 << 10;
/// Interval between checks of whether ffmpeg has ended or the clip is canceled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum time to wait for ffmpeg to end after an error or after it was killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum time to wait for the rest of ffmpeg's error output. The pipe may stay open, because another process can hold it.
const STDERR_TIMEOUT: Duration = Duration::from_millis(300);

/// ffmpeg filter that converts sRGB to BT.709, the color space that players assume.
const TO_BT709: &str = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+bicubic";
/// ffmpeg arguments that tag the file with the color space BT.709.
const COLOR_TAGS: [&str; 8] = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/// Returns whether ffmpeg is found in `PATH`.
pub fn is_ffmpeg_installed() -> bool {
    let Some(folders) = std::env::var_os("PATH") else { return false };
    let name = format!("{FFMPEG}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}

/// Encoder of a video. It owns a running ffmpeg.
pub struct Video {
    ffmpeg: Running,
    /// Standard input of ffmpeg; `None` after the last picture.
    pictures: Option<ChildStdin>,
    /// Error output of ffmpeg, as it arrives.
    stderr: Receiver<Vec<u8>>,
    /// The file that ffmpeg writes. As the last field it is dropped after ffmpeg has ended.
    output: AtomicFile,
}

/// A running ffmpeg. A thread kills it when the clip is canceled, which unblocks any thread that writes to it or waits for it.
/// Dropping this value kills it, too.
struct Running(Arc<Mutex<Child>>);

impl Running {
    /// Starts the thread that watches for cancellation.
    fn new(child: Child, cancel: Cancel) -> Self {
        let child = Arc::new(Mutex::new(child));
        let watched = Self(child.clone());
        thread::spawn(move || {
            while watched.exit_status().is_none() {
                if cancel.is_canceled() {
                    return watched.kill();
                }
                thread::sleep(POLL_INTERVAL);
            }
        });
        Self(child)
    }

    /// The exit status of ffmpeg. `None` while it runs, `Some(None)` if the status cannot be read.
    fn exit_status(&self) -> Option<Option<ExitStatus>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait().map_or(Some(None), |status| status.map(Some))
    }

    /// Waits until ffmpeg ends or `time` has passed. Returns whether it has ended.
    fn ends_within(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while self.exit_status().is_none() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(POLL_INTERVAL / 5);
        }
        true
    }

    /// Kills ffmpeg if it still runs.
    fn kill(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
        self.ends_within(EXIT_TIMEOUT);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Video {
    /// Starts ffmpeg. Returns an error if it is not installed or cannot be started.
    pub fn new(output: AtomicFile, format: ClipFormat, shape: &Shape, cancel: Cancel) -> Result<Self, WriteError> {
        let temporary = output.temporary()?;
        // ffmpeg replaces the empty file. Creating it here gives the reason in plain words if that is impossible.
        output.create()?;
        let mut command = Command::new(FFMPEG);
        command.args(arguments(format, shape)).arg(file_argument(temporary));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Put ffmpeg into a process group of its own, so that Ctrl+C does not end it. This program ends it instead.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // The flag is CREATE_NO_WINDOW: no console window opens.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0800_0000);
        let mut ffmpeg = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => WriteError::NoFfmpeg { path: output.path().to_owned() },
            _ => WriteError::Ffmpeg { path: output.path().to_owned(), message: error.to_string() },
        })?;
        let pictures = ffmpeg.stdin.take();
        let (sender, lines) = mpsc::channel();
        ffmpeg.stderr.take().map(|stderr| thread::spawn(move || read_stderr(stderr, &sender)));
        Ok(Self { ffmpeg: Running::new(ffmpeg, cancel), pictures, stderr: lines, output })
    }

    /// Ends ffmpeg, and returns an error with the cause from its error output.
    fn failure(&mut self) -> WriteError {
        drop(self.pictures.take());
        if !self.ffmpeg.ends_within(EXIT_TIMEOUT) {
            self.ffmpeg.kill();
        }
        let (mut bytes, end) = (Vec::new(), Instant::now() + STDERR_TIMEOUT);
        while let Ok(chunk) = self.stderr.recv_timeout(end.saturating_duration_since(Instant::now())) {
            bytes.extend(chunk);
        }
        // The first line contains the cause, and the last one only the outcome.
        let text = String::from_utf8_lossy(&bytes);
        let message = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no error message").trim().to_owned();
        WriteError::Ffmpeg { path: self.output.path().to_owned(), message }
    }
}

impl Encoder for Video {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        let written = self.pictures.as_mut().map(|pictures| pictures.write_all(picture.as_raw()));
        if written.is_some_and(|written| written.is_ok()) { Ok(()) } else { Err(self.failure()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        drop(self.pictures.take());
        // ffmpeg may still have frames to encode. Canceling the clip ends the wait.
        let status = loop {
            match self.ffmpeg.exit_status() {
                Some(status) => break status,
                None => thread::sleep(POLL_INTERVAL / 5),
            }
        };
        if !status.is_some_and(|status| status.success()) {
            return Err(self.failure());
        }
        let Self { output, .. } = *self;
        let file = OpenOptions::new().write(true).open(output.temporary()?).map_err(|source| output.error(source))?;
        output.commit(&file)
    }
}

/// Returns the arguments for ffmpeg, up to the output file.
fn arguments(format: ClipFormat, shape: &Shape) -> Vec<String> {
    let [width, height] = shape.size;
    // Without -xerror, ffmpeg succeeds even if the disk is full.
    let input =
        ["-hide_banner", "-nostats", "-loglevel", "error", "-xerror", "-y", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size"];
    let mut arguments: Vec<String> = input.map(String::from).to_vec();
    arguments.extend([format!("{width}x{height}"), "-framerate".into(), shape.fps.to_string(), "-i".into(), "pipe:0".into()]);
    // Many players support only 4:2:0. WebM can also store alpha.
    let pixels = if shape.transparent { "yuva420p" } else { "yuv420p" };
    arguments.extend(["-vf".into(), format!("{TO_BT709},format={pixels}")]);
    arguments.extend(COLOR_TAGS.map(String::from));
    let encoder: &[&str] = match format {
        // Without +bitexact, the file has a random identifier, so that no two exports are equal.
        ClipFormat::Webm => &["-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-row-mt", "1", "-fflags", "+bitexact", "-f", "webm"],
        _ => &["-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart", "-f", "mp4"],
    };
    arguments.extend(encoder.iter().map(|argument| (*argument).to_owned()));
    arguments
}

/// Returns the path as an argument that ffmpeg cannot mistake for an option or a URL.
fn file_argument(path: &Path) -> OsString {
    let mut argument = OsString::from("file:");
    argument.push(path);
    argument
}

/// Forwards the first `MAX_STDERR_BYTES` of ffmpeg's error output. The rest is read and dropped, because ffmpeg blocks while the pipe is
/// full.
fn read_stderr(mut stderr: impl Read, output: &Sender<Vec<u8>>) {
    let (mut bytes, mut remaining) = ([0; 4096], MAX_STDERR_BYTES);
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        let kept = count.min(remaining);
        remaining -= kept;
        // Sending fails if the encoder no longer exists. Then the output is not needed.
        let _ = output.send(bytes[..kept].to_vec());
    }
}
