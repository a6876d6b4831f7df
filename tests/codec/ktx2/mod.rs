//! Tests KTX2 textures. Most files are made in code from the specifications. The tests compare the decoded pixels with the pixels that the
//! specifications define. Other tests decode broken files. With `SINEW_SAMPLES` set, one test compares a real texture with the same
//! picture in another format.

mod blocks;
mod levels;

use std::path::{Path, PathBuf};

use serde_json::json;
use sinew::asset::image::{self, ImageError};
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::codec::texels::{BlockFormats, DecodeOptions, DecodedImage};

use crate::common::gltf_builder::{Gltf, finding, png, triangle};
use crate::common::ktx2_encode::{BitWriter, Etc1s, Ktx2};
use crate::common::skip::skip;

/// Builds a document whose material uses this image through KHR_texture_basisu, with a PNG as fallback.
fn document(ktx2: &[u8]) -> Gltf {
    let mut gltf = triangle();
    let (image, fallback) = (gltf.view(ktx2), gltf.view(&png(1, 1, [9; 4])));
    gltf.push("images", json!({ "bufferView": image, "mimeType": "image/ktx2" }));
    gltf.push("images", json!({ "bufferView": fallback }));
    gltf.push("textures", json!({ "source": 1, "extensions": { "KHR_texture_basisu": { "source": 0 } } }));
    gltf.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    gltf.json["extensionsUsed"] = json!(["KHR_texture_basisu"]);
    gltf
}

fn decoded(ktx2: &[u8]) -> DecodedImage {
    decoded_for(ktx2, &DecodeOptions::default()).unwrap()
}

fn decoded_for(ktx2: &[u8], wanted: &DecodeOptions) -> Result<DecodedImage, ImageError> {
    let loaded = document(ktx2).load().unwrap();
    assert!(loaded.model.findings.is_empty(), "{:?}", loaded.model.findings);
    image::decode(&loaded.images[0], wanted)
}

const NONE: BlockFormats = BlockFormats { bc: false, etc2: false, astc: false };
const BC: BlockFormats = BlockFormats { bc: true, ..NONE };
const ETC2: BlockFormats = BlockFormats { etc2: true, ..NONE };
const ASTC: BlockFormats = BlockFormats { astc: true, ..NONE };

/// Returns options that decode only the largest level, as blocks of these formats if possible.
fn first_level(blocks: BlockFormats) -> DecodeOptions {
    DecodeOptions { mipmaps: false, blocks, ..DecodeOptions::default() }
}

fn image_of(loaded: &Loaded) -> Option<usize> {
    loaded.model.materials[0].emissive_texture.as_ref().unwrap().image
}

#[test]
fn plain_pixels_are_expanded_to_four_channels() {
    for (format, pixel, rgba) in [
        (9, &[7][..], [7, 0, 0, 255]),
        (16, &[7, 8], [7, 8, 0, 255]),
        (29, &[7, 8, 9], [7, 8, 9, 255]),
        (43, &[7, 8, 9, 10], [7, 8, 9, 10]),
    ] {
        let file = Ktx2 { format, width: 3, height: 2, model: 1, levels: vec![pixel.repeat(6)], ..Ktx2::default() };
        assert_eq!(decoded(&file.bytes()), DecodedImage::rgba(3, 2, rgba.repeat(6)), "format {format}");
    }
}

#[test]
fn blocks_of_one_and_two_channels_are_unpacked_on_any_device() {
    type Oracle = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;
    // The library's EAC decoder reads the bytes of a block in reverse order, so EAC is not tested here.
    let formats: [(u32, usize, usize, Oracle); 2] = [(139, 8, 1, texture2ddecoder::decode_bc4), (141, 16, 2, texture2ddecoder::decode_bc5)];
    let mut dice = 7u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (dice >> 56) as u8
    };
    // The size is not a multiple of four, so the last columns and rows of blocks are cropped.
    let (width, height) = (30, 21);
    for (format, block, channels, oracle) in formats {
        let blocks: Vec<u8> = (0..8 * 6 * block).map(|_| roll()).collect();
        let mut wanted = vec![0u32; width * height];
        oracle(&blocks, width, height, &mut wanted).unwrap();
        let file = Ktx2 { format, width: width as u32, height: height as u32, model: 1, levels: vec![blocks], ..Ktx2::default() };
        let image = decoded(&file.bytes());
        assert_eq!((image.width, image.texels), (30, sinew::codec::texels::Texels::Rgba8));
        for (at, (pixel, wanted)) in image.levels[0].as_chunks::<4>().0.iter().zip(wanted).enumerate() {
            // The library returns blue, green, red, alpha, from the lowest byte up.
            let [_, green, red, _] = wanted.to_le_bytes();
            // The library may round interpolated values differently.
            assert!(pixel[0].abs_diff(red) <= 1, "{format}: red of pixel {at} is {} not {red}", pixel[0]);
            assert!(channels == 1 && pixel[1] == 0 || channels == 2 && pixel[1].abs_diff(green) <= 1, "{format}: green of pixel {at}");
            assert_eq!(pixel[2..], [0, 255]);
        }
    }
}

