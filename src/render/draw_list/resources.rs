//! The GPU resources that draws bind: palette pages, animated materials, index subsets. [`DrawEncoder`] encodes draws into a pass.

use std::ops::Range;

use crate::render::actor::Actor;
use crate::render::bind_groups::BindGroupLayouts;
use crate::render::buffers::arena::BufferRange;
use crate::render::buffers::palette_pages::{Page, PageContents};
use crate::render::device::gpu::Gpu;
use crate::render::material::animated::AnimatedMaterials;
use crate::render::model::partial_indices::IndexSubsets;
use crate::render::pipelines::Pipelines;
use crate::render::pipelines::key::{PipelineKey, SurfaceKey};
use crate::render::pipelines::warmup::WarmupDraw;

use super::draw::Draw;

/// Resources that are written every frame and shared by all draws.
#[derive(Default)]
pub(crate) struct DrawResources {
    /// Palettes, weights and instances; see [`Draw::page`].
    pub pages: Vec<Page>,
    /// Bind groups of materials that an animation changes.
    pub materials: AnimatedMaterials,
    /// Index lists of primitives that are drawn only in part.
    pub subsets: IndexSubsets,
}

impl DrawResources {
    /// Uploads palettes, weights, instances and animated materials. Returns the bytes uploaded for pages.
    pub fn write(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        layouts: &BindGroupLayouts,
        actors: &[Actor],
        pages: &[PageContents],
    ) -> u64 {
        // Pages that are no longer needed are dropped, which frees their memory.
        self.pages.resize_with(pages.len(), || Page::new(gpu));
        for (page, contents) in self.pages.iter_mut().zip(pages) {
            page.write(gpu, encoder, layouts, actors, contents);
        }
        self.materials.write(gpu, actors);
        self.pages.iter().map(Page::uploaded).sum()
    }

    /// Returns bind group 3 of a draw: the group of the animated material if there is one, otherwise of the uploaded material.
    pub fn material_group<'d>(&'d self, draw: &Draw<'d>) -> &'d wgpu::BindGroup {
        self.materials.group(draw.actor, draw.material_index).unwrap_or(&draw.material.group)
    }

    /// Returns the resources that a draw binds, for the warm-up of its pipeline. `None` before its page is uploaded.
    pub fn warmup_draw(&self, draw: &Draw, frame_group: Option<&wgpu::BindGroup>) -> Option<WarmupDraw> {
        let group = self.pages.get(draw.page).and_then(Page::group)?;
        let material = self.material_group(draw);
        let [attributes, influences, optional_attributes] = draw.vertex_buffers().map(Option::<&BufferRange>::cloned);
        let corners = draw.primitive.vertices.corners.get().map(BufferRange::whole);
        Some(WarmupDraw {
            groups: vec![frame_group.cloned(), Some(group.clone()), Some(draw.group.clone()), Some(material.clone())],
            vertices: vec![attributes, influences, optional_attributes, corners],
            indices: Some((draw.bindings.indices.clone(), draw.bindings.index_format, draw.primitive.index_range.clone())),
            instance: draw.all_instances.start,
            material: Some((draw.material.textures, draw.material.bound.clone())),
        })
    }
}

/// Encodes draws into a pass. Sets only the state that differs from the previous draw's state. Draws without a pipeline are skipped.
pub(crate) struct DrawEncoder<'p> {
    pub pass: &'p mut wgpu::RenderPass<'static>,
    pipelines: &'p Pipelines,
    resources: &'p DrawResources,
    /// Index of the page that is bound.
    page: Option<usize>,
    /// The last key, and its pipeline.
    pipeline: Option<(PipelineKey, Option<&'p wgpu::RenderPipeline>)>,
    /// The last draw, whose groups and indices are bound.
    bound: Option<&'p Draw<'p>>,
    /// The range of a buffer that is bound to each slot.
    vertex_buffers: [Option<(&'p wgpu::Buffer, Range<u64>)>; 3],
}

impl<'p> DrawEncoder<'p> {
    /// Starts encoding into a pass whose group 0 is set.
    pub fn new(pass: &'p mut wgpu::RenderPass<'static>, pipelines: &'p Pipelines, resources: &'p DrawResources) -> Self {
        Self { pass, pipelines, resources, page: None, pipeline: None, bound: None, vertex_buffers: [const { None }; 3] }
    }

    /// Starts encoding into a pass whose group 0 is set, and whose group 1 is the group of this page.
    pub fn with_page(self, page: usize) -> Self {
        Self { page: Some(page), ..self }
    }

    /// Draws all indices of a draw for a range of instances.
    pub fn draw(&mut self, draw: &'p Draw<'p>, key: SurfaceKey, instances: Range<u32>) {
        self.draw_indices(draw, PipelineKey::Surface(key), draw.indices.clone(), instances);
    }

    /// Draws a range of indices for a range of instances.
    pub fn draw_indices(&mut self, draw: &'p Draw<'p>, key: PipelineKey, indices: Range<u32>, instances: Range<u32>) {
        // Draws are sorted by pipeline, so most of them use the same pipeline as the previous draw.
        let pipeline = match self.pipeline {
            Some((last, pipeline)) if last == key => pipeline,
            _ => {
                let pipeline = self.pipelines.get(key);
                pipeline.into_iter().for_each(|pipeline| self.pass.set_pipeline(pipeline));
                self.pipeline = Some((key, pipeline));
                pipeline
            }
        };
        if pipeline.is_some() {
            self.bind(draw);
            let base_vertex = self.bind_vertices(draw, key);
            self.pass.draw_indexed(indices, base_vertex, instances);
        }
    }

    /// Binds the groups and the indices that a draw reads, except group 0.
    fn bind(&mut self, draw: &'p Draw<'p>) {
        let (pass, last) = (&mut *self.pass, self.bound.replace(draw));
        if self.page != Some(draw.page) {
            pass.set_bind_group(1, self.resources.pages[draw.page].group(), &[]);
            self.page = Some(draw.page);
        }
        if last.is_none_or(|last| last.group != draw.group) {
            pass.set_bind_group(2, draw.group, &[]);
        }
        if last.is_none_or(|last| (last.actor, last.material_index) != (draw.actor, draw.material_index)) {
            pass.set_bind_group(3, self.resources.material_group(draw), &[]);
        }
        let (buffer, format) = draw.index_buffer();
        if last.is_none_or(|last| last.index_buffer() != (buffer, format)) {
            pass.set_index_buffer(buffer.slice(..), format);
        }
    }

    /// Binds the vertex buffers of a draw. Returns the index of its first vertex in them.
    fn bind_vertices(&mut self, draw: &'p Draw<'p>, key: PipelineKey) -> i32 {
        if let Some(base_vertex) = draw.base_vertex(key) {
            // Draws with the same buffer need not bind it again.
            let buffer = &draw.bindings.attributes;
            self.bind_vertex_buffer(0, buffer, 0..buffer.size());
            return base_vertex;
        }
        for (slot, range) in draw.vertex_buffers().into_iter().enumerate() {
            if let Some(BufferRange { buffer, range }) = range {
                self.bind_vertex_buffer(slot, buffer, range.clone());
            }
        }
        0
    }

    /// Binds a range of a vertex buffer to a slot, unless it is bound already.
    fn bind_vertex_buffer(&mut self, slot: usize, buffer: &'p wgpu::Buffer, range: Range<u64>) {
        if self.vertex_buffers[slot].as_ref() != Some(&(buffer, range.clone())) {
            self.pass.set_vertex_buffer(slot as u32, buffer.slice(range.clone()));
            self.vertex_buffers[slot] = Some((buffer, range));
        }
    }
}
