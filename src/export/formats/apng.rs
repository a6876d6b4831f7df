//! Encodes an animated PNG. Colors are exact, and each frame stores only the area that changed since the previous one.

use std::fs::File;
use std::io::BufWriter;

use image::RgbaImage;
use png::{BitDepth, BlendOp, ColorType, Compression, EncodingError, Filter, Writer};

use crate::export::atomic_file::AtomicFile;
use crate::export::error::WriteError;

use super::changed_area::{self, Area};
use super::encoder::{Encoder, Shape};

/// Encoder of an animated PNG.
pub struct Apng {
    output: AtomicFile,
    /// A second handle of the writer's file, to sync it at the end.
    file: File,
    writer: Writer<BufWriter<File>>,
    /// The frame written last; `None` before the first one.
    previous: Option<RgbaImage>,
}

impl Apng {
    /// Starts the file. Returns an error if it cannot be created.
    pub fn new(output: AtomicFile, shape: &Shape) -> Result<Self, WriteError> {
        let file = output.create()?;
        let write = file.try_clone().map_err(|source| output.error(source))?;
        let mut encoder = png::Encoder::new(BufWriter::new(write), shape.size[0], shape.size[1]);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        encoder.set_filter(Filter::Adaptive);
        let started = encoder.set_animated(shape.frames as u32, if shape.is_endless { 0 } else { 1 }).and_then(|()| {
            let [numerator, denominator] = delay(shape.fps);
            encoder.set_frame_delay(numerator, denominator)?;
            encoder.set_blend_op(BlendOp::Source)?;
            encoder.write_header()
        });
        let writer = started.map_err(|error| failure(&output, error))?;
        Ok(Self { output, file, writer, previous: None })
    }

    /// Writes the area in which a frame differs from the previous one.
    fn write(&mut self, picture: &RgbaImage) -> Result<(), EncodingError> {
        let full = Area::full(picture);
        // A frame must have an area, so a frame that equals the previous one is stored as a single pixel.
        let area = self
            .previous
            .as_ref()
            .map_or(full, |previous| changed_area::changed_area(previous, picture).unwrap_or(Area { width: 1, height: 1, ..full }));
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(area.width, area.height)?;
        self.writer.set_frame_position(area.x, area.y)?;
        self.writer.write_image_data(&area.cut(picture))
    }
}

impl Encoder for Apng {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        self.write(picture).map_err(|error| failure(&self.output, error))?;
        self.previous = Some(picture.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        let Self { output, file, writer, .. } = *self;
        writer.finish().map_err(|error| failure(&output, error))?;
        output.commit(&file)
    }
}

/// Converts an error of the encoder.
fn failure(output: &AtomicFile, error: EncodingError) -> WriteError {
    match error {
        EncodingError::IoError(source) => output.error(source),
        source => WriteError::Encode { path: output.path().to_owned(), source: Box::new(source) },
    }
}

/// Returns the duration of a frame in seconds, as numerator and denominator.
fn delay(fps: f64) -> [u16; 2] {
    let exact = |seconds: f64| (seconds * fps).fract() == 0.0;
    let fits = |seconds: &f64| seconds * fps <= f64::from(u16::MAX);
    // An exact fraction is preferred: for 23.976 fps it is 1000/23976. Otherwise, the most precise fraction that fits into 16 bits is used.
    let seconds = [1.0, 1000.0].into_iter().filter(fits).find(|&seconds| exact(seconds));
    let seconds = seconds.or_else(|| [10_000.0, 1000.0, 100.0, 10.0].into_iter().find(fits)).unwrap_or(1.0);
    [seconds as u16, (seconds * fps).round().clamp(1.0, f64::from(u16::MAX)) as u16]
}
