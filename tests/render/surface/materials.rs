//! Tests textures, samplers, alpha and vertex colors.

use std::sync::Mutex;

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;
use sinew::asset::Loaded;
use sinew::codec::texels::{BlockFormats, DecodedImage};
use sinew::model::Model;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Primitive, Topology};
use sinew::model::texture::{Sampler, Texture, TextureTransform, Wrap};
use sinew::render::material::images::{self, ImageSupport};
use sinew::render::material::mipmap::{self, Alpha, Cutoffs, ImageUse, PreparedImage};
use sinew::render::model::GpuModel;
use sinew::render::picture::Background;
use sinew::session::view::display::{Display, Lighting, Shading, Tonemap};

use crate::common::gltf_builder::{self, Gltf, triangle};
use crate::common::pixels::{count, count_near};
use crate::scene::{CHECKER, Scene, Shot, colored, gpu, quad, texture, with};

fn textured(texture: Texture) -> Material {
    Material { base_color_texture: Some(texture), unlit: true, ..Material::default() }
}

#[test]
fn light_exposure_and_tone_mapping_do_not_change_an_unlit_texture() {
    let Some(gpu) = gpu() else { return };
    let texels: Vec<[u8; 4]> = (0..=255).map(|grey| [grey, grey, grey, 255]).collect();
    let scene = Scene::new(vec![textured(texture())], vec![quad(0.0, 0.0, 16.0, 16.0)]).image(16, 16, &texels);
    for (lighting, tonemap) in [(Lighting::Studio, Tonemap::Neutral), (Lighting::Flat, Tonemap::Aces), (Lighting::None, Tonemap::Agx)] {
        for samples in [1, 4] {
            let display = Display { lighting, tonemap, exposure: 1.5, grid: false, ..Display::default() };
            let picture = scene.draw(gpu, &Shot { size: [16, 16], samples, display, ..Shot::default() });
            let bytes: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
            assert_eq!(bytes, texels);
        }
    }
}

#[test]
fn a_mask_shows_fragments_whose_alpha_is_at_least_the_cutoff() {
    let Some(gpu) = gpu() else { return };
    let texels = [[255, 255, 255, 127], [255, 255, 255, 128], [255, 255, 255, 0], [255, 255, 255, 255]];
    for samples in [1, 4] {
        for (cutoff, shown) in [(128.0 / 255.0, 2), (0.0, 4), (1.0, 1), (1.5, 0)] {
            let material = Material { alpha_mode: AlphaMode::Mask { cutoff }, ..textured(texture()) };
            let scene = Scene::new(vec![material], vec![quad(0.0, 0.0, 40.0, 40.0)]).image(2, 2, &texels);
            let picture = scene.draw(gpu, &Shot { samples, background: Background::Color([0, 0, 0]), ..Shot::default() });
            assert_eq!(count(&picture, [255; 4]), 400 * shown, "{samples} samples, cutoff {cutoff}");
        }
    }
}

#[test]
fn an_opaque_material_ignores_alpha() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0, 1.0, 1.0, 0.0])], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [255; 4]), 64 * 64);
}

const CORNERS: [[u8; 4]; 4] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255]];

#[test]
fn a_texture_is_upright_and_transforms_as_in_the_extension() {
    let Some(gpu) = gpu() else { return };
    let draw = |transform| {
        let scene = Scene::new(vec![textured(Texture { transform, ..texture() })], vec![quad(0.0, 0.0, 64.0, 64.0)]);
        let picture = scene.image(2, 2, &CORNERS).draw(gpu, &Shot::default());
        [(16, 16), (48, 16), (16, 48), (48, 48)].map(|(x, y)| picture.get_pixel(x, y).0)
    };
    let [red, green, blue, yellow] = CORNERS;
    assert_eq!(draw(TextureTransform::IDENTITY), [red, green, blue, yellow]);
    // The example in the extension's specification: the lower left quadrant, rotated clockwise.
    let quadrant = TextureTransform { offset: Vec2::Y, rotation: 90f32.to_radians(), scale: Vec2::splat(0.5) };
    assert_eq!(draw(quadrant), [blue; 4]);
    // The whole texture is rotated, so that its lower left corner is shown at the upper left.
    let turned = TextureTransform { offset: Vec2::Y, rotation: 90f32.to_radians(), scale: Vec2::ONE };
    assert_eq!(draw(turned), [blue, red, yellow, green]);
    let flipped = TextureTransform { offset: Vec2::Y, rotation: 0.0, scale: Vec2::new(1.0, -1.0) };
    assert_eq!(draw(flipped), [blue, yellow, red, green]);
}

