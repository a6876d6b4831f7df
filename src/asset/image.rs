//! Images: found and looked at when the file is loaded (kind and size, by their own first bytes), decoded afterwards, by
//! whoever has threads for it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;

use ::image::{DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits};
use gltf::json;
use thiserror::Error;

use crate::codec::halving::{half, halved, halved_rgba};
use crate::codec::ktx2::{self, Info, Ktx2Error};
use crate::codec::texels::{DecodedImage, Texels, Wanted};
use crate::model::texture::Image;

use super::accessor::Reader;
use super::error::{LoadError, Place};
use super::file::buffer::{Buffers, Bytes};
use super::file::progress::{Progress, Stage};
use super::file::uri::{Extent, Files};
use super::findings::Findings;
use super::image_limit::{self, Counted, MOST_OF_AN_IMAGE};

/// Pixels of one image, at most, as its decoder gives them: all that decoding holds beside what becomes of them. A JPEG of
/// 16384 x 16384 has as many.
const MOST_DECODER_BYTES: u64 = 768 << 20;
/// No format that is read asks for more, and so many pixels are still counted exactly.
const MOST_SIDE: u32 = 1 << 24;
/// An image file, at most.
const MOST_FILE_BYTES: u64 = 512 << 20;

/// The encoded bytes of an image, shared with the file's; empty when there are none.
#[derive(Debug, Clone, Default)]
pub struct ImageSource {
    bytes: Bytes,
    /// How often it is to be halved.
    dropped_levels: u32,
}

impl ImageSource {
    /// The same for the same pixels; none where there are no bytes.
    pub fn fingerprint(&self) -> Option<u64> {
        let bytes = self.bytes.as_slice();
        let mut hasher = DefaultHasher::new();
        (bytes, self.dropped_levels).hash(&mut hasher);
        (!bytes.is_empty()).then(|| hasher.finish())
    }
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
    #[error("{width} x {height} pixels are more than the {} MiB that are decoded of one image", most >> 20)]
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
    /// How often it can be halved.
    most_dropped: u32,
    /// On the graphics device, where it reads BC blocks.
    texels: Texels,
    needs_blocks: bool,
}

/// Decodes an image. Sixteen bits are reduced to eight. What does not fit the device, or the limit of the file, is halved.
pub fn decode(source: &ImageSource, wanted: &Wanted) -> Result<DecodedImage, ImageError> {
    let bytes = source.bytes.as_slice();
    let Header { format, width, height, .. } = header(bytes)?;
    let fits = |dropped: u32| width.max(height) >> dropped <= wanted.largest.max(1);
    let dropped = (source.dropped_levels..31).find(|&dropped| fits(dropped)).unwrap_or(31);
    let mut image = match format {
        None => ktx2::decode(bytes, wanted, dropped, MOST_OF_AN_IMAGE)?,
        Some(format) => picture(bytes, format, dropped > 0, wanted)?,
    };
    let longest = (width.max(height) >> dropped).max(1);
    while image.texels == Texels::Rgba8 && image.width.max(image.height) > longest {
        let rgba = halved_rgba(image.width, image.height, &image.levels[0], wanted.color);
        image = DecodedImage::rgba(half(image.width), half(image.height), rgba);
    }
    Ok(image)
}

/// The pixels of a PNG, JPEG or WebP; halved once at once, so that the whole is not held twice.
fn picture(bytes: &[u8], format: ImageFormat, halve: bool, wanted: &Wanted) -> Result<DecodedImage, ImageError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_DECODER_BYTES * 2);
    reader.limits(limits);
    let image: DynamicImage = reader.decode()?;
    let (width, height) = image.dimensions();
    if !halve {
        return Ok(DecodedImage::rgba(width, height, image.into_rgba8().into_raw()));
    }
    let rgba = halved(width, height, |x, y| image.get_pixel(x as u32, y as u32).0, wanted.color);
    Ok(DecodedImage::rgba(half(width), half(height), rgba))
}

