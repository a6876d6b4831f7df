//! Tests the KHR_materials extensions with hand-made files: every property, reports of invalid values, and the rules by which one extension
//! excludes another.

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Value, json};
use sinew::model::Model;
use sinew::model::finding::Severity;
use sinew::model::material::Material;
use sinew::model::material_layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
use sinew::model::material_property::MaterialProperty;
use sinew::model::texture::TextureSlot;

use crate::common::gltf_builder::{self, Gltf, codes, finding, triangle};

/// Builds a triangle with this material and twenty-one textures of one image.
fn with_material(material: Value) -> Gltf {
    let mut gltf = triangle();
    let view = gltf.view(&gltf_builder::png(1, 1, [255; 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    for _ in 0..21 {
        gltf.push("textures", json!({ "source": 0 }));
    }
    gltf.push("materials", material);
    gltf
}

fn extended(extensions: Value) -> Gltf {
    with_material(json!({ "name": "it", "extensions": extensions }))
}

/// Returns the only material, and asserts that there are no findings.
fn faultless(gltf: &Gltf) -> Material {
    let model = gltf.model();
    assert!(model.findings.is_empty(), "{:?}", model.findings);
    model.materials[0].clone()
}

/// Returns the index in the file of the texture in a slot.
fn texture(material: &Material, slot: TextureSlot) -> Option<usize> {
    material.texture(slot).map(|texture| texture.source)
}

#[test]
fn a_material_without_extensions_has_default_values() {
    let material = faultless(&with_material(json!({})));
    assert_eq!((material.ior, material.dispersion, material.emissive_strength), (1.5, 0.0, 1.0));
    assert_eq!((&material.specular, &material.clearcoat), (&Specular::default(), &Clearcoat::default()));
    assert_eq!((&material.sheen, &material.transmission), (&Sheen::default(), &Transmission::default()));
    assert_eq!((&material.volume, &material.iridescence), (&Volume::default(), &Iridescence::default()));
    assert_eq!((&material.anisotropy, &material.diffuse_transmission), (&Anisotropy::default(), &DiffuseTransmission::default()));
    assert_eq!(material.specular_glossiness, None);
    assert!(TextureSlot::ALL.into_iter().all(|slot| material.texture(slot).is_none()));
    // An extension without properties has the same effect, but an animation can set its properties, so anisotropy needs tangents.
    let names = ["anisotropy", "clearcoat", "diffuse_transmission", "dispersion", "emissive_strength", "ior", "iridescence", "sheen"];
    let empty = names.iter().chain(&["specular", "transmission", "volume"]).map(|name| (format!("KHR_materials_{name}"), json!({})));
    let empty = faultless(&extended(Value::Object(empty.collect())));
    assert!(empty.anisotropy.is_used);
    assert_eq!(format!("{:?}", Material { name: None, anisotropy: Anisotropy::default(), ..empty }), format!("{material:?}"));
}

#[test]
fn clearcoat_and_sheen_are_read_from_the_file() {
    let material = faultless(&extended(json!({
        "KHR_materials_clearcoat": {
            "clearcoatFactor": 0.75, "clearcoatTexture": { "index": 1 },
            "clearcoatRoughnessFactor": 0.25, "clearcoatRoughnessTexture": { "index": 2, "texCoord": 1 },
            "clearcoatNormalTexture": { "index": 3, "scale": -2.5 },
        },
        "KHR_materials_sheen": {
            "sheenColorFactor": [0.1, 0.2, 0.3], "sheenColorTexture": { "index": 4 },
            "sheenRoughnessFactor": 0.5, "sheenRoughnessTexture": { "index": 5 },
        },
    })));
    let coat = &material.clearcoat;
    assert_eq!((coat.factor, coat.roughness_factor, coat.normal_scale), (0.75, 0.25, -2.5));
    assert_eq!(material.texture(TextureSlot::ClearcoatRoughness).unwrap().tex_coord, 1);
    assert_eq!((material.sheen.color_factor, material.sheen.roughness_factor), (Vec3::new(0.1, 0.2, 0.3), 0.5));
    let slots = [
        TextureSlot::Clearcoat,
        TextureSlot::ClearcoatRoughness,
        TextureSlot::ClearcoatNormal,
        TextureSlot::SheenColor,
        TextureSlot::SheenRoughness,
    ];
    assert_eq!(slots.map(|slot| texture(&material, slot)), [1, 2, 3, 4, 5].map(Some));
}

#[test]
fn transmission_and_volume_are_read_from_the_file() {
    let material = faultless(&extended(json!({
        "KHR_materials_transmission": { "transmissionFactor": 0.9, "transmissionTexture": { "index": 1 } },
        "KHR_materials_volume": {
            "thicknessFactor": 2.5, "thicknessTexture": { "index": 2 }, "attenuationDistance": 0.125, "attenuationColor": [0.5, 0.25, 1],
        },
        "KHR_materials_ior": { "ior": 1.33 },
        "KHR_materials_dispersion": { "dispersion": 2.04 },
        "KHR_materials_diffuse_transmission": {
            "diffuseTransmissionFactor": 0.3, "diffuseTransmissionTexture": { "index": 3 },
            "diffuseTransmissionColorFactor": [1, 0.5, 0], "diffuseTransmissionColorTexture": { "index": 4 },
        },
    })));
    assert_eq!((material.transmission.factor, material.ior, material.dispersion), (0.9, 1.33, 2.04));
    let volume = &material.volume;
    assert_eq!((volume.thickness_factor, volume.attenuation_distance), (2.5, 0.125));
    assert_eq!(volume.attenuation_color, Vec3::new(0.5, 0.25, 1.0));
    let diffuse = &material.diffuse_transmission;
    assert_eq!((diffuse.factor, diffuse.color_factor), (0.3, Vec3::new(1.0, 0.5, 0.0)));
    let slots =
        [TextureSlot::Transmission, TextureSlot::Thickness, TextureSlot::DiffuseTransmission, TextureSlot::DiffuseTransmissionColor];
    assert_eq!(slots.map(|slot| texture(&material, slot)), [1, 2, 3, 4].map(Some));
}

#[test]
fn reflection_extensions_are_read_from_the_file() {
    let material = faultless(&extended(json!({
        "KHR_materials_specular": {
            "specularFactor": 0.4, "specularTexture": { "index": 1 },
            "specularColorFactor": [2, 1, 0.5], "specularColorTexture": { "index": 2 },
        },
        "KHR_materials_iridescence": {
            "iridescenceFactor": 0.6, "iridescenceTexture": { "index": 3 }, "iridescenceIor": 1.8,
            "iridescenceThicknessMinimum": 250, "iridescenceThicknessMaximum": 750, "iridescenceThicknessTexture": { "index": 4 },
        },
        "KHR_materials_anisotropy": { "anisotropyStrength": 0.8, "anisotropyRotation": -1.5, "anisotropyTexture": { "index": 5 } },
        "KHR_materials_emissive_strength": { "emissiveStrength": 7 },
    })));
    assert_eq!((material.specular.factor, material.specular.color_factor), (0.4, Vec3::new(2.0, 1.0, 0.5)));
    let film = &material.iridescence;
    assert_eq!((film.factor, film.ior, film.thickness_minimum, film.thickness_maximum), (0.6, 1.8, 250.0, 750.0));
    assert_eq!((material.anisotropy.strength, material.anisotropy.rotation, material.emissive_strength), (0.8, -1.5, 7.0));
    let slots = [
        TextureSlot::Specular,
        TextureSlot::SpecularColor,
        TextureSlot::Iridescence,
        TextureSlot::IridescenceThickness,
        TextureSlot::Anisotropy,
    ];
    assert_eq!(slots.map(|slot| texture(&material, slot)), [1, 2, 3, 4, 5].map(Some));
}

#[test]
fn the_textures_of_extensions_have_transforms() {
    let transform = json!({ "KHR_texture_transform": { "offset": [0.5, 0.25], "rotation": 1, "scale": [2, 3], "texCoord": 1 } });
    let sheen = json!({ "sheenColorTexture": { "index": 0, "texCoord": 0, "extensions": transform } });
    let material = faultless(&extended(json!({ "KHR_materials_sheen": sheen })));
    let texture = material.texture(TextureSlot::SheenColor).unwrap();
    let transform = texture.transform;
    assert_eq!((transform.offset, transform.rotation, transform.scale), (Vec2::new(0.5, 0.25), 1.0, Vec2::new(2.0, 3.0)));
    assert_eq!((texture.tex_coord, texture.image), (1, Some(0)));
}

#[test]
fn a_specular_glossiness_material_takes_its_color_from_the_extension() {
    let mut gltf = extended(json!({ "KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.1, 0.2, 0.3, 0.4], "diffuseTexture": { "index": 1 },
        "specularFactor": [0.5, 0.6, 0.7], "glossinessFactor": 0.8, "specularGlossinessTexture": { "index": 2 },
    }}));
    gltf.json["materials"][0]["pbrMetallicRoughness"] = json!({
        "baseColorFactor": [1, 0, 0, 1], "baseColorTexture": { "index": 3 }, "metallicRoughnessTexture": { "index": 4 },
    });
    let material = faultless(&gltf);
    assert_eq!(material.base_color_factor, Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!((texture(&material, TextureSlot::BaseColor), texture(&material, TextureSlot::MetallicRoughness)), (Some(1), None));
    assert_eq!(texture(&material, TextureSlot::SpecularGlossiness), Some(2));
    let glossy = material.specular_glossiness.unwrap();
    assert_eq!((glossy.specular_factor, glossy.glossiness_factor), (Vec3::new(0.5, 0.6, 0.7), 0.8));
    // A missing property has the default of the extension, not the value of the core material.
    gltf.json["materials"][0]["extensions"] = json!({ "KHR_materials_pbrSpecularGlossiness": {} });
    let material = faultless(&gltf);
    assert_eq!((material.base_color_factor, texture(&material, TextureSlot::BaseColor)), (Vec4::ONE, None));
    assert_eq!(material.specular_glossiness, Some(SpecularGlossiness::default()));
}

#[test]
fn an_unlit_material_has_no_layers() {
    let model = extended(json!({
        "KHR_materials_unlit": {}, "KHR_materials_clearcoat": { "clearcoatFactor": 1, "clearcoatTexture": { "index": 0 } },
        "KHR_materials_pbrSpecularGlossiness": { "diffuseFactor": [0, 0, 0, 1] },
    }))
    .model();
    let material = &model.materials[0];
    assert!(material.unlit && material.specular_glossiness.is_none());
    assert_eq!((&material.clearcoat, material.base_color_factor), (&Clearcoat::default(), Vec4::ONE));
    assert_eq!(codes(&model), ["MULTIPLE_EXTENSIONS"; 2]);
}

#[test]
fn a_specular_glossiness_material_has_no_metallic_roughness_layers() {
    let model = extended(json!({
        "KHR_materials_pbrSpecularGlossiness": {}, "KHR_materials_ior": { "ior": 2 }, "KHR_materials_emissive_strength": { "emissiveStrength": 3 },
    }))
    .model();
    assert_eq!((model.materials[0].ior, model.materials[0].emissive_strength), (1.5, 3.0));
    let said = finding(&model, "MULTIPLE_EXTENSIONS");
    assert_eq!((said.severity, said.pointer.as_str()), (Severity::Warning, "/materials/0/extensions/KHR_materials_ior"));
}

#[test]
fn a_volume_without_transmission_is_ignored() {
    let volume = json!({ "thicknessFactor": 1, "thicknessTexture": { "index": 0 } });
    let model = extended(json!({ "KHR_materials_volume": volume })).model();
    assert_eq!(model.materials[0].volume, Volume::default());
    assert_eq!(finding(&model, "KHR_MATERIALS_VOLUME_NO_TRANSMISSION").pointer, "/materials/0/extensions/KHR_materials_volume");
    for transmission in ["KHR_materials_transmission", "KHR_materials_diffuse_transmission"] {
        let material = faultless(&extended(json!({ "KHR_materials_volume": volume, transmission: {} })));
        assert_eq!(material.volume.thickness_factor, 1.0);
    }
}

/// Loads a material with this value in a property of an extension. Returns the value after loading, and the model.
fn becomes(extension: &str, property: &str, value: f64, read: impl Fn(&Material) -> f32) -> (f32, Model) {
    let mut gltf = extended(json!({ extension: { property: value } }));
    if extension == "KHR_materials_volume" {
        gltf.json["materials"][0]["extensions"]["KHR_materials_transmission"] = json!({});
    }
    let model = gltf.model();
    (read(&model.materials[0]), model)
}

#[test]
fn out_of_range_numbers_are_clamped_and_reported() {
    type Case = (&'static str, &'static str, f64, fn(&Material) -> f32, f32);
    let cases: [Case; 17] = [
        ("clearcoat", "clearcoatFactor", 1.5, |material| material.clearcoat.factor, 1.0),
        ("clearcoat", "clearcoatRoughnessFactor", -1.0, |material| material.clearcoat.roughness_factor, 0.0),
        ("sheen", "sheenRoughnessFactor", 1e300, |material| material.sheen.roughness_factor, 1.0),
        ("transmission", "transmissionFactor", -1e300, |material| material.transmission.factor, 0.0),
        ("specular", "specularFactor", 1.01, |material| material.specular.factor, 1.0),
        ("dispersion", "dispersion", -0.5, |material| material.dispersion, 0.0),
        ("dispersion", "dispersion", 1e30, |material| material.dispersion, 1e6),
        ("iridescence", "iridescenceIor", 0.5, |material| material.iridescence.ior, 1.0),
        ("iridescence", "iridescenceThicknessMinimum", -5.0, |material| material.iridescence.thickness_minimum, 0.0),
        ("anisotropy", "anisotropyStrength", 2.0, |material| material.anisotropy.strength, 1.0),
        ("anisotropy", "anisotropyRotation", 1e300, |material| material.anisotropy.rotation, f32::MAX),
        ("diffuse_transmission", "diffuseTransmissionFactor", 2.0, |material| material.diffuse_transmission.factor, 1.0),
        ("volume", "thicknessFactor", -1.0, |material| material.volume.thickness_factor, 0.0),
        ("volume", "attenuationDistance", 0.0, |material| material.volume.attenuation_distance, f32::INFINITY),
        ("ior", "ior", 0.5, |material| material.ior, 1.0),
        ("ior", "ior", -3.0, |material| material.ior, 1.0),
        ("emissive_strength", "emissiveStrength", -3.0, |material| material.emissive_strength, 0.0),
    ];
    for (name, property, value, read, expected) in cases {
        let extension = format!("KHR_materials_{name}");
        let (found, model) = becomes(&extension, property, value, read);
        assert_eq!(found, expected, "{property} {value}");
        let said = finding(&model, "VALUE_NOT_IN_RANGE");
        assert_eq!((said.severity, said.pointer.clone()), (Severity::Error, format!("/materials/0/extensions/{extension}/{property}")));
        assert!(said.message.contains("Material 0 \"it\""), "{}", said.message);
    }
}

#[test]
fn an_index_of_refraction_of_0_is_kept_without_a_finding() {
    let (ior, model) = becomes("KHR_materials_ior", "ior", 0.0, |material| material.ior);
    assert_eq!(ior, 0.0);
    assert!(model.findings.is_empty(), "{:?}", model.findings);
}

#[test]
fn invalid_values_of_extensions_are_replaced_by_defaults_and_reported() {
    let model = extended(json!({
        "KHR_materials_clearcoat": { "clearcoatFactor": "much", "clearcoatRoughnessFactor": 0.5, "clearcoatTexture": { "index": 99 } },
        "KHR_materials_sheen": { "sheenColorFactor": [1, 1], "sheenRoughnessTexture": 5, "sheenColorTexture": { "index": -1 } },
        "KHR_materials_ior": [1.5],
        "KHR_materials_specular": null,
    }))
    .model();
    let material = &model.materials[0];
    assert_eq!((material.clearcoat.factor, material.clearcoat.roughness_factor, material.ior), (0.0, 0.5, 1.5));
    assert_eq!((&material.sheen, &material.specular), (&Sheen::default(), &Specular::default()));
    let mut found: Vec<_> =
        model.findings.iter().map(|finding| (finding.code, finding.pointer.rsplit_once("KHR_materials_").unwrap().1)).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            ("TYPE_MISMATCH", "clearcoat/clearcoatFactor"),
            ("TYPE_MISMATCH", "ior"),
            ("TYPE_MISMATCH", "sheen/sheenColorFactor"),
            ("TYPE_MISMATCH", "sheen/sheenColorTexture"),
            ("TYPE_MISMATCH", "sheen/sheenRoughnessTexture"),
            ("TYPE_MISMATCH", "specular"),
            ("UNRESOLVED_REFERENCE", "clearcoat/clearcoatTexture/index"),
        ]
    );
}

/// Builds a material with all nineteen textures that a metallic-roughness material can have.
fn every_texture() -> Value {
    let mut index = 0;
    let mut next = || {
        index += 1;
        json!({ "index": index })
    };
    json!({
        "name": "all",
        "pbrMetallicRoughness": { "baseColorTexture": next(), "metallicRoughnessTexture": next() },
        "normalTexture": next(), "occlusionTexture": next(), "emissiveTexture": next(),
        "extensions": {
            "KHR_materials_clearcoat": { "clearcoatTexture": next(), "clearcoatRoughnessTexture": next(), "clearcoatNormalTexture": next() },
            "KHR_materials_sheen": { "sheenColorTexture": next(), "sheenRoughnessTexture": next() },
            "KHR_materials_transmission": { "transmissionTexture": next() },
            "KHR_materials_volume": { "thicknessTexture": next() },
            "KHR_materials_specular": { "specularTexture": next(), "specularColorTexture": next() },
            "KHR_materials_iridescence": { "iridescenceTexture": next(), "iridescenceThicknessTexture": next() },
            "KHR_materials_anisotropy": { "anisotropyTexture": next() },
            "KHR_materials_diffuse_transmission": { "diffuseTransmissionTexture": next(), "diffuseTransmissionColorTexture": next() },
        },
    })
}

#[test]
fn beyond_twelve_textures_the_least_visible_are_dropped_and_named() {
    let mut material = every_texture();
    let model = with_material(material.clone()).model();
    let kept: Vec<_> = TextureSlot::ALL.into_iter().filter(|slot| model.materials[0].texture(*slot).is_some()).collect();
    let there: Vec<_> = TextureSlot::ALL.into_iter().filter(|slot| *slot != TextureSlot::SpecularGlossiness).collect();
    assert_eq!(kept, there[..12]);
    assert_eq!(codes(&model), ["MATERIAL_TOO_MANY_TEXTURES"]);
    let said = &model.findings[0];
    assert_eq!((said.severity, said.pointer.as_str()), (Severity::Warning, "/materials/0"));
    assert_eq!(
        said.message,
        "Material 0 \"all\" has 19 textures, but the maximum is 12; it is drawn without specularColorTexture, anisotropyTexture, \
         iridescenceTexture, iridescenceThicknessTexture, clearcoatRoughnessTexture, specularTexture, sheenRoughnessTexture."
    );
    // Twelve textures are not too many.
    let extensions = material["extensions"].as_object_mut().unwrap();
    for name in ["specular", "iridescence", "anisotropy"] {
        extensions.remove(&format!("KHR_materials_{name}"));
    }
    extensions["KHR_materials_clearcoat"].as_object_mut().unwrap().remove("clearcoatRoughnessTexture");
    extensions["KHR_materials_sheen"].as_object_mut().unwrap().remove("sheenRoughnessTexture");
    let material = faultless(&with_material(material));
    assert_eq!(TextureSlot::ALL.into_iter().filter(|slot| material.texture(*slot).is_some()).count(), 12);
}

#[test]
fn nan_values_become_the_default_or_the_minimum() {
    let nearest = |property: MaterialProperty| property.nearest(f32::NAN);
    assert_eq!((nearest(MaterialProperty::ClearcoatFactor), nearest(MaterialProperty::Ior)), (0.0, 1.0));
    assert_eq!((nearest(MaterialProperty::NormalScale), nearest(MaterialProperty::AnisotropyRotation)), (1.0, 0.0));
    assert_eq!(nearest(MaterialProperty::AttenuationDistance), f32::INFINITY);
}
