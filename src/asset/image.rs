//! Images: found and looked at when the file is loaded (kind and size, by their own first bytes), decoded afterwards, by
//! whoever has threads for it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;

use ::image::{ImageFormat, ImageReader, Limits};
use gltf::json;
use thiserror::Error;

use crate::model::material::Image;

use super::accessor::Reader;
use super::buffer::{Buffers, Bytes};
use super::error::{LoadError, Place};
use super::findings::Findings;
use super::ktx2::{self, Ktx2Error};
use super::progress::{Progress, Stage};
use super::uri::{Extent, Files};

/// Decoded pixels of one image, at most: 11585 x 11585.
const MOST_PIXEL_BYTES: u64 = 512 << 20;
/// An image file, at most.
const MOST_FILE_BYTES: u64 = 512 << 20;

/// The encoded bytes of an image, shared with the file's; empty when there are none.
#[derive(Debug, Clone, Default)]
pub struct ImageSource(Bytes);

impl ImageSource {
    /// The same for the same bytes; none where there are no bytes.
    pub fn fingerprint(&self) -> Option<u64> {
        let bytes = self.0.as_slice();
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        (!bytes.is_empty()).then(|| hasher.finish())
    }
}

/// RGBA, 8 bits each, rows from the top, as stored: no colour conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedImage {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

