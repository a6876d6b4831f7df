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
use crate::render::pipelines::warmup::WarmupSample;

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

    /// Returns bind group 3 of a draw, which is that of the animated material if there is one, and otherwise that of the uploaded material.
    pub fn material_group<'d>(&'d self, draw: &Draw<'d>) -> &'d wgpu::BindGroup {
        self.materials.group(draw.actor, draw.material_index).unwrap_or(&draw.material.group)
    }

    /// Returns the resources that a draw binds, for the warm-up of its pipeline. `None` before its page is uploaded.
    pub fn warmup_sample(&self, draw: &Draw, frame_group: Option<&wgpu::BindGroup>) -> Option<WarmupSample> {
        let group = self.pages.get(draw.page).and_then(Page::group)?;
        let material = self.material_group(draw);
        let [attributes, influences, optional_attributes] = draw.vertex_buffers().map(Option::<&BufferRange>::cloned);
        let corners = draw.primitive.vertices.corners.get().map(BufferRange::whole);
        Some(WarmupSample {
            groups: vec![frame_group.cloned(), Some(group.clone()), Some(draw.group.clone()), Some(material.clone())],
            vertices: vec![attributes, influences, optional_attributes, corners],
            indices: Some((draw.primitive.indices.clone(), draw.primitive.index_format, draw.primitive.index_range.clone())),
            instance: draw.all_instances.start,
            material: Some((draw.material.textures, draw.material.bound.clone())),
        })
    }
}

/// Encodes draws into a pass. Sets only the state that differs from that of the previous draw. Draws without a pipeline are skipped.
pub(crate) struct DrawEncoder<'p> {
    pub pass: &'p mut wgpu::RenderPass<'static>,
    pipelines: &'p Pipelines,
    resources: &'p DrawResources,
    /// Index of the page that is bound.
    page: Option<usize>,
    /// The last key, and its pipeline.
    pipeline: Option<(PipelineKey, Option<&'p wgpu::RenderPipeline>)>,
    /// The last draw, whose resources are bound.
    bound: Option<&'p Draw<'p>>,
}

impl<'p> DrawEncoder<'p> {
    /// Starts encoding into a pass whose group 0 is set.
    pub fn new(pass: &'p mut wgpu::RenderPass<'static>, pipelines: &'p Pipelines, resources: &'p DrawResources) -> Self {
        Self { pass, pipelines, resources, page: None, pipeline: None, bound: None }
    }

    /// Starts encoding into a pass whose group 0 is set, and whose group 1 is set to that of this page.
    pub fn with_page(self, page: usize) -> Self {
        Self { page: Some(page), ..self }
    }

    /// Draws all indices of a draw for a range of instances.
    pub fn draw(&mut self, draw: &'p Draw<'p>, key: SurfaceKey, instances: Range<u32>) {
        self.draw_indices(draw, PipelineKey::Surface(key), draw.indices(), instances);
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
            self.pass.draw_indexed(indices, 0, instances);
        }
    }

    /// Binds the resources that a draw reads, except group 0.
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
        let buffers = draw.vertex_buffers();
        let set = last.map_or([None; 3], Draw::vertex_buffers);
        for (slot, (buffer, set)) in (0..).zip(buffers.into_iter().zip(set)) {
            if let Some(buffer) = buffer.filter(|buffer| set != Some(buffer)) {
                pass.set_vertex_buffer(slot, buffer.slice());
            }
        }
        let (buffer, format) = draw.index_buffer();
        if last.is_none_or(|last| last.index_buffer() != (buffer, format)) {
            pass.set_index_buffer(buffer.slice(..), format);
        }
    }
}
