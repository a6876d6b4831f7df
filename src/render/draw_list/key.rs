//! Computes the keys of the pipelines that a primitive is drawn with. A key depends on the primitive, its material and the options of the
//! picture.

use crate::model::material::{AlphaMode, Material};
use crate::render::material::features::ShaderFeatures;
use crate::render::material::texture_set::TextureSet;
use crate::render::model::winding::Winding;
use crate::render::picture::Picture;
use crate::render::pipelines::key::{Alpha, Cull, HEAT_MAP, PointsOrLines, Role, ShadowCasterKey, SurfaceKey, VertexStage};
use crate::render::pipelines::key::{shading_index, tonemap_index};
use crate::session::view::display::{Lighting, Shading};

use super::draw::Draw;
use super::part::DrawPart;

/// The lights of a frame besides the environment. Shaders contain code only for the lights that they need.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LightFeatures {
    /// Whether there are lights from [`crate::render::bind_groups::frame::lights`].
    pub punctual: bool,
    /// Whether the key light casts a shadow.
    pub shadow: bool,
}

/// Returns the pipeline that draws a surface into the shadow map. `None` for points and lines, which cast no shadow.
pub(crate) fn shadow_caster_key(draw: &Draw) -> Option<ShadowCasterKey> {
    let (key, transmits) = (&draw.key, draw.material.features.has(ShaderFeatures::TRANSMISSION));
    if key.points_or_lines.is_some() {
        return None;
    }
    let caster = ShadowCasterKey { alpha: key.alpha, stage: VertexStage::from_surface_key(*key), textures: key.textures, transmits };
    if caster.has_fragments() {
        return Some(caster);
    }
    // A caster without a fragment stage reads positions only, so optional attributes and textures need not be bound.
    let stage = VertexStage { optional_attributes: false, ..caster.stage };
    Some(ShadowCasterKey { stage, textures: TextureSet::default(), ..caster })
}

/// Returns the key of the pipeline that shades a part.
pub(crate) fn surface_key(picture: &Picture, part: &DrawPart, winding: Winding, features: LightFeatures) -> SurfaceKey {
    let visible = &part.visible;
    let (primitive, skinned) = (visible.primitive, visible.skinned);
    let material = &part.actor.gpu.materials[part.material];
    let options = &picture.options;
    let points_or_lines = PointsOrLines::from_topology(primitive.topology);
    let lit = options.lighting != Lighting::None;
    let mixed = winding == Winding::Mixed;
    let is_surface = points_or_lines.is_none();
    // Lines and points without normals have no side that light could fall on. They show the sum of base color and emission (glTF 2.0,
    // 3.9.7).
    let no_side = !is_surface && !primitive.vertices.has_normals;
    let both_sides = material.source.double_sided || mixed || !is_surface;
    let heat_map = options.heat_map && !part.actor.tints.is_empty();
    let shows_alpha = options.shading == Shading::Alpha && !heat_map && part.actor.ghost.is_none();
    SurfaceKey {
        role: Role::Shade,
        alpha: match material.source.alpha_mode {
            // This mode shows alpha as a color. Blending would mix it with the surfaces behind, and a mask would hide low values.
            _ if shows_alpha => Alpha::Opaque,
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        },
        points_or_lines,
        skinned,
        morphed: !part.weights().is_empty(),
        extra_influences: skinned && primitive.vertices.extra_sets > 0,
        optional_attributes: primitive.vertices.optional_attributes.is_some(),
        instanced: visible.instances.is_some(),
        mirrored: winding == Winding::Mirrored,
        cull: if both_sides { Cull::None } else { Cull::Back },
        textures: material.textures,
        features: if mixed && is_surface { material.features.with(ShaderFeatures::MIXED_WINDING) } else { material.features },
        // Shaders compute missing normals of triangles from the triangles themselves. Lines and points have no triangles.
        normals: primitive.vertices.has_normals || !is_surface,
        tangents: primitive.vertices.has_tangents,
        two_sided: is_surface && both_sides,
        unlit: match options.shading {
            _ if heat_map => no_side,
            Shading::Lit => material.source.unlit || !lit || no_side,
            Shading::Clay => !lit || no_side,
            _ => no_side,
        },
        emissive: no_side && lit && !material.source.unlit && !heat_map && options.shading == Shading::Lit,
        lit_by_environment: picture.uses_environment_light(),
        punctual: features.punctual,
        shadowed: features.shadow,
        shading: if heat_map { HEAT_MAP } else { shading_index(options.shading) },
        tonemap: tonemap_index(options.tonemap),
        attribute_missing: match options.shading {
            _ if heat_map => false,
            Shading::Normals => no_side,
            shading => is_value_missing(shading, part),
        },
        xray: options.xray,
    }
    .simplified()
}

/// Returns whether the vertices or the material of a part lack the value that a shading mode shows. Missing normals are computed.
fn is_value_missing(shading: Shading, part: &DrawPart) -> bool {
    let vertices = &part.visible.primitive.vertices;
    match shading {
        Shading::Tangents => !vertices.has_tangents,
        Shading::Uv => !vertices.has_tex_coords,
        Shading::VertexColors => !vertices.has_colors,
        Shading::Metallic => part.actor.gpu.materials[part.material].features.has(ShaderFeatures::SPECULAR_GLOSSINESS),
        Shading::Specular => !part.actor.model.materials.get(part.material).is_some_and(Material::has_specular),
        _ => false,
    }
}
