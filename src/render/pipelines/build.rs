//! Builds a pipeline from its key. Shader modules are parsed once and shared by the pipelines that use them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::device::gpu::{Gpu, GpuError};
use crate::render::light::shadow_fit::ShadowQuality;
use crate::render::material::features::Features;
use crate::render::material::texture_set::TextureSet;
use crate::render::shaders::{self, PER_SAMPLE, Program};

use super::fullscreen::{FullscreenOptions, JOINT_BUFFERS, LINE_BUFFERS, fullscreen_pipeline};
use super::key::{PipelineKey, SampledKey};
use super::shadow_caster::shadow_caster_pipeline;
use super::surface::{flag, surface};
use super::target::{BACKDROP_FORMAT, MASK_FORMAT, SceneTarget, depth_state};

/// Name of the threads that build pipelines.
pub(crate) const THREAD_NAME: &str = "pipelines";

/// The device and the formats that pipelines are built for.
pub(crate) struct PipelineBuilder {
    pub gpu: Gpu,
    pub layouts: BindGroupLayouts,
    /// Format of the pictures and the overlay.
    pub target_format: wgpu::TextureFormat,
    /// Each module is parsed once, by the thread that needs it first.
    modules: Mutex<HashMap<ModuleSource, Arc<OnceLock<wgpu::ShaderModule>>>>,
}

/// Identifies a shader module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ModuleSource {
    /// A module that does not depend on a material.
    Program(Program),
    /// A module for the primitives of files, with these textures and features.
    Surface(TextureSet, Features),
}

impl PipelineBuilder {
    /// Makes a builder without modules.
    pub fn new(gpu: Gpu, layouts: BindGroupLayouts, target_format: wgpu::TextureFormat) -> Self {
        Self { gpu, layouts, target_format, modules: Mutex::default() }
    }

    /// Makes a builder for another device of the same adapter.
    pub fn another(&self) -> Result<Self, GpuError> {
        let gpu = self.gpu.another()?;
        Ok(Self::new(gpu.clone(), BindGroupLayouts::new(&gpu), self.target_format))
    }

    /// Builds a pipeline, on a compiler thread. Errors go to the device's error scope.
    pub fn make(&self, SampledKey { key, samples }: SampledKey) -> wgpu::RenderPipeline {
        // Compiling takes longer than a frame, so it never runs on the window's thread.
        debug_assert_eq!(std::thread::current().name(), Some(THREAD_NAME));
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let scene = self.scene(samples);
        let overlay = SceneTarget { format: self.target_format, ..scene };
        let on_frame = || layouts.pipeline(&gpu.device, &[&layouts.frame]);
        let on_outline = || layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.outline]);
        match key {
            PipelineKey::Surface(key) => surface(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, key.features)), key, scene),
            PipelineKey::ShadowCaster(key) => {
                shadow_caster_pipeline(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, Features::default())), key)
            }
            PipelineKey::Background { tonemap, under } => {
                let constants = [("studio", 1.0), ("tonemap", tonemap.into())];
                let options = FullscreenOptions { blend: None, constants: &constants, ..FullscreenOptions::in_scene(scene) };
                let options = FullscreenOptions { entries: ["background_vertex", "background_color"], ..options };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Background), &if under { options.under() } else { options })
            }
            PipelineKey::Ground => {
                let constants = [("shadow_taps", ShadowQuality::for_adapter(gpu).taps.into())];
                let options = FullscreenOptions { constants: &constants, ..FullscreenOptions::in_scene(scene) };
                let options = FullscreenOptions { entries: ["ground_vertex", "ground_color"], ..options };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Ground), &options)
            }
            PipelineKey::Grid { under } => {
                let options = FullscreenOptions { entries: ["grid_vertex", "grid_color"], ..FullscreenOptions::in_scene(scene) };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Grid), &if under { options.under() } else { options })
            }
            PipelineKey::SceneLines { under } => {
                let options =
                    FullscreenOptions { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..FullscreenOptions::in_scene(scene) };
                let options = FullscreenOptions { entries: ["line", "line_color"], ..options };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Line), &if under { options.under() } else { options })
            }
            PipelineKey::OverlayLines => {
                let options =
                    FullscreenOptions { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..FullscreenOptions::overlay(overlay) };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Line), &options)
            }
            PipelineKey::SolidJoints { in_scene } => {
                let (depth, topology) = (Some(depth_state(true)), wgpu::PrimitiveTopology::TriangleList);
                let options = if in_scene { FullscreenOptions::in_scene(scene) } else { FullscreenOptions::overlay(overlay) };
                let constants = [("in_scene", flag(in_scene))];
                let options = FullscreenOptions {
                    entries: ["solid_joint", "joint_color"],
                    buffers: &JOINT_BUFFERS,
                    constants: &constants,
                    ..options
                };
                fullscreen_pipeline(gpu, &on_frame(), &self.program(Program::Joint), &FullscreenOptions { depth, topology, ..options })
            }
            PipelineKey::OutlineBlocks => {
                let options = FullscreenOptions { entries: ["fullscreen", "block"], ..FullscreenOptions::full_target(MASK_FORMAT) };
                fullscreen_pipeline(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Outline => {
                let options = FullscreenOptions { entries: ["fullscreen", "outline_color"], ..FullscreenOptions::overlay(overlay) };
                fullscreen_pipeline(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Backdrop(tonemap) => self.backdrop("backdrop_light", tonemap),
            PipelineKey::BackdropMip => self.backdrop("backdrop_mip", 0),
            PipelineKey::Composite => {
                let options = FullscreenOptions::full_target(self.target_format);
                let layout = layouts.pipeline(&gpu.device, &[&layouts.composite]);
                fullscreen_pipeline(
                    gpu,
                    &layout,
                    &self.program(Program::Composite),
                    &FullscreenOptions { entries: ["fullscreen", "composite_color"], ..options },
                )
            }
        }
    }

    /// Returns the target of a scene with this number of samples.
    pub fn scene(&self, samples: u32) -> SceneTarget {
        SceneTarget::new(self.target_format, samples)
    }

    /// Builds a pipeline that writes a level of the backdrop.
    fn backdrop(&self, entry: &str, tonemap: u8) -> wgpu::RenderPipeline {
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.backdrop]);
        let constants = [("tonemap", tonemap.into())];
        let options =
            FullscreenOptions { entries: ["fullscreen", entry], constants: &constants, ..FullscreenOptions::full_target(BACKDROP_FORMAT) };
        fullscreen_pipeline(gpu, &layout, &self.program(Program::Backdrop), &options)
    }

    /// Returns the module of a program.
    fn program(&self, program: Program) -> wgpu::ShaderModule {
        self.module(ModuleSource::Program(program))
    }

    /// Returns a module, parsed on first use.
    fn module(&self, source: ModuleSource) -> wgpu::ShaderModule {
        let cell = self.modules.lock().unwrap_or_else(PoisonError::into_inner).entry(source).or_default().clone();
        let parse = || {
            let (name, text) = match source {
                ModuleSource::Program(program) => (program.name(), program.source(!self.gpu.is_hardware())),
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
