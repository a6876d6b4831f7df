//! Writes BC7 blocks (BPTC; Khronos Data Format 1.3, section 20). Quantizes colors to the bits of a mode, and packs them without the bits
//! that the format implies.

use super::bits::BlockWriter;

/// The properties of a BC7 mode that are needed to write a block.
pub struct Bc7Mode {
    pub number: u32,
    pub subsets: usize,
    /// Bits per color channel, and bits of alpha.
    bits: [u32; 2],
    low_bit: LowBit,
    /// Bits of a pixel's weight, and of its alpha weight if that is separate.
    pub weight_bits: u32,
    /// Whether alpha has separate weights.
    separate_alpha: bool,
}

/// The values that share an additional lowest bit (p-bit) in a mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LowBit {
    /// The mode has no such bit.
    None,
    /// The two colors of a subset share one bit.
    PerSubset,
    /// The channels of each color share one bit.
    PerColor,
}

// The modes that UASTC is transcoded to, named by subsets, alpha and precision.
pub const TWO_SUBSETS_FINE: Bc7Mode = mode(1, 2, [6, 0], LowBit::PerSubset, 3);
pub const THREE_SUBSETS: Bc7Mode = mode(2, 3, [5, 0], LowBit::None, 2);
pub const TWO_SUBSETS: Bc7Mode = mode(3, 2, [7, 0], LowBit::PerColor, 2);
pub const SEPARATE_ALPHA: Bc7Mode = Bc7Mode { separate_alpha: true, ..mode(5, 1, [7, 8], LowBit::None, 2) };
pub const ONE_SUBSET: Bc7Mode = mode(6, 1, [7, 7], LowBit::PerColor, 4);
pub const TWO_SUBSETS_WITH_ALPHA: Bc7Mode = mode(7, 2, [5, 5], LowBit::PerColor, 2);

/// Returns a mode without separate alpha weights.
const fn mode(number: u32, subsets: usize, bits: [u32; 2], low_bit: LowBit, weight_bits: u32) -> Bc7Mode {
    Bc7Mode { number, subsets, bits, low_bit, weight_bits, separate_alpha: false }
}

/// Partitions into two subsets. One bit per pixel, set for the pixels of the second subset.
pub const TWO_SUBSET_PARTITIONS: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710,
    0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0,
    0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40,
    0x2720, 0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];
/// Partitions into three subsets. Two bits per pixel: the number of the pixel's subset.
pub const THREE_SUBSET_PARTITIONS: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050, 0xaa550000, 0xaa555500, 0xaaaa5500,
    0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250, 0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040,
    0xa4a45000, 0x1a1a0500, 0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200, 0xa9a58000,
    0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50, 0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0,
    0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600, 0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414,
    0x96960000, 0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];

/// The anchor pixel of the second subset. The weight of an anchor omits its highest bit, which is 0. The anchor of the first subset is
/// pixel 0.
const TWO_SUBSET_ANCHORS: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2, 15, 15, 6, 8, 2, 8,
    15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
];
/// The anchor pixels of the second and the third subset.
const THREE_SUBSET_ANCHORS: [[u8; 64]; 2] = [
    [
        3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15, 8, 15, 3, 5, 6, 10, 8, 15,
        15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3,
    ],
    [
        15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8, 15, 3, 15, 10,
        10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8,
    ],
];

/// A block before its colors are quantized.
pub struct Bc7Block {
    pub mode: &'static Bc7Mode,
    /// Number of the partition; 0 for one subset.
    pub partition: usize,
    /// 0, or 1 to 3 for the color channel that is swapped with alpha.
    pub rotation: u32,
    /// The two RGBA colors of each subset.
    pub ends: [[[u8; 4]; 2]; 3],
    /// Weights of color (or of all channels), and of alpha if that is separate.
    pub weights: [[u32; 2]; 16],
}

/// Returns the subset of a pixel.
pub fn subset(subsets: usize, partition: usize, pixel: usize) -> usize {
    match subsets {
        1 => 0,
        2 => usize::from(TWO_SUBSET_PARTITIONS[partition & 63] >> pixel & 1),
        _ => (THREE_SUBSET_PARTITIONS[partition & 63] >> (pixel * 2) & 3) as usize,
    }
}

/// Returns the anchor pixel of a subset.
fn anchor(subsets: usize, partition: usize, subset: usize) -> usize {
    match (subsets, subset) {
        (_, 0) => 0,
        (2, _) => TWO_SUBSET_ANCHORS[partition & 63].into(),
        _ => THREE_SUBSET_ANCHORS[(subset - 1) & 1][partition & 63].into(),
    }
}

/// A quantized color. The shared lowest bit is stored separately.
#[derive(Clone, Copy, Default)]
struct Quantized {
    channels: [u32; 4],
    low_bit: u32,
}

