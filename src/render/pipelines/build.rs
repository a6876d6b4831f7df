//! Builds a pipeline from its key. Shader modules are parsed once and shared by the pipelines that use them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::device::gpu::{Gpu, GpuError};
use crate::render::light::shadow_fit::ShadowQuality;
use crate::render::material::features::ShaderFeatures;
use crate::render::material::texture_set::TextureSet;
use crate::render::picture::Msaa;
use crate::render::shaders::{self, PER_SAMPLE, Program};

use super::key::{PipelineKey, SampledKey};
use super::pass_pipeline::{JOINT_BUFFERS, LINE_BUFFERS, PassPipelineOptions, pass_pipeline};
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
    Surface(TextureSet, ShaderFeatures),
}

impl PipelineBuilder {
    /// Makes a builder without modules.
    pub fn new(gpu: Gpu, layouts: BindGroupLayouts, target_format: wgpu::TextureFormat) -> Self {
        Self { gpu, layouts, target_format, modules: Mutex::default() }
    }

    /// Makes a builder for another device of the same adapter.
    pub fn for_second_device(&self) -> Result<Self, GpuError> {
        let gpu = self.gpu.open_second_device()?;
        Ok(Self::new(gpu.clone(), BindGroupLayouts::new(&gpu), self.target_format))
    }

    /// Builds a pipeline, on a compiler thread. Errors go to the device's error scope.
    pub fn make(&self, SampledKey { key, samples }: SampledKey) -> wgpu::RenderPipeline {
        // Compiling takes longer than a frame, so it never runs on the window's thread.
        debug_assert_eq!(std::thread::current().name(), Some(THREAD_NAME));
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let scene = self.scene(samples);
        let (frame, outline) = ([&layouts.frame], [&layouts.frame, &layouts.outline]);
        let in_scene = || PassPipelineOptions::in_scene(scene);
        let overlay = || PassPipelineOptions::overlay(SceneTarget { format: self.target_format, ..scene });
        match key {
            PipelineKey::Surface(key) => surface(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, key.features)), key, scene),
            PipelineKey::ShadowCaster(key) => {
                shadow_caster_pipeline(gpu, layouts, &self.module(ModuleSource::Surface(key.textures, ShaderFeatures::default())), key)
            }
            PipelineKey::Background { tonemap, under } => {
                let constants = [("lit_by_environment", 1.0), ("tonemap", tonemap.into())];
                let options = PassPipelineOptions { blend: None, ..in_scene() }.entries("background_vertex", "background_color");
                self.pass(&frame, Program::Background, options.constants(&constants).under_if(under))
            }
            PipelineKey::Ground => {
                let constants = [("shadow_taps", ShadowQuality::for_adapter(gpu).taps.into())];
                let options = in_scene().entries("ground_vertex", "ground_color").constants(&constants);
                self.pass(&frame, Program::Ground, options)
            }
            PipelineKey::Grid { under } => {
                self.pass(&frame, Program::Grid, in_scene().entries("grid_vertex", "grid_color").under_if(under))
            }
            PipelineKey::SceneLines { under } => {
                let options = in_scene().entries("line", "line_color").buffers(&LINE_BUFFERS).constants(&[("in_scene", 1.0)]);
                self.pass(&frame, Program::Line, options.under_if(under))
            }
            PipelineKey::OverlayLines => self.pass(&frame, Program::Line, overlay().entries("line", "line_color").buffers(&LINE_BUFFERS)),
            PipelineKey::SolidJoints { in_scene: is_in_scene } => {
                let (depth, topology) = (Some(depth_state(true)), wgpu::PrimitiveTopology::TriangleList);
                let options = PassPipelineOptions { depth, topology, ..if is_in_scene { in_scene() } else { overlay() } };
                let constants = [("in_scene", flag(is_in_scene))];
                let options = options.entries("solid_joint", "joint_color").buffers(&JOINT_BUFFERS).constants(&constants);
                self.pass(&frame, Program::Joint, options)
            }
            PipelineKey::OutlineBlocks => {
                let options = PassPipelineOptions::full_target(MASK_FORMAT).entries("fullscreen", "block");
                self.pass(&outline, Program::Outline, options)
            }
            PipelineKey::Outline => self.pass(&outline, Program::Outline, overlay().entries("fullscreen", "outline_color")),
            PipelineKey::Backdrop(tonemap) => self.backdrop("backdrop_light", tonemap),
            PipelineKey::BackdropMip => self.backdrop("backdrop_mip", 0),
            PipelineKey::Composite => {
                let options = PassPipelineOptions::full_target(self.target_format).entries("fullscreen", "composite_color");
                self.pass(&[&layouts.composite], Program::Composite, options)
            }
        }
    }

    /// Returns the target of a scene with this number of samples.
    pub fn scene(&self, samples: Msaa) -> SceneTarget {
        SceneTarget::new(self.target_format, samples)
    }

    /// Builds a pipeline that writes a level of the backdrop.
    fn backdrop(&self, entry: &str, tonemap: u8) -> wgpu::RenderPipeline {
        let constants = [("tonemap", tonemap.into())];
        let options = PassPipelineOptions::full_target(BACKDROP_FORMAT).entries("fullscreen", entry).constants(&constants);
        self.pass(&[&self.layouts.frame, &self.layouts.backdrop], Program::Backdrop, options)
    }

    /// Builds a pipeline of a program that reads these bind groups.
    fn pass(&self, groups: &[&wgpu::BindGroupLayout], program: Program, options: PassPipelineOptions) -> wgpu::RenderPipeline {
        let layout = self.layouts.pipeline(&self.gpu.device, groups);
        pass_pipeline(&self.gpu, &layout, &self.program(program), &options)
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
