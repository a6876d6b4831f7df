//! Images (glTF 2.0, 3.8.3). While the file is loaded, [`read`] finds them and identifies them by their first bytes. Later, other
//! threads decode them with [`decode`].
//!
//! [`header`] tells size and kind. The decoded pixels of a file are limited ([`limits`]): the largest image is halved until all fit; among
//! equally large ones, the first in the file is halved first.

pub mod header;
mod limits;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;

use ::image::{ColorType, DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits};
use gltf::json;
use thiserror::Error;

use crate::codec::halving::{half_size, halve, halve_rgba};
use crate::codec::ktx2::{self, Ktx2Error};
use crate::codec::texels::{DecodeOptions, DecodedImage, Texels};
use crate::model::texture::Image;

use super::accessor::Reader;
use super::error::{LoadError, Location, shortened};
use super::file::bytes::Bytes;
use super::file::progress::{Progress, Stage};
use super::file::uri::{self, Extent, Files};
use super::findings::Findings;

use header::{Header, Identity, header, is_media_type};
use limits::LimitedImage;

/// Default limit for the decoded pixels of all images together, in bytes (four per pixel).
pub const DEFAULT_LIMIT_BYTES: u64 = 512 << 20;
/// Largest decoded image that is kept, in bytes. This limit applies in addition to the file's limit.
const MAX_IMAGE_BYTES: u64 = 768 << 20;
/// Largest image that a decoder may produce, in bytes: a JPEG of 16384 x 16384 pixels with three bytes each. Its pixels take a third more
/// with four bytes each, and the decoder of a progressive JPEG takes 1.6 GB for itself, because it holds all coefficients.
const MAX_DECODER_BYTES: u64 = 768 << 20;
/// The headers and ends of a file's images are searched for in this many bytes, plus twice the bytes of its buffers.
const MIN_IDENTIFIED_BYTES: u64 = 64 << 20;
/// Largest image file, in bytes.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// The encoded bytes of an image, a range of the file's bytes. Empty if the image has no data.
#[derive(Debug, Clone, Default)]
pub struct ImageSource {
    bytes: Bytes,
    /// Number of times the image is halved after decoding.
    dropped_levels: u32,
}

impl ImageSource {
    /// A hash of the bytes and the size after decoding. Images with the same bytes and size have the same hash. `None` if there are
    /// no bytes.
    pub fn fingerprint(&self) -> Option<u64> {
        let bytes = self.bytes.as_slice();
        let mut hasher = DefaultHasher::new();
        (bytes, self.dropped_levels).hash(&mut hasher);
        (!bytes.is_empty()).then(|| hasher.finish())
    }

    /// Tells images apart that are decoded from different bytes or to different sizes. Images of one buffer view or one file have the same
    /// key. `None` if there are no bytes.
    pub fn key(&self) -> Option<((usize, usize), u32)> {
        (!self.bytes.is_empty()).then(|| (self.bytes.location(), self.dropped_levels))
    }
}

/// Copies the bytes of each image out of the file's bytes, so that the file's bytes can be freed while the images are kept. Images with the
/// same bytes share a copy. Does nothing if the copies would take more than `limit` bytes in total. This can happen because images can
/// overlap.
pub fn detach(sources: &mut [ImageSource], limit: u64) {
    let parts = sources.iter().filter(|source| source.bytes.is_part());
    let locations: HashSet<(usize, usize)> = parts.map(|source| source.bytes.location()).collect();
    let copied = locations.iter().map(|&(_, length)| length as u64).fold(0, u64::saturating_add);
    if copied <= limit {
        let mut copies = HashMap::new();
        for ImageSource { bytes, .. } in sources {
            *bytes = copies.entry(bytes.location()).or_insert_with(|| bytes.detached()).clone();
        }
    }
}

