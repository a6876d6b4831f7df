//! Decides whether `-o` names a still picture or a clip, and the clip's format. It looks at the file extension, a number in the name, and
//! other flags. Writes the still picture.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use image::RgbaImage;

use crate::asset::folder_of;
use crate::export::clip::ClipTarget;
use crate::export::error::WriteError;
use crate::export::formats::png;
use crate::export::formats::sequence::Numbered;
use crate::session::time::clip::ClipFormat;
use crate::session::view::display::Overlay;

use crate::cli::args::render::RenderArgs;
use crate::cli::{check_printed, escaped};

/// The names of outputs that are clips, for messages.
const CLIP_NAMES: &str = "give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or --fps for an animated OUT.png";
/// The same names for a message about `--fps`.
const CLIP_NAMES_WITH_FPS: &str = "give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or OUT.png for an animated PNG";

/// The clip to write; `None` for a still picture. Errors with a message if flags contradict each other.
pub fn clip(args: &RenderArgs) -> Result<Option<ClipTarget>, String> {
    if args.hides_overlays() && args.overlay.iter().any(Option::is_some) {
        return Err("--overlay none means no overlay at all: leave out none, or the others".into());
    }
    let is_png = is_png(args);
    if is_png && Numbered::is_misspelled(&args.output) {
        return Err(format!("{}: the numbers of frames are written as %d, or with up to 9 digits as %04d", escaped(&args.output)));
    }
    if is_png && Numbered::is_ambiguous(&args.output) {
        let output = escaped(&args.output);
        return Err(format!("{output}: a name has one number of the frame; for the characters %d, write %%d"));
    }
    if is_png && Numbered::is_not_utf8(&args.output) {
        return Err(format!("{}: names of numbered pictures must be UTF-8", escaped(&args.output)));
    }
    let format = format(args);
    if args.sheet.is_some() && format.is_some() {
        return Err("a contact sheet is a single picture: give -o OUT.png".into());
    }
    let Some(format) = format else {
        if args.output.extension().is_some() && !is_png {
            return Err(format!("{}: pictures are written as .png, clips as .png, .gif, .mp4 or .webm", escaped(&args.output)));
        }
        if args.range.is_some() || args.turntable.is_some() || args.loops.is_some() {
            return Err(format!("--range, --turntable and --loops make a clip: {CLIP_NAMES}"));
        }
        if args.fps.is_some() {
            return Err(format!("--fps is the rate of a clip: {CLIP_NAMES_WITH_FPS}"));
        }
        if args.repeat.is_some() && !is_repeat_visible(args) {
            return Err(format!("--repeat is the loop mode of a clip: {CLIP_NAMES}"));
        }
        if is_stdout(&args.output) && io::stdout().is_terminal() {
            return Err("-o - writes a picture to the standard output, which is a terminal: redirect it to a file or to a program".into());
        }
        return Ok(None);
    };
    // The remaining checks refuse flags that do not fit a clip or its format.
    if args.time.is_some() {
        return Err("--time is the time of a still picture; a clip takes --range A..B".into());
    }
    if args.animation.is_none() && args.state.is_none() && args.turntable.is_none() {
        return Err("a clip needs motion: --animation A, or --turntable SECONDS for the rest pose".into());
    }
    if args.transparent && !format.can_be_transparent() {
        return Err("MP4 cannot be transparent: use OUT.webm, OUT.gif, or PNG".into());
    }
    if let Some(fps) = args.fps.filter(|&fps| fps > format.max_rate()) {
        return Err(format!("{fps} frames per second are too many for {}: the limit is {}", format.label(), format.max_rate()));
    }
    Ok(Some(ClipTarget { format, path: path(args), overwrite: true }))
}

/// Returns whether the output has the extension of a PNG.
fn is_png(args: &RenderArgs) -> bool {
    args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// The names of the pictures if the output is a sequence.
pub fn sequence(args: &RenderArgs) -> Option<Numbered> {
    Numbered::parse(&args.output).filter(|_| is_png(args))
}

/// The path of the output. For a sequence, it is the pattern.
pub fn path(args: &RenderArgs) -> PathBuf {
    match sequence(args) {
        None if is_png(args) => Numbered::unescaped(&args.output),
        _ => args.output.clone(),
    }
}

/// Errors if the folder that the output is written to does not exist. A sequence creates its own folder, so the folder around that must
/// exist.
pub fn check_folder(args: &RenderArgs) -> Result<(), WriteError> {
    if is_stdout(&args.output) {
        return Ok(());
    }
    let written = sequence(args).map_or_else(|| path(args), |names| names.folder().to_owned());
    let reason = match fs::metadata(folder_of(&written)) {
        Ok(folder) if folder.is_dir() => return Ok(()),
        Ok(_) => io::ErrorKind::NotADirectory.into(),
        Err(reason) => reason,
    };
    Err(WriteError::Io { path: written, reason })
}

/// The format of the clip; `None` for a still picture.
fn format(args: &RenderArgs) -> Option<ClipFormat> {
    let extension = args.output.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "png" if sequence(args).is_some() => Some(ClipFormat::Sequence),
        "png" => args.fps.map(|_| ClipFormat::Apng),
        "gif" => Some(ClipFormat::Gif),
        "mp4" => Some(ClipFormat::Mp4),
        "webm" => Some(ClipFormat::Webm),
        _ => None,
    }
}

/// Returns whether the loop mode may change a still picture: ghosts and foot contacts show what comes before and after its moment, and the
/// phases of a sheet include the end of an animation that does not loop.
fn is_repeat_visible(args: &RenderArgs) -> bool {
    let has_phases = args.sheet.is_some() && args.animation.is_some();
    has_phases || args.state.is_some() || args.has_overlay(Overlay::Ghosts) || args.has_overlay(Overlay::Contacts)
}

/// Returns whether `-o` stands for the standard output. A file of this name is written with its folder: `./-`.
pub fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Writes a still picture as PNG: to a file, or to the standard output for `-o -`.
pub fn write_picture(picture: &RgbaImage, output: &Path) -> anyhow::Result<()> {
    if !is_stdout(output) {
        return Ok(png::write_png(picture, output, true)?);
    }
    let mut bytes = Vec::new();
    png::encode(picture, &mut bytes).context("cannot encode the picture")?;
    let mut stdout = io::stdout().lock();
    check_printed(stdout.write_all(&bytes).and_then(|()| stdout.flush()))
}
