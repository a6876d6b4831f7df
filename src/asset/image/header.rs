//! Reads kind and size of an image from its first bytes, without decoding it, and finds out whether its bytes are complete.

use std::io::Cursor;

use ::image::{ImageDecoder, ImageFormat, ImageReader};

use crate::codec::ktx2::{self, Info};
use crate::codec::texels::Texels;

use super::{ImageError, MAX_DECODER_BYTES, MAX_IMAGE_BYTES};

/// Longest side of an image, in pixels. f32 represents integers exactly up to this number.
const MAX_SIDE_PIXELS: u32 = 1 << 24;

/// Size and kind of an image, from its first bytes.
#[derive(Clone)]
pub(super) struct Header {
    /// `None` for KTX2.
    pub format: Option<ImageFormat>,
    /// Width and height of the encoded image, in pixels.
    pub width: u32,
    pub height: u32,
    /// Number of times the image can be halved. Of a KTX2 file with compressed blocks, only the levels in the file can be dropped.
    pub max_dropped: u32,
    /// The texel format on a device that supports BC (block compression).
    pub texels: Texels,
    /// Whether only a device that supports BC can show the image.
    pub needs_blocks: bool,
    /// Bytes that a decoder produces at least, however often the image is halved.
    pub min_bytes: u64,
}

/// Returns whether a media type names this kind of image. Case is ignored (RFC 2045, 5.1).
pub(crate) fn is_media_type(media_type: &str, kind: &str) -> bool {
    media_type.split_once('/').is_some_and(|(group, subtype)| group.eq_ignore_ascii_case("image") && subtype.eq_ignore_ascii_case(kind))
}

/// The facts about an image that can be read from its bytes without decoding it.
pub(super) struct Identity {
    /// As [`kind`] returns it.
    pub kind: &'static str,
    /// The header, or the reason why it cannot be read.
    pub header: Result<Header, String>,
    pub is_truncated: bool,
    /// Whether only the kind is known.
    pub is_unread: bool,
}

impl Identity {
    pub fn new(bytes: &[u8]) -> Self {
        let header = header(bytes).map_err(|error| error.to_string());
        Self { kind: kind(bytes), header, is_truncated: is_truncated(bytes), is_unread: false }
    }

    /// Tells only the kind, because reading the header, and searching for the end, would take too long.
    pub fn unread(bytes: &[u8], reason: &str) -> Self {
        Self { kind: kind(bytes), header: Err(reason.to_owned()), is_truncated: false, is_unread: true }
    }
}

/// Reads size and kind from the first bytes. Returns an error if the image cannot be decoded or exceeds the limits.
pub(super) fn header(bytes: &[u8]) -> Result<Header, ImageError> {
    let format = match kind(bytes) {
        "png" => Some(ImageFormat::Png),
        "jpeg" => Some(ImageFormat::Jpeg),
        "webp" => Some(ImageFormat::WebP),
        "ktx2" => None,
        "" if bytes.is_empty() => return Err(ImageError::Missing),
        "" => return Err(ImageError::UnknownFormat),
        other => return Err(ImageError::Unsupported(other)),
    };
    // The header, and the limit of its `min_bytes`.
    let (header, max_bytes) = match format {
        Some(format) => {
            let decoder = ImageReader::with_format(Cursor::new(bytes), format).into_decoder()?;
            let (width, height) = decoder.dimensions();
            let (texels, min_bytes) = (Texels::Rgba8, decoder.total_bytes());
            (Header { format: Some(format), width, height, max_dropped: 31, texels, needs_blocks: false, min_bytes }, MAX_DECODER_BYTES)
        }
        None => {
            let Info { width, height, levels, texels, needs_blocks } = ktx2::info(bytes)?;
            let max_dropped = if needs_blocks { levels - 1 } else { 31 };
            // The smallest level of a KTX2 file can be decoded without the others.
            let min_bytes = Texels::Rgba8.level_bytes([width, height].map(|side| (side >> (levels - 1)).max(1)));
            (Header { format: None, width, height, max_dropped, texels, needs_blocks, min_bytes }, MAX_IMAGE_BYTES)
        }
    };
    let Header { width, height, min_bytes, .. } = header;
    if width == 0 || height == 0 {
        return Err(ImageError::ZeroSize);
    }
    if min_bytes > max_bytes || width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS {
        return Err(ImageError::TooLarge { width, height, max: max_bytes });
    }
    Ok(header)
}

/// The kind of an image by its first bytes, as the subtype of its media type; empty if unknown.
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

/// Returns whether a PNG lacks its last chunk, a JPEG its end marker or a KTX2 file the bytes of a level, or whether a WebP is shorter than
/// it declares. Does not decode the image.
fn is_truncated(bytes: &[u8]) -> bool {
    match kind(bytes) {
        // A PNG is a signature of 8 bytes, then chunks: length (4 bytes, big-endian), kind (4), data, checksum (4).
        "png" => {
            let mut offset = 8;
            while let Some((length, kind)) = bytes.get(offset..offset + 8).and_then(<[u8]>::split_first_chunk::<4>) {
                if kind == b"IEND" {
                    return false;
                }
                offset = offset.saturating_add(12).saturating_add(u32::from_be_bytes(*length) as usize);
            }
            true
        }
        // A WebP declares its length in a RIFF header: "RIFF", the length after these 8 bytes (4 bytes, little-endian), "WEBP".
        "webp" => bytes[4..].first_chunk().is_none_or(|length| (u32::from_le_bytes(*length) as usize).saturating_add(8) > bytes.len()),
        // A JPEG is a marker of 2 bytes, then segments: marker (2), length from here on (2, big-endian), data. After the start of the first
        // scan, the bytes of the end marker occur only as this marker. An earlier one may belong to a preview.
        "jpeg" => {
            let mut offset = 2;
            while let Some(&[0xff, kind, high, low]) = bytes.get(offset..).and_then(<[u8]>::first_chunk) {
                if kind == 0xda {
                    return !bytes[offset..].windows(2).any(|marker| marker == [0xff, 0xd9]);
                }
                // A marker can have any number of bytes 255 before it.
                offset += if kind == 0xff { 1 } else { 2 + usize::from(u16::from_be_bytes([high, low])) };
            }
            // Another byte than 255 begins no segment: the data is invalid, and not only truncated.
            offset.saturating_add(4) > bytes.len()
        }
        "ktx2" => ktx2::is_truncated(bytes),
        // Images of other formats are not decoded.
        _ => false,
    }
}
