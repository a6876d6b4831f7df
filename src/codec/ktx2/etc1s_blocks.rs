//! Transcodes ETC1S to block formats. ETC1S is a subset of ETC2, so colors are copied. For BC1, least squares find the two end colors that
//! represent the four colors of a block best. Alpha comes from a separate slice and becomes the alpha block of BC3 or ETC2.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Texels;
use super::channels::EAC;
use super::etc1s::Etc1sBlock;

/// Transcodes a level to BC1 or ETC2 RGB, or with alpha to BC3 or ETC2 RGBA. Without an alpha slice, alpha is opaque.
pub fn transcode(color: &[Etc1sBlock], alpha: Option<&[Etc1sBlock]>, texels: Texels) -> Vec<u8> {
    let etc2 = matches!(texels, Texels::Etc2Rgb | Texels::Etc2Rgba8);
    let with_alpha = matches!(texels, Texels::Bc3 | Texels::Etc2Rgba8);
    let mut bytes = Vec::with_capacity(color.len() * texels.bytes() as usize);
    // Many blocks share few endpoints, so results are cached.
    let mut bc1_ends = HashMap::new();
    for (index, block) in color.iter().enumerate() {
        if with_alpha {
            let alpha = alpha.and_then(|alpha| alpha.get(index));
            // Alpha slices are gray. If the colors of the codebook are not gray, the green channel is used.
            let values = alpha.map_or([255; 4], |alpha| alpha.palette.map(|color| color[1]));
            let choices = alpha.map_or([0; 16], Etc1sBlock::choices);
            bytes.extend(if etc2 { eac(values, &choices) } else { bc4(values, &choices) });
        }
        bytes.extend(if etc2 { etc2_rgb(block) } else { bc1(block, &mut bc1_ends) });
    }
    bytes
}

/// Encodes a color block of ETC2 in differential mode, with two equal halves.
fn etc2_rgb(block: &Etc1sBlock) -> [u8; 8] {
    /// The ETC codes of the four steps, from dark to light.
    const CODES: [u32; 4] = [3, 2, 0, 1];
    let [red, green, blue] = block.endpoint.color;
    let contrast = block.endpoint.contrast & 7;
    let tables = contrast << 5 | contrast << 2 | 2;
    let mut bits = 0u32;
    for (pixel, choice) in block.choices().into_iter().enumerate() {
        // Pixels are ordered column by column. The upper bits of all pixels come before the lower bits.
        let (position, code) = (pixel % 4 * 4 + pixel / 4, CODES[choice]);
        bits |= (code >> 1) << (16 + position) | (code & 1) << position;
    }
    let [a, b, c, d] = bits.to_be_bytes();
    [red << 3, green << 3, blue << 3, tables, a, b, c, d]
}

/// A color of five, six and five bits.
type Rgb565 = [u16; 3];

/// Largest value of each channel.
const MAX_RGB565: Rgb565 = [31, 63, 31];

/// Encodes a BC1 block. `cache` holds the two end colors for each pair of a palette and a set of its used entries, one bit each.
fn bc1(block: &Etc1sBlock, cache: &mut HashMap<([[u8; 3]; 4], u8), [Rgb565; 2]>) -> [u8; 8] {
    let choices = block.choices();
    let used = choices.iter().fold(0u8, |used, &choice| used | 1 << choice);
    let [mut low, mut high] = *cache.entry((block.palette, used)).or_insert_with(|| bc1_ends(&block.palette, used));
    let packed = |[red, green, blue]: Rgb565| red << 11 | green << 5 | blue;
    // The larger number must come first, because the other order means three colors and black.
    if packed(low) > packed(high) {
        (low, high) = (high, low);
    }
    let mut bits = 0u32;
    if packed(low) < packed(high) {
        let candidates = four_colors([high, low]);
        let nearest = block.palette.map(|color| (0..4).min_by_key(|&index| distance(candidates[index], color)).unwrap_or(0) as u32);
        for (pixel, choice) in choices.into_iter().enumerate() {
            bits |= nearest[choice] << (pixel * 2);
        }
    }
    let ([a, b], [c, d], [e, f, g, h]) = (packed(high).to_le_bytes(), packed(low).to_le_bytes(), bits.to_le_bytes());
    [a, b, c, d, e, f, g, h]
}