#[derive(Debug, Error)]
pub enum ImageError {
    #[error("there is no image data")]
    Missing,
    #[error("{0} images are not supported")]
    Unsupported(&'static str),
    #[error("its size is 0")]
    ZeroSize,
    #[error("its decoder gave up: a mistake in Sinew, please report it with this image")]
    Panicked,
    #[error("{width} x {height} pixels are more than the {most} bytes that are decoded")]
    TooLarge { width: u32, height: u32, most: u64 },
    #[error(transparent)]
    Decoder(#[from] ::image::ImageError),
    #[error(transparent)]
    Ktx2(#[from] Ktx2Error),
}

/// What the first bytes say.
struct Header {
    /// None: KTX2.
    format: Option<ImageFormat>,
    width: u32,
    height: u32,
}

/// Decodes an image. Sixteen bits are reduced to eight.
pub fn decode(source: &ImageSource) -> Result<DecodedImage, ImageError> {
    let bytes = source.0.as_slice();
    let Header { format, width, height } = header(bytes)?;
    let Some(format) = format else {
        return Ok(DecodedImage { width, height, rgba: ktx2::decode(bytes)? });
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_PIXEL_BYTES * 2);
    reader.limits(limits);
    let image = reader.decode()?.into_rgba8();
    Ok(DecodedImage { width: image.width(), height: image.height(), rgba: image.into_raw() })
}

/// Finds every image of the file and looks at its header. What cannot be shown is a finding; its textures count as white.
pub fn read(
    reader: &mut Reader,
    buffers: &Buffers,
    files: &mut Files,
    progress: &Progress,
) -> Result<(Vec<Image>, Vec<ImageSource>), LoadError> {
    progress.begin(Stage::Images)?;
    let (mut images, mut sources) = (Vec::new(), Vec::new());
    for (index, json) in reader.root.images.iter().enumerate() {
        let place = Place::new("image", "images", index, json.name.as_deref());
        let source = ImageSource(find(json, reader.root, buffers, files, &place, &mut reader.findings));
        images.push(look(json, &source, &place, &mut reader.findings));
        sources.push(source);
        progress.step(index + 1, reader.root.images.len())?;
    }
    Ok((images, sources))
}

/// The bytes of an image; empty with a finding if there are none.
fn find(json: &json::Image, root: &json::Root, buffers: &Buffers, files: &mut Files, place: &Place, findings: &mut Findings) -> Bytes {
    let found = match (&json.uri, json.buffer_view) {
        (_, Some(view)) => buffers.view(root, view.value()).map(|(bytes, _)| bytes).map_err(|problem| problem.to_string()),
        (Some(uri), None) => files.read(uri, Extent::Whole { most: MOST_FILE_BYTES }).map_err(|problem| problem.to_string()),
        (None, None) => Err("it names neither a URI nor a buffer view".into()),
    };
    found.unwrap_or_else(|reason| {
        let message = format!("{}: {reason}; its textures count as white.", place.words);
        findings.error("IMAGE_UNAVAILABLE", &place.pointer, message);
        Bytes::default()
    })
}

fn look(json: &json::Image, source: &ImageSource, place: &Place, findings: &mut Findings) -> Image {
    let bytes = source.0.as_slice();
    let mut image = Image { name: json.name.clone(), bytes: bytes.len() as u64, ..Image::default() };
    if bytes.is_empty() {
        return image;
    }
    image.kind = kind(bytes).into();
    match header(bytes) {
        Ok(header) => (image.width, image.height) = (header.width, header.height),
        Err(error) => {
            let message = format!("{}: {error}; its textures count as white.", place.words);
            findings.error("IMAGE_DATA_INVALID", &place.pointer, message);
            return image;
        }
    }
    if is_cut_off(bytes) {
        findings.error("IMAGE_UNEXPECTED_EOS", &place.pointer, format!("{} ends too early.", place.words));
    }
    let in_uri = || json.uri.as_ref()?.strip_prefix("data:")?.split([';', ',']).next();
    let said = json.mime_type.as_ref().map(|said| said.0.as_str()).or_else(in_uri);
    if let Some(said) = said.filter(|said| said.strip_prefix("image/") != Some(&image.kind)) {
        let message = format!("{} is {}, not {said:?} as the file says.", place.words, image.kind);
        findings.warning("IMAGE_MIME_TYPE_INVALID", &place.pointer, message);
    }
    image
}

fn header(bytes: &[u8]) -> Result<Header, ImageError> {
    let format = match kind(bytes) {
        "png" => Some(ImageFormat::Png),
        "jpeg" => Some(ImageFormat::Jpeg),
        "webp" => Some(ImageFormat::WebP),
        "ktx2" => None,
        "" if bytes.is_empty() => return Err(ImageError::Missing),
        "" => return Err(ImageError::Unsupported("unknown")),
        other => return Err(ImageError::Unsupported(other)),
    };
    let (width, height) = match format {
        Some(format) => ImageReader::with_format(Cursor::new(bytes), format).into_dimensions()?,
        None => ktx2::size(bytes)?,
    };
    if width == 0 || height == 0 {
        return Err(ImageError::ZeroSize);
    }
    if u64::from(width) * u64::from(height) * 4 > MOST_PIXEL_BYTES {
        return Err(ImageError::TooLarge { width, height, most: MOST_PIXEL_BYTES });
    }
    Ok(Header { format, width, height })
}

/// By the first bytes, as in a media type; empty when unknown.
fn kind(bytes: &[u8]) -> &'static str {
    const KINDS: [(&[u8], &str); 7] = [
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff", "jpeg"),
        (b"GIF8", "gif"),
        (b"BM", "bmp"),
        (b"\xabKTX 20\xbb", "ktx2"),
        (b"DDS ", "dds"),
        (b"<svg", "svg+xml"),
    ];
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return "webp";
    }
    KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map_or("", |&(_, kind)| kind)
}

/// Whether a PNG lacks its last chunk or a WebP some of its length: told without decoding.
fn is_cut_off(bytes: &[u8]) -> bool {
    match kind(bytes) {
        "png" => {
            let mut at = 8;
            while let Some((length, kind)) = bytes.get(at..at + 8).and_then(<[u8]>::split_first_chunk::<4>) {
                if kind == b"IEND" {
                    return false;
                }
                at = at.saturating_add(12).saturating_add(u32::from_be_bytes(*length) as usize);
            }
            true
        }
        "webp" => bytes[4..].first_chunk().is_none_or(|length| (u32::from_le_bytes(*length) as usize).saturating_add(8) > bytes.len()),
        _ => false,
    }
}
