//! Bind group 0: frame uniform, lights, environment, shadow map and backdrop. All passes bind it, except the shadow pass and the composite
//! pass, whose group 0 has a layout of its own.

use bytemuck::bytes_of;

use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::environment::studio_map::studio_map;
use crate::render::environment::{EnvironmentLight, brdf_lut_texture};
use crate::render::light::punctual::GpuLight;
use crate::render::material::texture;

use super::frame::{self, FrameUniform};
use super::{BindGroupLayouts, group as bind_group};

/// The textures of the group. A clone shares them.
#[derive(Clone)]
pub(crate) struct FrameViews {
    /// Environment map with one mip level per roughness.
    pub environment: wgpu::TextureView,
    /// BRDF table of [`brdf_lut_texture`].
    pub brdf_lut: wgpu::TextureView,
    /// Shadow map of the key light.
    pub shadow: wgpu::TextureView,
    /// The backdrop that transmissive surfaces refract.
    pub backdrop: wgpu::TextureView,
}

/// The samplers of the group, one for each kind of lookup.
pub(crate) struct FrameSamplers {
    pub environment: wgpu::Sampler,
    pub shadow: wgpu::Sampler,
    pub backdrop: wgpu::Sampler,
}

impl FrameSamplers {
    /// Creates the samplers.
    pub fn new(gpu: &Gpu) -> Self {
        let linear = wgpu::FilterMode::Linear;
        let smooth = wgpu::SamplerDescriptor { mag_filter: linear, min_filter: linear, ..Default::default() };
        let mipmap_filter = wgpu::MipmapFilterMode::Linear;
        // Depth is reversed: a point is lit unless the map holds a larger depth, which is nearer to the light.
        let compare = Some(wgpu::CompareFunction::GreaterEqual);
        let sampler = |descriptor| gpu.device.create_sampler(&descriptor);
        Self {
            environment: sampler(wgpu::SamplerDescriptor { label: Some("environment"), mipmap_filter, ..smooth.clone() }),
            shadow: sampler(wgpu::SamplerDescriptor { label: Some("shadow map"), compare, ..smooth.clone() }),
            backdrop: sampler(wgpu::SamplerDescriptor { label: Some("backdrop"), ..smooth }),
        }
    }
}

/// Bind group 0 of a frame, and those of its buffers and textures that do not belong to a pass.
pub(crate) struct FrameBindings {
    /// The environment that lights surfaces.
    pub environment: EnvironmentLight,
    pub samplers: FrameSamplers,
    brdf_lut: wgpu::TextureView,
    /// One transparent texel, bound while there is no backdrop.
    empty: wgpu::TextureView,
    uniform_buffer: DynamicBuffer,
    light_buffer: DynamicBuffer,
    /// The uniform that was uploaded last.
    pub uniform: FrameUniform,
    /// `None` before the first frame and after a change of environment.
    group: Option<wgpu::BindGroup>,
}

impl FrameBindings {
    /// Creates the bindings with the studio as environment.
    pub fn new(gpu: &Gpu) -> Self {
        let buffer = |label, usage, min_bytes| DynamicBuffer::new(gpu, label, usage, min_bytes);
        Self {
            environment: EnvironmentLight::new(gpu, &studio_map()),
            samplers: FrameSamplers::new(gpu),
            brdf_lut: brdf_lut_texture(gpu),
            empty: texture::single(gpu, [0; 4]),
            uniform_buffer: buffer("frame", wgpu::BufferUsages::UNIFORM, frame::SIZE),
            light_buffer: buffer("lights", wgpu::BufferUsages::STORAGE, size_of::<GpuLight>()),
            uniform: bytemuck::Zeroable::zeroed(),
            group: None,
        }
    }

    /// Sets the environment of the following frames.
    pub fn set_environment(&mut self, environment: EnvironmentLight) {
        self.environment = environment;
        self.group = None;
    }

    /// Returns the textures to bind. Without a backdrop, an empty one is bound.
    pub fn views(&self, shadow: &wgpu::TextureView, backdrop: Option<&wgpu::TextureView>) -> FrameViews {
        FrameViews {
            environment: self.environment.map.clone(),
            brdf_lut: self.brdf_lut.clone(),
            shadow: shadow.clone(),
            backdrop: backdrop.unwrap_or(&self.empty).clone(),
        }
    }

    /// Uploads the uniform and the lights. Returns the uploaded bytes, and whether the bind group must be made again.
    pub fn write(&mut self, gpu: &Gpu, uniform: FrameUniform, lights: &[GpuLight]) -> (u64, bool) {
        self.uniform = uniform;
        let mut is_new = self.uniform_buffer.write(gpu, &[bytes_of(&uniform)]);
        is_new |= self.light_buffer.write(gpu, &[bytemuck::cast_slice(lights)]);
        (self.uniform_buffer.uploaded + self.light_buffer.uploaded, is_new || self.group.is_none())
    }

    /// Makes the bind group of the frame again.
    pub fn bind(&mut self, gpu: &Gpu, layouts: &BindGroupLayouts, views: &FrameViews) {
        self.group = Some(self.group_with(gpu, layouts, &self.uniform_buffer, views));
    }

    /// Makes a bind group with another frame uniform, but with the lights and samplers of these bindings.
    pub fn group_with(&self, gpu: &Gpu, layouts: &BindGroupLayouts, uniform: &DynamicBuffer, views: &FrameViews) -> wgpu::BindGroup {
        group(gpu, layouts, [uniform.buffer(), self.light_buffer.buffer()], views, &self.samplers)
    }

    /// Returns the group. `None` before the first frame, and after a change of environment until [`Self::bind`] is called.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.group.as_ref()
    }
}

/// Makes a bind group 0. `buffers` are the frame uniform and the lights.
pub(crate) fn group(
    gpu: &Gpu,
    layouts: &BindGroupLayouts,
    buffers: [&wgpu::Buffer; 2],
    views: &FrameViews,
    samplers: &FrameSamplers,
) -> wgpu::BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let resources = [
        buffers[0].as_entire_binding(),
        buffers[1].as_entire_binding(),
        TextureView(&views.environment),
        Sampler(&samplers.environment),
        TextureView(&views.brdf_lut),
        TextureView(&views.shadow),
        Sampler(&samplers.shadow),
        TextureView(&views.backdrop),
        Sampler(&samplers.backdrop),
    ];
    bind_group(gpu, "frame", &layouts.frame, resources)
}
