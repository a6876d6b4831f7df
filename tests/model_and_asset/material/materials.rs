//! Tests materials, their textures and texture coordinates.

use glam::{Vec2, Vec3};
use serde_json::json;
use sinew::asset;
use sinew::codec::texels::{DecodeOptions, DecodedImage};
use sinew::model::Model;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::texture::{TextureTransform, Wrap};

use crate::common::gltf_builder::{Gltf, codes, finding, png, triangle};

#[test]
fn material_values_come_from_the_file_or_the_specifications_defaults() {
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
fn invalid_texture_transforms_are_ignored_with_a_finding() {
    let mut gltf = triangle();
    let view = gltf.view(&png(1, 1, [255; 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("textures", json!({ "source": 0 }));
    let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": { "scale": [2] } } });
    gltf.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": texture },
            "normalTexture": texture,
            "extensions": { "KHR_materials_sheen": { "sheenColorTexture": texture } },
        }),
    );
    let model = gltf.model();
    assert_eq!(model.materials[0].base_color_texture.as_ref().unwrap().transform, TextureTransform::IDENTITY);
    let pointers: Vec<&str> = model.findings.iter().map(|finding| finding.pointer.as_str()).collect();
    let textures = ["pbrMetallicRoughness/baseColorTexture", "normalTexture", "extensions/KHR_materials_sheen/sheenColorTexture"];
    assert_eq!(pointers, textures.map(|texture| format!("/materials/0/{texture}/extensions/KHR_texture_transform/scale")));
    assert_eq!(codes(&model), ["ARRAY_LENGTH_NOT_IN_LIST"; 3]);
}

#[test]
fn images_decode_to_eight_bits_per_channel() {
    let mut gltf = Gltf::new();
    let eight = gltf.view(&png(2, 1, [10, 20, 30, 40]));
    let mut sixteen = std::io::Cursor::new(Vec::new());
    let pixels = image::ImageBuffer::<image::Luma<u16>, _>::from_pixel(1, 1, image::Luma([0x8080]));
    pixels.write_to(&mut sixteen, image::ImageFormat::Png).unwrap();
    let sixteen = gltf.view(&sixteen.into_inner());
    gltf.push("images", json!({ "bufferView": eight }));
    gltf.push("images", json!({ "bufferView": sixteen }));
    let loaded = gltf.load().unwrap();
    let decoded = |index: usize| asset::image::decode(&loaded.images[index], &DecodeOptions::default()).unwrap();
    assert_eq!(decoded(0), DecodedImage::rgba(2, 1, [10, 20, 30, 40].repeat(2)));
    assert_eq!(decoded(1).levels, [[0x80, 0x80, 0x80, 255]]);
}

/// Loads a model with a texture that names a WebP image and a PNG as its fallback. The WebP lacks its last `cut` bytes.
fn with_webp_and_fallback(cut: usize) -> Model {
    let mut gltf = triangle();
    let mut webp = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(3, 3, image::Rgba([1, 2, 3, 255])).write_to(&mut webp, image::ImageFormat::WebP).unwrap();
    let mut webp = webp.into_inner();
    webp.truncate(webp.len() - cut);
    let (plain, webp) = (gltf.view(&png(1, 1, [0; 4])), gltf.view(&webp));
    gltf.push("images", json!({ "bufferView": plain }));
    gltf.push("images", json!({ "bufferView": webp, "mimeType": "image/webp" }));
    gltf.push("textures", json!({ "source": 0, "extensions": { "EXT_texture_webp": { "source": 1 } } }));
    gltf.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    gltf.model()
}

#[test]
fn a_webp_texture_is_preferred_to_its_fallback_unless_it_is_truncated() {
    let shown = |model: &Model| model.materials[0].emissive_texture.as_ref().unwrap().image;
    let whole = with_webp_and_fallback(0);
    assert_eq!(shown(&whole), Some(1));
    assert_eq!((whole.images[1].kind.as_str(), whole.images[1].width), ("webp", 3));
    let truncated = with_webp_and_fallback(4);
    assert_eq!((shown(&truncated), codes(&truncated)), (Some(0), vec!["IMAGE_UNEXPECTED_EOS"]));
}

#[test]
fn a_texture_whose_image_cannot_be_read_has_no_image() {
    let mut gltf = triangle();
    gltf.push("images", json!({ "uri": "gone.png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("textures", json!({}));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }, "emissiveTexture": { "index": 1 } }));
    let loaded = gltf.load().unwrap();
    assert_eq!(loaded.model.materials[0].base_color_texture.as_ref().unwrap().image, None);
    assert_eq!(codes(&loaded.model), ["IMAGE_UNAVAILABLE", "TEXTURE_WITHOUT_IMAGE"]);
    assert_eq!(loaded.model.images[0].uri.as_deref(), Some("gone.png"));
    assert!(asset::image::decode(&loaded.images[0], &DecodeOptions::default()).is_err());
}

/// Builds the triangle with a texture and four sets of texture coordinates. All coordinates of set n are (n, n).
fn with_four_sets() -> Gltf {
    let mut gltf = triangle();
    for set in 0..4u8 {
        let accessor = gltf.floats("VEC2", &[f32::from(set); 6]);
        gltf.json["meshes"][0]["primitives"][0]["attributes"][format!("TEXCOORD_{set}")] = json!(accessor);
    }
    let view = gltf.view(&png(1, 1, [255; 4]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    gltf
}

#[test]
fn a_primitive_keeps_the_two_texture_coordinate_sets_its_material_uses() {
    // Each case has the sets that the base color and the emissive texture use in the file, the two sets that the vertices keep, and the
    // index of each texture's set among these two.
    let cases = [
        ([0, 1], [0.0, 1.0], [0, 1]),
        ([1, 0], [0.0, 1.0], [1, 0]),
        ([0, 2], [0.0, 2.0], [0, 1]),
        ([2, 1], [2.0, 1.0], [0, 1]),
        ([3, 3], [0.0, 3.0], [1, 1]),
        ([3, 2], [3.0, 2.0], [0, 1]),
    ];
    for (asked, sets, places) in cases {
        let mut gltf = with_four_sets();
        let [base, emissive] = asked;
        // The `texCoord` of KHR_texture_transform overrides the texture's own.
        let transform = json!({ "KHR_texture_transform": { "texCoord": emissive } });
        gltf.push(
            "materials",
            json!({
                "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": base } },
                "emissiveTexture": { "index": 0, "texCoord": 7, "extensions": transform },
            }),
        );
        let model = gltf.model();
        let vertices = &model.meshes[0].primitives[0].vertices;
        assert_eq!(vertices.tex_coords, sets.map(|set| vec![Vec2::splat(set); 3]), "{asked:?}");
        let material = &model.materials[0];
        let textures = [&material.base_color_texture, &material.emissive_texture];
        assert_eq!(textures.map(|texture| texture.as_ref().unwrap().tex_coord), places, "{asked:?}");
        assert_eq!(model.findings, [], "{asked:?}");
    }
}

#[test]
fn the_two_texture_coordinate_sets_of_the_most_visible_textures_are_kept() {
    let mut gltf = with_four_sets();
    gltf.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": 3 } },
            "occlusionTexture": { "index": 0, "texCoord": 4_294_967_295u32 },
            "emissiveTexture": { "index": 0, "texCoord": 2 },
        }),
    );
    let model = gltf.model();
    let vertices = &model.meshes[0].primitives[0].vertices;
    assert_eq!(vertices.tex_coords, [3.0, 2.0].map(|set| vec![Vec2::splat(set); 3]));
    assert!(model.materials[0].occlusion_texture.is_none() && model.materials[0].emissive_texture.is_some());
    let found = finding(&model, "MATERIAL_TEXCOORD_UNSUPPORTED");
    assert_eq!(found.pointer, "/materials/0");
    assert!(found.message.contains("occlusionTexture uses TEXCOORD_4294967295"), "{}", found.message);
}

#[test]
fn a_surface_whose_emissive_texture_is_ignored_does_not_glow() {
    let mut gltf = with_four_sets();
    let textures = |emissive: u32| {
        json!({
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0, "texCoord": 0 },
                "metallicRoughnessTexture": { "index": 0, "texCoord": 1 },
            },
            "normalTexture": { "index": 0, "texCoord": 1 },
            "occlusionTexture": { "index": 0, "texCoord": 1 },
            "emissiveTexture": { "index": 0, "texCoord": emissive },
            "emissiveFactor": [1, 1, 1],
        })
    };
    gltf.json["materials"] = json!([textures(1), textures(2)]);
    let emission = gltf.model().materials.iter().map(Material::emission).collect::<Vec<_>>();
    assert_eq!(emission, [Vec3::ONE, Vec3::ZERO]);
}

