//! Decodes UASTC: blocks of 4 x 4 pixels in 16 bytes, in one of nineteen modes, which are a subset of ASTC. A block has up to three subsets
//! with two colors each. Pixels have weights between these colors, and some modes have separate weights for one channel.

use super::patterns::{PATTERNS, Pattern};
use super::{Ktx2Error, Size};

/// How a mode is recognized, and what it stores.
pub struct UastcMode {
    /// The code that a block of this mode begins with, and the length of the code in bits.
    code: (u8, u32),
    /// Number of bits with hints for encoders of other formats. They are skipped.
    hints: u32,
    /// Color format: gray with alpha (2), RGB (3) or RGBA (4).
    pub channels: usize,
    /// Number of subsets.
    pub subsets: usize,
    /// How a channel of a color is stored: the number of bits of its lower part, and the base of its upper part (3 or 5; 1 if there is no
    /// upper part).
    pub colors: (u32, u32),
    /// Bits of a weight.
    pub weight_bits: u32,
    /// Whether one channel has separate weights.
    pub two_planes: bool,
}

/// Index of the mode for blocks of one color.
const SOLID: usize = 8;
/// Index of the mode with three subsets.
const THREE_SUBSETS: usize = 3;
/// Index of the mode whose patterns have two subsets in UASTC but three in BC7.
const PATTERNS_SPLIT_IN_BC7: usize = 7;
/// Index of the gray mode with separate weights for alpha.
const GRAY_WITH_SEPARATE_ALPHA: usize = 17;

