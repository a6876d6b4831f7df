//! Builds one pipeline from its key. Shader modules are parsed once and shared.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::device::gpu::{Gpu, GpuError};
use crate::render::material::features::Features;
use crate::render::material::texture_set::TextureSet;
use crate::render::shaders::{self, PER_SAMPLE, Program};

use super::compiler::THREAD_NAME;
use super::fullscreen::{Flat, JOINT_BUFFERS, LINE_BUFFERS, flat};
use super::key::PipelineKey;
use super::shadow_caster::shadow_caster_pipeline;
use super::surface::{flag, surface};
use super::target::{BACKDROP_FORMAT, MASK_FORMAT, SceneTarget, depth_state};

/// What pipelines are made from.
pub(crate) struct PipelineBuilder {
    pub gpu: Gpu,
    pub layouts: BindGroupLayouts,
    pub target_format: wgpu::TextureFormat,
    pub scene: SceneTarget,
    /// Parsed once, by whoever needs one first.
    modules: Mutex<HashMap<ModuleSource, Arc<OnceLock<wgpu::ShaderModule>>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ModuleSource {
    Program(Program),
    /// Of what a file draws.
    Surface(TextureSet, Features),
}

impl PipelineBuilder {
    pub fn new(gpu: Gpu, layouts: BindGroupLayouts, target_format: wgpu::TextureFormat, scene: SceneTarget) -> Self {
        Self { gpu, layouts, target_format, scene, modules: Mutex::default() }
    }

    /// One like it, with another device of the same adapter.
    pub fn another(&self) -> Result<Self, GpuError> {
        let gpu = self.gpu.another()?;
        Ok(Self::new(gpu.clone(), BindGroupLayouts::new(&gpu), self.target_format, self.scene))
    }

    pub fn make(&self, key: PipelineKey) -> wgpu::RenderPipeline {
        // Never on the window's.
        debug_assert_eq!(std::thread::current().name(), Some(THREAD_NAME));
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let on_frame = || layouts.pipeline(&gpu.device, &[&layouts.frame]);
        let on_outline = || layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.outline]);
        match key {
            PipelineKey::Surface(key) => {
                surface(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, key.features)), key, self.scene)
            }
            PipelineKey::ShadowCaster(key) => {
                shadow_caster_pipeline(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, Features::default())), key)
            }
            PipelineKey::Background { tonemap, under } => {
                let constants = [("studio", 1.0), ("tonemap", tonemap.into())];
                let options = Flat { blend: None, constants: &constants, ..Flat::in_scene(self.scene) };
                let options = Flat { entries: ["background_vertex", "background_color"], ..options };
                flat(gpu, &on_frame(), &self.program(Program::Background), &if under { options.under() } else { options })
            }
            PipelineKey::Ground => {
                let options = Flat { entries: ["ground_vertex", "ground_color"], ..Flat::in_scene(self.scene) };
                flat(gpu, &on_frame(), &self.program(Program::Ground), &options)
            }
            PipelineKey::Grid { under } => {
                let options = Flat { entries: ["grid_vertex", "grid_color"], ..Flat::in_scene(self.scene) };
                flat(gpu, &on_frame(), &self.program(Program::Grid), &if under { options.under() } else { options })
            }
            PipelineKey::SceneLines { under } => {
                let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.scene) };
                let options = Flat { entries: ["line", "line_color"], ..options };
                flat(gpu, &on_frame(), &self.program(Program::Line), &if under { options.under() } else { options })
            }
            PipelineKey::OverlayLines => {
                let options = Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..Flat::overlay(self.overlay()) };
                flat(gpu, &on_frame(), &self.program(Program::Line), &options)
            }
            PipelineKey::Solids { in_scene } => {
                let (depth, topology) = (Some(depth_state(true)), wgpu::PrimitiveTopology::TriangleList);
                let options = if in_scene { Flat::in_scene(self.scene) } else { Flat::overlay(self.overlay()) };
                let constants = [("in_scene", flag(in_scene))];
                let options = Flat { entries: ["solid_joint", "joint_color"], buffers: &JOINT_BUFFERS, constants: &constants, ..options };
                flat(gpu, &on_frame(), &self.program(Program::Joint), &Flat { depth, topology, ..options })
            }
            PipelineKey::OutlineBlocks => {
                let options = Flat { entries: ["fullscreen", "block"], ..Flat::whole(MASK_FORMAT) };
                flat(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Outline => {
                let options = Flat { entries: ["fullscreen", "outline_color"], ..Flat::overlay(self.overlay()) };
                flat(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Backdrop(tonemap) => self.backdrop("backdrop_light", tonemap),
            PipelineKey::BackdropMip => self.backdrop("backdrop_mip", 0),
            PipelineKey::Composite => {
                let options = Flat::whole(self.target_format);
                let layout = layouts.pipeline(&gpu.device, &[&layouts.composite]);
                flat(gpu, &layout, &self.program(Program::Composite), &Flat { entries: ["fullscreen", "composite_color"], ..options })
            }
        }
    }

    /// What lies over the picture is drawn into.
    fn overlay(&self) -> SceneTarget {
        SceneTarget { format: self.target_format, ..self.scene }
    }

    fn backdrop(&self, entry: &str, tonemap: u8) -> wgpu::RenderPipeline {
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.backdrop]);
        let constants = [("tonemap", tonemap.into())];
        let options = Flat { entries: ["fullscreen", entry], constants: &constants, ..Flat::whole(BACKDROP_FORMAT) };
        flat(gpu, &layout, &self.program(Program::Backdrop), &options)
    }

    fn program(&self, program: Program) -> wgpu::ShaderModule {
        self.module(ModuleSource::Program(program))
    }

    fn module(&self, source: ModuleSource) -> wgpu::ShaderModule {
        let cell = self.modules.lock().unwrap_or_else(PoisonError::into_inner).entry(source).or_default().clone();
        let parse = || {
            let (name, text) = match source {
                ModuleSource::Program(program) => (program.name(), program.source()),
                ModuleSource::Surface(textures, features) => {
                    let by_sample = if self.gpu.masks_by_sample() { PER_SAMPLE } else { "" };
                    (Program::Surface.name(), shaders::surface(textures, features, !self.gpu.is_hardware()) + by_sample)
                }
            };
            let source = wgpu::ShaderSource::Wgsl(text.into());
            self.gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
        };
        cell.get_or_init(parse).clone()
    }
}