/// Returns the ends and the two colors between them.
fn four_colors(ends: [Rgb565; 2]) -> [[u8; 3]; 4] {
    let [first, last] =
        ends.map(|[red, green, blue]| [(red << 3 | red >> 2) as u8, (green << 2 | green >> 4) as u8, (blue << 3 | blue >> 2) as u8]);
    let thirds = |near: [u8; 3], far: [u8; 3]| {
        let mut color = [0; 3];
        for ((color, near), far) in color.iter_mut().zip(near).zip(far) {
            *color = ((u16::from(near) * 2 + u16::from(far) + 1) / 3) as u8;
        }
        color
    };
    [first, last, thirds(first, last), thirds(last, first)]
}

/// Returns the squared distance of two colors.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns the ends that represent the used colors of a palette best. A single color lies two thirds of the way between them.
fn bc1_ends(palette: &[[u8; 3]; 4], used: u8) -> [Rgb565; 2] {
    let colors: Vec<[u8; 3]> = (0..4).filter(|index| used >> index & 1 == 1).map(|index| palette[index]).collect();
    let (Some(&darkest), Some(&lightest)) = (colors.first(), colors.last()) else { return [[0; 3]; 2] };
    if darkest == lightest {
        let [red, green, blue] = darkest.map(usize::from);
        let [of_five, of_six] = &*SINGLE;
        return [0, 1].map(|end| [of_five[red][end], of_six[green][end], of_five[blue][end]]);
    }
    let error = |ends: [Rgb565; 2]| -> u32 {
        let candidates = four_colors(ends);
        colors.iter().map(|&color| candidates.iter().map(|&candidates| distance(candidates, color)).min().unwrap_or(0)).sum()
    };
    // Assign each color to the nearest of the four colors of the ends, solve for the ends, and repeat while this improves them.
    let mut best = [darkest, lightest].map(|color| round_to_rgb565(color.map(f32::from)));
    for _ in 0..3 {
        let candidates = four_colors(best);
        let ends = least_squares(&colors, |color| {
            let nearest = (0..4).min_by_key(|&index| distance(candidates[index], color)).unwrap_or(0);
            [0.0, 1.0, 1.0 / 3.0, 2.0 / 3.0][nearest]
        });
        match ends.map(|ends| ends.map(round_to_rgb565)) {
            Some(ends) if error(ends) < error(best) => best = ends,
            _ => break,
        }
    }
    best
}

/// Rounds a color with channels from 0 to 255 to the nearest [`Rgb565`].
fn round_to_rgb565(color: [f32; 3]) -> Rgb565 {
    let mut rounded = [0; 3];
    for ((rounded, value), last) in rounded.iter_mut().zip(color).zip(MAX_RGB565) {
        *rounded = (value.clamp(0.0, 255.0) * f32::from(last) / 255.0 + 0.5) as u16;
    }
    rounded
}

/// Returns the two ends whose mixtures are nearest to the colors. `share` returns the share of the second end in a color. `None` if all
/// shares are about equal.
fn least_squares(colors: &[[u8; 3]], share: impl Fn([u8; 3]) -> f32) -> Option<[[f32; 3]; 2]> {
    let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
    let mut sums = [[0.0; 3]; 2];
    for &color in colors {
        let b = share(color);
        let a = 1.0 - b;
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        for (channel, value) in color.into_iter().enumerate() {
            sums[0][channel] += a * f32::from(value);
            sums[1][channel] += b * f32::from(value);
        }
    }
    let determinant: f32 = aa * bb - ab * ab;
    let solved = |channel: usize| {
        let [of_a, of_b] = [sums[0][channel], sums[1][channel]];
        [(of_a * bb - of_b * ab) / determinant, (of_b * aa - of_a * ab) / determinant]
    };
    let [red, green, blue] = [0, 1, 2].map(solved);
    (determinant.abs() > 1e-6).then_some([[red[0], green[0], blue[0]], [red[1], green[1], blue[1]]])
}

