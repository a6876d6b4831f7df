//! Decides whether `-o` names a still picture or a clip, and the clip's format. It looks at the file extension, a number in the name, and
//! `--fps`. Writes the still picture.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use image::RgbaImage;

use crate::export::clip::ClipTarget;
use crate::export::error::WriteError;
use crate::export::formats::png;
use crate::export::formats::sequence::Numbered;
use crate::paths::folder_of;
use crate::session::time::clip::ClipFormat;

use crate::cli::args::render::RenderArgs;
use crate::cli::{check_printed, ends_with_separator, escaped};

/// The clip to write; `None` for a still picture.
pub fn clip(args: &RenderArgs) -> Option<ClipTarget> {
    format(args).map(|format| ClipTarget { format, path: path(args), overwrite: true })
}

/// Errors with a message if the output has the extension of no picture and no clip, or if the number in its name is misspelled.
pub fn check_name(args: &RenderArgs) -> Result<(), String> {
    let output = escaped(&args.output);
    if !is_png(args) {
        return match format(args).is_none() && args.output.extension().is_some() {
            true => Err(format!("{output}: pictures are written as .png, clips as .png, .gif, .mp4 or .webm")),
            false => Ok(()),
        };
    }
    if Numbered::is_misspelled(&args.output) {
        return Err(format!("{output}: the numbers of frames are written as %d, or with up to 9 digits as %04d"));
    }
    if Numbered::is_ambiguous(&args.output) {
        return Err(format!("{output}: a name has one number of the frame; for the characters %d, write %%d"));
    }
    if Numbered::is_not_utf8(&args.output) {
        return Err(format!("{output}: names of numbered pictures must be UTF-8"));
    }
    Ok(())
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
        None if is_png(args) && !ends_with_separator(&args.output) => Numbered::unescaped(&args.output),
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
pub fn format(args: &RenderArgs) -> Option<ClipFormat> {
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
