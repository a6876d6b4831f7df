//! A draw is one primitive with one surface key for a range of instances. [`ActorDraws`] lists the draws in the order in which the passes
//! encode them.

use std::ops::Range;

use crate::model::node::NodeIndex;
use crate::render::buffers::arena::BufferRange;
use crate::render::buffers::palette_pages::PageContents;
use crate::render::material::features::ShaderFeatures;
use crate::render::model::GpuMaterial;
use crate::render::model::geometry::{Bindings, GpuPrimitive};
use crate::render::pipelines::key::{Alpha, Cull, HEAT_MAP, PipelineKey, Role, SurfaceKey};

/// One primitive, its material and its instances. What most draw calls read of the primitive is copied: encoding thousands of draws would
/// otherwise wait for the memory of as many primitives.
#[derive(Clone)]
pub(crate) struct Draw<'a> {
    /// Names the pipeline that shades the surface.
    pub key: SurfaceKey,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a GpuMaterial,
    /// Index among the model's materials.
    pub material_index: usize,
    /// Bind group 2: influences, morph targets, instance matrices.
    pub group: &'a wgpu::BindGroup,
    /// The buffers of the primitive.
    pub bindings: &'a Bindings,
    /// The buffer with the indices that are drawn, if these are not all indices of the primitive, but those that are not hidden, or
    /// simplified triangles. Its indices have four bytes.
    pub partial_indices: Option<wgpu::Buffer>,
    /// The range of the index buffer to draw.
    pub indices: Range<u32>,
    /// Index of the first vertex in the buffer; see [`GpuVertices::base_vertex`](crate::render::model::geometry::GpuVertices::base_vertex).
    pub base_vertex: Option<i32>,
    /// Index in the list of actors.
    pub actor: usize,
    /// Index in the list of pages.
    pub page: usize,
    /// Instances in the picture, as a range of the page's list. If the node has instances of EXT_mesh_gpu_instancing, both ends of the
    /// range are multiplied by their number; the shader divides by this number to find the entry in the list.
    pub instances: Range<u32>,
    /// The same instances, followed by those outside the picture. Shadows and the backdrop use them.
    pub all_instances: Range<u32>,
    /// Distance by which draws are sorted: from the anchor along the view axis, in meters. Farther is larger; it may be negative.
    pub distance: f32,
    /// The first node that the draw shows, and the index of the primitive. Shadow casters are sorted by them, and so are blended draws at
    /// the same distance.
    pub first: (NodeIndex, usize),
}

/// A range of a draw's indices, with one of its pipelines.
pub(crate) struct DrawRange<'d, 'a> {
    pub draw: &'d Draw<'a>,
    pub key: SurfaceKey,
    pub indices: Range<u32>,
}

/// The draws of all actors.
#[derive(Default)]
pub(crate) struct ActorDraws<'a> {
    /// The content of each palette page.
    pub pages: Vec<PageContents>,
    /// Opaque and masked draws, by pipeline and page, then roughly from front to back.
    pub solid: Vec<Draw<'a>>,
    /// Blended draws, back to front.
    pub blended: Vec<Draw<'a>>,
    /// Ghosts of the onion skin, in the order of their actors.
    pub ghosts: Vec<Draw<'a>>,
    /// Draws that get an outline, each with the first member of its actor only.
    pub outlined: Vec<Draw<'a>>,
    /// Whether any surface transmits light.
    pub has_transmission: bool,
}

impl<'a> ActorDraws<'a> {
    /// Returns the number of draw calls of surfaces in the picture. A blended surface may need several; see [`Draw::keys`].
    pub fn count(&self) -> usize {
        let solid = self.solid.iter().filter(|draw| draw.is_in_picture()).count();
        let blended: usize = self.blended.iter().filter(|draw| draw.is_in_picture()).map(|draw| draw.keys().count()).sum();
        solid + blended
    }

    /// Lists the draws of all surfaces, without ghosts.
    pub fn surfaces(&self) -> impl Iterator<Item = &Draw<'a>> + Clone {
        self.solid.iter().chain(&self.blended)
    }

    /// Lists solid draws with their pipelines.
    pub fn solid_with_keys(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        self.solid.iter().map(|draw| (draw, draw.key))
    }

    /// Lists ghosts in the order of their actors, the nearest in time first. Each ghost writes its depth first and its color second, so
    /// that only its front is seen.
    pub fn ghosts_with_keys(&self) -> impl Iterator<Item = (&Draw<'a>, SurfaceKey)> {
        let ghosts = self.ghosts.chunk_by(|a, b| a.actor == b.actor);
        let roles = ghosts.flat_map(|ghost| [Role::GhostDepth, Role::Ghost].map(|role| (ghost, role)));
        roles.flat_map(|(ghost, role)| ghost.iter().map(move |draw| (draw, draw.key_for(role))))
    }
}

impl Draw<'_> {
    /// Returns the vertex buffers by slot: attributes, influences if joints move the vertices, and optional attributes.
    pub fn vertex_buffers(&self) -> [Option<&BufferRange>; 3] {
        let vertices = &self.primitive.vertices;
        [Some(&vertices.attributes), vertices.influences.as_ref().filter(|_| self.key.skinned), vertices.optional_attributes.as_ref()]
    }

    /// Returns the index of the first vertex, if a draw call with this pipeline may add it to each index. It then binds the whole buffer,
    /// so that other primitives in the buffer need not bind it again. `None` if the call binds [`Draw::vertex_buffers`].
    pub fn base_vertex(&self, key: PipelineKey) -> Option<i32> {
        let reads_vertex_index = matches!(
            key,
            PipelineKey::Surface(SurfaceKey { role: Role::Wireframe | Role::Picking, .. } | SurfaceKey { shading: HEAT_MAP, .. })
        );
        self.base_vertex.filter(|_| !reads_vertex_index)
    }

    /// Returns the index buffer, and the size of its indices.
    pub fn index_buffer(&self) -> (&wgpu::Buffer, wgpu::IndexFormat) {
        match &self.partial_indices {
            Some(buffer) => (buffer, wgpu::IndexFormat::Uint32),
            None => (&self.bindings.indices, self.bindings.index_format),
        }
    }

    /// Returns whether any instance is in the picture.
    pub fn is_in_picture(&self) -> bool {
        !self.instances.is_empty()
    }

    /// Returns whether the surface transmits light (KHR_materials_transmission).
    pub fn transmits(&self) -> bool {
        self.key.features.has(ShaderFeatures::TRANSMISSION)
    }

    /// Lists the pipelines that shade the draw, in drawing order. A blended surface first draws its fully opaque parts with depth writes,
    /// because its triangles are not sorted. If it has two sides, it then draws its back faces before its front faces.
    pub fn keys(&self) -> impl Iterator<Item = SurfaceKey> {
        let key = self.key;
        let blended = key.alpha == Alpha::Blend;
        let opaque_part = (blended && self.material.may_have_opaque_parts).then_some(SurfaceKey { alpha: Alpha::BlendOpaquePart, ..key });
        let has_sides = key.two_sided || key.cull == Cull::None && key.points_or_lines.is_none();
        let sides = if blended && has_sides {
            [Some(SurfaceKey { cull: Cull::Front, ..key }), Some(SurfaceKey { cull: Cull::Back, ..key })]
        } else {
            [Some(key), None]
        };
        opaque_part.into_iter().chain(sides.into_iter().flatten())
    }

    /// Returns the key of this draw in another role.
    pub fn key_for(&self, role: Role) -> SurfaceKey {
        SurfaceKey { role, ..self.key }.simplified()
    }
}
