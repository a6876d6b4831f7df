//! Runs `sinew thumbnail`: draws a small picture for file managers, without a display and without settings.

use anyhow::anyhow;

use crate::asset::file::progress::Progress;
use crate::export::formats::png;
use crate::export::thumbnail::{self, Thumbnail, Thumbnailer};
use crate::render::device::gpu::Gpu;

use super::about;
use super::args::ThumbnailArgs;
use super::upload::print_warnings;

/// Draws and writes the thumbnail.
pub fn run(args: &ThumbnailArgs) -> anyhow::Result<()> {
    let progress = Progress::default();
    // The graphics driver starts while the file loads.
    let (loaded, gpu) = std::thread::scope(|scope| {
        let starting = scope.spawn(Gpu::headless);
        let loaded = thumbnail::read(&args.file, &[], &progress);
        (loaded, starting.join())
    });
    let loaded = loaded.map_err(about(&args.file))?;
    let gpu = gpu.map_err(|_| anyhow!("starting the graphics driver failed"))??;
    // The pipelines compile in the background while the model is uploaded.
    let mut thumbnailer = Thumbnailer::new(gpu);
    let Thumbnail { picture, warnings } = thumbnailer.draw(loaded, args.size, &progress).map_err(about(&args.file))?;
    print_warnings(&warnings);
    // tumbler, the thumbnail service of Xfce, creates the file, keeps it open, and reads the picture from it.
    Ok(png::write_png_in_place(&picture, &args.output)?)
}