#[test]
fn textures_wrap_by_the_modes_of_their_samplers() {
    let Some(gpu) = gpu() else { return };
    // u runs from -1 to 2 over a red and a green texel. Each texel is sampled in its middle.
    let row = |wrap_s| {
        let thrice = |uv: &mut Vec2| uv.x = uv.x * 3.0 - 1.0;
        let primitive = with(quad(0.0, 0.0, 60.0, 10.0), |vertices| vertices.tex_coords[0].iter_mut().for_each(thrice));
        let sampler = Sampler { wrap_s, ..texture().sampler };
        let scene = Scene::new(vec![textured(Texture { sampler, ..texture() })], vec![primitive]).image(2, 1, &CORNERS[..2]);
        let picture = scene.draw(gpu, &Shot::default());
        (0..6).map(|i| if picture.get_pixel(i * 10 + 5, 5).0 == CORNERS[0] { 'r' } else { 'g' }).collect::<String>()
    };
    assert_eq!(row(Wrap::Repeat), "rgrgrg");
    assert_eq!(row(Wrap::MirroredRepeat), "grrggr");
    assert_eq!(row(Wrap::ClampToEdge), "rrrggg");
}

#[test]
fn a_texture_may_use_the_second_set_of_texture_coordinates() {
    let Some(gpu) = gpu() else { return };
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.tex_coords[1] = vec![Vec2::new(0.75, 0.75); 4]);
    let scene = Scene::new(vec![textured(Texture { tex_coord: 1, ..texture() })], vec![primitive]).image(2, 2, &CORNERS);
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), CORNERS[3]), 64 * 64);
}

#[test]
fn a_minified_texture_shows_the_mean_of_its_light() {
    let Some(gpu) = gpu() else { return };
    let texels: Vec<[u8; 4]> = (0..64 * 64).map(|i| if (i + i / 64) % 2 == 0 { [0, 0, 0, 255] } else { [255; 4] }).collect();
    let sampler = Sampler { mip_linear: Some(true), min_linear: true, mag_linear: true, ..texture().sampler };
    let scene = Scene::new(vec![textured(Texture { sampler, ..texture() })], vec![quad(0.0, 0.0, 8.0, 8.0)]).image(64, 64, &texels);
    assert_eq!(count_near(&scene.draw(gpu, &Shot { size: [8, 8], ..Shot::default() }), [188, 188, 188, 255]), 64);
}

#[test]
fn without_mip_maps_minification_uses_the_minification_filter_on_the_first_level() {
    let Some(gpu) = gpu() else { return };
    let texels: Vec<[u8; 4]> = (0..64 * 64).map(|i| if i % 2 == 0 { [0, 0, 0, 255] } else { [255; 4] }).collect();
    let sampler = Sampler { min_linear: true, mag_linear: false, mip_linear: None, ..texture().sampler };
    let scene = Scene::new(vec![textured(Texture { sampler, ..texture() })], vec![quad(0.0, 0.0, 8.0, 8.0)]).image(64, 64, &texels);
    // The center of each pixel is on the border of a black and a white texel.
    assert_eq!(count_near(&scene.draw(gpu, &Shot { size: [8, 8], ..Shot::default() }), [188, 188, 188, 255]), 64);
}

