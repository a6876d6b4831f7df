//! Unpacks BC1 blocks without alpha (Khronos Data Format 1.3, section 18.1). Graphics devices know only BC1 with alpha, where the pixels
//! that are black in these blocks are holes.

use super::Size;

/// Size of a block, in bytes.
const BLOCK_BYTES: usize = 8;

/// Returns whether the blocks have holes if they are read as BC1 with alpha.
pub fn has_holes(blocks: &[u8]) -> bool {
    blocks.as_chunks::<BLOCK_BYTES>().0.iter().any(|block| has_three_colors(*block) && codes(*block).contains(&3))
}

/// Unpacks blocks to opaque RGBA.
pub fn unpack(blocks: &[u8], size: Size) -> Vec<u8> {
    let mut rgba = size.rgba();
    let (width, columns) = (size.width as usize, size.width.div_ceil(4) as usize);
    for (index, block) in blocks.as_chunks::<BLOCK_BYTES>().0.iter().enumerate() {
        let (palette, codes) = (palette(*block), codes(*block));
        let rows = rgba.chunks_exact_mut(width * 4).skip(index / columns * 4);
        for (row, codes) in rows.zip(codes.as_chunks::<4>().0) {
            for (pixel, &code) in row.as_chunks_mut::<4>().0.iter_mut().skip(index % columns * 4).zip(codes) {
                *pixel = palette[code];
            }
        }
    }
    rgba
}

/// The two colors of a block, with 5, 6 and 5 bits for red, green and blue.
fn ends(block: [u8; BLOCK_BYTES]) -> [u16; 2] {
    [u16::from_le_bytes([block[0], block[1]]), u16::from_le_bytes([block[2], block[3]])]
}

/// Returns whether the fourth color of a block is black.
fn has_three_colors(block: [u8; BLOCK_BYTES]) -> bool {
    let [first, last] = ends(block);
    first <= last
}

/// The code of each pixel, an index into [`palette`].
fn codes(block: [u8; BLOCK_BYTES]) -> [usize; 16] {
    let bits = u64::from_le_bytes(block) >> 32;
    std::array::from_fn(|pixel| (bits >> (2 * pixel)) as usize & 3)
}

/// The four colors of a block.
fn palette(block: [u8; BLOCK_BYTES]) -> [[u8; 4]; 4] {
    let expanded = |color: u16| {
        let [red, green, blue] = [color >> 11, color >> 5 & 63, color & 31];
        [red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2]
    };
    let [first, last] = ends(block).map(expanded);
    let mixed = |weights: [u16; 2]| {
        let sum = weights[0] + weights[1];
        std::array::from_fn(|channel| (first[channel] * weights[0] + last[channel] * weights[1] + sum / 2) / sum)
    };
    let between = if has_three_colors(block) { [mixed([1, 1]), [0; 3]] } else { [mixed([2, 1]), mixed([1, 2])] };
    [first, last, between[0], between[1]].map(|[red, green, blue]| [red as u8, green as u8, blue as u8, 255])
}
