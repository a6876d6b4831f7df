//! Runs `sinew thumbnail`: draws a small picture for file managers, without a display and without settings.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{anyhow, bail};
use image::ImageFormat;

use crate::asset::file::progress::Progress;
use crate::export::formats::png;
use crate::export::thumbnail::{self, Thumbnail, Thumbnailer};
use crate::render::device::gpu::Gpu;
use crate::session::file::file_list;

use super::args::ThumbnailArgs;
use super::upload::print_warnings;
use super::{about, check_is_no_folder, escaped, exit, is_same_file, messages, usage_error};

/// The maximum time to draw a thumbnail. A small file can cover the picture many thousand times, which no limit on its parts prevents.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Draws and writes the thumbnail.
pub fn run(args: &ThumbnailArgs) -> anyhow::Result<()> {
    check_output(args).unwrap_or_else(|message| usage_error("thumbnail", message));
    check_is_no_folder(&args.output)?;
    let progress = Progress::default();
    let time_limit = end_after(TIME_LIMIT, &args.file);
    // The graphics driver starts while the file loads.
    let (loaded, gpu) = std::thread::scope(|scope| {
        let starting = scope.spawn(Gpu::headless);
        let loaded = thumbnail::read(&args.file, &[], &progress);
        (loaded, starting.join())
    });
    let loaded = loaded.map_err(about(&args.file))?;
    if let Some(file) = loaded.files.iter().find(|file| is_same_file(&file.path, &args.output)) {
        bail!("{} is a file of the model: give another name for the picture", file.path.display());
    }
    // Most thumbnails halve images, which is no fault of the file.
    messages::findings(&args.file, loaded.model.findings.iter().filter(|finding| finding.code != "IMAGE_LIMIT_EXCEEDED"));
    let gpu = gpu.map_err(|_| anyhow!("starting the graphics driver failed"))??;
    // The pipelines compile in the background while the model is uploaded.
    let mut thumbnailer = Thumbnailer::new(gpu);
    let Thumbnail { picture, warnings } = thumbnailer.draw(loaded, args.size, &progress).map_err(about(&args.file))?;
    drop(time_limit);
    print_warnings(&warnings);
    // tumbler, the thumbnail service of Xfce, creates the file, keeps it open, and reads the picture from it.
    Ok(png::write_png_in_place(&picture, &args.output)?)
}

/// Ends the program with an error if the returned value still exists after this time.
fn end_after(limit: Duration, file: &Path) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    let message = format!("{}: drawing the thumbnail takes longer than {} seconds", escaped(file), limit.as_secs());
    std::thread::spawn(move || {
        if receiver.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            messages::error(message);
            // No exit handlers run: they would free a driver that may be drawing.
            signal_hook::low_level::exit(exit::FAILED.into());
        }
    });
    sender
}

/// Errors with a message if the output has the extension of a model or of another picture format, is the model itself, or holds anything
/// but a PNG. With `sinew thumbnail fox.*`, a shell gives a second file as the output. All other names are allowed: the temporary files of
/// file managers have no extension, or a random one such as `.gnome_desktop_thumbnail.A1B2C3`.
fn check_output(args: &ThumbnailArgs) -> Result<(), String> {
    let output = escaped(&args.output);
    if args.output.as_os_str() == "-" {
        return Err("- is not the standard output here: name a file".into());
    }
    let is_other_picture = ImageFormat::from_path(&args.output).is_ok_and(|format| format != ImageFormat::Png);
    if is_other_picture || file_list::is_model(&args.output) {
        return Err(format!("{output}: thumbnails are written as .png"));
    }
    if is_same_file(&args.output, &args.file) {
        return Err(format!("{output} is the model itself: give another name for the picture"));
    }
    if holds_other_data(&args.output) {
        return Err(format!("{output} exists and is not a PNG: give another name for the picture"));
    }
    Ok(())
}

/// Returns whether a path is that of a file that is neither empty nor a PNG.
fn holds_other_data(path: &Path) -> bool {
    let read_start = || {
        let mut start = Vec::new();
        File::open(path)?.take(8).read_to_end(&mut start).map(|_| start)
    };
    path.is_file() && read_start().is_ok_and(|start| !start.is_empty() && image::guess_format(&start).ok() != Some(ImageFormat::Png))
}