#[test]
fn eac_blocks_decode_by_the_formula_of_the_specification() {
    // Base 100, multiplier 2, row 13 of the table. Every code occurs twice, in column order.
    let row = [-1, -2, -3, -10, 0, 1, 2, 9];
    let codes = (0..16u64).fold(0, |bits, at| (bits << 3) | (at % 8));
    let mut red = vec![100, 2 << 4 | 13];
    red.extend_from_slice(&codes.to_be_bytes()[2..]);
    // A multiplier of 0 means 1/8.
    let mut green = vec![255, 13];
    green.extend_from_slice(&codes.to_be_bytes()[2..]);
    let byte = |of_2047: i32| (f64::from(of_2047.clamp(0, 2047)) / 2047.0 * 255.0).round() as u8;
    for (format, block) in [(153, red.clone()), (155, [red.clone(), green].concat())] {
        let file = Ktx2 { format, width: 4, height: 4, model: 1, levels: vec![block], ..Ktx2::default() };
        let image = decoded(&file.bytes());
        for (at, pixel) in image.levels[0].as_chunks::<4>().0.iter().enumerate() {
            let step = row[(at % 4 * 4 + at / 4) % 8];
            assert_eq!(pixel[0], byte(100 * 8 + 4 + step * 2 * 8), "{format}: red of pixel {at}");
            let second = if format == 155 { byte(255 * 8 + 4 + step) } else { 0 };
            assert_eq!(pixel[1..], [second, 0, 255], "{format}: the rest of pixel {at}");
        }
    }
}

#[test]
fn a_level_in_a_zstandard_frame_is_unpacked() {
    // A frame of one segment with one raw block: magic, size, block header (last, raw, length), bytes.
    let pixels = [1, 2, 3, 4, 5, 6, 7, 8];
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 8];
    frame.extend([1 | 8 << 3, 0, 0]);
    frame.extend(pixels);
    let file = Ktx2 { format: 37, width: 2, height: 1, model: 1, supercompression: 2, levels: vec![frame], ..Ktx2::default() };
    assert_eq!(decoded(&file.bytes()).levels, [pixels]);
}

/// Builds a file of two blocks. The endpoints are (16, 16, 20) with contrast 0 and (16, 16, 21) with contrast 7. The first selector is
/// dark in all pixels, and the second one has the steps 0 to 3 in each row. The first block uses the first endpoint and the second
/// selector; the second block uses the second endpoint and the first selector.
fn etc1s(alpha: bool) -> Ktx2 {
    let blocks = vec![(0, 1), (1, 0)];
    let slices = vec![blocks; if alpha { 2 } else { 1 }];
    let selectors = [[0; 4], [0b1110_0100; 4]];
    Etc1s { width: 7, height: 4, endpoints: &[(0, [16, 16, 20]), (7, [16, 16, 21])], selectors: &selectors, slices: &slices }.file()
}

#[test]
fn etc1s_blocks_decode_from_their_endpoints_and_selectors() {
    let image = decoded(&etc1s(false).bytes());
    assert_eq!((image.width, image.height), (7, 4));
    // Five bits become eight: 16 is 132, 20 is 165, 21 is 173.
    let row: Vec<[u8; 4]> = [-8, -2, 2, 8].map(|step| [132 + step, 132 + step, 165 + step, 255].map(|value: i32| value as u8)).to_vec();
    let dark = [[0, 0, 0, 255]; 3];
    assert_eq!(image.levels, [[row, dark.to_vec()].concat().concat().repeat(4)]);
}

#[test]
fn the_second_slice_of_etc1s_is_alpha() {
    let image = decoded(&etc1s(true).bytes());
    let alphas: Vec<u8> = image.levels[0].iter().skip(3).step_by(4).take(7).copied().collect();
    assert_eq!(alphas, [124, 130, 134, 140, 0, 0, 0]);
}

/// Packs (value, bit count) fields into a block of 16 bytes.
fn uastc(fields: &[(u32, u32)]) -> Vec<u8> {
    let mut block = BitWriter::default();
    fields.iter().for_each(|&(value, count)| block.number(value, count));
    let mut bytes = block.bytes();
    assert!(bytes.len() <= 16);
    bytes.resize(16, 0);
    bytes
}

fn uastc_file(block: Vec<u8>) -> Vec<u8> {
    Ktx2 { width: 4, height: 4, model: 166, samples: vec![0], levels: vec![block], ..Ktx2::default() }.bytes()
}

#[test]
fn a_uastc_block_of_one_color_decodes_to_that_color() {
    let block = uastc(&[(0x17, 5), (10, 8), (20, 8), (30, 8), (40, 8)]);
    assert_eq!(decoded(&uastc_file(block)).levels, [[10, 20, 30, 40].repeat(16)]);
}

