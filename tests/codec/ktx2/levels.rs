//! Tests which levels of a file are used, and which format they get for a device. They become RGBA if blocks are not possible.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use sinew::asset::image;
use sinew::codec::ktx2;
use sinew::codec::texels::{DecodeOptions, DecodedImage, Texels};

use super::{ASTC, BC, ETC2, NONE, decoded, decoded_for, document, first_level, image_of};
use crate::common::gltf_builder::{codes, finding};
use crate::common::ktx2_encode::{Etc1s, Ktx2};

/// Builds a file in which all bytes of a level have the same value: 1 in the level of 8 x 4 pixels, 2 in that of 4 x 2, 3 in that of 2 x 1,
/// and so on.
fn pyramid(levels: usize) -> Ktx2 {
    let level = |level: usize| vec![level as u8 + 1; (8 >> level).max(1) * (4 >> level).max(1) * 4];
    Ktx2 { format: 37, width: 8, height: 4, model: 1, levels: (0..levels).map(level).collect(), ..Ktx2::default() }
}

#[test]
fn an_image_has_the_levels_of_its_file() {
    for count in 1..=4 {
        let file = pyramid(count);
        let image = decoded(&file.bytes());
        assert_eq!((image.width, image.height, image.texels), (8, 4, Texels::Rgba8));
        assert_eq!(image.levels, file.levels, "{count} levels");
        assert_eq!(decoded_for(&file.bytes(), &first_level(NONE)).unwrap().levels, file.levels[..1]);
    }
    // Levels after the one with a single pixel are ignored.
    let mut file = pyramid(4);
    file.levels.extend([vec![9; 4], vec![9; 4]]);
    assert_eq!(decoded(&file.bytes()).levels, pyramid(4).levels);
}

#[test]
fn a_broken_smaller_level_ends_the_chain_and_a_broken_largest_level_is_an_error() {
    let mut file = pyramid(4);
    file.levels[2].pop();
    assert_eq!(decoded(&file.bytes()).levels, pyramid(2).levels);
    file.levels[0].pop();
    assert!(decoded_for(&file.bytes(), &DecodeOptions::default()).is_err());
}

#[test]
fn levels_in_zlib_streams_are_unpacked_as_far_as_they_are_needed() {
    let mut file = pyramid(3);
    file.supercompression = 3;
    for level in &mut file.levels {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(level).unwrap();
        // The stream unpacks to a million bytes more than the level has. They are not read.
        encoder.write_all(&vec![7; 1 << 20]).unwrap();
        *level = encoder.finish().unwrap();
    }
    assert_eq!(decoded(&file.bytes()).levels, pyramid(3).levels);
    let half = file.levels[0].len() / 2;
    file.levels[0].truncate(half);
    file.levels[0][3] ^= 0x55;
    assert!(decoded_for(&file.bytes(), &DecodeOptions::default()).is_err());
}

#[test]
fn levels_that_do_not_fit_the_device_are_left_out() {
    let file = pyramid(4);
    let image = |max_size| decoded_for(&file.bytes(), &DecodeOptions { max_size, ..DecodeOptions::default() }).unwrap();
    assert_eq!((image(4).width, image(4).height, image(4).levels), (4, 2, file.levels[1..].to_vec()));
    assert_eq!(image(1).levels, file.levels[3..]);
    // If no level is small enough, the smallest one is halved until it fits.
    let single = pyramid(1);
    let image = decoded_for(&single.bytes(), &DecodeOptions { max_size: 2, ..DecodeOptions::default() }).unwrap();
    assert_eq!(image, DecodedImage::rgba(2, 1, vec![1; 2 * 4]));
}

fn uastc(width: u32, height: u32, levels: u32) -> Ktx2 {
    let blocks = |level: u32| (width >> level).max(1).div_ceil(4) * (height >> level).max(1).div_ceil(4);
    let level = |level| [0x17, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].repeat(blocks(level) as usize);
    Ktx2 { width, height, model: 166, samples: vec![0], levels: (0..levels).map(level).collect(), ..Ktx2::default() }
}

fn etc1s(alpha: bool) -> Ktx2 {
    let slices = vec![vec![(0, 0); 4]; if alpha { 2 } else { 1 }];
    Etc1s { width: 8, height: 8, endpoints: &[(2, [9, 17, 30])], selectors: &[[0x1b; 4]], slices: &slices }.file()
}

