//! Tests how textures are transcoded for a graphics device. An independent decoder reads the blocks back. The pixels must match those of
//! the same texture decoded directly to RGBA, as closely as the block format allows.

use std::path::{Path, PathBuf};

use sinew::asset::{self, LoadOptions, image};
use sinew::codec::texels::{BlockFormats, DecodeOptions, DecodedImage, Texels};

use super::{ASTC, BC, ETC2, NONE, decoded_for, first_level};
use crate::common::ktx2_encode::{Dice, Etc1s, Ktx2, random_etc1s};
use crate::common::skip::skip;

/// Decodes blocks with a library that shares no code with ours.
fn read_back(texels: Texels, bytes: &[u8], width: usize, height: usize) -> Vec<[u8; 4]> {
    let mut pixels = vec![0; width * height];
    let read = match texels {
        Texels::Bc1 => texture2ddecoder::decode_bc1,
        Texels::Bc3 => texture2ddecoder::decode_bc3,
        Texels::Bc7 => texture2ddecoder::decode_bc7,
        Texels::Etc2Rgb => texture2ddecoder::decode_etc2_rgb,
        Texels::Etc2Rgba8 => texture2ddecoder::decode_etc2_rgba8,
        Texels::Astc { .. } => texture2ddecoder::decode_astc_4_4,
        other => panic!("{other:?}"),
    };
    read(bytes, width, height, &mut pixels).unwrap();
    pixels
        .into_iter()
        .map(|pixel| {
            let [blue, green, red, alpha] = pixel.to_le_bytes();
            [red, green, blue, alpha]
        })
        .collect()
}

/// Returns the chosen format, and the pixels of the largest level: decoded to RGBA, and transcoded to the chosen format.
fn both(file: &Ktx2, offered: BlockFormats) -> (Texels, Vec<[u8; 4]>, Vec<[u8; 4]>) {
    let decoded = |blocks| decoded_for(&file.bytes(), &first_level(blocks)).unwrap();
    let (plain, blocks) = (decoded(NONE), decoded(offered));
    let pixels = read_back(blocks.texels, &blocks.levels[0], blocks.width as usize, blocks.height as usize);
    (blocks.texels, plain.levels[0].as_chunks::<4>().0.to_vec(), pixels)
}

/// Returns the peak signal-to-noise ratio over all four channels, in decibels.
fn psnr(expected: &[[u8; 4]], found: &[[u8; 4]]) -> f64 {
    assert_eq!(expected.len(), found.len());
    let errors = expected.as_flattened().iter().zip(found.as_flattened()).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    let mean = errors.sum::<f64>() / (expected.len() * 4) as f64;
    10.0 * (255.0 * 255.0 / mean.max(1e-9)).log10()
}

