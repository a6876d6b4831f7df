//! The layouts of the bind groups: 0 for the frame, 1 for actors, 2 for meshes, 3 for materials, and groups that only some passes use.
//! Pipelines and uploads share the layouts.

pub(crate) mod frame;
pub(crate) mod frame_group;
pub(crate) mod mesh;

use super::device::gpu::Gpu;
use super::material::texture_set::{FIRST_SAMPLER, FIRST_TEXTURE, TextureSet};

/// All layouts that do not depend on a material. A clone shares them.
#[derive(Debug, Clone)]
pub(crate) struct BindGroupLayouts {
    /// Group 0: see [`frame_group`].
    pub frame: wgpu::BindGroupLayout,
    /// Group 0 of the shadow pass.
    pub shadow_frame: wgpu::BindGroupLayout,
    /// Group 1: palette, weights and instances of a page; see [`super::buffers::palette_pages`].
    pub actor: wgpu::BindGroupLayout,
    /// Group 2: see [`mesh`].
    pub mesh: wgpu::BindGroupLayout,
    /// Group 1 of the passes that make the backdrop of transmissive surfaces.
    pub backdrop: wgpu::BindGroupLayout,
    /// Group 0 of the composite pass.
    pub composite: wgpu::BindGroupLayout,
    /// Group 1 of the outline's passes.
    pub outline: wgpu::BindGroupLayout,
}

impl BindGroupLayouts {
    /// Creates the layouts on a device.
    pub fn new(gpu: &Gpu) -> Self {
        use wgpu::ShaderStages as Stages;
        let device = &gpu.device;
        let uniform = wgpu::BufferBindingType::Uniform;
        let pass_uniform = uniform_type(gpu);
        let storage = wgpu::BufferBindingType::Storage { read_only: true };
        let both = Stages::VERTEX_FRAGMENT;
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        Self {
            frame: layout(
                "frame",
                &[
                    buffer(0, both, uniform),
                    buffer(1, Stages::FRAGMENT, storage),
                    // Environment map, its sampler, BRDF table.
                    texture(2, true),
                    sampler(3),
                    texture(4, true),
                    // Shadow map and its sampler.
                    entry(5, Stages::FRAGMENT, sampled(wgpu::TextureSampleType::Depth)),
                    entry(6, Stages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
                    // Backdrop of transmissive surfaces and its sampler.
                    texture(7, true),
                    sampler(8),
                ],
            ),
            shadow_frame: layout("shadow frame", &[buffer(0, both, uniform)]),
            actor: layout("actor", &[palette(gpu), buffer(1, Stages::VERTEX, storage), buffer(2, Stages::VERTEX, storage)]),
            mesh: layout("mesh", &[0, 1, 2, 3].map(|binding| buffer(binding, Stages::VERTEX, storage))),
            backdrop: layout("backdrop", &[buffer(0, Stages::FRAGMENT, pass_uniform), texture(1, true), sampler(2)]),
            composite: layout("composite", &[buffer(0, Stages::FRAGMENT, pass_uniform), texture(1, false), texture(2, false)]),
            outline: layout("outline", &[texture(0, false), texture(1, false)]),
        }
    }

    /// Creates the layout of group 3 for materials with a set of textures. The device creates equal layouts only once.
    pub fn material(device: &wgpu::Device, textures: TextureSet) -> wgpu::BindGroupLayout {
        let mut entries = vec![buffer(0, wgpu::ShaderStages::FRAGMENT, wgpu::BufferBindingType::Uniform)];
        entries.extend((FIRST_TEXTURE..).take(textures.count()).map(|binding| texture(binding, true)));
        entries.extend((FIRST_SAMPLER..).take(textures.sampler_count()).map(sampler));
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("material"), entries: &entries })
    }

    /// Creates a pipeline layout with these bind groups, numbered from 0.
    pub fn pipeline(&self, device: &wgpu::Device, groups: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
        let groups: Vec<_> = groups.iter().map(|group| Some(*group)).collect();
        device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor { label: None, bind_group_layouts: &groups, immediate_size: 0 })
    }
}

/// Returns how the backdrop and composite passes read their uniforms. On software rasterizers, these are storage buffers, because lavapipe
/// compiles a fragment shader again for each draw if it branches or loops on a value in a uniform buffer, and keeps all the results. The
/// uniforms of surfaces cannot be in storage buffers: there lavapipe reads zeros for fragments outside of a triangle, and the derivatives
/// at its edges would be wrong.
pub(crate) fn uniform_type(gpu: &Gpu) -> wgpu::BufferBindingType {
    if gpu.is_hardware() { wgpu::BufferBindingType::Uniform } else { wgpu::BufferBindingType::Storage { read_only: true } }
}

/// The usages of a buffer that shaders read with the binding type of [`uniform_type`].
pub(crate) const UNIFORM_USAGES: wgpu::BufferUsages = wgpu::BufferUsages::UNIFORM.union(wgpu::BufferUsages::STORAGE);

/// The layout entry of the joint palette: a storage buffer, or a texture on software rasterizers ([`super::buffers::palette`]).
fn palette(gpu: &Gpu) -> wgpu::BindGroupLayoutEntry {
    let stage = wgpu::ShaderStages::VERTEX;
    if gpu.is_hardware() {
        return buffer(0, stage, wgpu::BufferBindingType::Storage { read_only: true });
    }
    entry(0, stage, sampled(wgpu::TextureSampleType::Float { filterable: false }))
}

/// A layout entry for a single resource.
pub(crate) fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

/// A layout entry for a buffer that is bound whole.
pub(crate) fn buffer(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

/// A layout entry for a filtering sampler in the fragment stage.
fn sampler(binding: u32) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::ShaderStages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering))
}

/// A layout entry for a float texture in the fragment stage.
fn texture(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::ShaderStages::FRAGMENT, sampled(wgpu::TextureSampleType::Float { filterable }))
}

/// A 2D texture without multisampling.
fn sampled(sample_type: wgpu::TextureSampleType) -> wgpu::BindingType {
    wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

/// Makes a bind group. The resources are in the order of their bindings, which are numbered from 0.
pub(crate) fn group<'a>(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources.into_iter().zip(0..).map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource }).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