#[test]
fn mip_maps_average_colors_in_linear_light_and_data_as_stored() {
    let rgba = [[0, 0, 0, 0], [255; 4], [255; 4], [0, 0, 0, 0]].concat();
    let both = ImageUse { color: true, data: true, mipmaps: true, ..ImageUse::default() };
    let prepared = PreparedImage::new(both, DecodedImage::rgba(2, 2, rgba));
    assert_eq!(prepared.color.unwrap().levels[1], [188, 188, 188, 128]);
    assert_eq!(prepared.data.unwrap().levels[1], [128; 4]);

    let data = ImageUse { data: true, mipmaps: true, ..ImageUse::default() };
    let odd = PreparedImage::new(data, DecodedImage::rgba(5, 3, vec![77; 60])).data.unwrap();
    assert_eq!(odd.levels.iter().map(Vec::len).collect::<Vec<_>>(), [60, 8, 4]);
    assert!(odd.levels.iter().flatten().all(|&byte| byte == 77));
    assert_eq!(PreparedImage::new(both, DecodedImage::rgba(2, 2, vec![0; 3])), PreparedImage::default(), "too few bytes are no image");
}

#[test]
fn levels_stored_in_an_image_are_used_if_mip_maps_are_wanted() {
    let levels = vec![vec![1; 4 * 4 * 4], vec![2; 2 * 2 * 4]];
    let image = DecodedImage { levels: levels.clone(), ..DecodedImage::rgba(4, 4, Vec::new()) };
    let prepared =
        |mipmaps| PreparedImage::new(ImageUse { color: true, mipmaps, ..ImageUse::default() }, image.clone()).color.unwrap().levels;
    assert_eq!(prepared(true), levels);
    assert_eq!(prepared(false), levels[..1]);
}

#[test]
fn vertex_colors_multiply_the_base_color() {
    let Some(gpu) = gpu() else { return };
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.colors = vec![Vec4::new(0.0, 1.0, 1.0, 1.0); 4]);
    let scene = Scene::new(vec![colored([1.0, 1.0, 0.0, 1.0])], vec![primitive.clone()]);
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [0, 255, 0, 255]), 64 * 64);
    let display = Display { shading: Shading::VertexColors, ..Shot::default().display };
    assert_eq!(count(&scene.draw(gpu, &Shot { display, ..Shot::default() }), [0, 255, 255, 255]), 64 * 64);
}

#[test]
fn points_and_lines_without_normals_show_the_sum_of_base_color_and_emission() {
    let Some(gpu) = gpu() else { return };
    let glowing = |base: [f32; 4], emissive_factor: Vec3| Material { emissive_factor, ..colored(base) };
    let (black, red) = (glowing([0.0, 0.0, 0.0, 1.0], Vec3::X), [255, 0, 0, 255]);
    // The sRGB bytes of the linear colors 0.2 and 0.5 are 124 and 188.
    let (green, both) = (glowing([0.0, 0.2, 0.0, 1.0], Vec3::new(0.2, 0.0, 0.5)), [124, 124, 188, 255]);
    let cases = [
        (black.clone(), Lighting::Studio, Shading::Lit, red),
        (green.clone(), Lighting::Studio, Shading::Lit, both),
        (green.clone(), Lighting::Flat, Shading::Lit, both),
        (Material { emissive_texture: Some(texture()), ..green.clone() }, Lighting::Studio, Shading::Lit, [0, 124, 188, 255]),
        (Material { unlit: true, ..green.clone() }, Lighting::Studio, Shading::Lit, [0, 124, 0, 255]),
        // Without light, and in the mode for the base color, there is only the base color.
        (green.clone(), Lighting::None, Shading::Lit, [0, 124, 0, 255]),
        (green, Lighting::Studio, Shading::BaseColor, [0, 124, 0, 255]),
    ];
    for topology in [Topology::Points, Topology::Lines] {
        for (material, lighting, shading, expected) in &cases {
            let primitive = Primitive { topology, indices: vec![0, 2, 1, 3], ..quad(8.5, 8.5, 40.0, 40.0) };
            let scene = Scene::new(vec![material.clone()], vec![primitive]).image(1, 1, &[[0, 255, 255, 255]]);
            let display = Display { lighting: *lighting, shading: *shading, tonemap: Tonemap::Neutral, grid: false, ..Display::default() };
            let picture = scene.draw(gpu, &Shot { display, background: Background::Color([10, 20, 30]), ..Shot::default() });
            let drawn: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).filter(|&pixel| pixel != [10, 20, 30, 255]).collect();
            assert!(drawn.len() >= 4, "{topology:?}");
            let is_close = |pixel: &[u8; 4]| pixel.iter().zip(expected).all(|(byte, expected)| byte.abs_diff(*expected) <= 1);
            assert!(drawn.iter().all(is_close), "{topology:?}, {lighting:?}, {shading:?}: {:?} is not {expected:?}", drawn[0]);
        }
    }
}

