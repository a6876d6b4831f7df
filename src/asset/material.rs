//! Materials, their textures and samplers, and the extensions of them that this program draws.

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::extensions::texture::TextureTransform as JsonTransform;
use gltf::json::material::AlphaMode as JsonAlphaMode;
use gltf::json::texture::{MagFilter, MinFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use crate::model::material::{AlphaMode, BRIGHTEST, Material};
use crate::model::texture::{Image, Sampler, Texture, TextureTransform, Wrap};

use super::error::{At, LoadError, Place, Problem, existing};
use super::findings::Findings;

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

/// What following a texture needs.
struct Textures<'a> {
    root: &'a json::Root,
    images: &'a [Image],
    findings: &'a mut Findings,
}

fn material(textures: &mut Textures, json: &json::Material, place: &Place) -> Result<Material, Problem> {
    let pbr = &json.pbr_metallic_roughness;
    let mut material = Material {
        name: json.name.clone(),
        double_sided: json.double_sided,
        unlit: json.extensions.as_ref().is_some_and(|extensions| extensions.unlit.is_some()),
        ..Material::default()
    };
    let mut info = |info: &Option<json::texture::Info>| match info {
        Some(info) => {
            let transform = info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.clone());
            textures.texture(info.index.value(), info.tex_coord, transform, place)
        }
        None => Ok(None),
    };
    material.base_color_texture = info(&pbr.base_color_texture)?;
    material.metallic_roughness_texture = info(&pbr.metallic_roughness_texture)?;
    material.emissive_texture = info(&json.emissive_texture)?;
    if let Some(normal) = &json.normal_texture {
        let transform = normal.extensions.as_ref().and_then(|extensions| transform_in(&extensions.others));
        material.normal_texture = textures.texture(normal.index.value(), normal.tex_coord, transform, place)?;
        material.normal_scale = if normal.scale.is_finite() { normal.scale } else { 1.0 };
    }
    if let Some(occlusion) = &json.occlusion_texture {
        let transform = occlusion.extensions.as_ref().and_then(|extensions| transform_in(&extensions.others));
        material.occlusion_texture = textures.texture(occlusion.index.value(), occlusion.tex_coord, transform, place)?;
        material.occlusion_strength = textures.within(occlusion.strength.0, 1.0, place, "occlusionTexture/strength");
    }

    let base = pbr.base_color_factor.0.map(|factor| textures.within(factor, 1.0, place, "pbrMetallicRoughness/baseColorFactor"));
    material.base_color_factor = Vec4::from(base);
    material.metallic_factor = textures.within(pbr.metallic_factor.0, 1.0, place, "pbrMetallicRoughness/metallicFactor");
    material.roughness_factor = textures.within(pbr.roughness_factor.0, 1.0, place, "pbrMetallicRoughness/roughnessFactor");
    let emissive = json.emissive_factor.0.map(|factor| textures.within(factor, BRIGHTEST, place, "emissiveFactor"));
    material.emissive_factor = Vec3::from(emissive);
    let strength = json.extensions.as_ref().and_then(|extensions| extensions.emissive_strength.as_ref());
    let strength = strength.map_or(1.0, |extension| extension.emissive_strength.0);
    let property = "extensions/KHR_materials_emissive_strength/emissiveStrength";
    material.emissive_strength = textures.within(strength, BRIGHTEST, place, property);
    material.alpha_mode = match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Valid(JsonAlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(JsonAlphaMode::Mask) => {
            let cutoff = json.alpha_cutoff.as_ref().map_or(0.5, |cutoff| cutoff.0);
            AlphaMode::Mask { cutoff: textures.within(cutoff, f32::MAX, place, "alphaCutoff") }
        }
        Checked::Invalid => {
            let message = format!("{} has an unknown alpha mode; it is drawn opaque.", place.words);
            textures.findings.warning("VALUE_NOT_IN_LIST", &format!("{}/alphaMode", place.pointer), message);
            AlphaMode::Opaque
        }
    };
    Ok(material)
}

