//! Compares drawings of block-compressed textures with drawings of the same textures as RGBA.

use image::RgbaImage;
use serde_json::json;
use sinew::asset::image::decode;
use sinew::codec::texels::{BlockFormats, DecodeOptions, DecodedImage, Texels};
use sinew::model::material::Material;
use sinew::model::texture::{Image, Sampler, Texture};
use sinew::render::device::gpu::Gpu;

use crate::common::gltf_builder::Gltf;
use crate::common::ktx2_encode::{Dice, Ktx2, random_etc1s};
use crate::common::pixels::difference;
use crate::common::skip::skip;
use crate::scene::{Scene, Shot, gpu, quad, texture, with};

/// Encodes a BC7 block of mode 6: two colors, whose channels must be odd, and a weight for each pixel.
fn bc7(low: [u32; 4], high: [u32; 4], weights: [u32; 16]) -> [u8; 16] {
    let mut block = 1u128 << 6;
    let mut at = 7;
    let mut put = |value: u32, count: u32| {
        block |= u128::from(value) << at;
        at += count;
    };
    low.iter().zip(high).for_each(|(low, high)| {
        put(low >> 1, 7);
        put(high >> 1, 7);
    });
    put(1, 1);
    put(1, 1);
    weights.iter().enumerate().for_each(|(pixel, weight)| put(*weight, if pixel == 0 { 3 } else { 4 }));
    block.to_le_bytes()
}

/// Builds 8 x 8 pixels whose weights increase to the right within each block, as BC7 blocks and as the pixels that BC7 defines for them.
fn ramp() -> (DecodedImage, DecodedImage) {
    const OF_64: [u32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];
    let (low, high) = ([1, 33, 101, 255], [255, 201, 3, 255]);
    let mut blocks = Vec::new();
    for block in 0..4u32 {
        // The weight of the first pixel must be below 8.
        let weights = std::array::from_fn(|pixel| block % 2 * 2 + pixel as u32 % 4 * 4 % 14 + pixel as u32 / 4 % 2);
        blocks.push((bc7(low, high, weights), weights));
    }
    let mut rgba = vec![0; 8 * 8 * 4];
    for (at, pixel) in rgba.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (at % 8, at / 8);
        let weight = OF_64[blocks[x / 4 + y / 4 * 2].1[x % 4 + y % 4 * 4] as usize];
        for ((value, low), high) in pixel.iter_mut().zip(low).zip(high) {
            *value = ((low * (64 - weight) + high * weight + 32) >> 6) as u8;
        }
    }
    let bytes = blocks.iter().flat_map(|(block, _)| *block).collect();
    (DecodedImage { width: 8, height: 8, texels: Texels::Bc7, levels: vec![bytes] }, DecodedImage::rgba(8, 8, rgba))
}

