//! UASTC: blocks of 4 x 4 pixels in 16 bytes, each in one of nineteen modes, a subset of ASTC. Between two colours (of up to
//! three parts of the block, the subsets) each pixel has a weight; in some modes one channel has weights of its own.

use super::{Ktx2Error, Size};

/// How a mode is told, and what it stores.
struct Mode {
    /// The first bits of the block, and how many.
    code: (u8, u32),
    /// Bits for encoders of other formats, which nothing here needs.
    hints: u32,
    /// Whether the colours are grey with alpha (2), opaque (3) or all (4).
    channels: usize,
    subsets: usize,
    /// Colours are numbers of so many bits, times 3 or 5 where those are not enough, times 1.
    colors: (u32, u32),
    weight_bits: u32,
    /// Whether one channel has its own weights.
    two_planes: bool,
}

const SOLID: usize = 8;
const THREE_SUBSETS: usize = 3;
const OTHER_PATTERNS: usize = 7;
const GREY_WITH_OWN_ALPHA: usize = 17;

const MODES: [Mode; 19] = [
    mode((0x01, 4), 15, 3, 1, (6, 3), 4),
    mode((0x35, 6), 15, 3, 1, (8, 1), 2),
    mode((0x1d, 5), 15, 3, 2, (4, 1), 3),
    mode((0x03, 5), 15, 3, 3, (2, 3), 2),
    mode((0x13, 5), 15, 3, 2, (3, 5), 2),
    mode((0x0b, 5), 15, 3, 1, (8, 1), 3),
    planes((0x1b, 5), 15, 3, (5, 5), 2),
    mode((0x07, 5), 15, 3, 2, (3, 5), 2),
    mode((0x17, 5), 0, 4, 1, (8, 1), 0),
    mode((0x0f, 5), 23, 4, 2, (4, 1), 2),
    mode((0x02, 3), 17, 4, 1, (4, 3), 4),
    planes((0x00, 2), 17, 4, (4, 3), 2),
    mode((0x06, 3), 17, 4, 1, (6, 3), 3),
    planes((0x1f, 5), 23, 4, (8, 1), 1),
    mode((0x0d, 5), 23, 4, 1, (8, 1), 2),
    mode((0x05, 7), 23, 2, 1, (8, 1), 4),
    mode((0x15, 6), 23, 2, 2, (8, 1), 2),
    planes((0x25, 6), 23, 2, (8, 1), 2),
    mode((0x09, 4), 15, 3, 1, (5, 1), 5),
];

const fn mode(code: (u8, u32), hints: u32, channels: usize, subsets: usize, colors: (u32, u32), weight_bits: u32) -> Mode {
    Mode { code, hints, channels, subsets, colors, weight_bits, two_planes: false }
}

const fn planes(code: (u8, u32), hints: u32, channels: usize, colors: (u32, u32), weight_bits: u32) -> Mode {
    Mode { code, hints, channels, subsets: 1, colors, weight_bits, two_planes: true }
}

/// ASTC's numbers of the patterns that blocks can name.
const TWO: [u32; 30] = [
    28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210, 476, 273, 684, 359, 246, 195, 694, 524,
];
const TWO_OTHERS: [u32; 19] = [36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993];
const THREE: [u32; 11] = [260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254];

/// To which subset each pixel of a block belongs.
type Pattern = [u8; 16];

pub fn block_bytes(size: Size) -> u64 {
    u64::from(size.width.div_ceil(4)) * u64::from(size.height.div_ceil(4)) * 16
}

/// Writes all blocks.
pub fn decode(blocks: &[u8], size: Size, rgba: &mut [u8]) -> Result<(), Ktx2Error> {
    let patterns = [
        TWO.map(|number| pattern(number, 2)).to_vec(),
        THREE.map(|number| pattern(number, 3)).to_vec(),
        TWO_OTHERS.map(|number| pattern(number, 2)).to_vec(),
    ];
    let width = size.width as usize;
    for (blocks, rows) in blocks.chunks_exact(width.div_ceil(4) * 16).zip(rgba.chunks_mut(width * 16)) {
        for (column, block) in blocks.as_chunks::<16>().0.iter().enumerate() {
            let pixels = pixels(u128::from_le_bytes(*block), &patterns)?;
            for (row, pixels) in rows.chunks_exact_mut(width * 4).zip(pixels.as_chunks::<4>().0) {
                for (to, from) in row.as_chunks_mut::<4>().0.iter_mut().skip(column * 4).zip(pixels) {
                    *to = *from;
                }
            }
        }
    }
    Ok(())
}

fn pixels(block: u128, patterns: &[Vec<Pattern>; 3]) -> Result<[[u8; 4]; 16], Ktx2Error> {
    let told = |mode: &Mode| block as u8 & ((1 << mode.code.1) - 1) == mode.code.0;
    let index = MODES.iter().position(told).ok_or(Ktx2Error::Codes)?;
    let mode = &MODES[index];
    let mut bits = BlockBits(block >> mode.code.1);
    if index == SOLID {
        return Ok([[(); 4].map(|()| bits.take(8) as u8); 16]);
    }
    bits.take(mode.hints);
    let pattern = match (mode.subsets, index) {
        (1, _) => Some(&[0; 16]),
        (_, THREE_SUBSETS) => patterns[1].get(bits.take(4) as usize),
        (_, OTHER_PATTERNS) => patterns[2].get(bits.take(5) as usize),
        _ => patterns[0].get(bits.take(5) as usize),
    };
    let pattern = pattern.ok_or(Ktx2Error::Codes)?;
    let own_plane = match (mode.two_planes, index) {
        (false, _) => 4,
        (true, GREY_WITH_OWN_ALPHA) => 3,
        (true, _) => bits.take(2) as usize,
    };
    let ends = ends(mode, &mut bits);
    let weights = weights(mode, pattern, &mut bits);
    let mut pixels = [[255; 4]; 16];
    for ((pixel, &subset), weights) in pixels.iter_mut().zip(pattern).zip(weights) {
        let [low, high] = ends[usize::from(subset)];
        for (channel, value) in pixel.iter_mut().enumerate() {
            let weight = weights[usize::from(channel == own_plane)];
            let [low, high] = [low, high].map(|end| u32::from(end[channel]) * 257);
            *value = ((low * (64 - weight) + high * weight + 32) >> 14) as u8;
        }
    }
    Ok(pixels)
}

