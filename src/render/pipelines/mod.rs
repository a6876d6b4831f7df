//! Pipelines: one plain key names each, it is compiled when something first needs it, and kept.

use std::collections::HashMap;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::shaders::Program;

mod flat;
mod key;
mod surface;

use flat::{Flat, LINE_BUFFERS, flat};
pub(super) use key::{Alpha, Cull, PointsOrLines, SurfaceKey, shading_index, tonemap_index};
use surface::surface;

pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What surfaces, ground and axes are drawn into.
#[derive(Debug, Clone, Copy)]
pub(super) struct SceneTarget {
    /// Bytes that are written and read as linear light: what is blended and resolved is light, and where nothing is left to do
    /// the bytes are the picture's.
    pub format: wgpu::TextureFormat,
    /// 1 or 4.
    pub samples: u32,
}

impl SceneTarget {
    /// Of a renderer whose pictures have a plain `target_format`.
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self { format: target_format.add_srgb_suffix(), samples: if samples > 1 { 4 } else { 1 } }
    }
}

pub(super) struct Pipelines {
    scene: SceneTarget,
    target_format: wgpu::TextureFormat,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    others: HashMap<&'static str, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(target_format: wgpu::TextureFormat, scene: SceneTarget) -> Self {
        Self { scene, target_format, modules: HashMap::new(), surfaces: HashMap::new(), others: HashMap::new() }
    }

    /// How many were made so far.
    pub fn count(&self) -> usize {
        self.surfaces.len() + self.others.len()
    }

    pub fn surface(&mut self, gpu: &Gpu, layouts: &Layouts, key: SurfaceKey) -> &wgpu::RenderPipeline {
        let program = if gpu.is_hardware() { Program::Surface } else { Program::SurfaceOfTexels };
        let module = module(&mut self.modules, gpu, "surface", program);
        self.surfaces.entry(key).or_insert_with(|| surface(gpu, layouts, module, key, self.scene))
    }

    pub fn grid(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "grid", Program::Grid);
        self.others.entry("grid").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            flat(gpu, &layout, module, &Flat { entries: ["ground", "ground_color"], ..Flat::in_scene(self.scene) })
        })
    }

    pub fn scene_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("scene lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.scene) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], ..options })
        })
    }

    pub fn overlay_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        let format = self.target_format;
        self.others.entry("overlay lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { format, depth: false, samples: 1, ..Flat::in_scene(self.scene) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..options })
        })
    }

    pub fn finish(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "finish", Program::Finish);
        let format = self.target_format;
        self.others.entry("finish").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.finish]);
            let options = Flat { format, depth: false, samples: 1, blend: None, ..Flat::in_scene(self.scene) };
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
