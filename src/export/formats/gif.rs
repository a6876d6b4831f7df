//! Encodes an animated GIF. Each frame stores only the changed pixels, with a palette chosen for them, so that still parts neither
//! flicker nor take space.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use image::RgbaImage;
use quantette::deps::palette::Srgb;
use quantette::{ImageRef, PaletteBuf, PaletteSize, Pipeline};

use crate::export::atomic_file::{AtomicFile, WriteError};

use super::changed_area::{self, Area};
use super::encoder::{Encoder, Shape};

/// Maximum number of colors per palette. One of the 256 entries stands for transparent.
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
    /// The last written frame; `None` before the first one, and always for a transparent clip.
    shown: Option<RgbaImage>,
}

impl Gif {
    /// Starts the file. Returns an error if it cannot be created.
    pub fn new(output: AtomicFile, shape: &Shape) -> Result<Self, WriteError> {
        let file = BufWriter::new(output.create()?);
        let [width, height] = shape.size.map(|side| side.min(u16::MAX.into()) as u16);
        let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(|error| failure(&output, error))?;
        if shape.loops {
            encoder.set_repeat(Repeat::Infinite).map_err(|error| failure(&output, error))?;
        }
        Ok(Self { output, encoder, fps: shape.fps, written: 0, transparent: shape.transparent, shown: None })
    }

    /// Returns the area of the picture to write, and for each of its pixels (row by row) whether to write it. The other pixels keep their
    /// color, or stay transparent in a transparent clip.
    fn wanted(&self, picture: &RgbaImage) -> (Area, Vec<bool>) {
        let shown = self.shown.as_ref();
        let area = match shown {
            None => Some(Area::full(picture)),
            Some(shown) => changed_area::changed_area(shown, picture),
        };
        // A frame must have an area. If nothing changed, one unwanted pixel stands for it.
        let area = area.unwrap_or(Area { x: 0, y: 0, width: 1, height: 1 });
        let mut wanted = Vec::with_capacity(area.width as usize * area.height as usize);
        for row in 0..area.height {
            let pixels = area.row(picture, row).as_chunks::<4>().0;
            match shown {
                _ if self.transparent => wanted.extend(pixels.iter().map(|pixel| pixel[3] >= MIN_OPAQUE_ALPHA)),
                None => wanted.extend(pixels.iter().map(|_| true)),
                Some(shown) => {
                    let before = area.row(shown, row).as_chunks::<4>().0;
                    wanted.extend(pixels.iter().zip(before).map(|(after, before)| after != before));
                }
            }
        }
        (area, wanted)
    }

    /// Returns the duration of the next frame in hundredths of a second. It is rounded so that errors do not add up over the clip.
    fn delay(&self) -> u16 {
        let until = |frames: usize| (frames as f64 / self.fps * 100.0).round();
        (until(self.written + 1) - until(self.written)).min(u16::MAX.into()) as u16
    }
}

impl Encoder for Gif {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        let (area, wanted) = self.wanted(picture);
        let (palette, buffer, nothing) = indexed(&area, &area.cut(picture), &wanted);
        let frame = Frame {
            delay: self.delay(),
            dispose: if self.transparent { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(nothing),
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
        self.shown = (!self.transparent).then(|| picture.clone());
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

/// Quantizes the wanted pixels. Returns the palette as RGB bytes, one palette index per pixel, and the index of the transparent entry.
fn indexed(area: &Area, rgba: &[u8], wanted: &[bool]) -> (Vec<u8>, Vec<u8>, u8) {
    let pixels = || rgba.as_chunks::<4>().0.iter().map(|&[red, green, blue, _]| Srgb::new(red, green, blue));
    let colors: Vec<Srgb<u8>> = pixels().zip(wanted).filter_map(|(color, &wanted)| wanted.then_some(color)).collect();
    // The palette is chosen for the wanted pixels only.
    let palette = Pipeline::new().palette_size(PaletteSize::from_u8_clamped(MAX_COLORS)).input_slice(&colors);
    let Some(palette) = palette.ok().map(quantette::PipelineWithSliceInput::output_srgb8_palette) else {
        return transparent_image(wanted.len());
    };
    // Unwanted pixels repeat the last wanted color, so that dithering carries no error across them.
    let mut last = colors.first().copied().unwrap_or_default();
    let filled: Vec<Srgb<u8>> = pixels()
        .zip(wanted)
        .map(|(color, &wanted)| {
            last = if wanted { color } else { last };
            last
        })
        .collect();
    let Ok(image) = ImageRef::new(area.width, area.height, &filled) else { return transparent_image(wanted.len()) };
    let (palette, mut indices) = mapped(palette, image);
    // Unwanted pixels get the entry after the palette, which is transparent.
    let nothing = palette.len() as u8;
    indices.iter_mut().zip(wanted).filter(|(_, wanted)| !**wanted).for_each(|(index, _)| *index = nothing);
    let bytes = palette.into_iter().chain([Srgb::default()]).flat_map(|color| [color.red, color.green, color.blue]).collect();
    (bytes, indices, nothing)
}

/// Maps an image to a palette with dithering. Returns the palette and one palette index per pixel.
fn mapped(palette: PaletteBuf<Srgb<u8>>, image: ImageRef<Srgb<u8>>) -> (Vec<Srgb<u8>>, Vec<u8>) {
    Pipeline::new().quantize_method(palette).input_image(image).output_srgb8_indexed_image().into_parts()
}

/// The result of [`indexed`] for an image of transparent pixels only.
fn transparent_image(pixels: usize) -> (Vec<u8>, Vec<u8>, u8) {
    (vec![0; 6], vec![0; pixels], 0)
}
