//! Textures of materials (glTF 2.0, 3.8), resolved to images and samplers, with KHR_texture_transform.

use glam::Vec2;
use gltf::json;
use gltf::json::extensions::texture::TextureTransform as JsonTransform;
use gltf::json::texture::{MagFilter, MinFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use crate::asset::error::{Location, Problem, existing};
use crate::asset::findings::Findings;
use crate::asset::json::{integer, typed};
use crate::model::texture::{Image, Sampler, Texture, TextureTransform, Wrap};

/// Resolves the textures of a file. Faults become findings.
pub struct Textures<'a> {
    pub root: &'a json::Root,
    /// The images of the model. Those that cannot be decoded have no width.
    pub images: &'a [Image],
    pub findings: &'a mut Findings,
}

/// A material's reference to a texture: its index, texture coordinate set and transform.
#[derive(Debug, Clone)]
pub struct TextureInfo {
    /// Index of the texture.
    pub source: usize,
    /// The number of the texture coordinate set in the file.
    pub tex_coord: u32,
    /// KHR_texture_transform.
    pub transform: Option<JsonTransform>,
}

impl TextureInfo {
    /// A reference of a type that includes KHR_texture_transform.
    pub fn from_json(json: &json::texture::Info) -> Self {
        let transform = json.extensions.as_ref().and_then(|extensions| extensions.texture_transform.clone());
        Self { source: json.index.value(), tex_coord: json.tex_coord, transform }
    }

    /// Adds the transform to a reference of a type that does not include KHR_texture_transform. The transform is read from the raw
    /// `extensions`. An invalid one is ignored, with a finding. `location` has the pointer of the reference.
    pub fn with_transform(self, extensions: Option<&Map<String, Value>>, location: &Location, findings: &mut Findings) -> Self {
        let transform = extensions.and_then(|extensions| typed::texture_transform(extensions, location, findings));
        Self { transform, ..self }
    }
}

impl Textures<'_> {
    /// Resolves a texture to its image and sampler. The result's `tex_coord` is the number of the set in the file. Returns an error if
    /// the texture, its sampler or its image does not exist.
    pub fn texture(&mut self, info: &TextureInfo) -> Result<Texture, Problem> {
        let &TextureInfo { source, tex_coord, ref transform } = info;
        let json = existing(&self.root.textures, source, "texture")?;
        let image = self.image(source, json)?;
        let sampler = match json.sampler {
            Some(sampler) => read_sampler(existing(&self.root.samplers, sampler.value(), "sampler")?),
            None => Sampler::DEFAULT,
        };
        // The transform may name another set, which takes precedence over the texture's (KHR_texture_transform).
        let tex_coord = transform.as_ref().and_then(|transform| transform.tex_coord).unwrap_or(tex_coord);
        let transform = transform.as_ref().map_or(TextureTransform::IDENTITY, read_transform);
        Ok(Texture { source, image, sampler, tex_coord: tex_coord as usize, transform })
    }

    /// The image of a texture. `None` if no image can be read. This adds a finding only if the texture names no image, because an
    /// unreadable image already has a finding. Extensions name alternatives to the core image: KTX2 takes precedence over WebP, and both
    /// over the core image. An image that is truncated, or that only some devices support, is used only if no other image can be read.
    fn image(&mut self, index: usize, json: &json::Texture) -> Result<Option<usize>, Problem> {
        let alternative = |name| json.extensions.as_ref()?.others.get(name)?.get("source").and_then(integer).map(|source| source as usize);
        // `gltf::json` stores a missing source as the largest index.
        let core = Some(json.source.value()).filter(|&source| source != u32::MAX as usize);
        let sources = [alternative("KHR_texture_basisu"), alternative("EXT_texture_webp"), core];
        let mut readable = None;
        for &source in sources.iter().flatten() {
            let image = existing(self.images, source, "image")?;
            if image.width > 0 && !image.needs_blocks && !image.is_truncated {
                return Ok(Some(source));
            }
            readable = readable.or((image.width > 0).then_some(source));
        }
        if sources == [None; 3] {
            let message = format!("Texture {index} has no readable image; shown as a checkerboard.");
            self.findings.warning("TEXTURE_WITHOUT_IMAGE", &format!("/textures/{index}"), message);
        }
        Ok(readable)
    }
}

/// Reads a transform: the offset in texture coordinates, the rotation in radians. A transform that is not finite becomes the identity.
fn read_transform(json: &JsonTransform) -> TextureTransform {
    let transform = TextureTransform { offset: Vec2::from(json.offset.0), rotation: json.rotation.0, scale: Vec2::from(json.scale.0) };
    let is_finite = transform.offset.is_finite() && transform.rotation.is_finite() && transform.scale.is_finite();
    if is_finite { transform } else { TextureTransform::IDENTITY }
}

/// Reads a sampler (glTF 2.0, 3.8.4). Missing or unknown filters become linear, with mipmaps. Unknown wrapping becomes repetition.
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