/// Quantizes and packs a block.
pub fn write(block: &Bc7Block) -> u128 {
    let (mode, mut weights) = (block.mode, block.weights);
    let mut ends = [[Quantized::default(); 2]; 3];
    for (quantized, &ends) in ends.iter_mut().zip(&block.ends).take(mode.subsets) {
        *quantized = quantize(mode, ends);
    }
    let last = (1 << mode.weight_bits) - 1;
    let subset_of = |pixel| subset(mode.subsets, block.partition, pixel);
    let mut anchors = [false; 16];
    for (subset, [low, high]) in ends.iter_mut().enumerate().take(mode.subsets) {
        let anchor = anchor(mode.subsets, block.partition, subset);
        anchors[anchor] = true;
        for plane in 0..if mode.separate_alpha { 2 } else { 1 } {
            if weights[anchor][plane] <= last / 2 {
                continue;
            }
            // The highest bit of an anchor's weight must be 0. Swapping the ends and inverting the weights gives the same colors.
            for (_, weights) in weights.iter_mut().enumerate().filter(|(pixel, _)| subset_of(*pixel) == subset) {
                weights[plane] = last - weights[plane];
            }
            match (mode.separate_alpha, plane) {
                (false, _) => std::mem::swap(low, high),
                (true, 0) => low.channels[..3].swap_with_slice(&mut high.channels[..3]),
                (true, _) => std::mem::swap(&mut low.channels[3], &mut high.channels[3]),
            }
        }
    }

    // Fields in the order of the format: mode, partition, rotation, colors, lowest bits, weights.
    let mut bits = BlockWriter::default();
    bits.put(1 << mode.number, mode.number + 1);
    if mode.subsets > 1 {
        bits.put(block.partition as u32, 6);
    }
    if mode.separate_alpha {
        bits.put(block.rotation, 2);
    }
    let colors = ends[..mode.subsets].as_flattened();
    for channel in 0..4 {
        colors.iter().for_each(|color| bits.put(color.channels[channel], mode.bits[channel / 3]));
    }
    let step = match mode.low_bit {
        LowBit::None => colors.len(),
        LowBit::PerSubset => 2,
        LowBit::PerColor => 1,
    };
    if mode.low_bit != LowBit::None {
        colors.iter().step_by(step).for_each(|color| bits.put(color.low_bit, 1));
    }
    for plane in 0..if mode.separate_alpha { 2 } else { 1 } {
        for (weights, &anchor) in weights.iter().zip(&anchors) {
            bits.put(weights[plane], mode.weight_bits - u32::from(anchor));
        }
    }
    bits.bits
}

/// Returns the nearest colors that the mode can store.
fn quantize(mode: &Bc7Mode, ends: [[u8; 4]; 2]) -> [Quantized; 2] {
    let [low, high] = ends;
    match mode.low_bit {
        LowBit::None => ends.map(|end| color(mode, end, None).1),
        LowBit::PerColor => ends.map(|end| {
            let (zero, one) = (color(mode, end, Some(0)), color(mode, end, Some(1)));
            if zero.0 <= one.0 { zero.1 } else { one.1 }
        }),
        LowBit::PerSubset => {
            let [zero, one] = [Some(0), Some(1)].map(|bit| [color(mode, low, bit), color(mode, high, bit)]);
            let error = |ends: &[(u32, Quantized); 2]| ends[0].0 + ends[1].0;
            if error(&zero) <= error(&one) { zero } else { one }.map(|(_, color)| color)
        }
    }
}

/// Quantizes a color with a given lowest bit (if the mode has one). Returns its squared error first.
fn color(mode: &Bc7Mode, end: [u8; 4], low_bit: Option<u32>) -> (u32, Quantized) {
    let mut color = Quantized { low_bit: low_bit.unwrap_or(0), ..Quantized::default() };
    let mut error_sum = 0;
    for (channel, value) in end.into_iter().enumerate() {
        let bits = mode.bits[channel / 3];
        if bits > 0 {
            let (number, error) = nearest(value, bits, low_bit);
            color.channels[channel] = number;
            // Keep fully opaque and fully transparent values exact.
            error_sum += if channel == 3 && error > 0 && matches!(value, 0 | 255) { 1 << 20 } else { error };
        }
    }
    (error_sum, color)
}

/// Quantizes a value to `bits` bits. Returns the nearest number and its squared error. If there is a `low_bit`, it is appended to the
/// number as its lowest bit before the error is computed, but the returned number omits it.
fn nearest(value: u8, bits: u32, low_bit: Option<u32>) -> (u32, u32) {
    let total_bits = bits + u32::from(low_bit.is_some());
    let (value, last) = (u32::from(value), (1 << total_bits) - 1);
    let error = |number: u32| (number << (8 - total_bits) | number >> (2 * total_bits - 8)).abs_diff(value).pow(2);
    let mut number = (value * last + 127) / 255;
    if low_bit.is_some_and(|low_bit| number & 1 != low_bit) {
        // Use a neighbor with the right lowest bit. 0 and the maximum have only one neighbor.
        let (below, above) = (number.wrapping_sub(1), number + 1);
        number = if number == 0 || above <= last && error(above) < error(below) { above } else { below };
    }
    (number >> (total_bits - bits), error(number))
}
