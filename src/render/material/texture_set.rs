//! Which textures a material has, and which of them share a sampler, to the WGSL that reads them. A module binds no texture that
//! its materials do not have: a stage has room for sixteen, the frame's included, and checks count what is declared.
//!
//!   group 3   1 to 12   textures, in the order of `TextureSlot::ALL`
//!             13 to 24  samplers, in the order of their first use

use std::fmt::Write;

use crate::model::material::Material;
use crate::model::texture::{Texture, TextureSlot};

/// A material has no more. With the frame's own they are all that a stage of every device has.
pub const MAX_TEXTURES: usize = 12;

pub const FIRST_TEXTURE: u32 = 1;
pub const FIRST_SAMPLER: u32 = FIRST_TEXTURE + MAX_TEXTURES as u32;

/// Bits by place in `TextureSlot::ALL`; then, four bits for each present one in turn, its sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextureSet {
    slots: u32,
    samplers: u64,
}

impl TextureSet {
    /// Slots in the order of `TextureSlot::ALL`, each with the number of its sampler; more than [`MAX_TEXTURES`] are left out.
    pub fn new(textures: impl IntoIterator<Item = (TextureSlot, usize)>) -> Self {
        let mut set = Self::default();
        for (rank, (slot, sampler)) in textures.into_iter().take(MAX_TEXTURES).enumerate() {
            set.slots |= 1 << place(slot);
            set.samplers |= (sampler.min(MAX_TEXTURES - 1) as u64) << (4 * rank);
        }
        set
    }

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

    pub fn has(self, slot: TextureSlot) -> bool {
        self.slots & 1 << place(slot) != 0
    }

    /// Each texture with the number of its sampler.
    pub fn iter(self) -> impl Iterator<Item = (TextureSlot, usize)> {
        let present = TextureSlot::ALL.into_iter().filter(move |slot| self.has(*slot));
        present.enumerate().map(move |(rank, slot)| (slot, (self.samplers >> (4 * rank) & 15) as usize))
    }

    pub fn count(self) -> usize {
        self.slots.count_ones() as usize
    }

    pub fn sampler_count(self) -> usize {
        self.iter().map(|(_, sampler)| sampler + 1).max().unwrap_or(0)
    }

    /// For every slot whether it is there, where it is read, and what it says there: without a texture what changes nothing.
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

/// The textures of a material that are read, be they still on their way, or the checker in the place of a missing color.
pub fn shown(material: &Material) -> impl Iterator<Item = (TextureSlot, &Texture)> {
    let textures = TextureSlot::ALL.into_iter().filter_map(|slot| Some((slot, material.texture(slot)?)));
    textures.filter(|(slot, texture)| texture.image.is_some() || slot.is_color()).take(MAX_TEXTURES)
}

/// The texel that stands for a missing texture: white, or the unperturbed direction for normal maps.
pub fn neutral(slot: TextureSlot) -> [u8; 4] {
    match slot {
        TextureSlot::Normal | TextureSlot::ClearcoatNormal => [128, 128, 255, 255],
        TextureSlot::Anisotropy => [255, 128, 255, 255],
        _ => [255; 4],
    }
}

fn place(slot: TextureSlot) -> usize {
    TextureSlot::ALL.iter().position(|listed| *listed == slot).unwrap_or(0)
}

/// As material.wgsl calls it.
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
