//! Transcodes UASTC to BC7 block by block, without decoding pixels. For each UASTC mode, there is a BC7 mode with the same subsets and with
//! weights that are at least as fine, so only colors are rounded. Blocks with one subset become mode 6, the finest, or mode 5 if one
//! channel has separate weights.

use std::sync::LazyLock;

use super::bc7::{self, Bc7Mode};
use super::uastc::{UastcBlock, to_64ths};

/// Returns the nearest BC7 block.
pub fn transcode(block: &UastcBlock) -> u128 {
    if block.solid {
        return solid(block.ends[0][0]);
    }
    let mode = bc7_mode(block);
    let mut ends = block.ends;
    let mut rotation = 0;
    let (partition, subsets) = block.pattern.map_or((0, [0, 1, 2]), |pattern| pattern.partition);
    if mode.subsets > 1 {
        ends = subsets.map(|subset| block.ends[subset]);
    } else if block.mode.two_planes && block.separate_channel < 3 {
        // BC7 has separate weights for alpha only, but it can swap alpha with another channel.
        ends[0].iter_mut().for_each(|color| color.swap(block.separate_channel, 3));
        rotation = block.separate_channel as u32 + 1;
    }
    let weights = block.weights.map(|weights| weights.map(|weight| requantize(weight, block.mode.weight_bits, mode.weight_bits)));
    bc7::write(&bc7::Bc7Block { mode, partition, rotation, ends, weights })
}

/// Returns the BC7 mode for a block.
fn bc7_mode(block: &UastcBlock) -> &'static Bc7Mode {
    match (block.mode.subsets, block.mode.two_planes, block.mode.channels, block.mode.weight_bits) {
        (1, false, ..) => &bc7::ONE_SUBSET,
        (1, true, ..) => &bc7::SEPARATE_ALPHA,
        // Patterns of two subsets that BC7 lacks are divided into three subsets.
        (2, _, 3, 2) if block.pattern.is_some_and(|pattern| pattern.subsets_in_bc7 == 3) => &bc7::THREE_SUBSETS,
        (2, _, 3, 3) => &bc7::TWO_SUBSETS_FINE,
        (2, _, 3, _) => &bc7::TWO_SUBSETS,
        (2, ..) => &bc7::TWO_SUBSETS_WITH_ALPHA,
        _ => &bc7::THREE_SUBSETS,
    }
}

/// Converts a weight of `from` bits to the nearest weight of `to` bits.
fn requantize(weight: u32, from: u32, to: u32) -> u32 {
    (to_64ths(weight, from) * ((1 << to) - 1) + 32) / 64
}

/// Returns a block of one color. Each color channel is represented exactly, as a value between two ends of seven bits.
fn solid(color: [u8; 4]) -> u128 {
    /// The two-bit weight 1, in 64ths.
    const WEIGHT: u32 = 21;
    static ENDS: LazyLock<[[u8; 2]; 256]> = LazyLock::new(|| {
        let mut ends_by_value = [[0; 2]; 256];
        for [low, high] in (0..128u32).flat_map(|low| (0..128).map(move |high| [low, high])) {
            let ends = [low, high].map(|seven| seven << 1 | seven >> 6);
            let value = (ends[0] * (64 - WEIGHT) + ends[1] * WEIGHT + 32) / 64;
            ends_by_value[value as usize] = ends.map(|end| end as u8);
        }
        ends_by_value
    });
    let [red, green, blue, alpha] = color;
    let colors = [red, green, blue].map(|value| ENDS[usize::from(value)]);
    let ends = [0, 1].map(|end| [colors[0][end], colors[1][end], colors[2][end], alpha]);
    let block = bc7::Bc7Block { mode: &bc7::SEPARATE_ALPHA, partition: 0, rotation: 0, ends: [ends; 3], weights: [[1, 0]; 16] };
    bc7::write(&block)
}
