//! MP4 and WebM, by the ffmpeg of whoever runs this: raw pictures go in, a file comes out.

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

use crate::session::time::clip::ClipFormat;

use super::atomic_file::{AtomicFile, WriteError};
use super::clip::{Cancel, Encoder, Shape};

const FFMPEG: &str = "ffmpeg";
/// Of what ffmpeg says, so much is kept.
const MOST_SAID: usize = 64 << 10;
/// How often it is asked whether it has ended, and whether anybody still waits for it.
const ASKED_EVERY: Duration = Duration::from_millis(50);
/// What has failed ends by itself in this time, or is ended.
const TIME_TO_END: Duration = Duration::from_secs(1);
/// Somebody else may hold its stderr open.
const TIME_TO_SPEAK: Duration = Duration::from_millis(300);

/// sRGB to the colours of HDTV, which players take a video for, and said to be those.
const TO_VIDEO: &str = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+bicubic";
const COLORS: [&str; 8] = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

/// Whether there is an ffmpeg to start.
pub fn is_possible() -> bool {
    let Some(folders) = std::env::var_os("PATH") else { return false };
    let name = format!("{FFMPEG}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}

pub struct Video {
    ffmpeg: Running,
    /// None: all pictures are written.
    pictures: Option<ChildStdin>,
    /// What it says on stderr, as it comes.
    said: Receiver<Vec<u8>>,
    /// Dropped last: ffmpeg writes it.
    whole: AtomicFile,
}

/// Ended when nobody waits for the clip any longer: whoever writes to it or waits for it then goes on. And ended, at the latest,
/// with the one who started it.
struct Running(Arc<Mutex<Child>>);

impl Running {
    fn new(child: Child, cancel: Cancel) -> Self {
        let child = Arc::new(Mutex::new(child));
        let watched = Self(child.clone());
        thread::spawn(move || {
            while watched.ended().is_none() {
                if cancel.is_cancelled() {
                    return watched.end();
                }
                thread::sleep(ASKED_EVERY);
            }
        });
        Self(child)
    }

    /// How, if it has. What cannot be asked is gone.
    fn ended(&self) -> Option<Option<ExitStatus>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait().map_or(Some(None), |status| status.map(Some))
    }

    fn ends_within(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while self.ended().is_none() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(ASKED_EVERY / 5);
        }
        true
    }

    /// Without effect where it has ended.
    fn end(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
        self.ends_within(TIME_TO_END);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl Video {
    pub fn begin(whole: AtomicFile, format: ClipFormat, shape: &Shape, cancel: Cancel) -> Result<Self, WriteError> {
        let mut command = Command::new(FFMPEG);
        command.args(arguments(format, shape)).arg(file_argument(whole.temporary()));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl+C is for us alone: we end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // CREATE_NO_WINDOW: no terminal flashes up.
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0800_0000);
        let mut ffmpeg = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => WriteError::NoFfmpeg { path: whole.path().to_owned() },
            _ => WriteError::Ffmpeg { path: whole.path().to_owned(), said: error.to_string() },
        })?;
        let pictures = ffmpeg.stdin.take();
        let (sender, said) = mpsc::channel();
        ffmpeg.stderr.take().map(|stderr| thread::spawn(move || listen(stderr, &sender)));
        Ok(Self { ffmpeg: Running::new(ffmpeg, cancel), pictures, said, whole })
    }

    /// It has ended before its time: why.
    fn failure(&mut self) -> WriteError {
        drop(self.pictures.take());
        if !self.ffmpeg.ends_within(TIME_TO_END) {
            self.ffmpeg.end();
        }
        let (mut said, end) = (Vec::new(), Instant::now() + TIME_TO_SPEAK);
        while let Ok(more) = self.said.recv_timeout(end.saturating_duration_since(Instant::now())) {
            said.extend(more);
        }
        // The last line is the outcome, the first one the cause.
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it ended without a word").trim().to_owned();
        WriteError::Ffmpeg { path: self.whole.path().to_owned(), said }
    }
}

impl Encoder for Video {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        let written = self.pictures.as_mut().map(|pictures| pictures.write_all(picture.as_raw()));
        if written.is_some_and(|written| written.is_ok()) { Ok(()) } else { Err(self.failure()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        drop(self.pictures.take());
        // It may have much to do yet; who does not wait for that cancels it.
        let status = loop {
            match self.ffmpeg.ended() {
                Some(status) => break status,
                None => thread::sleep(ASKED_EVERY / 5),
            }
        };
        if !status.is_some_and(|status| status.success()) {
            return Err(self.failure());
        }
        let Self { whole, .. } = *self;
        let file = OpenOptions::new().write(true).open(whole.temporary()).map_err(|source| whole.error(source))?;
        whole.keep(&file)
    }
}

fn arguments(format: ClipFormat, shape: &Shape) -> Vec<String> {
    let [width, height] = shape.size;
    let input = ["-hide_banner", "-nostats", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size"];
    let mut arguments: Vec<String> = input.map(String::from).to_vec();
    arguments.extend([format!("{width}x{height}"), "-framerate".into(), shape.fps.to_string(), "-i".into(), "pipe:0".into()]);
    let pixels = if shape.transparent { "yuva420p" } else { "yuv420p" };
    arguments.extend(["-vf".into(), format!("{TO_VIDEO},format={pixels}")]);
    arguments.extend(COLORS.map(String::from));
    let encoder: &[&str] = match format {
        ClipFormat::Webm => &["-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-row-mt", "1", "-f", "webm"],
        _ => &["-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart", "-f", "mp4"],
    };
    arguments.extend(encoder.iter().map(|argument| (*argument).to_owned()));
    arguments
}

/// No path is taken for an option or an address.
fn file_argument(path: &Path) -> OsString {
    let mut argument = OsString::from("file:");
    argument.push(path);
    argument
}

/// Until it ends: what nobody reads would block it.
fn listen(mut stderr: impl Read, said: &Sender<Vec<u8>>) {
    let (mut bytes, mut left) = ([0; 4096], MOST_SAID);
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        let kept = count.min(left);
        left -= kept;
        // Nobody may wait for it any longer.
        let _ = said.send(bytes[..kept].to_vec());
    }
}