/// All modes, by their numbers.
const MODES: [UastcMode; 19] = [
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

/// Returns a mode with one set of weights.
const fn mode(code: (u8, u32), hints: u32, channels: usize, subsets: usize, colors: (u32, u32), weight_bits: u32) -> UastcMode {
    UastcMode { code, hints, channels, subsets, colors, weight_bits, two_planes: false }
}

/// Returns a mode with separate weights for one channel.
const fn planes(code: (u8, u32), hints: u32, channels: usize, colors: (u32, u32), weight_bits: u32) -> UastcMode {
    UastcMode { code, hints, channels, subsets: 1, colors, weight_bits, two_planes: true }
}

/// An unpacked block.
pub struct UastcBlock {
    pub mode: &'static UastcMode,
    /// Whether all pixels have the first color.
    pub solid: bool,
    /// `None` for one subset.
    pub pattern: Option<&'static Pattern>,
    /// The channel with separate weights; 4 if there is no such channel.
    pub separate_channel: usize,
    /// The lower and upper part of each stored channel.
    pub numbers: [(u32, u32); 18],
    /// The two RGBA colors of each subset.
    pub ends: [[[u8; 4]; 2]; 3],
    /// The stored weights of each pixel: one for most channels, and one for the separate channel.
    pub weights: [[u32; 2]; 16],
}

impl UastcBlock {
    /// Returns the subset of each pixel.
    pub fn subset_of(&self) -> [u8; 16] {
        self.pattern.map_or([0; 16], |pattern| pattern.subset_of)
    }

    /// Computes the RGBA pixels, row by row.
    fn pixels(&self) -> [[u8; 4]; 16] {
        if self.solid {
            return [self.ends[0][0]; 16];
        }
        let mut pixels = [[255; 4]; 16];
        for ((pixel, subset), weights) in pixels.iter_mut().zip(self.subset_of()).zip(&self.weights) {
            let [low, high] = self.ends[usize::from(subset)];
            for (channel, value) in pixel.iter_mut().enumerate() {
                let weight = to_64ths(weights[usize::from(channel == self.separate_channel)], self.mode.weight_bits);
                // Interpolate in 16 bits and keep the upper 8, as ASTC does.
                let [low, high] = [low, high].map(|end| u32::from(end[channel]) * 257);
                *value = ((low * (64 - weight) + high * weight + 32) >> 14) as u8;
            }
        }
        pixels
    }
}

/// Converts a weight of `bits` bits to 64ths.
pub fn to_64ths(weight: u32, bits: u32) -> u32 {
    // Repeat the bits until there are six of them. Then map the range 0..=63 to 0..=64.
    let six = (0..6).step_by(bits.max(1) as usize).fold(0, |six, filled| match 6 - filled {
        remaining if remaining >= bits => six << bits | weight,
        remaining => six << remaining | weight >> (bits - remaining),
    });
    six + u32::from(six > 32)
}

/// Writes the pixels of all blocks into an image.
pub fn write(blocks: impl Iterator<Item = Result<UastcBlock, Ktx2Error>>, size: Size, rgba: &mut [u8]) -> Result<(), Ktx2Error> {
    let (width, columns) = (size.width as usize, size.width.div_ceil(4) as usize);
    for (index, block) in blocks.enumerate() {
        let pixels = block?.pixels();
        let rows = rgba.chunks_exact_mut(width * 4).skip(index / columns * 4);
        for (row, pixels) in rows.zip(pixels.as_chunks::<4>().0) {
            for (target, pixel) in row.as_chunks_mut::<4>().0.iter_mut().skip(index % columns * 4).zip(pixels) {
                *target = *pixel;
            }
        }
    }
    Ok(())
}

/// Reads a block. Returns an error if its mode or pattern is unknown.
pub fn unpack(block: u128) -> Result<UastcBlock, Ktx2Error> {
    let has_code = |mode: &UastcMode| block as u8 & ((1 << mode.code.1) - 1) == mode.code.0;
    let index = MODES.iter().position(has_code).ok_or(Ktx2Error::InvalidData)?;
    let mode = &MODES[index];
    let mut bits = BlockBits(block >> mode.code.1);
    let mut unpacked = UastcBlock {
        mode,
        solid: index == SOLID,
        pattern: None,
        separate_channel: 4,
        numbers: [(0, 0); 18],
        ends: [[[255; 4]; 2]; 3],
        weights: [[0; 2]; 16],
    };
    if unpacked.solid {
        unpacked.ends[0] = [[(); 4].map(|()| bits.take(8) as u8); 2];
        return Ok(unpacked);
    }
    // The hints help encoders of other formats.
    bits.take(mode.hints);
    if mode.subsets > 1 {
        let (list, count) = match index {
            THREE_SUBSETS => (&PATTERNS.three, 4),
            PATTERNS_SPLIT_IN_BC7 => (&PATTERNS.two_split_in_bc7, 5),
            _ => (&PATTERNS.two, 5),
        };
        unpacked.pattern = Some(list.get(bits.take(count) as usize).ok_or(Ktx2Error::InvalidData)?);
    }
    unpacked.separate_channel = match (mode.two_planes, index) {
        (false, _) => 4,
        (true, GRAY_WITH_SEPARATE_ALPHA) => 3,
        (true, _) => bits.take(2) as usize,
    };
    unpacked.numbers = numbers(mode, &mut bits);
    unpacked.ends = ends(mode, &unpacked.numbers);
    unpacked.weights = weights(mode, &unpacked.subset_of(), &mut bits);
    Ok(unpacked)
}

/// Reads the stored channels.
fn numbers(mode: &UastcMode, bits: &mut BlockBits) -> [(u32, u32); 18] {
    let (low_bits, base) = mode.colors;
    let count = mode.channels * 2 * mode.subsets;
    // The upper parts come first: five trits in 8 bits, or three quints in 7. The last group may be shorter.
    let (bundle, sizes): (usize, &[u32]) = match base {
        3 => (5, &[2, 4, 5, 7, 8]),
        5 => (3, &[3, 5, 7]),
        _ => (1, &[0]),
    };
    let mut numbers = [(0, 0); 18];
    for values in numbers[..count].chunks_mut(bundle) {
        let mut packed = bits.take(sizes[values.len() - 1]);
        for (_, high) in values {
            (*high, packed) = (packed % base, packed / base);
        }
    }
    numbers[..count].iter_mut().for_each(|(low, _)| *low = bits.take(low_bits));
    numbers
}

/// Computes the two colors of each subset.
fn ends(mode: &UastcMode, numbers: &[(u32, u32); 18]) -> [[[u8; 4]; 2]; 3] {
    let count = mode.channels * 2 * mode.subsets;
    let mut colors = [[[255; 4]; 2]; 3];
    for (index, &(low, high)) in numbers[..count].iter().enumerate() {
        let value = expand(low, high, mode.colors);
        let (subset, channel, end) = (index / (mode.channels * 2), index / 2 % mode.channels, index % 2);
        let color = &mut colors[subset][end];
        match (mode.channels, channel) {
            (2, 0) => color[..3].fill(value),
            (2, _) => color[3] = value,
            _ => color[channel] = value,
        }
    }
    colors
}

/// Expands a number to a byte, as ASTC does.
fn expand(low: u32, high: u32, colors: (u32, u32)) -> u8 {
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
    // The lowest bit inverts the other bits.
    let flip = (low & 1) * 511;
    (flip & 0x80 | ((high * factor + bits) ^ flip) >> 2) as u8
}

/// Reads the weights of each pixel: one for most channels, and one for the separate channel.
fn weights(mode: &UastcMode, subset_of: &[u8; 16], bits: &mut BlockBits) -> [[u32; 2]; 16] {
    let mut weights = [[0; 2]; 16];
    let mut has_anchor = [false; 3];
    for (pair, &subset) in weights.iter_mut().zip(subset_of) {
        // The weight of the first pixel of a subset omits its highest bit, which is 0.
        let count = mode.weight_bits - u32::from(!has_anchor[usize::from(subset)]);
        has_anchor[usize::from(subset)] = true;
        for weight in pair.iter_mut().take(if mode.two_planes { 2 } else { 1 }) {
            *weight = bits.take(count);
        }
    }
    weights
}

/// The bits of a block, lowest first.
struct BlockBits(u128);

impl BlockBits {
    /// Reads a number of `count` bits.
    fn take(&mut self, count: u32) -> u32 {
        let taken = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        taken as u32
    }
}