#[test]
fn textures_become_blocks_that_the_device_offers() {
    let astc = Texels::Astc { width: 4, height: 4 };
    let everything = sinew::codec::texels::BlockFormats { bc: true, etc2: true, astc: true };
    for (file, offered, becomes) in [
        (uastc(8, 8, 1), NONE, Texels::Rgba8),
        (uastc(8, 8, 1), BC, Texels::Bc7),
        (uastc(8, 8, 1), everything, Texels::Bc7),
        (uastc(8, 8, 1), ASTC, astc),
        (uastc(8, 8, 1), ETC2, Texels::Rgba8),
        (etc1s(false), NONE, Texels::Rgba8),
        (etc1s(false), BC, Texels::Bc1),
        (etc1s(false), ETC2, Texels::Etc2Rgb),
        (etc1s(false), ASTC, Texels::Rgba8),
        (etc1s(true), BC, Texels::Bc3),
        (etc1s(true), everything, Texels::Bc3),
        (etc1s(true), ETC2, Texels::Etc2Rgba8),
    ] {
        let image = decoded_for(&file.bytes(), &first_level(offered)).unwrap();
        assert_eq!(image.texels, becomes, "{offered:?}");
        assert!(image.is_complete());
    }
}

#[test]
fn partial_blocks_and_single_levels_that_need_mip_maps_become_rgba() {
    let wanted = DecodeOptions { blocks: BC, ..DecodeOptions::default() };
    let becomes = |file: &Ktx2, wanted: &DecodeOptions| {
        let image = decoded_for(&file.bytes(), wanted).unwrap();
        assert!(image.is_complete());
        (image.texels, image.levels.len())
    };
    assert_eq!(becomes(&uastc(12, 20, 5), &wanted), (Texels::Bc7, 5));
    // Smaller levels may end within a block; the largest level may not.
    assert_eq!(becomes(&uastc(12, 18, 5), &wanted), (Texels::Rgba8, 5));
    assert_eq!(becomes(&uastc(3, 4, 1), &first_level(BC)), (Texels::Rgba8, 1));
    assert_eq!(becomes(&uastc(12, 20, 1), &wanted), (Texels::Rgba8, 1));
    // The largest level that fits the device ends within a block.
    assert_eq!(becomes(&uastc(12, 20, 5), &DecodeOptions { max_size: 10, ..wanted }), (Texels::Rgba8, 4));
}

#[test]
fn blocks_of_a_plain_file_are_passed_through_when_the_device_supports_them() {
    for (format, texels, offered) in [
        (133, Texels::Bc1, BC),
        (136, Texels::Bc2, BC),
        (137, Texels::Bc3, BC),
        (146, Texels::Bc7, BC),
        (147, Texels::Etc2Rgb, ETC2),
        (150, Texels::Etc2Rgba1, ETC2),
        (151, Texels::Etc2Rgba8, ETC2),
        (158, Texels::Astc { width: 4, height: 4 }, ASTC),
        (165, Texels::Astc { width: 6, height: 6 }, ASTC),
        (184, Texels::Astc { width: 12, height: 12 }, ASTC),
    ] {
        let levels = [24, 12].map(|side| (0..texels.level_bytes([side; 2])).map(|byte| byte as u8).collect()).to_vec();
        let file = Ktx2 { format, width: 24, height: 24, model: 1, levels, ..Ktx2::default() };
        let image = decoded_for(&file.bytes(), &DecodeOptions { blocks: offered, ..DecodeOptions::default() }).unwrap();
        assert_eq!(image, DecodedImage { width: 24, height: 24, texels, levels: file.levels.clone() }, "format {format}");
        let refusal = decoded_for(&file.bytes(), &DecodeOptions::default()).unwrap_err().to_string();
        assert!(refusal.contains(&format!("{} blocks, which this graphics device does not support", texels.name())), "{refusal}");
    }
}

#[test]
fn black_pixels_of_bc1_blocks_without_alpha_are_opaque() {
    let (green, red) = (0x07e0u16, 0xf800u16);
    let block = |first: u16, last: u16, codes: u8| [&first.to_le_bytes()[..], &last.to_le_bytes(), &[codes; 4]].concat();
    // Each row has the codes 0, 1, 2 and 3. A first color that is not greater than the last one makes code 3 black.
    let (three_colors, four_colors) = (block(green, red, 0b1110_0100), block(red, green, 0b1110_0100));
    let row = [[0, 255, 0], [255, 0, 0], [128, 128, 0], [0, 0, 0], [255, 0, 0], [0, 255, 0], [170, 85, 0], [85, 170, 0]];
    let rgba = row.map(|[red, green, blue]| [red, green, blue, 255]).concat().repeat(4);
    let file = |format, blocks: [&Vec<u8>; 2]| {
        let levels = vec![blocks.map(Clone::clone).concat()];
        Ktx2 { format, width: 8, height: 4, model: 128, levels, ..Ktx2::default() }
    };
    for format in [131, 132] {
        let black = decoded_for(&file(format, [&three_colors, &four_colors]).bytes(), &first_level(BC)).unwrap();
        assert_eq!(black, DecodedImage::rgba(8, 4, rgba.clone()));
    }
    // Blocks without black pixels stay as they are, and so do all blocks of a format with alpha.
    for (format, blocks) in [(131, [&four_colors, &block(green, red, 0b0010_0100)]), (133, [&three_colors, &four_colors])] {
        let file = file(format, blocks);
        let image = decoded_for(&file.bytes(), &first_level(BC)).unwrap();
        assert_eq!((image.texels, image.levels), (Texels::Bc1, file.levels));
    }
}