/// The ends for a single color, first for channels of five bits, then for channels of six bits. For each 8-bit value there are two ends.
/// The value lies two thirds of the way from the first end to the second, as nearly as possible.
static SINGLE: LazyLock<[[[u16; 2]; 256]; 2]> = LazyLock::new(|| {
    let of_bits = |bits: u32| {
        let last = (1u16 << bits) - 1;
        let spread = |number: u16| number << (8 - bits) | number >> (2 * bits - 8);
        let mut ends = [([0; 2], u16::MAX); 256];
        for [low, high] in (0..=last).flat_map(|low| (0..=last).map(move |high| [low, high])) {
            let between = (spread(high) * 2 + spread(low) + 1) / 3;
            for (value, (ends, wrong)) in (0..).zip(&mut ends) {
                // Among equally good ends, prefer those that are close together, because decoders round differently.
                let this = between.abs_diff(value) * 64 + low.abs_diff(high);
                if this < *wrong {
                    (*ends, *wrong) = ([low, high], this);
                }
            }
        }
        ends.map(|(ends, _)| ends)
    };
    [of_bits(5), of_bits(6)]
});

/// Encodes the alpha block of BC3. Its values lie at sevenths between the largest and the smallest alpha.
fn bc4(values: [u8; 4], choices: &[usize; 16]) -> [u8; 8] {
    let used_values = || choices.iter().map(|&choice| values[choice]);
    let (low, high) = (used_values().min().unwrap_or(255), used_values().max().unwrap_or(255));
    let mut levels = [high, low, 0, 0, 0, 0, 0, 0].map(u16::from);
    for (index, value) in (1..7).zip(&mut levels[2..]) {
        *value = (u16::from(high) * (7 - index) + u16::from(low) * index + 3) / 7;
    }
    let nearest = values.map(|value| (0..8).min_by_key(|&index| levels[index].abs_diff(value.into())).unwrap_or(0) as u64);
    let mut bits = u64::from(high) | u64::from(low) << 8;
    if high > low {
        for (pixel, &choice) in choices.iter().enumerate() {
            bits |= nearest[choice] << (16 + pixel * 3);
        }
    }
    bits.to_le_bytes()
}

/// Encodes the alpha of ETC2. The base is the middle of the values; table and multiplier are found by trial.
fn eac(values: [u8; 4], choices: &[usize; 16]) -> [u8; 8] {
    let used_values = || choices.iter().map(|&choice| values[choice]);
    let (low, high) = (used_values().min().unwrap_or(255), used_values().max().unwrap_or(255));
    // Table 13 has an offset of 0, which serves for a single value.
    let (mut base, mut table, mut multiplier) = (i16::from(high), 13, 1);
    if high > low {
        base = (i16::from(low) + i16::from(high) + 1) / 2;
        let span = i16::from(high - low);
        let candidates = (0..16).flat_map(|table| {
            // Try the multipliers that just cover the range of the values.
            let width = EAC[table][7] - EAC[table][3];
            (span / width..=span / width + 1).map(move |multiplier| (table, multiplier.clamp(1, 15)))
        });
        let error = |&(table, multiplier): &(usize, i16)| -> i32 {
            used_values().map(|value| i32::from(eac_code(base, &EAC[table], multiplier, value).1).pow(2)).sum()
        };
        (table, multiplier) = candidates.min_by_key(error).unwrap_or((table, multiplier));
    }
    let codes = values.map(|value| eac_code(base, &EAC[table], multiplier, value).0);
    let mut bits = (base as u64) << 56 | (multiplier as u64) << 52 | (table as u64) << 48;
    for (pixel, &choice) in choices.iter().enumerate() {
        // Pixels are ordered column by column, with the first in the highest bits.
        bits |= codes[choice] << (45 - 3 * (pixel % 4 * 4 + pixel / 4));
    }
    bits.to_be_bytes()
}

/// Returns the code nearest to a value, and its error.
fn eac_code(base: i16, steps: &[i16; 8], multiplier: i16, value: u8) -> (u64, u16) {
    let error = |step: &i16| (base + step * multiplier).clamp(0, 255).abs_diff(value.into());
    (0..).zip(steps.iter().map(error)).min_by_key(|&(_, error)| error).unwrap_or((0, 0))
}
