//! What an image says before its pixels that glTF does not know of: colour profiles, pixels that are not square, animation.

/// The gamma of sRGB, as PNG writes it.
const GAMMA: u32 = 45455;
/// White point and primaries of sRGB, as PNG writes them.
const PRIMARIES: [u32; 8] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];

/// Whether an image asks for something that is not done for textures, as far as its first bytes tell.
pub fn asks_for_more(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "png" => chunks(bytes).any(|(name, data)| match name {
            b"iCCP" | b"acTL" => true,
            b"gAMA" => words(data).next().is_some_and(|gamma| gamma != GAMMA),
            b"cHRM" => data.len() == 32 && words(data).ne(PRIMARIES),
            b"pHYs" => words(data).next() != words(data).nth(1),
            _ => false,
        }),
        // The extended header has a bit for a profile and one for animation.
        "webp" => bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 0x22 != 0),
        _ => false,
    }
}

/// The chunks of a PNG before its pixels.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut at = 8;
    std::iter::from_fn(move || {
        let (length, rest) = bytes.get(at..)?.split_first_chunk::<4>()?;
        let (name, rest) = rest.split_first_chunk::<4>()?;
        let data = rest.get(..u32::from_be_bytes(*length) as usize)?;
        at += data.len() + 12;
        (name != b"IDAT").then_some((name, data))
    })
}

fn words(data: &[u8]) -> impl Iterator<Item = u32> {
    data.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word))
}
