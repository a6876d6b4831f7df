//! Bind group 3: the factors of a material, its textures and their transforms. While a texture is loading, a single neutral texel replaces
//! it. A missing texture is replaced by a checkerboard if it holds color, and otherwise by the neutral texel.

pub(crate) mod animated;
pub mod features;
pub mod images;
pub mod mipmap;
pub(crate) mod texture;
pub mod texture_set;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4, vec3};

use crate::model::Model;
use crate::model::material::{AlphaMode, MAX_TEXTURES, Material};
use crate::model::material_property::MaterialProperty;
use crate::model::pointer::Property;
use crate::model::texture::Texture;

/// Lowest alpha at which a blended fragment counts as opaque and writes depth.
const MIN_OPAQUE_ALPHA: f32 = 0.9;

/// Keep in sync with `Material` in material.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MaterialUniform {
    base_color: Vec4,
    emissive: Vec3,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    specular_color: Vec3,
    specular: f32,
    glossy_specular: Vec3,
    glossiness: f32,
    sheen_color: Vec3,
    sheen_roughness: f32,
    diffuse_transmission_color: Vec3,
    diffuse_transmission: f32,
    absorption: Vec3,
    thickness: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    transmission: f32,
    iridescence: f32,
    iridescence_ior: f32,
    iridescence_minimum: f32,
    iridescence_maximum: f32,
    anisotropy_direction: Vec2,
    anisotropy: f32,
    ior: f32,
    dispersion: f32,
    pad: [f32; 3],
    tint: Vec4,
    slots: [SlotUniform; MAX_TEXTURES],
}

/// Texture coordinates of a slot: the rows of an affine transform, and the index of the set of coordinates that it applies to. Keep in sync
/// with `TextureSlot` in material.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct SlotUniform {
    u: Vec3,
    tex_coord: f32,
    v: Vec3,
    pad: f32,
}

/// Packs a material without a tint.
pub(crate) fn uniform(material: &Material) -> MaterialUniform {
    let glossy = material.specular_glossiness.as_ref();
    let (clearcoat, iridescence) = (&material.clearcoat, &material.iridescence);
    let mut slots = [SlotUniform::zeroed(); MAX_TEXTURES];
    for (slot, (_, texture)) in slots.iter_mut().zip(texture_set::shown(material)) {
        *slot = slot_uniform(texture);
    }
    MaterialUniform {
        base_color: material.base_color_factor,
        emissive: material.emission(),
        // Blended materials use the cutoff to distinguish opaque fragments, which write depth, from the others.
        alpha_cutoff: match material.alpha_mode {
            AlphaMode::Opaque => 0.0,
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Blend if may_be_opaque(material) => MIN_OPAQUE_ALPHA,
            AlphaMode::Blend => f32::MAX,
        },
        metallic: material.metallic_factor,
        roughness: material.roughness_factor,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        specular_color: material.specular.color_factor,
        specular: material.specular.factor,
        glossy_specular: glossy.map_or(Vec3::ZERO, |glossy| glossy.specular_factor),
        glossiness: glossy.map_or(0.0, |glossy| glossy.glossiness_factor),
        sheen_color: material.sheen.color_factor,
        sheen_roughness: material.sheen.roughness_factor,
        diffuse_transmission_color: material.diffuse_transmission.color_factor,
        diffuse_transmission: material.diffuse_transmission.factor,
        absorption: absorption(material),
        thickness: material.volume.thickness_factor,
        clearcoat: clearcoat.factor,
        clearcoat_roughness: clearcoat.roughness_factor,
        clearcoat_normal_scale: clearcoat.normal_scale,
        transmission: material.transmission.factor,
        iridescence: iridescence.factor,
        iridescence_ior: iridescence.ior,
        iridescence_minimum: iridescence.thickness_minimum,
        iridescence_maximum: iridescence.thickness_maximum,
        anisotropy_direction: Vec2::from_angle(material.anisotropy.rotation),
        anisotropy: material.anisotropy.strength,
        ior: material.ior,
        dispersion: material.dispersion,
        pad: [0.0; 3],
        tint: Vec4::ZERO,
        slots,
    }
}

impl MaterialUniform {
    /// Returns the uniform with the tint of a ghost: linear color, with opacity as alpha.
    pub fn tinted(self, tint: Vec4) -> Self {
        Self { tint, ..self }
    }
}

/// Returns whether the base color factor allows opaque fragments. Textures are not examined.
fn may_be_opaque(material: &Material) -> bool {
    material.base_color_factor.w >= 0.999
}

/// Returns whether a blended material may have opaque parts, at rest or while an animation of the file changes the properties `animated`.
pub(crate) fn may_have_opaque_parts(material: &Material, animated: &[MaterialProperty]) -> bool {
    may_be_opaque(material) || animated.contains(&MaterialProperty::BaseColorFactor)
}

/// Returns, for each material, the properties that animations of the file may change.
pub(crate) fn animated_properties(model: &Model) -> Vec<Vec<MaterialProperty>> {
    let mut all = vec![Vec::new(); model.materials.len()];
    for pointer in &model.pointers {
        if let Property::Material { material, property } = pointer.property
            && let Some(properties) = all.get_mut(material)
        {
            properties.push(property);
        }
    }
    all
}

/// Returns the absorption coefficient of a volume, per meter (KHR_materials_volume). By Beer's law the volume transmits `exp(-absorption *
/// distance)`.
fn absorption(material: &Material) -> Vec3 {
    let volume = &material.volume;
    // The lower bound keeps the logarithm of black finite.
    let depth = -volume.attenuation_color.clamp(Vec3::splat(1e-7), Vec3::ONE).map(f32::ln);
    let distance = volume.attenuation_distance;
    if distance.is_finite() { (depth / distance.max(1e-12)).min(Vec3::splat(1e15)) } else { Vec3::ZERO }
}

/// Packs the transform of a texture (KHR_texture_transform).
fn slot_uniform(texture: &Texture) -> SlotUniform {
    let transform = &texture.transform;
    let matrix = transform.linear();
    let row = |axis: Vec2, offset: f32| vec3(axis.x, axis.y, offset);
    SlotUniform {
        u: row(matrix.row(0), transform.offset.x),
        tex_coord: texture.tex_coord as f32,
        v: row(matrix.row(1), transform.offset.y),
        pad: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(&Program::Surface.source(false), "TextureSlot", &layout!(SlotUniform { u, tex_coord, v }));
        assert_same(
            &Program::Surface.source(false),
            "Material",
            &layout!(MaterialUniform {
                base_color,
                emissive,
                alpha_cutoff,
                metallic,
                roughness,
                normal_scale,
                occlusion_strength,
                specular_color,
                specular,
                glossy_specular,
                glossiness,
                sheen_color,
                sheen_roughness,
                diffuse_transmission_color,
                diffuse_transmission,
                absorption,
                thickness,
                clearcoat,
                clearcoat_roughness,
                clearcoat_normal_scale,
                transmission,
                iridescence,
                iridescence_ior,
                iridescence_minimum,
                iridescence_maximum,
                anisotropy_direction,
                anisotropy,
                ior,
                dispersion,
                tint,
                slots
            }),
        );
    }
}
