//! Group 3: a material's factors and its five textures. A texture that is still on its way is one white texel (of a normal
//! map: one that points straight out). One that never comes is that, too, but where it is a colour: there it is a checker.

use bytemuck::{Pod, Zeroable};
use glam::{Mat2, Vec2, Vec3, Vec4, vec3};

use crate::model::material::{AlphaMode, Material};
use crate::model::texture::Texture;

/// Base colour, metallic-roughness, normal, occlusion, emissive: the order of the bindings in material.wgsl.
pub const SLOT_COUNT: usize = 5;
pub const NORMAL_SLOT: usize = 2;
pub const SLOT_IS_COLOR: [bool; SLOT_COUNT] = [true, false, false, false, true];

pub fn slots(material: &Material) -> [Option<&Texture>; SLOT_COUNT] {
    [
        material.base_color_texture.as_ref(),
        material.metallic_roughness_texture.as_ref(),
        material.normal_texture.as_ref(),
        material.occlusion_texture.as_ref(),
        material.emissive_texture.as_ref(),
    ]
}

/// By slot: whether there is a texture to be read, be it still on its way, or the checker in its place.
pub(super) fn shown_slots(material: &Material) -> [bool; SLOT_COUNT] {
    let mut is_color = SLOT_IS_COLOR.into_iter();
    slots(material).map(|texture| {
        let is_color = is_color.next().unwrap_or(false);
        texture.is_some_and(|texture| texture.image.is_some() || is_color)
    })
}

/// Keep in sync with `Material` in material.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct MaterialUniform {
    base_color: Vec4,
    emissive: Vec3,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    slots: [SlotUniform; SLOT_COUNT],
}

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct SlotUniform {
    u: Vec3,
    tex_coord: f32,
    v: Vec3,
    pad: f32,
}

pub(super) fn uniform(material: &Material) -> MaterialUniform {
    MaterialUniform {
        base_color: material.base_color_factor,
        emissive: material.emission(),
        alpha_cutoff: match material.alpha_mode {
            AlphaMode::Mask { cutoff } => cutoff,
            _ => 0.0,
        },
        metallic: material.metallic_factor,
        roughness: material.roughness_factor,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        slots: slots(material).map(slot),
    }
}

fn slot(texture: Option<&Texture>) -> SlotUniform {
    let Some(texture) = texture else { return SlotUniform { u: Vec3::X, tex_coord: 0.0, v: Vec3::Y, pad: 0.0 } };
    let transform = &texture.transform;
    // Counter-clockwise as one looks at the image, of which v points down.
    let matrix = Mat2::from_angle(-transform.rotation) * Mat2::from_diagonal(transform.scale);
    let row = |axis: Vec2, offset: f32| vec3(axis.x, axis.y, offset);
    SlotUniform {
        u: row(matrix.row(0), transform.offset.x),
        tex_coord: texture.tex_coord as f32,
        v: row(matrix.row(1), transform.offset.y),
        pad: 0.0,
    }
}
