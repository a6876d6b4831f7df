//! Materials: what the core specification says of them, then the layers of their extensions ([`extensions`]).

pub(crate) mod extensions;
pub(crate) mod texture;

use gltf::json;
use gltf::json::material::AlphaMode as JsonAlphaMode;
use gltf::json::validation::Checked;

use crate::model::material::{AlphaMode, Material};
use crate::model::material_property::MaterialProperty;
use crate::model::texture::{Image, TextureSlot};

use super::animation::material_pointer;
use super::error::{At, LoadError, Place, Problem};
use super::findings::Findings;
use super::mesh::tex_coords;

use texture::{TextureInfo, Textures};

/// Sixteen fit into a draw, and four of them are the frame's own.
const MOST_TEXTURES: usize = 12;

/// Every material of the file.
pub fn read(root: &json::Root, images: &[Image], findings: &mut Findings) -> Result<Vec<Material>, LoadError> {
    let mut textures = Textures { root, images, findings };
    let mut materials = Vec::with_capacity(root.materials.len());
    for (index, json) in root.materials.iter().enumerate() {
        let place = Place::new("material", "materials", index, json.name.as_deref());
        materials.push(material(&mut textures, json, &place).at(&place)?);
    }
    Ok(materials)
}

fn material(textures: &mut Textures, json: &json::Material, place: &Place) -> Result<Material, Problem> {
    let mut material = Material {
        name: json.name.clone(),
        double_sided: json.double_sided,
        alpha_mode: alpha_mode(textures, json, place),
        ..Material::default()
    };
    read_textures(textures, json, &mut material)?;
    read_factors(textures, json, &mut material, place);
    if let Some(extensions) = &json.extensions {
        extensions::read(textures, &extensions.others, &mut material, place);
    }
    drop_last_textures(textures, &mut material, place);
    tex_coords::place(textures.findings, &mut material, place);
    Ok(material)
}

fn read_textures(textures: &mut Textures, json: &json::Material, material: &mut Material) -> Result<(), Problem> {
    let pbr = &json.pbr_metallic_roughness;
    let mut texture = |info: Option<TextureInfo>| info.map(|info| textures.texture(&info)).transpose();
    material.base_color_texture = texture(pbr.base_color_texture.as_ref().map(TextureInfo::of))?;
    material.metallic_roughness_texture = texture(pbr.metallic_roughness_texture.as_ref().map(TextureInfo::of))?;
    material.emissive_texture = texture(json.emissive_texture.as_ref().map(TextureInfo::of))?;
    material.normal_texture = texture(json.normal_texture.as_ref().map(|normal| {
        TextureInfo::with(normal.index.value(), normal.tex_coord, normal.extensions.as_ref().map(|extensions| &extensions.others))
    }))?;
    material.occlusion_texture = texture(json.occlusion_texture.as_ref().map(|occlusion| {
        TextureInfo::with(occlusion.index.value(), occlusion.tex_coord, occlusion.extensions.as_ref().map(|extensions| &extensions.others))
    }))?;
    Ok(())
}

fn read_factors(textures: &mut Textures, json: &json::Material, material: &mut Material, place: &Place) {
    let pbr = &json.pbr_metallic_roughness;
    let mut factor = |property, path, values: &[f32]| {
        let place = Place { pointer: format!("{}/{path}", place.pointer), ..place.clone() };
        set(textures.findings, material, property, values, &place);
    };
    factor(MaterialProperty::BaseColorFactor, "pbrMetallicRoughness/baseColorFactor", &pbr.base_color_factor.0);
    factor(MaterialProperty::MetallicFactor, "pbrMetallicRoughness/metallicFactor", &[pbr.metallic_factor.0]);
    factor(MaterialProperty::RoughnessFactor, "pbrMetallicRoughness/roughnessFactor", &[pbr.roughness_factor.0]);
    factor(MaterialProperty::EmissiveFactor, "emissiveFactor", &json.emissive_factor.0);
    if let Some(normal) = &json.normal_texture {
        factor(MaterialProperty::NormalScale, "normalTexture/scale", &[normal.scale]);
    }
    if let Some(occlusion) = &json.occlusion_texture {
        factor(MaterialProperty::OcclusionStrength, "occlusionTexture/strength", &[occlusion.strength.0]);
    }
    if let Some(cutoff) = &json.alpha_cutoff {
        factor(MaterialProperty::AlphaCutoff, "alphaCutoff", &[cutoff.0]);
    }
}

/// Writes the numbers of a property into the material; says which of them had to be brought into range.
pub fn set(findings: &mut Findings, material: &mut Material, property: MaterialProperty, values: &[f32], place: &Place) {
    for (&value, nearest) in values.iter().zip(values.iter().map(|&value| property.nearest(value))) {
        if nearest != value {
            let message = format!("{}: {value} is not {}; {nearest} is used.", place.words, allowed(property));
            findings.error("VALUE_NOT_IN_RANGE", &place.pointer, message);
        }
    }
    material.set(property, values);
}

/// Completes "is not ...".
fn allowed(property: MaterialProperty) -> String {
    let [least, most] = property.range();
    match property {
        MaterialProperty::Ior => format!("0, nor between {least} and {most}"),
        MaterialProperty::AttenuationDistance => "above 0".into(),
        _ if most == f32::MAX && least == 0.0 => "0 or more".into(),
        _ if most == f32::MAX => "a number that can be drawn".into(),
        _ => format!("between {least} and {most}"),
    }
}

fn alpha_mode(textures: &mut Textures, json: &json::Material, place: &Place) -> AlphaMode {
    match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Valid(JsonAlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(JsonAlphaMode::Mask) => AlphaMode::Mask { cutoff: 0.5 },
        Checked::Invalid => {
            let message = format!("{} has an unknown alpha mode; it is drawn opaque.", place.words);
            textures.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/alphaMode", place.pointer), message);
            AlphaMode::Opaque
        }
    }
}

/// A material of more textures than a draw can have does without the least visible ones.
fn drop_last_textures(textures: &mut Textures, material: &mut Material, place: &Place) {
    let used: Vec<_> = TextureSlot::ALL.into_iter().filter(|slot| material.texture(*slot).is_some()).collect();
    let Some(dropped) = used.get(MOST_TEXTURES..).filter(|dropped| !dropped.is_empty()) else { return };
    for slot in dropped {
        if let Some(texture) = material.slot_mut(*slot) {
            *texture = None;
        }
    }
    let message = format!(
        "{} has {} textures, and {MOST_TEXTURES} can be drawn at once; it is drawn without {}.",
        place.words,
        used.len(),
        dropped.iter().filter_map(|slot| material_pointer::texture_name(*slot)).collect::<Vec<_>>().join(", ")
    );
    textures.findings.warning("MATERIAL_TOO_MANY_TEXTURES", &place.pointer, message);
}
