//! Pipelines: one plain key names each, it is compiled when something first needs it, and kept.

use std::collections::HashMap;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::shaders::Program;

mod flat;
mod key;
mod surface;

use flat::{Flat, JOINT_BUFFERS, LINE_BUFFERS, flat};
pub(super) use key::{Alpha, Cull, PointsOrLines, Role, SurfaceKey, shading_index, tonemap_index};
use surface::surface;

pub(super) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const OVERLAY_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

pub(super) struct Pipelines {
    samples: u32,
    target_format: wgpu::TextureFormat,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    others: HashMap<&'static str, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self { samples, target_format, modules: HashMap::new(), surfaces: HashMap::new(), others: HashMap::new() }
    }

    /// How many were made so far.
    pub fn count(&self) -> usize {
        self.surfaces.len() + self.others.len()
    }

    pub fn surface(&mut self, gpu: &Gpu, layouts: &Layouts, key: SurfaceKey) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "surface", Program::Surface);
        self.surfaces.entry(key).or_insert_with(|| surface(gpu, layouts, module, key, self.samples))
    }

    /// `behind`: all that is drawn, be it before the ground or not.
    pub fn grid(&mut self, gpu: &Gpu, layouts: &Layouts, behind: bool) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "grid", Program::Grid);
        self.others.entry(if behind { "grid behind" } else { "grid" }).or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { entries: ["ground", "ground_color"], ..Flat::in_scene(self.samples) };
            flat(gpu, &layout, module, &if behind { options.behind() } else { options })
        })
    }

    /// `behind`: as of the grid.
    pub fn scene_lines(&mut self, gpu: &Gpu, layouts: &Layouts, behind: bool) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry(if behind { "scene lines behind" } else { "scene lines" }).or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.samples) };
            let options = Flat { entries: ["line", "line_color"], ..options };
            flat(gpu, &layout, module, &if behind { options.behind() } else { options })
        })
    }

    pub fn overlay_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("overlay lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..Flat::over(self.samples) };
            flat(gpu, &layout, module, &options)
        })
    }

    pub fn octahedra(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "joint", Program::Joint);
        self.others.entry("octahedra").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let (depth, topology) = (Some(depth_state(true)), wgpu::PrimitiveTopology::TriangleList);
            let options = Flat { entries: ["octahedron", "joint_color"], buffers: &JOINT_BUFFERS, ..Flat::over(self.samples) };
            flat(gpu, &layout, module, &Flat { depth, topology, ..options })
        })
    }

    /// Which blocks of the picture the outline may be in.
    pub fn outline_blocks(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "outline", Program::Outline);
        self.others.entry("outline blocks").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.outline]);
            flat(gpu, &layout, module, &Flat { entries: ["everywhere", "block"], ..Flat::whole(MASK_FORMAT) })
        })
    }

    pub fn outline(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "outline", Program::Outline);
        self.others.entry("outline").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.outline]);
            flat(gpu, &layout, module, &Flat { entries: ["everywhere", "outline_color"], ..Flat::over(self.samples) })
        })
    }

    pub fn finish(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "finish", Program::Finish);
        let format = self.target_format;
        self.others.entry("finish").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.finish]);
            flat(gpu, &layout, module, &Flat { entries: ["whole", "finished"], ..Flat::whole(format) })
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