#[test]
fn blocks_of_a_plain_file_must_match_the_size_of_their_levels() {
    // The levels are 24 x 24, 12 x 12 and 6 x 6 pixels. 6 is not a multiple of the block size.
    let levels = [24, 12, 6].map(|side| vec![0; Texels::Bc7.level_bytes([side; 2]) as usize]).to_vec();
    let file = Ktx2 { format: 145, width: 24, height: 24, model: 134, levels, ..Ktx2::default() };
    let sides = |max_size| {
        decoded_for(&file.bytes(), &DecodeOptions { max_size, blocks: BC, ..DecodeOptions::default() })
            .map(|image| (image.width, image.levels.len()))
    };
    assert_eq!((sides(24).unwrap(), sides(20).unwrap()), ((24, 3), (12, 2)));
    assert!(sides(8).unwrap_err().to_string().contains("not a multiple of its blocks"));
    let single = Ktx2 { levels: file.levels[..1].to_vec(), ..file };
    let refusal =
        decoded_for(&single.bytes(), &DecodeOptions { max_size: 20, blocks: BC, ..DecodeOptions::default() }).unwrap_err().to_string();
    assert!(refusal.contains("no level that is small enough"), "{refusal}");
}

#[test]
fn blocks_without_pixels_are_refused() {
    let file = Ktx2 { format: 145, width: 0, height: 4, model: 134, levels: vec![vec![0; 16]; 2], ..Ktx2::default() };
    let loaded = document(&file.bytes()).load().unwrap();
    let message = &finding(&loaded.model, "IMAGE_DATA_INVALID").message;
    assert!(message.contains("width or height is 0"), "{message}");
}

#[test]
fn levels_beyond_the_limit_are_refused_without_being_allocated() {
    // The ETC1S decoder keeps eight bytes for each column of blocks, which would be 8 GiB here.
    let file = Ktx2 { width: u32::MAX, height: 1, ..etc1s(false) };
    for blocks in [NONE, BC, ETC2] {
        let error = ktx2::decode(&file.bytes(), &first_level(blocks), 0, 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "4294967295 x 1 pixels of the KTX2 file are more than the 1048576 bytes that may be decoded");
    }
    // The limit applies to the largest level that is decoded, not to the file.
    let file = pyramid(4);
    assert!(ktx2::decode(&file.bytes(), &DecodeOptions::default(), 0, 8 * 4 * 4).is_ok());
    assert!(ktx2::decode(&file.bytes(), &DecodeOptions::default(), 0, 8 * 4 * 4 - 1).is_err());
    assert!(ktx2::decode(&file.bytes(), &DecodeOptions::default(), 1, 8 * 4 * 4 - 1).is_ok());
}

#[test]
fn reported_gpu_bytes_are_those_of_the_uploaded_blocks() {
    let bytes = |file: &Ktx2| document(&file.bytes()).model().images[0].gpu_bytes;
    // Smaller levels add a third.
    assert_eq!(bytes(&uastc(32, 16, 6)), 8 * 4 * 16 * 4 / 3);
    assert_eq!(bytes(&uastc(32, 18, 6)), 32 * 18 * 4 * 4 / 3);
    // The smaller levels of this file are generated.
    assert_eq!(bytes(&etc1s(false)), 8 * 8 * 4 * 4 / 3);
}

#[test]
fn a_plain_image_is_preferred_to_blocks_that_only_some_devices_support() {
    let mut file = Ktx2 { format: 145, width: 4, height: 4, model: 134, levels: vec![vec![0; 16]], ..Ktx2::default() };
    let mut gltf = document(&file.bytes());
    assert_eq!(image_of(&gltf.load().unwrap()), Some(1));
    // Without a fallback, the blocks are used.
    gltf.json["textures"][0].as_object_mut().unwrap().remove("source");
    assert_eq!(image_of(&gltf.load().unwrap()), Some(0));
    // Blocks that no device can show are refused.
    file.width = 3;
    let loaded = document(&file.bytes()).load().unwrap();
    assert!(finding(&loaded.model, "IMAGE_DATA_INVALID").message.contains("3 x 4 pixels, not a multiple of its blocks of 4 x 4"));
}

#[test]
fn ktx2_is_read_even_if_no_extension_is_declared() {
    let mut gltf = document(&uastc(4, 4, 1).bytes());
    gltf.json["textures"] = serde_json::json!([{ "source": 0 }]);
    gltf.json.as_object_mut().unwrap().remove("extensionsUsed");
    let loaded = gltf.load().unwrap();
    assert_eq!((image_of(&loaded), codes(&loaded.model).len()), (Some(0), 0));
    assert!(image::decode(&loaded.images[0], &DecodeOptions::default()).is_ok());
}
