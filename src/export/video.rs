//! MP4 and WebM, by the ffmpeg of whoever runs this: raw pictures go in, a file comes out.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

use image::RgbaImage;

use crate::session::clip::ClipFormat;

use super::clip::{Encoder, Shape};
use super::whole::{Whole, WriteError};

const FFMPEG: &str = "ffmpeg";
/// Of what ffmpeg says, so much is kept.
const MOST_SAID: u64 = 64 << 10;

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
    /// What it says on stderr; none: it was read.
    said: Option<JoinHandle<String>>,
    /// Dropped last: ffmpeg writes it.
    whole: Whole,
}

/// Ended, at the latest, with the one who started it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Without effect where it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Video {
    pub fn begin(whole: Whole, format: ClipFormat, shape: &Shape) -> Result<Self, WriteError> {
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
        let said = ffmpeg.stderr.take().map(|stderr| std::thread::spawn(move || said(stderr)));
        Ok(Self { ffmpeg: Running(ffmpeg), pictures, said, whole })
    }

    /// It has ended before its time: why.
    fn failure(&mut self) -> WriteError {
        drop(self.pictures.take());
        let _ = self.ffmpeg.0.wait();
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        // The last line is the outcome, the first one the cause.
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
        if !self.ffmpeg.0.wait().is_ok_and(|status| status.success()) {
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

fn said(stderr: impl Read) -> String {
    let mut text = Vec::new();
    let mut stderr = stderr.take(MOST_SAID);
    let _ = stderr.read_to_end(&mut text);
    // What is more must not block it.
    let _ = std::io::copy(&mut stderr.into_inner(), &mut std::io::sink());
    String::from_utf8_lossy(&text).into_owned()
}
