//! Pipelines: one plain key names each, it is compiled when something first needs it, and kept.

use std::collections::HashMap;

use crate::session::view::Tonemap;

use super::features::Features;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::shaders::{self, Program};
use super::texture_set::TextureSet;

mod cast;
mod flat;
mod key;
mod surface;

pub(super) use cast::CastKey;
use cast::cast;
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
    surface_modules: HashMap<(TextureSet, Features), wgpu::ShaderModule>,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    casts: HashMap<CastKey, wgpu::RenderPipeline>,
    others: HashMap<&'static str, wgpu::RenderPipeline>,
    /// By tone map.
    backgrounds: HashMap<u8, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        let (modules, surface_modules) = (HashMap::new(), HashMap::new());
        let (surfaces, casts, others, backgrounds) = (HashMap::new(), HashMap::new(), HashMap::new(), HashMap::new());
        Self { samples, target_format, modules, surface_modules, surfaces, casts, others, backgrounds }
    }

    /// How many were made so far.
    pub fn count(&self) -> usize {
        self.surfaces.len() + self.casts.len() + self.others.len() + self.backgrounds.len()
    }

    pub fn surface(&mut self, gpu: &Gpu, layouts: &Layouts, key: SurfaceKey) -> &wgpu::RenderPipeline {
        let Self { surfaces, surface_modules, samples, .. } = self;
        surfaces.entry(key).or_insert_with(|| {
            let module = surface_module(surface_modules, gpu, key.textures, key.features);
            surface(gpu, layouts, module, key, *samples)
        })
    }

    pub fn cast(&mut self, gpu: &Gpu, layouts: &Layouts, key: CastKey) -> &wgpu::RenderPipeline {
        let Self { casts, surface_modules, .. } = self;
        casts.entry(key).or_insert_with(|| {
            let module = surface_module(surface_modules, gpu, key.textures, Features::default());
            cast(gpu, layouts, module, key)
        })
    }

    pub fn ground(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "ground", Program::Ground);
        self.others.entry("ground").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            flat(gpu, &layout, module, &Flat { entries: ["receiver", "received"], ..Flat::in_scene(self.samples) })
        })
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

    /// What is behind glass, from the scene; or (`smaller`) a level of it from the one before.
    pub fn behind(&mut self, gpu: &Gpu, layouts: &Layouts, tonemap: Tonemap, smaller: bool) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "behind", Program::Behind);
        let (name, entry) = match (smaller, tonemap) {
            (true, _) => ("behind, smaller", "halved"),
            (false, Tonemap::Neutral) => ("behind, neutral", "light_behind"),
            (false, Tonemap::Aces) => ("behind, ACES", "light_behind"),
            (false, Tonemap::Agx) => ("behind, AgX", "light_behind"),
            (false, Tonemap::None) => ("behind, as it is", "light_behind"),
        };
        self.others.entry(name).or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.behind]);
            let options = Flat { depth: false, samples: 1, blend: None, ..Flat::in_scene(1) };
            let constants = [("tonemap", tonemap_index(tonemap).into())];
            flat(gpu, &layout, module, &Flat { entries: ["whole", entry], constants: &constants, ..options })
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

fn surface_module<'a>(
    modules: &'a mut HashMap<(TextureSet, Features), wgpu::ShaderModule>,
    gpu: &Gpu,
    textures: TextureSet,
    features: Features,
) -> &'a wgpu::ShaderModule {
    modules.entry((textures, features)).or_insert_with(|| create_module(gpu, "surface", shaders::surface(textures, features)))
}

fn module<'a>(
    modules: &'a mut HashMap<&'static str, wgpu::ShaderModule>,
    gpu: &Gpu,
    name: &'static str,
    program: Program,
) -> &'a wgpu::ShaderModule {
    modules.entry(name).or_insert_with(|| create_module(gpu, name, program.source()))
}

fn create_module(gpu: &Gpu, name: &str, source: String) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(source.into());
    gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
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