/// The reason why an image cannot be decoded.
#[derive(Debug, Error)]
pub enum ImageError {
    #[error("there is no image data")]
    Missing,
    #[error("the format of the data is not known")]
    UnknownFormat,
    #[error("{0} images are not supported")]
    Unsupported(&'static str),
    #[error("width or height is 0")]
    ZeroSize,
    #[error("it has the same data as image {0}, which cannot be decoded")]
    SameAs(usize),
    #[error("the decoder failed: this is a bug in Sinew, please report it with this image")]
    Panicked,
    #[error("{width} x {height} pixels exceed the limit of {} MiB for one decoded image", max >> 20)]
    TooLarge { width: u32, height: u32, max: u64 },
    #[error(transparent)]
    Decoder(#[from] ::image::ImageError),
    #[error(transparent)]
    Ktx2(#[from] Ktx2Error),
}

/// Decodes an image to 8 bits per channel, or a KTX2 file to compressed blocks that the device supports. The image is halved until
/// it fits both the device and the limit of the file. Returns an error if the data is broken or larger than the limits.
pub fn decode(source: &ImageSource, options: &DecodeOptions) -> Result<DecodedImage, ImageError> {
    let bytes = source.bytes.as_slice();
    let Header { format, width, height, .. } = header(bytes)?;
    // The device may have a smaller limit than the file.
    let fits = |dropped: u32| width.max(height) >> dropped <= options.max_size.max(1);
    let dropped = (source.dropped_levels..31).find(|&dropped| fits(dropped)).unwrap_or(31);
    let mut image = match format {
        None => ktx2::decode(bytes, options, dropped, MAX_IMAGE_BYTES)?,
        Some(format) => decode_picture(bytes, format, dropped > 0, options)?,
    };
    // At this point, a picture was halved at most once, and a KTX2 file may have too few levels. Halve until the size is reached.
    let longest_side = (width.max(height) >> dropped).max(1);
    while image.texels == Texels::Rgba8 && image.width.max(image.height) > longest_side {
        let rgba = halve_rgba(image.width, image.height, &image.levels[0], options.encoding);
        image = DecodedImage::rgba(half_size(image.width), half_size(image.height), rgba);
    }
    Ok(image)
}

/// Decodes a PNG, JPEG or WebP. If `is_halved`, the pixels are halved while they are converted, so that only one full-size copy is
/// held.
fn decode_picture(bytes: &[u8], format: ImageFormat, is_halved: bool, options: &DecodeOptions) -> Result<DecodedImage, ImageError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if decoder.color_type() == ColorType::Rgb8 && !is_halved {
        return Ok(DecodedImage::rgba(width, height, decode_rgb(decoder)?));
    }
    let image = DynamicImage::from_decoder(decoder)?;
    if !is_halved {
        return Ok(DecodedImage::rgba(width, height, image.into_rgba8().into_raw()));
    }
    let rgba = halve(width, height, |x, y| image.get_pixel(x as u32, y as u32).0, options.encoding);
    Ok(DecodedImage::rgba(half_size(width), half_size(height), rgba))
}

/// Decodes a picture with three bytes per pixel to opaque RGBA, in a single buffer.
fn decode_rgb(decoder: impl ImageDecoder) -> Result<Vec<u8>, ImageError> {
    let [width, height] = <[u32; 2]>::from(decoder.dimensions()).map(|side| side as usize);
    let mut rgba = vec![0; 4 * width * height];
    // The pixels are decoded into the last three quarters of the buffer. Then each row moves forward to its place, where it overlaps no row
    // after it.
    let start = width * height;
    decoder.read_image(&mut rgba[start..])?;
    let mut row = vec![0; 3 * width];
    for y in 0..height {
        row.copy_from_slice(&rgba[start + 3 * width * y..][..3 * width]);
        let pixels = rgba[4 * width * y..][..4 * width].as_chunks_mut().0;
        for (pixel, &[r, g, b]) in pixels.iter_mut().zip(row.as_chunks().0) {
            *pixel = [r, g, b, 255];
        }
    }
    Ok(rgba)
}

/// Finds every image of the file and reads its header. An image that cannot be shown makes a finding. `limit` is in bytes of
/// decoded pixels, for all images together.
pub fn read(reader: &mut Reader, files: &mut Files, limit: u64, progress: &Progress) -> Result<(Vec<Image>, Vec<ImageSource>), LoadError> {
    progress.start(Stage::Images)?;
    let (mut images, mut sources) = (Vec::new(), Vec::new());
    // The images with readable headers.
    let mut limited = Vec::new();
    // Images can share their bytes, which are identified once. `sources` keeps them, so that no other bytes get the same location.
    let mut identities = HashMap::new();
    // Parts of buffers may overlap without being equal. Without overlaps, they have at most as many bytes as the buffers.
    let mut remaining_bytes = MIN_IDENTIFIED_BYTES.saturating_add(reader.stored_bytes().saturating_mul(2));
    for (index, json) in reader.root.images.iter().enumerate() {
        let uri = json.uri.clone().filter(|uri| uri::data_part(uri).is_none());
        let mut image = Image { name: json.name.clone(), uri, ..Image::default() };
        let location = Location::image(index, &image);
        let bytes = read_bytes(reader, json, files, &location);
        let identity = identities.entry(bytes.location()).or_insert_with(|| {
            let counted_bytes = if bytes.is_part() { bytes.len() as u64 } else { 0 };
            let Some(remaining) = remaining_bytes.checked_sub(counted_bytes) else {
                return Identity::unread(bytes.as_slice(), "the images of this file overlap too much to be examined");
            };
            remaining_bytes = remaining;
            Identity::new(bytes.as_slice())
        });
        image.bytes = bytes.len() as u64;
        let header = read_header(&mut image, json, identity, &location, &mut reader.findings);
        images.push(image);
        sources.push(ImageSource { bytes: if identity.is_unread { Bytes::default() } else { bytes }, dropped_levels: 0 });
        if let Some(header) = header {
            let Header { max_dropped, texels, min_bytes, .. } = header;
            limited.push(LimitedImage { image: index, max_dropped, texels, min_bytes });
        }
        progress.step(index + 1, reader.root.images.len())?;
    }
    limits::leave_out(&mut images, &mut sources, &mut limited, limit, &mut reader.findings);
    limits::drop_levels(&mut images, &limited, limit, &mut reader.findings);
    for LimitedImage { image: index, texels, .. } in limited {
        let image = &mut images[index];
        // The smaller mip levels add a third to the first one.
        image.gpu_bytes = texels.level_bytes(image.kept_size()).saturating_mul(4) / 3;
        sources[index].dropped_levels = image.dropped_levels;
    }
    Ok((images, sources))
}

/// Reads the bytes of an image. They are empty, with a finding, if they cannot be read.
fn read_bytes(reader: &mut Reader, json: &json::Image, files: &mut Files, location: &Location) -> Bytes {
    // A buffer view takes precedence over a URI. The specification allows only one of them.
    let bytes = match (&json.uri, json.buffer_view) {
        (_, Some(view)) => reader.view(view.value()).map_err(|problem| problem.to_string()),
        (Some(uri), None) => files
            .read(uri, Extent::Whole { max: MAX_FILE_BYTES })
            .inspect(|_| uri::report_backslashes(&mut reader.findings, uri, location))
            .map_err(|problem| problem.to_string()),
        (None, None) => Err("it has neither a URI nor a buffer view".into()),
    };
    bytes.unwrap_or_else(|reason| {
        let message = format!("{}: {reason}; textures without another image show a checkerboard.", location.words);
        reader.findings.error("IMAGE_UNAVAILABLE", &location.pointer, message);
        Bytes::default()
    })
}

/// Writes what is known about an image into `image`, and returns its header. `None` if there are no bytes, or, with a finding, if the
/// header cannot be read.
fn read_header(image: &mut Image, json: &json::Image, identity: &Identity, location: &Location, findings: &mut Findings) -> Option<Header> {
    if image.bytes == 0 {
        return None;
    }
    image.kind = identity.kind.into();
    let header = match &identity.header {
        Ok(header) => header,
        Err(reason) => {
            let (code, reason) = match identity.is_truncated {
                true => ("IMAGE_UNEXPECTED_EOS", "the image is truncated"),
                false => ("IMAGE_DATA_INVALID", reason.as_str()),
            };
            let message = format!("{}: {reason}; textures without another image show a checkerboard.", location.words);
            findings.error(code, &location.pointer, message);
            return None;
        }
    };
    (image.width, image.height) = (header.width, header.height);
    image.needs_blocks = header.needs_blocks;
    image.is_truncated = identity.is_truncated;
    if image.is_truncated {
        findings.error("IMAGE_UNEXPECTED_EOS", &location.pointer, format!("{} is truncated.", location.words));
    }
    // A media type can be declared at the beginning of a `data:` URI and by the `mimeType` property.
    let uri_type = json.uri.as_deref().and_then(uri::media_type);
    let property_type = json.mime_type.as_ref().map(|declared| declared.0.as_str());
    let is_wrong = |declared: &&str| !is_media_type(declared, &image.kind);
    let wrong_uri_type = uri_type.filter(is_wrong).map(|declared| ("INVALID_URI", declared));
    let wrong_property_type = property_type.filter(is_wrong).map(|declared| ("IMAGE_MIME_TYPE_INVALID", declared));
    if let Some((code, declared)) = wrong_uri_type.or(wrong_property_type) {
        let message = format!("{} is {}, but the file declares {:?}.", location.words, image.kind, shortened(declared));
        // The Khronos validator reports the fault at the property that holds the data.
        let property = if json.uri.is_some() { "uri" } else { "bufferView" };
        findings.error(code, &format!("{}/{property}", location.pointer), message);
    }
    Some(header.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_detached_from_the_file_unless_the_copies_exceed_the_limit() {
        let file = Bytes::new(vec![7; 100]);
        let part = |start| ImageSource { bytes: file.part(start, 50).unwrap_or_default(), dropped_levels: 0 };
        let own = ImageSource { bytes: Bytes::new(vec![8; 1000]), dropped_levels: 0 };
        let mut sources = vec![part(10), part(20), own.clone(), part(10)];
        detach(&mut sources, 99);
        assert!(sources[0].bytes.is_part(), "the copies of two different parts have 100 bytes together");
        detach(&mut sources, 100);
        assert!(sources.iter().all(|source| !source.bytes.is_part()));
        assert_eq!(sources[1].bytes.as_slice(), [7; 50]);
        assert_eq!(sources[2].fingerprint(), own.fingerprint());
        assert!(sources[0].key() == sources[3].key() && sources[0].key() != sources[1].key());
    }
}
