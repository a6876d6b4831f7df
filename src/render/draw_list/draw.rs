//! One draw: which primitive, with which pipeline, for which instances.

use std::ops::Range;

use crate::render::buffers::palette_pages::PageContents;
use crate::render::material::features::Features;
use crate::render::model::GpuMaterial;
use crate::render::model::geometry::GpuPrimitive;
use crate::render::model::partial_indices::IndexSubset;
use crate::render::pipelines::key::{Alpha, Cull, Role, SurfaceKey};

#[derive(Clone)]
pub(crate) struct Draw<'a> {
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    /// Index among the model's materials.
    pub material_index: usize,
    /// Bind group 2.
    pub group: &'a wgpu::BindGroup,
    /// `None` draws the whole primitive.
    pub subset: Option<IndexSubset>,
    /// Index in the list of actors.
    pub actor: usize,
    /// Index in the list of pages.
    pub page: usize,
    /// Instances in the picture, as a range of the page's list; times the number of EXT_mesh_gpu_instancing instances.
    pub instances: Range<u32>,
    /// The same instances, and those outside the picture after them.
    pub all: Range<u32>,
    /// Distance of the first instance from the camera along the view, in metres.
    pub distance: f32,
}

/// Some indices of a draw, with one of its pipelines.
pub(crate) struct DrawChunk<'d, 'a> {
    pub draw: &'d Draw<'a>,
    pub key: SurfaceKey,
    pub indices: Range<u32>,
}

/// The draws of all actors.
#[derive(Default)]
pub(crate) struct ActorDraws<'a> {
    /// The content of each palette page.
    pub pages: Vec<PageContents>,
    /// Opaque and masked.
    pub solid: Vec<Draw<'a>>,
    /// Blended draws, back to front.
    pub blended: Vec<Draw<'a>>,
    /// Ghosts of the onion skin, in the order of their actors.
    pub ghosts: Vec<Draw<'a>>,
    /// The first member's primitives that get an outline.
    pub outlined: Vec<Draw<'a>>,
}

impl<'a> ActorDraws<'a> {
    /// Number of draws. Both sides of a blended surface count.
    pub fn count(&self) -> usize {
        self.surfaces().filter(|draw| !draw.instances.is_empty()).map(|draw| draw.keys().count()).sum()
    }

    /// Everything that is shaded, ghosts apart.
    pub fn surfaces(&self) -> impl Iterator<Item = &Draw<'a>> + Clone {
        self.solid.iter().chain(&self.blended)
    }

    /// Solid draws with their keys.
    pub fn solid_with_keys(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        self.solid.iter().map(|draw| (draw, draw.key))
    }

    /// Ghost after ghost, the nearest in time first: its depth, then its colour.
    pub fn ghosts_with_keys(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        let ghosts = self.ghosts.chunk_by(|a, b| a.actor == b.actor);
        let roles = ghosts.flat_map(|ghost| [Role::GhostDepth, Role::Ghost].map(|role| (ghost, role)));
        roles.flat_map(|(ghost, role)| ghost.iter().map(move |draw| (draw, draw.key_for(role))))
    }

    /// Whether any surface transmits light.
    pub fn transmit(&self) -> bool {
        self.surfaces().any(Draw::transmits)
    }
}

impl Draw<'_> {
    pub fn indices(&self) -> Range<u32> {
        self.subset.as_ref().map_or(0..self.primitive.index_count, |subset| subset.range.clone())
    }

    pub fn index_buffer(&self) -> (&wgpu::Buffer, wgpu::IndexFormat) {
        match &self.subset {
            Some(subset) => (&subset.indices, wgpu::IndexFormat::Uint32),
            None => (&self.primitive.indices, self.primitive.index_format),
        }
    }

    pub fn transmits(&self) -> bool {
        self.key.features.has(Features::TRANSMISSION)
    }

    /// The pipelines that the draw is shaded with, one after the other. A blended surface first draws what covers, in whatever order
    /// its triangles come; then, where it has two sides, the far one before the near one.
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

    /// The key of the same draw in another role.
    pub fn key_for(&self, role: Role) -> SurfaceKey {
        SurfaceKey { role, ..self.key }.simplified()
    }
}
