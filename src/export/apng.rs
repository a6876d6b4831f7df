//! An animated PNG: every frame exactly, of which only what changed since the last one is written.

use std::fs::File;
use std::io::BufWriter;

use image::RgbaImage;
use png::{BitDepth, BlendOp, ColorType, Compression, EncodingError, Filter, Writer};

use super::atomic_file::{AtomicFile, WriteError};
use super::changed_area::{self, Area};
use super::clip::{Encoder, Shape};

pub struct Apng {
    whole: AtomicFile,
    /// The one that is written to, to be synchronised when that is done.
    file: File,
    writer: Writer<BufWriter<File>>,
    /// What is seen, as far as it is written.
    shown: Option<RgbaImage>,
}

impl Apng {
    pub fn begin(whole: AtomicFile, shape: &Shape) -> Result<Self, WriteError> {
        let file = whole.create()?;
        let write = file.try_clone().map_err(|source| whole.error(source))?;
        let mut encoder = png::Encoder::new(BufWriter::new(write), shape.size[0], shape.size[1]);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        encoder.set_filter(Filter::Adaptive);
        let begun = encoder.set_animated(shape.frames as u32, if shape.loops { 0 } else { 1 }).and_then(|()| {
            let [seconds, parts] = delay(shape.fps);
            encoder.set_frame_delay(seconds, parts)?;
            encoder.set_blend_op(BlendOp::Source)?;
            encoder.write_header()
        });
        let writer = begun.map_err(|error| failure(&whole, error))?;
        Ok(Self { whole, file, writer, shown: None })
    }

    fn write(&mut self, picture: &RgbaImage) -> Result<(), EncodingError> {
        let whole = Area::of(picture);
        // A frame that is the last one once more is a single pixel of it.
        let area =
            self.shown.as_ref().map_or(whole, |shown| changed_area::area(shown, picture).unwrap_or(Area { width: 1, height: 1, ..whole }));
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(area.width, area.height)?;
        self.writer.set_frame_position(area.x, area.y)?;
        self.writer.write_image_data(&area.cut(picture))
    }
}

impl Encoder for Apng {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        self.write(picture).map_err(|error| failure(&self.whole, error))?;
        self.shown = Some(picture.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        let Self { whole, file, writer, .. } = *self;
        writer.finish().map_err(|error| failure(&whole, error))?;
        whole.keep(&file)
    }
}

fn failure(whole: &AtomicFile, error: EncodingError) -> WriteError {
    match error {
        EncodingError::IoError(source) => whole.error(source),
        source => WriteError::Encode { path: whole.path().to_owned(), source: Box::new(source) },
    }
}

/// Of one frame: so many parts of a second, and how many parts a second has.
fn delay(fps: f64) -> [u16; 2] {
    let exact = |seconds: f64| (seconds * fps).fract() == 0.0;
    // 23.976 frames a second are 1000 of 23976 parts; the finest division that 16 bits hold.
    let fits = |seconds: &f64| seconds * fps <= f64::from(u16::MAX);
    let seconds = [1.0, 1000.0].into_iter().filter(fits).find(|&seconds| exact(seconds));
    let seconds = seconds.or_else(|| [10_000.0, 1000.0, 100.0, 10.0].into_iter().find(fits)).unwrap_or(1.0);
    [seconds as u16, (seconds * fps).round().clamp(1.0, f64::from(u16::MAX)) as u16]
}