#[test]
fn uastc_pixels_lie_between_two_colors_by_their_weights() {
    // Mode 1: code, hints, the two values of red, green and blue, then weights of two bits. The first weight has no upper bit.
    let mut fields = vec![(0x35, 6), (0, 15), (0, 8), (64, 8), (10, 8), (10, 8), (255, 8), (255, 8), (1, 1)];
    fields.extend((1..16).map(|i| (i % 4, 2)));
    let image = decoded(&uastc_file(uastc(&fields)));
    // The interpolation is ASTC's: one third and two thirds of 64 are 21 and 43.
    let reds: Vec<u8> = image.levels[0].iter().step_by(4).copied().collect();
    assert_eq!(reds[..8], [21, 21, 43, 64, 0, 21, 43, 64]);
    assert!(image.levels[0].as_chunks::<4>().0.iter().all(|pixel| pixel[1..] == [10, 255, 255]));
}

#[test]
fn uastc_subsets_have_separate_colors() {
    // Mode 16, pattern 0 (ASTC's 28): gray and alpha of two subsets. Each weight has two bits and is 0.
    let pattern = [0, 0, 1, 1].repeat(4);
    let fields = [(0x15, 6), (0, 23), (0, 5), (50, 8), (60, 8), (70, 8), (80, 8), (90, 8), (100, 8), (110, 8), (120, 8)];
    let image = decoded(&uastc_file(uastc(&fields)));
    for (pixel, subset) in image.levels[0].chunks(4).zip(pattern) {
        assert_eq!(pixel, if subset == 0 { [50, 50, 50, 70] } else { [90, 90, 90, 110] });
    }
}

#[test]
fn the_fallback_image_replaces_a_ktx2_image_that_cannot_be_decoded() {
    // BC6H stores no 8-bit colors.
    let file = Ktx2 { format: 143, width: 4, height: 4, model: 134, levels: vec![vec![0; 16]], ..Ktx2::default() };
    let loaded = document(&file.bytes()).load().unwrap();
    assert_eq!(image_of(&loaded), Some(1));
    assert!(finding(&loaded.model, "IMAGE_DATA_INVALID").message.contains("BC6H (Vulkan format 143)"));
}

#[test]
fn an_overflowing_count_of_images_is_refused() {
    let mut bytes = etc1s(false).bytes();
    // Depth, layers and faces.
    bytes[28..40].fill(0xff);
    assert!(decoded_for(&bytes, &DecodeOptions::default()).is_err());
}

#[test]
fn truncated_and_mutated_files_give_pixels_or_an_error() {
    let mut dice = 1u64;
    let mut roll = |end: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (dice >> 33) as usize % end
    };
    let weights: Vec<(u32, u32)> = [(0x35, 6)].into_iter().chain([(77, 8); 12]).collect();
    for whole in [etc1s(true).bytes(), uastc_file(uastc(&weights))] {
        let mut ended = [0; 2];
        for case in 0..3000 {
            let mut bytes = whole.clone();
            if case % 4 == 0 {
                bytes.truncate(roll(whole.len()));
            }
            for _ in 0..=roll(3) {
                let at = roll(bytes.len().max(1));
                // Leave the upper bytes of width and height unchanged, because hundreds of millions of pixels take long to decode.
                if at < bytes.len() && !(21..24).contains(&at) && !(25..28).contains(&at) {
                    bytes[at] = roll(256) as u8;
                }
            }
            let loaded = document(&bytes).load().unwrap();
            for blocks in [NONE, BC, ETC2, ASTC] {
                ended[usize::from(image::decode(&loaded.images[0], &DecodeOptions { blocks, ..DecodeOptions::default() }).is_ok())] += 1;
            }
        }
        assert!(ended.iter().all(|&count| count > 100), "{ended:?}");
    }
}

#[test]
fn a_real_ktx2_texture_matches_the_same_picture_in_webp() {
    let Some(samples) = std::env::var_os("SINEW_SAMPLES").map(PathBuf::from) else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return;
    };
    let picture = |file: &str| {
        let loaded = asset::load(&samples.join(Path::new(file)), &LoadOptions::default()).unwrap();
        image::decode(&loaded.images[0], &DecodeOptions::default()).unwrap()
    };
    let (webp, ktx2) = (picture("models/Fox_webp/Fox_webp.glb"), picture("models/Fox_ktx2_etc1s/Fox_ktx2_etc1s.glb"));
    // Compare the mean colors of a grid of 8 x 8 cells, because both encodings are lossy.
    let fields = |image: &DecodedImage| {
        let [width, height] = [image.width, image.height].map(|size| size as usize / 8);
        let mut sums = vec![0.0; 8 * 8 * 3];
        for (at, pixel) in image.levels[0].as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (at % image.width as usize, at / image.width as usize);
            for (channel, &value) in pixel[..3].iter().enumerate() {
                sums[((y / height).min(7) * 8 + (x / width).min(7)) * 3 + channel] += f64::from(value) / (width * height) as f64;
            }
        }
        sums
    };
    for (webp, ktx2) in fields(&webp).iter().zip(fields(&ktx2)) {
        assert!((webp - ktx2).abs() < 6.0, "{webp} and {ktx2}");
    }
}