fn worst(expected: &[[u8; 4]], found: &[[u8; 4]]) -> u8 {
    expected.as_flattened().iter().zip(found.as_flattened()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// The first bits of a block in each UASTC mode, and how many bits they are.
const MODES: [(u8, u32); 19] = [
    (0x01, 4),
    (0x35, 6),
    (0x1d, 5),
    (0x03, 5),
    (0x13, 5),
    (0x0b, 5),
    (0x1b, 5),
    (0x07, 5),
    (0x17, 5),
    (0x0f, 5),
    (0x02, 3),
    (0x00, 2),
    (0x06, 3),
    (0x1f, 5),
    (0x0d, 5),
    (0x05, 7),
    (0x15, 6),
    (0x25, 6),
    (0x09, 4),
];

const SOLID: usize = 8;

/// Builds blocks of a mode with random other bits. Blocks with an invalid pattern are left out.
fn random_blocks(mode: usize, count: usize) -> Ktx2 {
    let mut dice = Dice(mode as u64);
    let (code, bits) = MODES[mode];
    let mut blocks = Vec::new();
    while blocks.len() < count {
        let mut block: Vec<u8> = (0..16).map(|_| (dice.roll() >> 8) as u8).collect();
        block[0] = block[0] & !((1u16 << bits) - 1) as u8 | code;
        let alone = Ktx2 { width: 4, height: 4, model: 166, samples: vec![0], levels: vec![block.clone()], ..Ktx2::default() };
        if decoded_for(&alone.bytes(), &first_level(NONE)).is_ok() {
            blocks.push(block);
        }
    }
    Ktx2 { width: 4 * count as u32, height: 4, model: 166, samples: vec![0], levels: vec![blocks.concat()], ..Ktx2::default() }
}

#[test]
fn every_uastc_mode_transcodes_to_bc7_above_42_decibels_and_solid_blocks_exactly() {
    for mode in 0..MODES.len() {
        let (texels, plain, bc7) = both(&random_blocks(mode, 300), BC);
        assert_eq!(texels, Texels::Bc7);
        // Random blocks have widely separated colors, so the rounding of weights in BC7 has a large effect.
        let decibels = psnr(&plain, &bc7);
        assert!(if mode == SOLID { bc7 == plain } else { decibels > 42.0 }, "mode {mode}: {decibels:.1} dB");
    }
}

#[test]
fn every_uastc_mode_transcodes_to_astc_with_errors_of_at_most_1() {
    for mode in 0..MODES.len() {
        let (texels, plain, astc) = both(&random_blocks(mode, 300), ASTC);
        assert_eq!(texels, Texels::Astc { width: 4, height: 4 });
        assert!(worst(&plain, &astc) <= 1, "mode {mode}: off by {}", worst(&plain, &astc));
    }
}

#[test]
fn etc1s_transcodes_to_etc2_exactly_except_for_alpha() {
    let (texels, plain, etc2) = both(&random_etc1s(false, 7), ETC2);
    assert_eq!((texels, worst(&plain, &etc2)), (Texels::Etc2Rgb, 0));
    let (texels, plain, etc2) = both(&random_etc1s(true, 7), ETC2);
    assert_eq!(texels, Texels::Etc2Rgba8);
    let parted = |pixels: &[[u8; 4]]| -> (Vec<[u8; 4]>, Vec<[u8; 4]>) {
        (pixels.iter().map(|pixel| [pixel[0], pixel[1], pixel[2], 0]).collect(), pixels.iter().map(|pixel| [pixel[3]; 4]).collect())
    };
    let ((plain, plain_alpha), (etc2, alpha)) = (parted(&plain), parted(&etc2));
    assert_eq!(worst(&plain, &etc2), 0);
    assert!(psnr(&plain_alpha, &alpha) > 40.0, "{:.1} dB", psnr(&plain_alpha, &alpha));
}

#[test]
fn etc1s_transcodes_to_bc1_and_bc3_with_small_error() {
    for alpha in [false, true] {
        // A largest contrast of 7 uses all contrasts equally often, which no real picture does. A largest contrast of 3 uses only the lower
        // half of them.
        for (contrast, least) in [(7, 27.0), (3, 38.0)] {
            let (texels, plain, bc) = both(&random_etc1s(alpha, contrast), BC);
            assert_eq!(texels, if alpha { Texels::Bc3 } else { Texels::Bc1 });
            assert!(psnr(&plain, &bc) > least, "{texels:?}, contrast {contrast}: {:.1} dB", psnr(&plain, &bc));
        }
    }
}

#[test]
fn blocks_of_one_color_stay_within_one_bc1_step() {
    for value in 0..32 {
        let endpoints = [(0, [value, 31 - value, value / 2])];
        let file = Etc1s { width: 4, height: 4, endpoints: &endpoints, selectors: &[[0xff; 4]], slices: &[vec![(0, 0)]] }.file();
        let (_, plain, bc1) = both(&file, BC);
        assert!(bc1.iter().all(|pixel| *pixel == bc1[0] && pixel[3] == 255));
        assert!(worst(&plain, &bc1) <= 2, "{:?} is not {:?}", bc1[0], plain[0]);
    }
}

#[test]
fn the_levels_of_a_real_texture_transcode_with_small_error() {
    let Some(samples) = std::env::var_os("SINEW_SAMPLES").map(PathBuf::from) else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return;
    };
    let loaded = asset::load(&samples.join(Path::new("models/Fox_ktx2_etc1s/Fox_ktx2_etc1s.glb")), &LoadOptions::default()).unwrap();
    let decoded = |blocks| image::decode(&loaded.images[0], &DecodeOptions { blocks, ..DecodeOptions::default() }).unwrap();
    let plain = decoded(NONE);
    assert_eq!(plain.levels.len(), 10);
    // The small levels consist of few blocks with many colors each.
    for (offered, least_of_first, least) in [(BC, 44.0, 28.0), (ETC2, 90.0, 90.0)] {
        let DecodedImage { texels, levels, .. } = decoded(offered);
        for (level, (plain, blocks)) in plain.levels.iter().zip(&levels).enumerate() {
            let (plain, side) = (plain.as_chunks::<4>().0, 512 >> level);
            let pixels = read_back(texels, blocks, side, side);
            let least = if level == 0 { least_of_first } else { least };
            assert!(psnr(plain, &pixels) > least, "{texels:?}, level {level}: {:.1} dB", psnr(plain, &pixels));
        }
    }
}
