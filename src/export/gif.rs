//! An animated GIF. Each frame has a palette of its own, of the pixels that it changes: the rest stays as it is, so that what
//! does not move neither flickers nor takes room.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use image::RgbaImage;
use quantette::deps::palette::Srgb;
use quantette::{ImageRef, PaletteBuf, PaletteSize, Pipeline};

use super::atomic_file::{AtomicFile, WriteError};
use super::changed_area::{self, Area};
use super::clip::{Encoder, Shape};

/// One entry of the palette says that nothing is there.
const COLORS: u8 = 255;
/// A pixel is there or is not: from this alpha on it is.
const OPAQUE: u8 = 128;

pub struct Gif {
    whole: AtomicFile,
    encoder: gif::Encoder<BufWriter<File>>,
    fps: f64,
    written: usize,
    transparent: bool,
    /// What is seen, as far as it is written.
    shown: Option<RgbaImage>,
}

impl Gif {
    pub fn begin(whole: AtomicFile, shape: &Shape) -> Result<Self, WriteError> {
        let file = BufWriter::new(whole.create()?);
        let [width, height] = shape.size.map(|side| side.min(u16::MAX.into()) as u16);
        let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(|error| failure(&whole, error))?;
        if shape.loops {
            encoder.set_repeat(Repeat::Infinite).map_err(|error| failure(&whole, error))?;
        }
        Ok(Self { whole, encoder, fps: shape.fps, written: 0, transparent: shape.transparent, shown: None })
    }

    /// What of this picture is to be written, and which of its pixels. The others stay as they are or, where the background is
    /// transparent, empty.
    fn wanted(&self, picture: &RgbaImage) -> (Area, Vec<bool>) {
        let shown = self.shown.as_ref();
        let area = match shown {
            None => Some(Area::of(picture)),
            Some(shown) => changed_area::area(shown, picture),
        };
        let area = area.unwrap_or(Area { x: 0, y: 0, width: 1, height: 1 });
        let mut wanted = Vec::with_capacity(area.width as usize * area.height as usize);
        for row in 0..area.height {
            let pixels = area.row(picture, row).as_chunks::<4>().0;
            match shown {
                _ if self.transparent => wanted.extend(pixels.iter().map(|pixel| pixel[3] >= OPAQUE)),
                None => wanted.extend(pixels.iter().map(|_| true)),
                Some(shown) => {
                    let before = area.row(shown, row).as_chunks::<4>().0;
                    wanted.extend(pixels.iter().zip(before).map(|(after, before)| after != before));
                }
            }
        }
        (area, wanted)
    }

    /// Hundredths of a second; as many in all as the rate asks for.
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
        self.encoder.write_frame(&frame).map_err(|error| failure(&self.whole, error))?;
        self.written += 1;
        // What is transparent is cleared after each frame, and every frame is written whole.
        self.shown = (!self.transparent).then(|| picture.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        let Self { whole, encoder, .. } = *self;
        let file = encoder.into_inner().map_err(|error| failure(&whole, error))?;
        let file = file.into_inner().map_err(IntoInnerError::into_error).map_err(|source| whole.error(source))?;
        whole.keep(&file)
    }
}

fn failure(whole: &AtomicFile, error: EncodingError) -> WriteError {
    match error {
        EncodingError::Io(source) => whole.error(source),
        source => WriteError::Encode { path: whole.path().to_owned(), source: Box::new(source) },
    }
}

/// The wanted pixels with the colours that suit them best: the palette, an entry of it for each pixel, and the entry that stands
/// for nothing.
fn indexed(area: &Area, rgba: &[u8], wanted: &[bool]) -> (Vec<u8>, Vec<u8>, u8) {
    let pixels = || rgba.as_chunks::<4>().0.iter().map(|&[red, green, blue, _]| Srgb::new(red, green, blue));
    let colors: Vec<Srgb<u8>> = pixels().zip(wanted).filter_map(|(color, &wanted)| wanted.then_some(color)).collect();
    let palette = Pipeline::new().palette_size(PaletteSize::from_u8_clamped(COLORS)).input_slice(&colors);
    let Some(palette) = palette.ok().map(quantette::PipelineWithSliceInput::output_srgb8_palette) else { return nothing(wanted.len()) };
    // What is not wanted is like the last that was: dithering has no error there to hand on.
    let mut last = colors.first().copied().unwrap_or_default();
    let filled: Vec<Srgb<u8>> = pixels()
        .zip(wanted)
        .map(|(color, &wanted)| {
            last = if wanted { color } else { last };
            last
        })
        .collect();
    let Ok(image) = ImageRef::new(area.width, area.height, &filled) else { return nothing(wanted.len()) };
    let (palette, mut indices) = mapped(palette, image);
    let nothing = palette.len() as u8;
    indices.iter_mut().zip(wanted).filter(|(_, wanted)| !**wanted).for_each(|(index, _)| *index = nothing);
    let bytes = palette.into_iter().chain([Srgb::default()]).flat_map(|color| [color.red, color.green, color.blue]).collect();
    (bytes, indices, nothing)
}

fn mapped(palette: PaletteBuf<Srgb<u8>>, image: ImageRef<Srgb<u8>>) -> (Vec<Srgb<u8>>, Vec<u8>) {
    Pipeline::new().quantize_method(palette).input_image(image).output_srgb8_indexed_image().into_parts()
}

/// So many pixels of nothing.
fn nothing(pixels: usize) -> (Vec<u8>, Vec<u8>, u8) {
    (vec![0; 6], vec![0; pixels], 0)
}