#[test]
fn primitives_sharing_accessors_keep_their_own_texture_coordinate_sets() {
    let mut gltf = with_four_sets();
    for set in [0, 2, 3] {
        gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": set } } }));
    }
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    let material = |index| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(index);
        primitive
    };
    gltf.json["meshes"][0]["primitives"] = json!([material(0), material(1), material(1), material(2)]);
    let model = gltf.model();
    let second = |primitive: usize| model.meshes[0].primitives[primitive].vertices.tex_coords[1][0].x;
    assert_eq!([0, 1, 2, 3].map(second), [1.0, 2.0, 2.0, 3.0]);
    let [shared, other] = [1, 2].map(|primitive| &model.meshes[0].primitives[primitive].vertices);
    assert!(std::sync::Arc::ptr_eq(shared, other), "primitives with equal vertices share them");
}

#[test]
fn the_material_of_a_variant_gets_its_texture_coordinates_if_there_is_room() {
    let mut gltf = with_four_sets();
    for set in [0, 2, 3] {
        gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": set } } }));
    }
    gltf.json["extensions"] = json!({ "KHR_materials_variants": { "variants": [{ "name": "a" }, { "name": "b" }] } });
    let mut mappings = |mappings| {
        gltf.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_materials_variants": { "mappings": mappings } });
        gltf.model()
    };
    let model = mappings(json!([{ "material": 1, "variants": [0] }]));
    assert_eq!(model.meshes[0].primitives[0].vertices.tex_coords[1][0].x, 2.0);
    assert_eq!(model.findings, []);
    let model = mappings(json!([{ "material": 1, "variants": [0] }, { "material": 2, "variants": [1] }, { "material": 9 }]));
    assert_eq!(model.meshes[0].primitives[0].vertices.tex_coords[1][0].x, 2.0);
    let found = finding(&model, "MATERIAL_TEXCOORD_UNSUPPORTED");
    assert_eq!(found.pointer, "/meshes/0/primitives/0");
    assert!(found.message.contains("TEXCOORD_3"), "{}", found.message);
}