impl Textures<'_> {
    /// A factor brought between 0 and `most`.
    fn within(&mut self, value: f32, most: f32, place: &Place, property: &str) -> f32 {
        let inside = if value.is_nan() { 0.0 } else { value.clamp(0.0, most) };
        if inside != value {
            let message = format!("{}: {value} is not between 0 and {most}; {inside} is used.", place.words);
            self.findings.error("VALUE_NOT_IN_RANGE", &format!("{}/{property}", place.pointer), message);
        }
        inside
    }

    /// Follows a texture to its image and sampler. None where the primitive cannot have its texture coordinates.
    fn texture(
        &mut self,
        source: usize,
        tex_coord: u32,
        transform: Option<JsonTransform>,
        place: &Place,
    ) -> Result<Option<Texture>, Problem> {
        let json = existing(&self.root.textures, source, "texture")?;
        let image = self.image(source, json)?;
        let sampler = match json.sampler {
            Some(sampler) => read_sampler(existing(&self.root.samplers, sampler.value(), "sampler")?),
            None => Sampler::DEFAULT,
        };
        let tex_coord = transform.as_ref().and_then(|transform| transform.tex_coord).unwrap_or(tex_coord);
        if tex_coord > 1 {
            let message = format!("{} uses TEXCOORD_{tex_coord}; only the first two are supported. The texture is ignored.", place.words);
            self.findings.warning("MATERIAL_TEXCOORD_UNSUPPORTED", &place.pointer, message);
            return Ok(None);
        }
        let transform = transform.as_ref().map_or(TextureTransform::IDENTITY, read_transform);
        Ok(Some(Texture { source, image, sampler, tex_coord: tex_coord as usize, transform }))
    }

    /// The image of a texture, if there is one that can be read.
    fn image(&mut self, index: usize, json: &json::Texture) -> Result<Option<usize>, Problem> {
        let named = |name| json.extensions.as_ref()?.others.get(name)?.get("source")?.as_u64().map(|source| source as usize);
        // `gltf::json` writes "none" as the largest index.
        let plain = Some(json.source.value()).filter(|&source| source != u32::MAX as usize);
        let sources = [named("KHR_texture_basisu"), named("EXT_texture_webp"), plain];
        let mut found = None;
        for &source in sources.iter().flatten() {
            let image = existing(self.images, source, "image")?;
            if image.width > 0 && !image.needs_blocks {
                return Ok(Some(source));
            }
            // What every device shows is better.
            found = found.or((image.width > 0).then_some(source));
        }
        if sources == [None; 3] {
            let message = format!("Texture {index} has no image that can be read; a checker stands in where it is a colour.");
            self.findings.warning("TEXTURE_WITHOUT_IMAGE", &format!("/textures/{index}"), message);
        }
        Ok(found)
    }
}

/// KHR_texture_transform of a texture whose type does not know it.
fn transform_in(extensions: &Map<String, Value>) -> Option<JsonTransform> {
    extensions.get("KHR_texture_transform").and_then(|value| serde_json::from_value(value.clone()).ok())
}

fn read_transform(json: &JsonTransform) -> TextureTransform {
    let read = TextureTransform { offset: Vec2::from(json.offset.0), rotation: json.rotation.0, scale: Vec2::from(json.scale.0) };
    let finite = read.offset.is_finite() && read.rotation.is_finite() && read.scale.is_finite();
    if finite { read } else { TextureTransform::IDENTITY }
}

fn read_sampler(json: &json::texture::Sampler) -> Sampler {
    let (min_linear, mip_linear) = match json.min_filter {
        Some(Checked::Valid(MinFilter::Nearest)) => (false, None),
        Some(Checked::Valid(MinFilter::Linear)) => (true, None),
        Some(Checked::Valid(MinFilter::NearestMipmapNearest)) => (false, Some(false)),
        Some(Checked::Valid(MinFilter::LinearMipmapNearest)) => (true, Some(false)),
        Some(Checked::Valid(MinFilter::NearestMipmapLinear)) => (false, Some(true)),
        Some(Checked::Valid(MinFilter::LinearMipmapLinear) | Checked::Invalid) | None => (true, Some(true)),
    };
    let wrap = |mode: &Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::ClampToEdge,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::MirroredRepeat,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    Sampler {
        mag_linear: !matches!(json.mag_filter, Some(Checked::Valid(MagFilter::Nearest))),
        min_linear,
        mip_linear,
        wrap_s: wrap(&json.wrap_s),
        wrap_t: wrap(&json.wrap_t),
    }
}
