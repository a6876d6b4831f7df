//! The subsets of UASTC blocks: ASTC's partition patterns, and the BC7 partitions that divide a block in the same way.

use std::sync::LazyLock;

use super::bc7;

/// A partition of a block into subsets.
pub struct Pattern {
    /// Its number in ASTC.
    pub number: u32,
    /// The subset of each pixel.
    pub subset_of: [u8; 16],
    /// Number of subsets that BC7 needs for it.
    pub subsets_in_bc7: usize,
    /// Number of the BC7 partition, and for each of its subsets the subset of this pattern that contains it.
    pub partition: (usize, [usize; 3]),
}

/// The patterns that UASTC uses, by their numbers in UASTC blocks.
pub struct Patterns {
    /// Patterns with two subsets.
    pub two: Vec<Pattern>,
    /// Patterns with three subsets.
    pub three: Vec<Pattern>,
    /// Patterns with two subsets that need three in BC7.
    pub two_split_in_bc7: Vec<Pattern>,
}

/// ASTC's numbers of the patterns with two subsets.
const TWO_SUBSETS: [u32; 30] = [
    28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210, 476, 273, 684, 359, 246, 195, 694, 524,
];
/// ASTC's numbers of the patterns with two subsets that need three in BC7.
const TWO_SUBSETS_SPLIT_IN_BC7: [u32; 19] = [36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993];
/// ASTC's numbers of the patterns with three subsets.
const THREE_SUBSETS: [u32; 11] = [260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254];

/// All patterns, computed on first use.
pub static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let patterns = |numbers: &[u32], subsets, subsets_in_bc7| {
        let pattern = |&number: &u32| {
            let subset_of = pattern(number, subsets);
            Pattern { number, subset_of, subsets_in_bc7, partition: partition(&subset_of, subsets_in_bc7) }
        };
        numbers.iter().map(pattern).collect()
    };
    Patterns {
        two: patterns(&TWO_SUBSETS, 2, 2),
        three: patterns(&THREE_SUBSETS, 3, 3),
        two_split_in_bc7: patterns(&TWO_SUBSETS_SPLIT_IN_BC7, 2, 3),
    }
});

/// Finds the first BC7 partition whose subsets each lie within one subset of the pattern.
fn partition(subset_of: &[u8; 16], subsets: usize) -> (usize, [usize; 3]) {
    let containing = |partition: usize| {
        let mut containing = [None; 3];
        let fits = (0..16).all(|pixel| {
            let subset = usize::from(subset_of[pixel]);
            *containing[bc7::subset(subsets, partition, pixel)].get_or_insert(subset) == subset
        });
        fits.then(|| (partition, containing.map(|subset| subset.unwrap_or(0))))
    };
    (0..64).find_map(containing).unwrap_or_default()
}

/// Computes the ASTC pattern of a number, for blocks of fewer than 31 pixels (Khronos Data Format 1.3, section 23.21).
fn pattern(number: u32, subsets: u32) -> [u8; 16] {
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
    // Each subset has a plane with slopes along x and y. The highest plane wins.
    let slope = |index: u32| {
        let nibble = hash >> (index * 4) & 15;
        (nibble * nibble) >> shifts[index as usize % 2]
    };
    let height = |subset: u32, x: u32, y: u32| (slope(subset * 2) * x + slope(subset * 2 + 1) * y + (hash >> (14 - subset * 4))) & 63;
    let mut pattern = [0; 16];
    for (pixel, subset) in (0..).zip(&mut pattern) {
        let [x, y] = [pixel % 4 * 2, pixel / 4 * 2];
        let heights = [height(0, x, y), height(1, x, y), if subsets == 3 { height(2, x, y) } else { 0 }];
        *subset = if heights[0] >= heights[1] && heights[0] >= heights[2] { 0 } else { 1 + u8::from(heights[1] < heights[2]) };
    }
    pattern
}
