//! Decides whether `-o` names a still picture or a clip, and the clip's format. It looks at the file extension, a number in the name, and
//! other flags. Writes the still picture.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use image::RgbaImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use crate::asset::Loaded;
use crate::asset::file::stamp::SourceFile;
use crate::borrowed::BorrowedFile;
use crate::export::clip::ClipTarget;
use crate::export::formats::png;
use crate::export::formats::sequence::Numbered;
use crate::session::time::clip::ClipFormat;

use crate::cli::args::render::{Overlay, RenderArgs};
use crate::cli::{borrow, check_printed, escaped, is_same_file, load};

/// The names of outputs that are clips, for messages.
const CLIP_NAMES: &str = "give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or --fps for an animated OUT.png";

/// The clip to write; `None` for a still picture. Errors with a message if flags contradict each other.
pub fn clip(args: &RenderArgs) -> Result<Option<ClipTarget>, String> {
    if let Some(input) = overwritten_input(args) {
        return Err(format!("-o would overwrite {}, which is read: give another name", escaped(input)));
    }
    if args.overlay.contains(&Overlay::None) && args.overlay.iter().any(|overlay| *overlay != Overlay::None) {
        return Err("--overlay none means no overlay at all: leave out none, or the others".into());
    }
    let is_png = args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_png && Numbered::is_misspelled(&args.output) {
        return Err(format!("{}: the numbers of frames are written as %d, or with up to 9 digits as %04d", escaped(&args.output)));
    }
    let format = format(args);
    if args.sheet.is_some() && format.is_some() {
        return Err("a contact sheet is a single picture: give -o OUT.png".into());
    }
    let Some(format) = format else {
        if args.output.extension().is_some() && !is_png {
            return Err(format!("{}: pictures are written as .png, clips as .png, .gif, .mp4 or .webm", escaped(&args.output)));
        }
        if args.range.is_some() || args.turntable.is_some() {
            return Err(format!("--range and --turntable make a clip: {CLIP_NAMES}"));
        }
        if args.fps.is_some() {
            return Err(format!("--fps is the rate of a clip: {CLIP_NAMES}"));
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
    Ok(Some(ClipTarget { format, path: args.output.clone(), overwrite: true }))
}

/// The file that is read and that the output would overwrite.
fn overwritten_input(args: &RenderArgs) -> Option<&Path> {
    let optional = [&args.state, &args.environment, &args.compared.compare].into_iter().flatten();
    let mut inputs = std::iter::once(&args.file).chain(&args.others).chain(&args.borrowed.animations).chain(optional);
    inputs.find(|input| !is_stdout(&args.output) && is_same_file(input, &args.output)).map(PathBuf::as_path)
}

/// Reads a model to draw. Errors if the output would overwrite a file of the model, such as a texture.
pub fn load_model(args: &RenderArgs, file: &Path) -> anyhow::Result<Loaded> {
    let loaded = load(file, &args.images.load_options())?;
    check_overwrites_none(&args.output, &loaded.files)?;
    Ok(loaded)
}

/// Reads the files of `--animations`. Errors if the output would overwrite a file that one of them refers to.
pub fn load_animations(args: &RenderArgs) -> anyhow::Result<Vec<Arc<BorrowedFile>>> {
    let borrowed = borrow::read(&args.borrowed.animations)?;
    borrowed.iter().try_for_each(|file| check_overwrites_none(&args.output, &file.files))?;
    Ok(borrowed)
}

/// Errors if the output is one of these files, or a sequence with a frame of the same name.
fn check_overwrites_none(output: &Path, files: &[SourceFile]) -> anyhow::Result<()> {
    if is_stdout(output) {
        return Ok(());
    }
    let frames = Numbered::parse(output);
    let is_overwritten = |file: &&SourceFile| match &frames {
        Some(frames) => frames.is_frame(&file.path),
        None => is_same_file(&file.path, output),
    };
    match files.iter().find(is_overwritten) {
        Some(file) => bail!("{} would overwrite {}, a file of the model: give another name", output.display(), file.path.display()),
        None => Ok(()),
    }
}

/// The format of the clip; `None` for a still picture.
fn format(args: &RenderArgs) -> Option<ClipFormat> {
    let extension = args.output.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "png" if Numbered::parse(&args.output).is_some() => Some(ClipFormat::Sequence),
        "png" => args.fps.map(|_| ClipFormat::Apng),
        "gif" => Some(ClipFormat::Gif),
        "mp4" => Some(ClipFormat::Mp4),
        "webm" => Some(ClipFormat::Webm),
        _ => None,
    }
}

/// Returns whether the loop mode may change a still picture: ghosts and foot contacts show what comes before and after its moment.
fn is_repeat_visible(args: &RenderArgs) -> bool {
    args.state.is_some() || args.overlay.iter().any(|overlay| matches!(overlay, Overlay::Ghosts | Overlay::Contacts))
}

/// Returns whether `-o` stands for the standard output. A file of this name is written with its folder: `./-`.
fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Writes a still picture as PNG: to a file, or to the standard output for `-o -`.
pub fn write_picture(picture: &RgbaImage, output: &Path) -> anyhow::Result<()> {
    if !is_stdout(output) {
        return Ok(png::write_png(picture, output, true)?);
    }
    let mut bytes = Vec::new();
    // The compression is that of `png::write_png`, so that a file and the standard output get the same bytes.
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    picture.write_with_encoder(encoder).context("cannot encode the picture")?;
    let mut stdout = io::stdout().lock();
    check_printed(stdout.write_all(&bytes).and_then(|()| stdout.flush()))
}
