//! Describes textures as text, for the inspector and the texture dialog.

use crate::asset::file::uri;
use crate::model::material::Material;
use crate::model::texture::{Image, Sampler, Texture, TextureSlot, TextureTransform, Wrap};
use crate::numbers;

/// Maximum number of characters of an image's name or format that are shown.
const MAX_NAME_CHARS: usize = 256;

/// The name of a slot.
pub fn slot(slot: TextureSlot) -> &'static str {
    match slot {
        TextureSlot::BaseColor => "Base color",
        TextureSlot::MetallicRoughness => "Metallic-roughness",
        TextureSlot::Normal => "Normal",
        TextureSlot::Occlusion => "Occlusion",
        TextureSlot::Emissive => "Emissive",
        TextureSlot::Clearcoat => "Clearcoat",
        TextureSlot::ClearcoatRoughness => "Clearcoat roughness",
        TextureSlot::ClearcoatNormal => "Clearcoat normal",
        TextureSlot::SheenColor => "Sheen color",
        TextureSlot::SheenRoughness => "Sheen roughness",
        TextureSlot::Transmission => "Transmission",
        TextureSlot::Thickness => "Thickness",
        TextureSlot::Specular => "Specular",
        TextureSlot::SpecularColor => "Specular color",
        TextureSlot::Iridescence => "Iridescence",
        TextureSlot::IridescenceThickness => "Iridescence thickness",
        TextureSlot::Anisotropy => "Anisotropy",
        TextureSlot::DiffuseTransmission => "Diffuse transmission",
        TextureSlot::DiffuseTransmissionColor => "Diffuse transmission color",
        TextureSlot::SpecularGlossiness => "Specular-glossiness",
    }
}

/// The meaning of the red, green, blue and alpha channel in a slot. Empty for a channel that is not used.
pub fn channels(slot: TextureSlot) -> [&'static str; 4] {
    match slot {
        TextureSlot::BaseColor => ["red", "green", "blue", "alpha"],
        TextureSlot::MetallicRoughness => ["", "roughness", "metalness", ""],
        TextureSlot::Normal | TextureSlot::ClearcoatNormal => ["x", "y", "z", ""],
        TextureSlot::Occlusion => ["occlusion", "", "", ""],
        TextureSlot::Clearcoat | TextureSlot::Transmission | TextureSlot::Iridescence => ["strength", "", "", ""],
        TextureSlot::ClearcoatRoughness => ["", "roughness", "", ""],
        TextureSlot::Thickness | TextureSlot::IridescenceThickness => ["", "thickness", "", ""],
        TextureSlot::Specular | TextureSlot::DiffuseTransmission => ["", "", "", "strength"],
        TextureSlot::SheenRoughness => ["", "", "", "roughness"],
        TextureSlot::Anisotropy => ["x of the direction", "y of the direction", "strength", ""],
        TextureSlot::SpecularGlossiness => ["red", "green", "blue", "glossiness"],
        TextureSlot::Emissive | TextureSlot::SheenColor | TextureSlot::SpecularColor | TextureSlot::DiffuseTransmissionColor => {
            ["red", "green", "blue", ""]
        }
    }
}

/// An image's name. If it has none, the name of its file; if it has no file either, its index.
pub fn name(image: &Image, index: usize) -> String {
    let own = image.name.clone().filter(|name| !name.is_empty());
    let name = own.or_else(|| image.uri.as_deref().and_then(uri::file_name));
    name.map_or_else(|| format!("image {index}"), |name| name.chars().take(MAX_NAME_CHARS).collect())
}

/// An image's size in pixels and its format: "2048 x 2048 JPEG".
pub fn size(image: &Image) -> String {
    let format = match image.kind.as_str() {
        "" => "of an unknown format".to_owned(),
        "webp" => "WebP".to_owned(),
        kind => kind.chars().take(MAX_NAME_CHARS).collect::<String>().to_uppercase(),
    };
    if image.width == 0 || image.height == 0 {
        return format!("an image {}", if image.kind.is_empty() { format } else { format!("of {format}") });
    }
    let size = format!("{} \u{D7} {} {format}", image.width, image.height);
    match image.kept_size() {
        [width, height] if image.dropped_levels > 0 => format!("{size}, reduced to {width} \u{D7} {height}"),
        _ => size,
    }
}

/// The texture coordinates and wrapping: "UV set 0, repeat".
pub fn placement(material: &Material, texture: &Texture) -> String {
    let Sampler { wrap_s, wrap_t, .. } = texture.sampler;
    let set = material.tex_coords.get(texture.tex_coord).copied().unwrap_or(texture.tex_coord);
    match wrap_s == wrap_t {
        true => format!("UV set {set}, {}", wrap(wrap_s)),
        false => format!("UV set {set}, {} in U, {} in V", wrap(wrap_s), wrap(wrap_t)),
    }
}

/// The filters: "linear, mipmaps linear", or "magnified linear, minified nearest, no mipmaps".
pub fn filters(sampler: Sampler) -> String {
    let filter = |linear: bool| if linear { "linear" } else { "nearest" };
    let filters = if sampler.mag_linear == sampler.min_linear {
        filter(sampler.mag_linear).to_owned()
    } else {
        format!("magnified {}, minified {}", filter(sampler.mag_linear), filter(sampler.min_linear))
    };
    match sampler.mip_linear {
        Some(linear) => format!("{filters}, mipmaps {}", filter(linear)),
        None => format!("{filters}, no mipmaps"),
    }
}

/// The parts of a transform that differ from the identity: "offset 0.5, 0, rotation 90.0°, scale 2, 2". `None` for the identity.
pub fn transform(transform: &TextureTransform) -> Option<String> {
    let TextureTransform { offset, rotation, scale } = *transform;
    let pair = |x: f32, y: f32| format!("{}, {}", number(x), number(y));
    let parts = [
        (offset != TextureTransform::IDENTITY.offset).then(|| format!("offset {}", pair(offset.x, offset.y))),
        (rotation != 0.0).then(|| format!("rotation {}\u{b0}", numbers::fitted(f64::from(rotation).to_degrees(), 1, 9))),
        (scale != TextureTransform::IDENTITY.scale).then(|| format!("scale {}", pair(scale.x, scale.y))),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A number with at most three decimals, without trailing zeros.
fn number(value: f32) -> String {
    let text = numbers::fitted(f64::from(value), 3, 9);
    match text.contains('.') && !text.contains('e') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The name of a wrapping mode.
fn wrap(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Repeat => "repeat",
        Wrap::MirroredRepeat => "mirrored repeat",
        Wrap::ClampToEdge => "clamp to edge",
    }
}