#[test]
fn a_texture_is_white_while_its_image_loads() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![textured(texture())], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    scene.model.images.push(sinew::model::texture::Image::default());
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [255; 4]), 64 * 64);
}

#[test]
fn missing_color_textures_show_a_checkerboard() {
    let Some(gpu) = gpu() else { return };
    let missing = Texture { image: None, ..texture() };
    let unlit = textured(missing.clone());
    let glowing =
        Material { base_color_factor: Vec4::W, emissive_factor: glam::Vec3::ONE, emissive_texture: Some(missing), ..Material::default() };
    // Black metal shows only its emission.
    for (material, lighting) in [(unlit, Lighting::Studio), (glowing, Lighting::Flat)] {
        let display = Display { lighting, ..Shot::default().display };
        let scene = Scene::new(vec![material], vec![quad(0.0, 0.0, 64.0, 64.0)]);
        let picture = scene.draw(gpu, &Shot { display, ..Shot::default() });
        // Sixteen cells per side, four pixels each.
        for (x, y, pixel) in picture.enumerate_pixels() {
            let expected = CHECKER[((x / 4 + y / 4) % 2) as usize];
            assert!(pixel.0.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1), "{lighting:?}, at {x}, {y}: {pixel:?}");
        }
    }
}

#[test]
fn missing_data_textures_do_not_change_the_light() {
    let Some(gpu) = gpu() else { return };
    let draw = |texture: Option<Texture>| {
        let material = Material {
            metallic_factor: 0.3,
            roughness_factor: 0.6,
            metallic_roughness_texture: texture.clone(),
            normal_texture: texture.clone(),
            occlusion_texture: texture,
            ..Material::default()
        };
        let display = Display { lighting: Lighting::Studio, ..Shot::default().display };
        Scene::new(vec![material], vec![quad(0.0, 0.0, 64.0, 64.0)]).draw(gpu, &Shot { display, ..Shot::default() })
    };
    assert_eq!(draw(Some(Texture { image: None, ..texture() })), draw(None));
}

#[test]
fn mip_maps_of_a_masked_image_keep_its_color_and_coverage() {
    let leaf = |alpha_mode| Material {
        alpha_mode,
        base_color_texture: Some(Texture { sampler: Sampler::DEFAULT, ..texture() }),
        ..Material::default()
    };
    let uses = |modes: &[AlphaMode]| {
        let materials = modes.iter().map(|&mode| leaf(mode)).collect();
        mipmap::image_uses(&Model { materials, ..Model::default() }, 1)[0]
    };
    let cut = AlphaMode::Mask { cutoff: 0.5 };
    assert_eq!(uses(&[cut, AlphaMode::Opaque]).alpha, Alpha::Ignored);
    assert_eq!(uses(&[cut, AlphaMode::Blend]).alpha, Alpha::Blended);
    assert_eq!((uses(&[AlphaMode::Blend]).alpha, uses(&[AlphaMode::Blend]).cutoffs), (Alpha::Blended, None));
    assert_eq!((uses(&[cut]).alpha, uses(&[cut]).cutoffs), (Alpha::Cut, Some(Cutoffs { lowest: 128, highest: 128 })));

    // Scattered green leaves on transparent black.
    let is_leaf = |i: usize| (i as u32).wrapping_mul(2654435761) >> 16 & 255 < 60;
    let texel = |i: usize| if is_leaf(i) { [40, 160, 30, 255] } else { [0, 0, 0, 0] };
    let image = DecodedImage::rgba(64, 64, (0..64 * 64).flat_map(texel).collect());
    let levels = PreparedImage::new(uses(&[cut]), image.clone()).color.unwrap().levels;
    let seen = |level: &[u8]| level.chunks(4).filter(|texel| texel[3] >= 128).count() as f32 / (level.len() / 4) as f32;
    for level in &levels[1..5] {
        assert!((seen(level) - seen(&levels[0])).abs() < 0.2, "{} of {}", seen(level), seen(&levels[0]));
        for texel in level.chunks(4).filter(|texel| texel[3] > 0) {
            assert!(texel[0].abs_diff(40) <= 1 && texel[1].abs_diff(160) <= 1 && texel[2].abs_diff(30) <= 1, "{texel:?}");
        }
    }
    let opaque = PreparedImage::new(uses(&[AlphaMode::Opaque]), image).color.unwrap().levels;
    assert!(opaque[1][1] < 160, "transparent texels are visible there");
}

