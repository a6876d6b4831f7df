//! Reads materials: their core properties (glTF 2.0, 3.9), then those of their extensions ([`extensions`]). [`texture`] resolves
//! textures, and [`factors`] keeps numbers in range.

pub(crate) mod extensions;
mod factors;
pub(crate) mod texture;

use gltf::json;
use gltf::json::material::AlphaMode as JsonAlphaMode;
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use crate::model::material::{AlphaMode, MAX_TEXTURES, Material};
use crate::model::material_property::MaterialProperty;
use crate::model::texture::{Image, TextureSlot};

use super::animation::material_pointer;
use super::error::{At, LoadError, Location, Problem};
use super::findings::Findings;
use super::mesh::tex_coords;

use texture::{TextureInfo, Textures};

/// Reads every material of the file. Returns an error if a core texture refers to an element that does not exist.
pub fn read(root: &json::Root, images: &[Image], findings: &mut Findings) -> Result<Vec<Material>, LoadError> {
    let mut textures = Textures { root, images, findings };
    let mut materials = Vec::with_capacity(root.materials.len());
    for (index, json) in root.materials.iter().enumerate() {
        let location = Location::new("material", "materials", index, json.name.as_deref());
        materials.push(read_material(&mut textures, json, &location).at(&location)?);
    }
    Ok(materials)
}

/// Reads one material: textures, factors, then extensions. Textures beyond the limits are removed, with a finding.
fn read_material(textures: &mut Textures, json: &json::Material, location: &Location) -> Result<Material, Problem> {
    let mut material = Material {
        name: json.name.clone(),
        double_sided: json.double_sided,
        alpha_mode: read_alpha_mode(textures, json, location),
        ..Material::default()
    };
    read_textures(textures, json, &mut material, location)?;
    read_factors(textures, json, &mut material, location);
    if let Some(extensions) = &json.extensions {
        extensions::read(textures, &extensions.others, &mut material, location);
    }
    drop_excess_textures(textures, &mut material, location);
    tex_coords::assign_sets(textures.findings, &mut material, location);
    Ok(material)
}

/// Reads the five core textures.
fn read_textures(textures: &mut Textures, json: &json::Material, material: &mut Material, location: &Location) -> Result<(), Problem> {
    let pbr = &json.pbr_metallic_roughness;
    let mut texture = |info: Option<TextureInfo>| info.map(|info| textures.texture(&info)).transpose();
    material.base_color_texture = texture(pbr.base_color_texture.as_ref().map(TextureInfo::from_json))?;
    material.metallic_roughness_texture = texture(pbr.metallic_roughness_texture.as_ref().map(TextureInfo::from_json))?;
    material.emissive_texture = texture(json.emissive_texture.as_ref().map(TextureInfo::from_json))?;
    // The types of the next two textures lack KHR_texture_transform, so it is read from the raw extensions.
    let mut with_transform = |name: &str, source, tex_coord, extensions: Option<&Map<String, Value>>| {
        let location = Location { pointer: format!("{}/{name}", location.pointer), ..location.clone() };
        let info = TextureInfo { source, tex_coord, transform: None }.with_transform(extensions, &location, textures.findings);
        textures.texture(&info)
    };
    if let Some(normal) = &json.normal_texture {
        let extensions = normal.extensions.as_ref().map(|extensions| &extensions.others);
        material.normal_texture = Some(with_transform("normalTexture", normal.index.value(), normal.tex_coord, extensions)?);
    }
    if let Some(occlusion) = &json.occlusion_texture {
        let extensions = occlusion.extensions.as_ref().map(|extensions| &extensions.others);
        material.occlusion_texture = Some(with_transform("occlusionTexture", occlusion.index.value(), occlusion.tex_coord, extensions)?);
    }
    Ok(())
}

/// Reads the core properties that are numbers.
fn read_factors(textures: &mut Textures, json: &json::Material, material: &mut Material, location: &Location) {
    let pbr = &json.pbr_metallic_roughness;
    let mut factor = |property, path, values: &[f32]| {
        let location = Location { pointer: format!("{}/{path}", location.pointer), ..location.clone() };
        factors::set(textures.findings, material, property, values, &location);
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
    // The setter changes the cutoff of a masked material only.
    if let Some(cutoff) = &json.alpha_cutoff {
        factor(MaterialProperty::AlphaCutoff, "alphaCutoff", &[cutoff.0]);
    }
}

/// Reads the alpha mode (glTF 2.0, 3.9.4). `read_factors` sets the cutoff later.
fn read_alpha_mode(textures: &mut Textures, json: &json::Material, location: &Location) -> AlphaMode {
    match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Valid(JsonAlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(JsonAlphaMode::Mask) => AlphaMode::Mask { cutoff: 0.5 },
        Checked::Invalid => {
            let message = format!("{} has an unknown alpha mode; OPAQUE is used.", location.words);
            textures.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/alphaMode", location.pointer), message);
            AlphaMode::Opaque
        }
    }
}

/// Removes the least visible textures of a material that has more than a draw can bind. `TextureSlot::ALL` is in descending
/// order of visibility.
fn drop_excess_textures(textures: &mut Textures, material: &mut Material, location: &Location) {
    let used: Vec<_> = TextureSlot::ALL.into_iter().filter(|slot| material.texture(*slot).is_some()).collect();
    let Some(dropped) = used.get(MAX_TEXTURES..).filter(|dropped| !dropped.is_empty()) else { return };
    for slot in dropped {
        if let Some(texture) = material.slot_mut(*slot) {
            *texture = None;
        }
    }
    let message = format!(
        "{} has {} textures, but the maximum is {MAX_TEXTURES}; it is drawn without {}.",
        location.words,
        used.len(),
        dropped.iter().filter_map(|slot| material_pointer::texture_name(*slot)).collect::<Vec<_>>().join(", ")
    );
    textures.findings.warning("MATERIAL_TOO_MANY_TEXTURES", &location.pointer, message);
}