/// The two colours of each subset.
fn ends(mode: &Mode, bits: &mut BlockBits) -> [[[u8; 4]; 2]; 3] {
    let (low_bits, base) = mode.colors;
    let count = mode.channels * 2 * mode.subsets;
    // What is more than bits comes first: five times 0 to 2 in 8 bits, three times 0 to 4 in 7; the last may be fewer.
    let (bundle, sizes): (usize, &[u32]) = match base {
        3 => (5, &[2, 4, 5, 7, 8]),
        5 => (3, &[3, 5, 7]),
        _ => (1, &[0]),
    };
    let mut highs = [0; 18];
    for values in highs[..count].chunks_mut(bundle) {
        let mut packed = bits.take(sizes[values.len() - 1]);
        for value in values {
            (*value, packed) = (packed % base, packed / base);
        }
    }
    let mut colors = [[[255; 4]; 2]; 3];
    for (at, &high) in highs[..count].iter().enumerate() {
        let value = spread(bits.take(low_bits), high, mode.colors);
        let (subset, channel, end) = (at / (mode.channels * 2), at / 2 % mode.channels, at % 2);
        let color = &mut colors[subset][end];
        match (mode.channels, channel) {
            (2, 0) => color[..3].fill(value),
            (2, _) => color[3] = value,
            _ => color[channel] = value,
        }
    }
    colors
}

/// A number of few values over the whole of a byte, as ASTC does it.
fn spread(low: u32, high: u32, colors: (u32, u32)) -> u8 {
    let upper = low >> 1;
    let (factor, bits) = match colors {
        (2, _) => (93, upper * 0x116),
        (4, 3) => (22, upper << 6 | upper),
        (6, _) => (5, upper << 4 | upper >> 4),
        (3, _) => (26, upper << 7 | upper << 1 | upper >> 1),
        (5, 5) => (6, upper << 5 | upper >> 3),
        (4, _) => return (low << 4 | low) as u8,
        (5, _) => return (low << 3 | low >> 2) as u8,
        _ => return low as u8,
    };
    // The lowest bit counts from the other end.
    let flip = (low & 1) * 511;
    (flip & 0x80 | ((high * factor + bits) ^ flip) >> 2) as u8
}

/// Of each pixel, 0 to 64: of most channels, and of the one in the second plane.
fn weights(mode: &Mode, pattern: &Pattern, bits: &mut BlockBits) -> [[u32; 2]; 16] {
    let mut weights = [[0; 2]; 16];
    let mut begun = [false; 3];
    for (pair, &subset) in weights.iter_mut().zip(pattern) {
        // The first pixel of a subset is nearer to the first colour: a bit less.
        let count = mode.weight_bits - u32::from(!begun[usize::from(subset)]);
        begun[usize::from(subset)] = true;
        for weight in pair.iter_mut().take(if mode.two_planes { 2 } else { 1 }) {
            let value = bits.take(count);
            // The bits again and again, six of them; then 0 to 63 becomes 0 to 64.
            let six = (0..6).step_by(mode.weight_bits as usize).fold(0, |six, at| match 6 - at {
                left if left >= mode.weight_bits => six << mode.weight_bits | value,
                left => six << left | value >> (mode.weight_bits - left),
            });
            *weight = six + u32::from(six > 32);
        }
    }
    weights
}

/// The pattern of a number, as ASTC makes them of it (Khronos Data Format 1.3, 23.21), for small blocks.
fn pattern(number: u32, subsets: u32) -> Pattern {
    let mut hash = number + (subsets - 1) * 1024;
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0xeede_0891);
    hash ^= hash >> 5;
    hash = hash.wrapping_add(hash << 16);
    hash ^= hash >> 7;
    hash ^= hash >> 3;
    hash ^= hash << 6;
    hash ^= hash >> 17;
    let three = if subsets == 3 { 6 } else { 5 };
    let two = if number & 2 > 0 { 4 } else { 5 };
    let shifts = if number & 1 > 0 { [two, three] } else { [three, two] };
    // Slopes along x and y of a plane for each subset: the highest plane wins.
    let slope = |index: u32| {
        let nibble = hash >> (index * 4) & 15;
        (nibble * nibble) >> shifts[index as usize % 2]
    };
    let height = |subset: u32, x: u32, y: u32| (slope(subset * 2) * x + slope(subset * 2 + 1) * y + (hash >> (14 - subset * 4))) & 63;
    let mut pattern = [0; 16];
    for (at, part) in (0..).zip(&mut pattern) {
        let [x, y] = [at % 4 * 2, at / 4 * 2];
        let heights = [height(0, x, y), height(1, x, y), if subsets == 3 { height(2, x, y) } else { 0 }];
        *part = if heights[0] >= heights[1] && heights[0] >= heights[2] { 0 } else { 1 + u8::from(heights[1] < heights[2]) };
    }
    pattern
}

/// The bits of a block, the lowest first.
struct BlockBits(u128);

impl BlockBits {
    fn take(&mut self, count: u32) -> u32 {
        let taken = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        taken as u32
    }
}
