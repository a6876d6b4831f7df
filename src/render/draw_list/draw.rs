//! What is drawn at once: which primitive, with which pipeline, for which instances. [`crate::render::draw_list`] makes a picture's list.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::model::material::AlphaMode;
use crate::render::bind_groups::frame;
use crate::render::buffers::palette_pages::Span;
use crate::render::material::features::Features;
use crate::render::model::geometry::GpuPrimitive;
use crate::render::model::winding::Winding;
use crate::render::model::{GpuMaterial, partial_indices};
use crate::render::picture::Picture;
use crate::render::pipelines::{self, Alpha, Cull, PointsOrLines, Role, SurfaceKey};
use crate::session::view::display::{Lighting, Shading, Weights};

use super::part::Part;

/// Keep in sync with `Instance` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Instance {
    pub palette_base: u32,
    pub weights_base: u32,
    pub extra_sets: u32,
    pub morphed: u32,
    /// Among the morph weights.
    pub tints_base: u32,
}

#[derive(Clone)]
pub(crate) struct Draw<'a> {
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    /// Its place in the model.
    pub material_index: usize,
    /// Group 2.
    pub group: &'a wgpu::BindGroup,
    /// Not all of it is drawn.
    pub cut: Option<partial_indices::Part>,
    /// Place in the list of actors.
    pub actor: usize,
    pub page: usize,
    /// Those in the picture, in the page's list; times the number of places, where the primitive is drawn at many.
    pub instances: Range<u32>,
    /// The same, and those that are not in the picture.
    pub all: Range<u32>,
    /// Of the first instance: along the view, from the eye.
    pub distance: f32,
}

#[derive(Default)]
pub(crate) struct Draws<'a> {
    /// What stands in each page.
    pub pages: Vec<(Vec<Span>, Vec<Instance>)>,
    /// Opaque and masked.
    pub solid: Vec<Draw<'a>>,
    pub blended: Vec<Draw<'a>>,
    /// In the order of their actors.
    pub ghosts: Vec<Draw<'a>>,
    /// The ground receives the shadow of all that.
    pub shadow: bool,
    /// What is selected, of the first member.
    pub marked: Vec<Draw<'a>>,
}

/// What shines beside the light around the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LightFeatures {
    /// Any light of [`frame::lights`].
    pub lamps: bool,
    /// The key lamp, and casts a shadow.
    pub shadow: bool,
}

impl<'a> Draws<'a> {
    /// What is drawn, sides of blended surfaces by themselves.
    pub fn count(&self) -> usize {
        let all = self.solid.iter().chain(&self.blended);
        all.filter(|draw| !draw.instances.is_empty()).map(|draw| draw.keys().count()).sum()
    }

    /// Those of the solid ones, with what they are seen by.
    pub fn of_body(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        self.solid.iter().map(|draw| (draw, draw.key))
    }

    /// One ghost after the other, the nearest in time first: its depth, then its colour.
    pub fn of_ghosts(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        let ghosts = self.ghosts.chunk_by(|a, b| a.actor == b.actor);
        let roles = ghosts.flat_map(|ghost| [Role::GhostDepth, Role::Ghost].map(|role| (ghost, role)));
        roles.flat_map(|(ghost, role)| ghost.iter().map(move |draw| (draw, draw.playing(role))))
    }

    /// Whether anything lets light through.
    pub fn transmit(&self) -> bool {
        self.solid.iter().chain(&self.blended).any(Draw::transmits)
    }
}

impl Draw<'_> {
    pub fn indices(&self) -> Range<u32> {
        self.cut.as_ref().map_or(0..self.primitive.index_count, |cut| cut.range.clone())
    }

    pub fn index_buffer(&self) -> (&wgpu::Buffer, wgpu::IndexFormat) {
        match &self.cut {
            Some(cut) => (&cut.indices, wgpu::IndexFormat::Uint32),
            None => (&self.primitive.indices, self.primitive.index_format),
        }
    }

    pub fn transmits(&self) -> bool {
        self.key.features.has(Features::TRANSMISSION)
    }

    /// Of the pipelines that it is drawn with, one after the other: of a blended surface first what covers, in whatever order its
    /// triangles stand; then, where it has two sides, the far one before the near one.
    pub fn keys(&self) -> impl Iterator<Item = SurfaceKey> {
        let key = self.key;
        let blended = key.alpha == Alpha::Blend;
        let covering = (blended && self.material.may_cover).then_some(SurfaceKey { alpha: Alpha::Covering, ..key });
        let has_sides = key.two_sided || key.cull == Cull::None && key.points_or_lines.is_none();
        let sides = if blended && has_sides {
            [Some(SurfaceKey { cull: Cull::Front, ..key }), Some(SurfaceKey { cull: Cull::Back, ..key })]
        } else {
            [Some(key), None]
        };
        covering.into_iter().chain(sides.into_iter().flatten())
    }

    /// The same for something else than to be seen.
    pub fn playing(&self, role: Role) -> SurfaceKey {
        SurfaceKey { role, ..self.key }.simplified()
    }
}

pub(crate) fn key(picture: &Picture, part: &Part, material: &GpuMaterial, winding: Winding, shining: LightFeatures) -> SurfaceKey {
    let drawn = &part.drawn;
    let (primitive, skinned) = (drawn.primitive, drawn.skinned);
    let display = picture.display;
    let points_or_lines = PointsOrLines::from_topology(primitive.topology);
    let lit = display.lighting != Lighting::None;
    let mixed = matches!(winding, Winding::Mixed { .. });
    let is_surface = points_or_lines.is_none();
    let no_side = !is_surface && !primitive.vertices.has_normals;
    let both_sides = material.double_sided || mixed || !is_surface;
    let weighed = display.weights != Weights::Off && !part.actor.tints.is_empty();
    SurfaceKey {
        role: Role::Shade,
        alpha: match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend => Alpha::Blend,
        },
        points_or_lines,
        skinned,
        morphed: primitive.vertices.morphed && !drawn.node.weights.is_empty(),
        further_influences: skinned && primitive.vertices.extra_sets > 0,
        further: primitive.vertices.further.is_some(),
        placed: drawn.placed.is_some(),
        mirrored: matches!(winding, Winding::Mirrored | Winding::Mixed { mostly_mirrored: true }),
        cull: if both_sides { Cull::None } else { Cull::Back },
        textures: material.textures,
        features: material.features,
        // A line or a point has no side to take a normal from.
        normals: primitive.vertices.has_normals || !is_surface,
        tangents: primitive.vertices.has_tangents,
        two_sided: is_surface && both_sides,
        unlit: match display.shading {
            _ if weighed => no_side,
            Shading::Lit => material.unlit || !lit || no_side,
            Shading::Clay => !lit || no_side,
            _ => no_side,
        },
        studio: frame::studio_shines(picture),
        lamps: shining.lamps,
        shadowed: shining.shadow,
        shading: if weighed { pipelines::WEIGHTS } else { pipelines::shading_index(display.shading) },
        tonemap: pipelines::tonemap_index(display.tonemap),
        lacking: match display.shading {
            _ if weighed => false,
            Shading::Normals => no_side,
            Shading::Tangents => !primitive.vertices.has_tangents,
            Shading::Uv => !primitive.vertices.has_tex_coords,
            Shading::VertexColors => !primitive.vertices.has_colors,
            Shading::Lit | Shading::BaseColor | Shading::Clay => false,
        },
        xray: display.xray,
    }
    .simplified()
}
