//! Materials and images.

use glam::Vec2;
use serde_json::json;
use sinew::asset;
use sinew::asset::texels::{DecodedImage, Wanted};
use sinew::model::material::AlphaMode;
use sinew::model::texture::Wrap;

use super::support::{Gltf, codes, png, triangle};

#[test]
fn a_material_says_what_the_file_says_and_the_specifications_defaults_elsewhere() {
    let mut gltf = triangle();
    let view = gltf.view(&png(2, 3, [1, 2, 3, 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("samplers", json!({ "minFilter": 9728, "magFilter": 9728, "wrapS": 33071, "wrapT": 33648 }));
    gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
    let transform = json!({ "KHR_texture_transform": { "offset": [0.5, 0.25], "rotation": 1.5, "scale": [2, 3], "texCoord": 1 } });
    gltf.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "extensions": transform } },
            "normalTexture": { "index": 0, "scale": 0.5, "extensions": transform },
            "alphaMode": "MASK",
            "extensions": { "KHR_materials_unlit": {} },
        }),
    );
    let model = gltf.model();
    let material = &model.materials[0];
    assert_eq!((material.metallic_factor, material.roughness_factor), (1.0, 1.0));
    assert_eq!(material.alpha_mode, AlphaMode::Mask { cutoff: 0.5 });
    assert!(material.unlit && !material.double_sided);
    let texture = material.base_color_texture.as_ref().unwrap();
    assert_eq!((texture.image, texture.tex_coord, texture.transform.scale), (Some(0), 1, Vec2::new(2.0, 3.0)));
    assert_eq!((texture.sampler.wrap_s, texture.sampler.wrap_t), (Wrap::ClampToEdge, Wrap::MirroredRepeat));
    assert_eq!((texture.sampler.mag_linear, texture.sampler.min_linear, texture.sampler.mip_linear), (false, false, None));
    let normal = material.normal_texture.as_ref().unwrap();
    assert_eq!((normal.transform.rotation, normal.tex_coord, material.normal_scale), (1.5, 1, 0.5));
    let image = &model.images[0];
    assert_eq!((image.kind.as_str(), image.width, image.height), ("png", 2, 3));
}

#[test]
fn images_decode_to_eight_bits_as_stored() {
    let mut gltf = Gltf::new();
    let eight = gltf.view(&png(2, 1, [10, 20, 30, 40]));
    let mut sixteen = std::io::Cursor::new(Vec::new());
    let pixels = image::ImageBuffer::<image::Luma<u16>, _>::from_pixel(1, 1, image::Luma([0x8080]));
    pixels.write_to(&mut sixteen, image::ImageFormat::Png).unwrap();
    let sixteen = gltf.view(&sixteen.into_inner());
    gltf.push("images", json!({ "bufferView": eight }));
    gltf.push("images", json!({ "bufferView": sixteen }));
    let loaded = gltf.load().unwrap();
    let decoded = |index: usize| asset::image::decode(&loaded.images[index], &Wanted::default()).unwrap();
    assert_eq!(decoded(0), DecodedImage::rgba(2, 1, [10, 20, 30, 40].repeat(2)));
    assert_eq!(decoded(1).levels, [[0x80, 0x80, 0x80, 255]]);
}

#[test]
fn a_texture_in_webp_wins_over_its_fallback() {
    let mut gltf = triangle();
    let mut webp = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(3, 3, image::Rgba([1, 2, 3, 255])).write_to(&mut webp, image::ImageFormat::WebP).unwrap();
    let (plain, webp) = (gltf.view(&png(1, 1, [0; 4])), gltf.view(&webp.into_inner()));
    gltf.push("images", json!({ "bufferView": plain }));
    gltf.push("images", json!({ "bufferView": webp, "mimeType": "image/webp" }));
    gltf.push("textures", json!({ "source": 0, "extensions": { "EXT_texture_webp": { "source": 1 } } }));
    gltf.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    let model = gltf.model();
    assert_eq!(model.materials[0].emissive_texture.as_ref().unwrap().image, Some(1));
    assert_eq!((model.images[1].kind.as_str(), model.images[1].width), ("webp", 3));
}

#[test]
fn an_image_that_cannot_be_read_leaves_its_texture_without_one() {
    let mut gltf = triangle();
    gltf.push("images", json!({ "uri": "gone.png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("textures", json!({}));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }, "emissiveTexture": { "index": 1 } }));
    let loaded = gltf.load().unwrap();
    assert_eq!(loaded.model.materials[0].base_color_texture.as_ref().unwrap().image, None);
    assert_eq!(codes(&loaded.model), ["IMAGE_UNAVAILABLE", "TEXTURE_WITHOUT_IMAGE"]);
    assert!(asset::image::decode(&loaded.images[0], &Wanted::default()).is_err());
}
