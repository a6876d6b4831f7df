//! The beginning of an image file: whether its header is complete, and whether it requests features that textures ignore.

/// The gamma of sRGB, as PNG stores it.
const SRGB_GAMMA: u32 = 45455;
/// White point and primaries of sRGB, as PNG stores them.
const SRGB_PRIMARIES: [u32; 8] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];

/// A header that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageHeaderError {
    /// The bytes end before the size of the image is known.
    Truncated,
    /// The header is invalid. The sentence says why, without its period.
    Invalid(&'static str),
}

/// Checks the header of an image of this kind, up to the size of the image and the properties that come before its pixels.
pub fn check(kind: &str, bytes: &[u8]) -> Result<(), ImageHeaderError> {
    match kind {
        "png" => check_png(bytes),
        "jpeg" => check_jpeg(bytes),
        "webp" => check_webp(bytes),
        _ => Ok(()),
    }
}

/// Checks the chunks of a PNG up to its pixels.
fn check_png(bytes: &[u8]) -> Result<(), ImageHeaderError> {
    let mut has_header = false;
    let mut offset = 8;
    loop {
        let (length, name) = png_chunk(bytes, offset).ok_or(ImageHeaderError::Truncated)?;
        let expected = match name {
            b"IHDR" => 13,
            b"cHRM" => 32,
            b"pHYs" => 9,
            b"gAMA" => 4,
            b"sRGB" => 1,
            b"IDAT" if !has_header => return Err(ImageHeaderError::Invalid("The PNG has no header chunk before its pixels")),
            b"IDAT" => return Ok(()),
            _ => length,
        };
        if length != expected {
            return Err(ImageHeaderError::Invalid("A chunk of the PNG has a wrong length"));
        }
        has_header |= name == b"IHDR";
        offset = offset.saturating_add(12).saturating_add(length);
    }
}

/// The length of the data of the PNG chunk at an offset in bytes, and its name.
fn png_chunk(bytes: &[u8], offset: usize) -> Option<(usize, &[u8; 4])> {
    let (length, rest) = bytes.get(offset..)?.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*length) as usize, rest.first_chunk()?))
}

/// Checks the segments of a JPEG up to the segment with the size of the image.
fn check_jpeg(bytes: &[u8]) -> Result<(), ImageHeaderError> {
    let byte = |offset: usize| bytes.get(offset).copied().ok_or(ImageHeaderError::Truncated);
    let mut offset = 1;
    loop {
        let marker = byte(offset)?;
        offset += 1;
        // Fill bytes, and markers without a segment.
        if matches!(marker, 0xff | 0x01 | 0xd0..=0xd9) {
            continue;
        }
        let length = usize::from(byte(offset)?) << 8 | usize::from(byte(offset + 1)?);
        if length < 2 {
            return Err(ImageHeaderError::Invalid("A segment of the JPEG has a wrong length"));
        }
        // A start of frame: precision, height, width, number of channels.
        if matches!(marker, 0xc0..=0xcf | 0xde) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            byte(offset + length - 1)?;
            let channels = if length < 8 { 0 } else { byte(offset + 7)? };
            let is_known = matches!(channels, 1 | 3);
            return if is_known { Ok(()) } else { Err(ImageHeaderError::Invalid("The JPEG has neither one nor three channels")) };
        }
        offset += length;
    }
}

/// Checks that the first chunk of a WebP is known and not truncated.
fn check_webp(bytes: &[u8]) -> Result<(), ImageHeaderError> {
    let needed = match bytes.get(12..16) {
        None => return Err(ImageHeaderError::Truncated),
        Some(b"VP8L") => 25,
        Some(b"VP8 " | b"VP8X") => 30,
        Some(_) => return Err(ImageHeaderError::Invalid("The first chunk of the WebP is unknown")),
    };
    if bytes.len() < needed { Err(ImageHeaderError::Truncated) } else { Ok(()) }
}

/// Returns whether the first bytes of an image request features that textures ignore: color profiles, non-square pixels, animation.
pub fn has_ignored_features(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "png" => png_chunks(bytes).any(|(name, data)| match name {
            b"iCCP" | b"acTL" => true,
            b"gAMA" => png_words(data).next().is_some_and(|gamma| gamma != SRGB_GAMMA),
            b"cHRM" => data.len() == 32 && png_words(data).ne(SRGB_PRIMARIES),
            b"pHYs" => data.len() == 9 && png_words(data).next() != png_words(data).nth(1),
            _ => false,
        }),
        // The extended header has a flag for profiles and one for animation.
        "webp" => bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 0x22 != 0),
        _ => false,
    }
}

/// The chunks of a PNG before its pixels. The last one may be truncated.
fn png_chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut offset = 8;
    std::iter::from_fn(move || {
        let (length, name) = png_chunk(bytes, offset)?;
        let data = bytes.get(offset + 8..)?;
        let data = &data[..length.min(data.len())];
        offset += length + 12;
        (name != b"IDAT").then_some((name, data))
    })
}

/// The big-endian numbers of 32 bits in a PNG chunk.
fn png_words(data: &[u8]) -> impl Iterator<Item = u32> {
    data.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word))
}