/// Finds every image of the file and looks at its header. What cannot be shown is a finding; what is too large for `limit`
/// (bytes of decoded pixels, all together) will be halved.
pub fn read(
    reader: &mut Reader,
    buffers: &Buffers,
    files: &mut Files,
    limit: u64,
    progress: &Progress,
) -> Result<(Vec<Image>, Vec<ImageSource>), LoadError> {
    progress.begin(Stage::Images)?;
    let (mut images, mut sources, mut counted) = (Vec::new(), Vec::new(), Vec::new());
    let mut texels = Vec::new();
    for (index, json) in reader.root.images.iter().enumerate() {
        let place = Place::new("image", "images", index, json.name.as_deref());
        let bytes = find(json, reader.root, buffers, files, &place, &mut reader.findings);
        let (image, header) = look(json, bytes.as_slice(), &place, &mut reader.findings);
        images.push(image);
        sources.push(ImageSource { bytes, dropped_levels: 0 });
        if let Some(header) = header {
            counted.push(Counted { image: index, most: header.most_dropped });
            texels.push((index, header.texels));
        }
        progress.step(index + 1, reader.root.images.len())?;
    }
    image_limit::drop_levels(&mut images, &counted, limit, &mut reader.findings);
    for (index, texels) in texels {
        let image = &mut images[index];
        // Smaller levels take a third more.
        image.gpu_bytes = texels.level_bytes(image.kept_size()).saturating_mul(4) / 3;
        sources[index].dropped_levels = image.dropped_levels;
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
        let message = format!("{}: {reason}; a checker stands in where it is a colour.", place.words);
        findings.error("IMAGE_UNAVAILABLE", &place.pointer, message);
        Bytes::default()
    })
}

fn look(json: &json::Image, bytes: &[u8], place: &Place, findings: &mut Findings) -> (Image, Option<Header>) {
    let mut image = Image { name: json.name.clone(), bytes: bytes.len() as u64, ..Image::default() };
    if bytes.is_empty() {
        return (image, None);
    }
    image.kind = kind(bytes).into();
    let header = match header(bytes) {
        Ok(header) => header,
        Err(error) => {
            let message = format!("{}: {error}; a checker stands in where it is a colour.", place.words);
            findings.error("IMAGE_DATA_INVALID", &place.pointer, message);
            return (image, None);
        }
    };
    (image.width, image.height) = (header.width, header.height);
    image.needs_blocks = header.needs_blocks;
    if is_cut_off(bytes) {
        findings.error("IMAGE_UNEXPECTED_EOS", &place.pointer, format!("{} ends too early.", place.words));
    }
    let in_uri = || json.uri.as_ref()?.strip_prefix("data:")?.split([';', ',']).next();
    let said = json.mime_type.as_ref().map(|said| said.0.as_str()).or_else(in_uri);
    if let Some(said) = said.filter(|said| said.strip_prefix("image/") != Some(&image.kind)) {
        let message = format!("{} is {}, not {said:?} as the file says.", place.words, image.kind);
        let property = if json.uri.is_some() { "uri" } else { "bufferView" };
        findings.error("IMAGE_MIME_TYPE_INVALID", &format!("{}/{property}", place.pointer), message);
    }
    (image, Some(header))
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
    // How many bytes are the fewest to decode, and how many may be.
    let (header, least, most) = match format {
        Some(format) => {
            let decoder = ImageReader::with_format(Cursor::new(bytes), format).into_decoder()?;
            let (width, height) = decoder.dimensions();
            let header = Header { format: Some(format), width, height, most_dropped: 31, texels: Texels::Rgba8, needs_blocks: false };
            (header, decoder.total_bytes(), MOST_DECODER_BYTES)
        }
        None => {
            let Info { width, height, levels, texels, needs_blocks } = ktx2::info(bytes)?;
            let most_dropped = if needs_blocks { levels - 1 } else { 31 };
            let smallest = Texels::Rgba8.level_bytes([width, height].map(|side| (side >> (levels - 1)).max(1)));
            (Header { format: None, width, height, most_dropped, texels, needs_blocks }, smallest, MOST_OF_AN_IMAGE)
        }
    };
    let Header { width, height, .. } = header;
    if width == 0 || height == 0 {
        return Err(ImageError::ZeroSize);
    }
    if least > most || width > MOST_SIDE || height > MOST_SIDE {
        return Err(ImageError::TooLarge { width, height, most });
    }
    Ok(header)
}

/// By the first bytes, as in a media type; empty when unknown.
pub fn kind(bytes: &[u8]) -> &'static str {
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
