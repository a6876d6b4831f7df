//! Tells which textures a material has and which of them share a sampler, and generates the WGSL that reads them. A module declares no
//! texture that its materials lack, because a shader stage may bind only sixteen textures, including those of the frame, and every declared
//! texture counts.
//!
//!   group 3   1 to 12   textures, in the order of `TextureSlot::ALL`
//!             13 to 24  samplers, in the order of their first use

use std::fmt::Write;

use crate::model::material::{MAX_TEXTURES, Material};
use crate::model::texture::{Texture, TextureSlot};

/// Binding of the first texture.
pub const FIRST_TEXTURE: u32 = 1;
/// Binding of the first sampler.
pub const FIRST_SAMPLER: u32 = FIRST_TEXTURE + MAX_TEXTURES as u32;

/// The textures of a material, as a small key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextureSet {
    /// One bit per slot, by its index in `TextureSlot::ALL`.
    slots: u32,
    /// Four bits per present slot, in order of the slots: the number of its sampler.
    samplers: u64,
}

impl TextureSet {
    /// Makes a set. `textures` has the slots in the order of `TextureSlot::ALL`, each with the number of its sampler. Slots beyond the
    /// first [`MAX_TEXTURES`] are left out.
    pub fn new(textures: impl IntoIterator<Item = (TextureSlot, usize)>) -> Self {
        let mut set = Self::default();
        for (rank, (slot, sampler)) in textures.into_iter().take(MAX_TEXTURES).enumerate() {
            set.slots |= 1 << index(slot);
            set.samplers |= (sampler.min(MAX_TEXTURES - 1) as u64) << (4 * rank);
        }
        set
    }

    /// Returns the set of a material. Textures with equal samplers share one sampler.
    pub fn from_material(material: &Material) -> Self {
        let mut samplers = Vec::new();
        Self::new(shown(material).map(|(slot, texture)| {
            let known = samplers.iter().position(|sampler| *sampler == texture.sampler);
            let sampler = known.unwrap_or_else(|| {
                samplers.push(texture.sampler);
                samplers.len() - 1
            });
            (slot, sampler)
        }))
    }

    /// Returns whether the slot has a texture.
    pub fn has(self, slot: TextureSlot) -> bool {
        self.slots & 1 << index(slot) != 0
    }

    /// Lists the slots with textures, each with the number of its sampler.
    pub fn iter(self) -> impl Iterator<Item = (TextureSlot, usize)> {
        let present = TextureSlot::ALL.into_iter().filter(move |slot| self.has(*slot));
        present.enumerate().map(move |(rank, slot)| (slot, (self.samplers >> (4 * rank) & 15) as usize))
    }

    /// Returns the number of textures.
    pub fn count(self) -> usize {
        self.slots.count_ones() as usize
    }

    /// Returns the number of samplers.
    pub fn sampler_count(self) -> usize {
        self.iter().map(|(_, sampler)| sampler + 1).max().unwrap_or(0)
    }

    /// Generates the WGSL of group 3. Every slot gets a constant that tells whether it has a texture, a function for its texture
    /// coordinates and a function for its texel. Without a texture, the texel is neutral.
    pub fn source(self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let mut line = |line: std::fmt::Arguments| {
            let _ = writeln!(text, "{line}");
        };
        for (binding, sampler) in (FIRST_SAMPLER..).zip(0..self.sampler_count()) {
            line(format_args!("@group(3) @binding({binding}) var sampler_{sampler}: sampler;"));
        }
        for slot in TextureSlot::ALL {
            let name = name(slot);
            let Some((rank, (_, sampler))) = self.iter().enumerate().find(|(_, (present, _))| *present == slot) else {
                let [r, g, b, a] = neutral(slot).map(|byte| if byte == 128 { 0.5 } else { f32::from(byte) / 255.0 });
                line(format_args!("const has_{name}_texture = false;"));
                line(format_args!("fn {name}_uv(uv: vec4<f32>) -> vec2<f32> {{ return uv.xy; }}"));
                line(format_args!("fn {name}_texel(uv: vec4<f32>) -> vec4<f32> {{ return vec4({r:?}, {g:?}, {b:?}, {a:?}); }}"));
                continue;
            };
            let binding = FIRST_TEXTURE + rank as u32;
            line(format_args!("const has_{name}_texture = true;"));
            line(format_args!("@group(3) @binding({binding}) var {name}_texture: texture_2d<f32>;"));
            line(format_args!("fn {name}_uv(uv: vec4<f32>) -> vec2<f32> {{ return slot_uv({rank}u, uv); }}"));
            line(format_args!("fn {name}_texel(uv: vec4<f32>) -> vec4<f32> {{"));
            line(format_args!("    return textureSample({name}_texture, sampler_{sampler}, {name}_uv(uv));\n}}"));
        }
        text
    }
}

/// Lists the textures of a material that shaders read, in the order of their bindings. The list includes textures that are still loading,
/// and color textures without an image, which show the checkerboard.
pub fn shown(material: &Material) -> impl Iterator<Item = (TextureSlot, &Texture)> {
    let textures = TextureSlot::ALL.into_iter().filter_map(|slot| Some((slot, material.texture(slot)?)));
    textures.filter(|(slot, texture)| texture.image.is_some() || slot.is_color()).take(MAX_TEXTURES)
}

/// Returns the texel that stands for a missing texture: the unperturbed direction for normal and anisotropy maps, and white for others.
pub fn neutral(slot: TextureSlot) -> [u8; 4] {
    match slot {
        TextureSlot::Normal | TextureSlot::ClearcoatNormal => [128, 128, 255, 255],
        TextureSlot::Anisotropy => [255, 128, 255, 255],
        _ => [255; 4],
    }
}

/// Returns the index of a slot in `TextureSlot::ALL`.
fn index(slot: TextureSlot) -> usize {
    TextureSlot::ALL.iter().position(|listed| *listed == slot).unwrap_or(0)
}

/// Returns the name of a slot in material.wgsl.
fn name(slot: TextureSlot) -> &'static str {
    match slot {
        TextureSlot::BaseColor => "base_color",
        TextureSlot::MetallicRoughness => "metallic_roughness",
        TextureSlot::Normal => "normal",
        TextureSlot::Occlusion => "occlusion",
        TextureSlot::Emissive => "emissive",
        TextureSlot::Clearcoat => "clearcoat",
        TextureSlot::ClearcoatRoughness => "clearcoat_roughness",
        TextureSlot::ClearcoatNormal => "clearcoat_normal",
        TextureSlot::SheenColor => "sheen_color",
        TextureSlot::SheenRoughness => "sheen_roughness",
        TextureSlot::Transmission => "transmission",
        TextureSlot::Thickness => "thickness",
        TextureSlot::Specular => "specular",
        TextureSlot::SpecularColor => "specular_color",
        TextureSlot::Iridescence => "iridescence",
        TextureSlot::IridescenceThickness => "iridescence_thickness",
        TextureSlot::Anisotropy => "anisotropy",
        TextureSlot::DiffuseTransmission => "diffuse_transmission",
        TextureSlot::DiffuseTransmissionColor => "diffuse_transmission_color",
        TextureSlot::SpecularGlossiness => "specular_glossiness",
    }
}