#[test]
fn images_with_the_same_bytes_and_uses_are_decoded_and_uploaded_once() {
    let Some(gpu) = gpu() else { return };
    // Two colors and a normal map of the same bytes, and a color of other bytes.
    let mut gltf = triangle();
    let [first, other] = [[200, 100, 50, 255], [1, 2, 3, 255]].map(|rgba| gltf.view(&gltf_builder::png(4, 4, rgba)));
    for (index, view) in [first, first, first, other].into_iter().enumerate() {
        gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
        gltf.push("textures", json!({ "source": index }));
        let texture = json!({ "index": index });
        let color = json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } });
        gltf.push("materials", if index == 2 { json!({ "normalTexture": texture }) } else { color });
    }
    // For each image, the image whose textures it shares. Also returns the bytes of all textures.
    let uploaded = |gltf: &Gltf| {
        let Loaded { model, images, .. } = gltf.load().unwrap();
        let mut gpu_model = GpuModel::new(gpu, &model).unwrap();
        let prepared = Mutex::new(Vec::new());
        images::prepare(&model, images, gpu.image_support(), |index, image| {
            prepared.lock().unwrap().push((index, image.unwrap()));
            true
        });
        let mut same = vec![None; 4];
        for (index, image) in prepared.into_inner().unwrap() {
            same[index] = image.same_as;
            gpu_model.receive_image(gpu, index, Ok(image)).unwrap();
        }
        (same, gpu_model.memory().textures)
    };
    let (same, bytes) = uploaded(&gltf);
    assert_eq!(same, [None, Some(0), None, None]);
    // The same picture with two materials that use one image.
    gltf.json["textures"][1]["source"] = json!(0);
    assert_eq!(bytes, uploaded(&gltf).1);
}

#[test]
fn an_image_like_one_that_could_not_be_uploaded_has_an_error() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = triangle();
    let view = gltf.view(&gltf_builder::png(4, 4, [9; 4]));
    (0..2).for_each(|_| _ = gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" })));
    let Loaded { model, .. } = gltf.load().unwrap();
    let mut gpu_model = GpuModel::new(gpu, &model).unwrap();
    assert_eq!(gpu_model.receive_image(gpu, 0, Err("out of memory".into())), Err("out of memory".into()));
    let same = PreparedImage { same_as: Some(0), ..PreparedImage::default() };
    let error = "it has the same data as image 0, which could not be uploaded";
    assert_eq!(gpu_model.receive_image(gpu, 1, Ok(same)), Err(error.into()));
}

#[test]
fn of_broken_images_with_the_same_bytes_each_has_an_error() {
    let mut gltf = triangle();
    let mut broken = gltf_builder::png(4, 4, [9; 4]);
    broken.truncate(45);
    let view = gltf.view(&broken);
    (0..2).for_each(|_| _ = gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" })));
    let Loaded { model, images, .. } = gltf.load().unwrap();
    let errors = Mutex::new(Vec::new());
    let support = ImageSupport { max_size: 64, blocks: BlockFormats::default() };
    images::prepare(&model, images, support, |_, image| {
        errors.lock().unwrap().push(image.unwrap_err().to_string());
        true
    });
    let errors = errors.into_inner().unwrap();
    assert_eq!(errors[1..], ["it has the same data as image 0, which cannot be decoded"]);
}
