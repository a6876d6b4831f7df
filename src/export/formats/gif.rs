//! Encodes an animated GIF. Each frame stores only the changed pixels, with a palette chosen for them, so that unchanged parts neither
//! flicker nor take space.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use image::RgbaImage;
use quantette::deps::palette::Srgb;
use quantette::{ImageRef, PaletteBuf, PaletteSize, Pipeline};

use crate::export::atomic_file::AtomicFile;
use crate::export::error::WriteError;

use super::changed_area::{self, Area};
use super::encoder::{Encoder, Shape};

/// Maximum number of colors per palette. One of the 256 entries means transparent.
const MAX_COLORS: u8 = 255;
/// Minimum alpha of a pixel that is stored. GIF pixels are either opaque or transparent.
const MIN_OPAQUE_ALPHA: u8 = 128;

/// Encoder of an animated GIF.
pub struct Gif {
    output: AtomicFile,
    encoder: gif::Encoder<BufWriter<File>>,
    fps: f64,
    /// Number of frames written.
    written: usize,
    transparent: bool,
    /// The frame written last; `None` before the first one, and always for a transparent clip.
    previous: Option<RgbaImage>,
}

impl Gif {
    /// Starts the file. Returns an error if it cannot be created.
    pub fn new(output: AtomicFile, shape: &Shape) -> Result<Self, WriteError> {
        let file = BufWriter::new(output.create()?);
        let [width, height] = shape.size.map(|side| side.min(u16::MAX.into()) as u16);
        let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(|error| failure(&output, error))?;
        if shape.is_endless {
            encoder.set_repeat(Repeat::Infinite).map_err(|error| failure(&output, error))?;
        }
        Ok(Self { output, encoder, fps: shape.fps, written: 0, transparent: shape.transparent, previous: None })
    }

    /// Returns the area of the picture to write, and for each of its pixels (row by row) whether it is stored. The other pixels keep their
    /// color, or stay transparent in a transparent clip.
    fn stored_pixels(&self, picture: &RgbaImage) -> (Area, Vec<bool>) {
        let previous = self.previous.as_ref();
        let area = match previous {
            None => Some(Area::full(picture)),
            Some(previous) => changed_area::changed_area(previous, picture),
        };
        // A frame must have an area, so a frame without changes gets one pixel that is not stored.
        let area = area.unwrap_or(Area { x: 0, y: 0, width: 1, height: 1 });
        let mut is_stored = Vec::with_capacity(area.width as usize * area.height as usize);
        for row in 0..area.height {
            let pixels = area.row(picture, row).as_chunks::<4>().0;
            match previous {
                _ if self.transparent => is_stored.extend(pixels.iter().map(|pixel| pixel[3] >= MIN_OPAQUE_ALPHA)),
                None => is_stored.extend(pixels.iter().map(|_| true)),
                Some(previous) => {
                    let before = area.row(previous, row).as_chunks::<4>().0;
                    is_stored.extend(pixels.iter().zip(before).map(|(after, before)| after != before));
                }
            }
        }
        (area, is_stored)
    }

    /// Returns the duration of the next frame in hundredths of a second. It is rounded so that errors do not add up over the clip.
    fn delay(&self) -> u16 {
        let start = |frame: usize| (frame as f64 / self.fps * 100.0).round();
        (start(self.written + 1) - start(self.written)).min(u16::MAX.into()) as u16
    }
}

impl Encoder for Gif {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        let (area, is_stored) = self.stored_pixels(picture);
        let (palette, buffer, transparent_index) = indexed(&area, &area.cut(picture), &is_stored);
        let frame = Frame {
            delay: self.delay(),
            dispose: if self.transparent { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(transparent_index),
            left: area.x as u16,
            top: area.y as u16,
            width: area.width as u16,
            height: area.height as u16,
            palette: Some(palette),
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| failure(&self.output, error))?;
        self.written += 1;
        // A transparent clip clears the picture after each frame, so every frame is complete.
        self.previous = (!self.transparent).then(|| picture.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        let Self { output, encoder, .. } = *self;
        let file = encoder.into_inner().map_err(|error| failure(&output, error))?;
        let file = file.into_inner().map_err(IntoInnerError::into_error).map_err(|source| output.error(source))?;
        output.commit(&file)
    }
}

/// Converts an error of the encoder.
fn failure(output: &AtomicFile, error: EncodingError) -> WriteError {
    match error {
        EncodingError::Io(source) => output.error(source),
        source => WriteError::Encode { path: output.path().to_owned(), source: Box::new(source) },
    }
}

/// Quantizes the stored pixels. Returns the palette as RGB bytes, one palette index per pixel, and the index of the transparent entry.
fn indexed(area: &Area, rgba: &[u8], is_stored: &[bool]) -> (Vec<u8>, Vec<u8>, u8) {
    let pixels = || rgba.as_chunks::<4>().0.iter().map(|&[red, green, blue, _]| Srgb::new(red, green, blue));
    let colors: Vec<Srgb<u8>> = pixels().zip(is_stored).filter_map(|(color, &is_stored)| is_stored.then_some(color)).collect();
    // The palette is chosen for the stored pixels only.
    let palette = Pipeline::new().palette_size(PaletteSize::from_u8_clamped(MAX_COLORS)).input_slice(&colors);
    let Some(palette) = palette.ok().map(quantette::PipelineWithSliceInput::output_srgb8_palette) else {
        return transparent_image(is_stored.len());
    };
    // The other pixels repeat the last stored color, so that dithering carries no error across them.
    let mut last = colors.first().copied().unwrap_or_default();
    let filled: Vec<Srgb<u8>> = pixels()
        .zip(is_stored)
        .map(|(color, &is_stored)| {
            last = if is_stored { color } else { last };
            last
        })
        .collect();
    let Ok(image) = ImageRef::new(area.width, area.height, &filled) else { return transparent_image(is_stored.len()) };
    let (palette, mut indices) = mapped(palette, image);
    // The other pixels get the entry after the palette, which is transparent.
    let transparent_index = palette.len() as u8;
    indices.iter_mut().zip(is_stored).filter(|(_, is_stored)| !**is_stored).for_each(|(index, _)| *index = transparent_index);
    let bytes = palette.into_iter().chain([Srgb::default()]).flat_map(|color| [color.red, color.green, color.blue]).collect();
    (bytes, indices, transparent_index)
}

/// Maps an image to a palette with dithering. Returns the palette and one palette index per pixel.
fn mapped(palette: PaletteBuf<Srgb<u8>>, image: ImageRef<Srgb<u8>>) -> (Vec<Srgb<u8>>, Vec<u8>) {
    Pipeline::new().quantize_method(palette).input_image(image).output_srgb8_indexed_image().into_parts()
}

/// The result of [`indexed`] for an image of transparent pixels only.
fn transparent_image(pixels: usize) -> (Vec<u8>, Vec<u8>, u8) {
    (vec![0; 6], vec![0; pixels], 0)
}
