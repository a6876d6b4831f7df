//! Transcodes UASTC to ASTC of 4 x 4 pixels, without loss: it repacks the same numbers (Khronos Data Format 1.3, section 23).

use std::sync::LazyLock;

use super::bits::BlockWriter;
use super::uastc::UastcBlock;

/// The lower 64 bits of a void-extent block, which has one color. All bits of the extent's coordinates are ones, which means that no extent
/// is given.
const VOID_EXTENT: u128 = 0xffff_ffff_ffff_fdfc;

/// Weights are written downwards from this bit.
const WEIGHTS_END: u32 = 128;

/// Returns the ASTC block with the same pixels.
pub fn transcode(block: &UastcBlock) -> u128 {
    if block.solid {
        // Sixteen bits per channel, with red in the lowest bits.
        let color = block.ends[0][0].into_iter().rev().fold(0, |bits, value| (bits << 16) | (u128::from(value) * 257));
        return color << 64 | VOID_EXTENT;
    }
    let (mode, mut numbers, mut weights) = (block.mode, block.numbers, block.weights);
    let last = (1 << mode.weight_bits) - 1;
    for subset in 0..mode.subsets {
        // In ASTC, a second color that is darker than the first selects another encoding. Swapping the colors and inverting the weights
        // avoids that.
        let [first, second] = block.ends[subset].map(|color| color[..3].iter().map(|&value| u32::from(value)).sum::<u32>());
        if mode.channels == 2 || second >= first {
            continue;
        }
        let colors = &mut numbers[subset * mode.channels * 2..][..mode.channels * 2];
        colors.as_chunks_mut::<2>().0.iter_mut().for_each(|ends| ends.swap(0, 1));
        for (weights, _) in weights.iter_mut().zip(block.subset_of()).filter(|(_, pixel_subset)| usize::from(*pixel_subset) == subset) {
            *weights = weights.map(|weight| last - weight);
        }
    }

    let mut bits = BlockWriter::default();
    bits.put(block_mode(mode.weight_bits, mode.two_planes), 11);
    bits.put(mode.subsets as u32 - 1, 2);
    let colors = [0, 0, 4, 8, 12][mode.channels];
    match block.pattern {
        None => bits.put(colors, 4),
        Some(pattern) => {
            bits.put(pattern.number, 10);
            // The two lowest bits are 0: all subsets use the same color format.
            bits.put(colors << 2, 6);
        }
    }
    put_numbers(&mut bits, &numbers[..mode.channels * 2 * mode.subsets], mode.colors);

    // Weights are stored backward: from the highest bit of the block down, each with its bits reversed.
    let mut position = WEIGHTS_END;
    let planes = if mode.two_planes { 2 } else { 1 };
    for weight in weights.iter().flat_map(|weights| &weights[..planes]) {
        position -= mode.weight_bits;
        bits.bits |= u128::from(weight.reverse_bits() >> (32 - mode.weight_bits)) << position;
    }
    if mode.two_planes {
        bits.bits |= (block.separate_channel as u128) << (position - 2);
    }
    bits.bits
}

/// Returns the block mode for 4 x 4 weights.
fn block_mode(weight_bits: u32, two_planes: bool) -> u32 {
    // The range of the weights in three bits, and whether it is one of the high-precision ranges.
    let (range, fine) = match weight_bits {
        1 => (2, 0),
        2 => (4, 0),
        3 => (7, 0),
        4 => (4, 1),
        _ => (7, 1),
    };
    let height = 2;
    range >> 1 | (range & 1) << 4 | height << 5 | fine << 9 | u32::from(two_planes) << 10
}

/// Writes numbers that consist of a lower part of `low_bits` bits and an upper part, which is a digit in base 3 or 5. If `base` is 1, there
/// is no upper part. The digits of a group of numbers are packed into one code. Its bits are spread among the numbers.
fn put_numbers(bits: &mut BlockWriter, numbers: &[(u32, u32)], (low_bits, base): (u32, u32)) {
    let (shares, codes): (&[u32], &[u8]) = match base {
        3 => (&[2, 2, 1, 2, 1], &CODES.trits),
        5 => (&[3, 2, 2], &CODES.quints),
        _ => (&[0], &[0]),
    };
    for numbers in numbers.chunks(shares.len()) {
        let digits = numbers.iter().rev().fold(0, |digits, (_, high)| digits * base + high);
        let mut code = u32::from(codes.get(digits as usize).copied().unwrap_or(0));
        for ((low, _), share) in numbers.iter().zip(shares) {
            bits.put(*low, low_bits);
            bits.put(code & ((1 << share) - 1), *share);
            code >>= share;
        }
    }
}

/// ASTC's codes of five trits and of three quints, indexed by the digits, with the first digit lowest.
struct Codes {
    trits: [u8; 243],
    quints: [u8; 125],
}

/// The lowest of several equivalent codes is kept, because its upper bits can be omitted when a group has fewer numbers.
static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut codes = Codes { trits: [0; 243], quints: [0; 125] };
    for code in (0..=255u8).rev() {
        codes.trits[trits(code.into()).iter().rev().fold(0, |all, &digit| all * 3 + digit as usize)] = code;
    }
    for code in (0..128u8).rev() {
        codes.quints[quints(code.into()).iter().rev().fold(0, |all, &digit| all * 5 + digit as usize)] = code;
    }
    codes
});

/// Decodes five trits from eight bits.
fn trits(code: u32) -> [u32; 5] {
    let bit = |index: u32| code >> index & 1;
    let (rest, fourth, fifth) = match (code >> 2 & 7, code >> 5 & 3) {
        (7, _) => ((code >> 5 & 7) << 2 | code & 3, 2, 2),
        (_, 3) => (code & 31, bit(7), 2),
        (_, fourth) => (code & 31, fourth, bit(7)),
    };
    let rest_bit = |index: u32| rest >> index & 1;
    let [first, second, third] = match (rest & 3, rest >> 2 & 3) {
        (3, _) => [rest_bit(3) << 1 | rest_bit(2) & !rest_bit(3) & 1, rest_bit(4), 2],
        (_, 3) => [rest & 3, 2, 2],
        (_, second) => [rest_bit(1) << 1 | rest_bit(0) & !rest_bit(1) & 1, second, rest_bit(4)],
    };
    [first, second, third, fourth, fifth]
}

/// Decodes three quints from seven bits.
fn quints(code: u32) -> [u32; 3] {
    let bit = |index: u32| code >> index & 1;
    if code >> 1 & 3 == 3 && code >> 5 & 3 == 0 {
        let third = bit(0) << 2 | (bit(4) & !bit(0) & 1) << 1 | bit(3) & !bit(0) & 1;
        return [4, 4, third];
    }
    let (rest, third) = match code >> 1 & 3 {
        3 => ((code >> 3 & 3) << 3 | (!(code >> 5) & 3) << 1 | bit(0), 4),
        _ => (code & 31, code >> 5 & 3),
    };
    if rest & 7 == 5 { [rest >> 3, 4, third] } else { [rest & 7, rest >> 3, third] }
}
