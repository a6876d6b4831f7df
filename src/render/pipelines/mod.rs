//! Pipelines: one plain key names each, it is compiled when something first needs it, and kept.

use std::collections::HashMap;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::shaders::Program;
use crate::session::view::Tonemap;

mod flat;
mod key;
mod surface;

use flat::{Flat, LINE_BUFFERS, flat};
pub(super) use key::{Alpha, Cull, PointsOrLines, SurfaceKey, shading_index, tonemap_index};
use surface::surface;

pub(super) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const OVERLAY_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub(super) struct Pipelines {
    samples: u32,
    target_format: wgpu::TextureFormat,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    others: HashMap<&'static str, wgpu::RenderPipeline>,
    /// By tone map.
    backgrounds: HashMap<u8, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self {
            samples,
            target_format,
            modules: HashMap::new(),
            surfaces: HashMap::new(),
            others: HashMap::new(),
            backgrounds: HashMap::new(),
        }
    }

    /// How many were made so far.
    pub fn count(&self) -> usize {
        self.surfaces.len() + self.others.len() + self.backgrounds.len()
    }

    pub fn surface(&mut self, gpu: &Gpu, layouts: &Layouts, key: SurfaceKey) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "surface", Program::Surface);
        self.surfaces.entry(key).or_insert_with(|| surface(gpu, layouts, module, key, self.samples))
    }

    pub fn background(&mut self, gpu: &Gpu, layouts: &Layouts, tonemap: Tonemap) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "background", Program::Background);
        let (tonemap, samples) = (tonemap_index(tonemap), self.samples);
        self.backgrounds.entry(tonemap).or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let constants = [("studio", 1.0), ("tonemap", tonemap.into())];
            let options = Flat { blend: None, constants: &constants, ..Flat::in_scene(samples) };
            flat(gpu, &layout, module, &Flat { entries: ["behind", "background_color"], ..options })
        })
    }

    pub fn grid(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "grid", Program::Grid);
        self.others.entry("grid").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            flat(gpu, &layout, module, &Flat { entries: ["ground", "ground_color"], ..Flat::in_scene(self.samples) })
        })
    }

    pub fn scene_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("scene lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.samples) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], ..options })
        })
    }

    pub fn overlay_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("overlay lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { format: OVERLAY_FORMAT, depth: false, samples: 1, ..Flat::in_scene(1) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..options })
        })
    }

    pub fn finish(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "finish", Program::Finish);
        let format = self.target_format;
        self.others.entry("finish").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.finish]);
            let options = Flat { format, depth: false, samples: 1, blend: None, ..Flat::in_scene(1) };
            flat(gpu, &layout, module, &Flat { entries: ["whole", "finished"], ..options })
        })
    }
}

fn module<'a>(
    modules: &'a mut HashMap<&'static str, wgpu::ShaderModule>,
    gpu: &Gpu,
    name: &'static str,
    program: Program,
) -> &'a wgpu::ShaderModule {
    modules.entry(name).or_insert_with(|| {
        let source = wgpu::ShaderSource::Wgsl(program.source().into());
        gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
    })
}

/// Depth is reversed: nearer is larger.
fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