fn draw(gpu: &Gpu, image: DecodedImage, material: Material, shot: &Shot) -> RgbaImage {
    let mut scene = Scene::new(vec![material], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    scene.model.images.push(Image { width: image.width, height: image.height, ..Image::default() });
    scene.decoded = vec![image];
    scene.draw(gpu, shot)
}

fn offered(gpu: &Gpu) -> BlockFormats {
    let offered = gpu.image_support().blocks;
    if !offered.bc {
        skip("this adapter reads no BC blocks");
    }
    offered
}

#[test]
fn a_compressed_texture_is_drawn_like_its_pixels_as_color_and_as_data() {
    let Some(gpu) = gpu() else { return };
    if !offered(gpu).bc {
        return;
    }
    let (blocks, rgba) = ramp();
    let color = Material { base_color_texture: Some(texture()), unlit: true, ..Material::default() };
    // Use the texture as roughness and metalness, which are linear. A wrong transfer function would change the light.
    let numbers = Material { metallic_roughness_texture: Some(texture()), ..Material::default() };
    let lit = Shot { display: sinew::session::view::display::Display { grid: false, ..Default::default() }, ..Shot::default() };
    for (material, shot) in [(color, &Shot::default()), (numbers, &lit)] {
        let (blocks, rgba) = (draw(gpu, blocks.clone(), material.clone(), shot), draw(gpu, rgba.clone(), material, shot));
        assert!(difference(&blocks, &rgba) <= 1, "off by {}", difference(&blocks, &rgba));
        assert!(blocks.pixels().any(|pixel| pixel != blocks.get_pixel(0, 0)));
    }
}

#[test]
fn levels_that_end_within_a_block_are_drawn() {
    let Some(gpu) = gpu() else { return };
    if !offered(gpu).bc {
        return;
    }
    // The levels are 12 x 8, 6 x 4, 3 x 2 and 1 x 1, and each has one color.
    let colors = [[201, 1, 1, 255], [1, 201, 1, 255], [1, 1, 201, 255], [201, 201, 1, 255]];
    let counts = [6, 2, 1, 1];
    let levels = colors.iter().zip(counts).map(|(color, count)| bc7(*color, *color, [0; 16]).repeat(count)).collect();
    let image = DecodedImage { width: 12, height: 8, texels: Texels::Bc7, levels };
    let sampler = Sampler { mag_linear: false, min_linear: false, mip_linear: Some(false), ..Sampler::DEFAULT };
    for (repeats, color) in [(1.0, colors[0]), (8.0, colors[1]), (16.0, colors[2]), (64.0, colors[3])] {
        let mut scene = Scene::new(
            vec![Material { base_color_texture: Some(Texture { sampler, ..texture() }), unlit: true, ..Material::default() }],
            vec![with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.tex_coords[0].iter_mut().for_each(|uv| *uv *= repeats))],
        );
        scene.model.images.push(Image { width: 12, height: 8, ..Image::default() });
        scene.decoded = vec![image.clone()];
        let picture = scene.draw(gpu, &Shot::default());
        assert_eq!(picture.get_pixel(32, 32).0, color.map(|value| value as u8), "{repeats} times");
    }
}

/// Builds a UASTC texture of 64 x 64 pixels with random colors.
fn random_uastc(alpha: bool) -> Ktx2 {
    let mut dice = Dice(alpha.into());
    // Modes 5 and 14 store colors of 8 bits per channel.
    let (code, bits) = if alpha { (0x0d, 5) } else { (0x0b, 5) };
    let mut block = || -> Vec<u8> {
        let mut block: Vec<u8> = (0..16).map(|_| (dice.roll() >> 8) as u8).collect();
        block[0] = block[0] >> bits << bits | code;
        block
    };
    let level = (0..16 * 16).flat_map(|_| block()).collect();
    Ktx2 { width: 64, height: 64, model: 166, samples: vec![0], levels: vec![level], ..Ktx2::default() }
}

#[test]
fn a_file_looks_the_same_with_every_supported_format() {
    let Some(gpu) = gpu() else { return };
    let BlockFormats { bc, etc2, astc } = gpu.image_support().blocks;
    let none = BlockFormats::default();
    let families = [(BlockFormats { bc, ..none }, "BC"), (BlockFormats { etc2, ..none }, "ETC2"), (BlockFormats { astc, ..none }, "ASTC")];
    for (file, what) in [
        (random_uastc(false), "UASTC"),
        (random_uastc(true), "UASTC with alpha"),
        (random_etc1s(false, 3), "ETC1S"),
        (random_etc1s(true, 3), "ETC1S with alpha"),
    ] {
        let mut gltf = Gltf::new();
        let view = gltf.view(&file.bytes());
        gltf.push("images", json!({ "bufferView": view }));
        let loaded = gltf.load().unwrap();
        let picture = |blocks| {
            let image = decode(&loaded.images[0], &DecodeOptions { mipmaps: false, blocks, ..DecodeOptions::default() }).unwrap();
            // Blending also shows differences in alpha.
            let material = Material {
                base_color_texture: Some(texture()),
                alpha_mode: sinew::model::material::AlphaMode::Blend,
                unlit: true,
                ..Material::default()
            };
            (image.texels, draw(gpu, image, material, &Shot::default()))
        };
        let (_, plain) = picture(none);
        for (blocks, family) in families {
            let (texels, picture) = picture(blocks);
            let errors = plain.as_raw().iter().zip(picture.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
            let mean: f64 = errors.sum::<f64>() / plain.as_raw().len() as f64;
            let decibels = 10.0 * (255.0 * 255.0 / mean.max(1e-9)).log10();
            assert!(decibels > 38.0, "{what} as {texels:?}: {decibels:.1} dB");
            if blocks == none {
                eprintln!("not compared, this adapter reads no {family}");
            }
        }
    }
}
