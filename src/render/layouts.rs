//! The four bind groups, as every pipeline and every upload agrees on them: frame, actor, mesh, material.

#[derive(Debug, Clone)]
pub(super) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    pub actor: wgpu::BindGroupLayout,
    pub mesh: wgpu::BindGroupLayout,
    pub material: wgpu::BindGroupLayout,
    pub finish: wgpu::BindGroupLayout,
    /// Group 1 of the outline.
    pub outline: wgpu::BindGroupLayout,
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Self {
        use wgpu::ShaderStages as Stages;
        let uniform = wgpu::BufferBindingType::Uniform;
        let storage = wgpu::BufferBindingType::Storage { read_only: true };
        let both = Stages::VERTEX_FRAGMENT;
        let mut material = vec![buffer(0, Stages::FRAGMENT, uniform)];
        for slot in 0..super::material::SLOT_COUNT as u32 {
            material.push(texture(1 + 2 * slot, true));
            material.push(entry(2 + 2 * slot, Stages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)));
        }
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        Self {
            frame: layout("frame", &[buffer(0, both, uniform), buffer(1, Stages::FRAGMENT, storage)]),
            actor: layout("actor", &[0, 1, 2].map(|binding| buffer(binding, Stages::VERTEX, storage))),
            mesh: layout("mesh", &[0, 1, 2, 3].map(|binding| buffer(binding, Stages::VERTEX, storage))),
            material: layout("material", &material),
            finish: layout("finish", &[buffer(0, Stages::FRAGMENT, uniform), texture(1, false), texture(2, false)]),
            outline: layout("outline", &[texture(0, false), texture(1, false)]),
        }
    }

    pub fn pipeline(&self, device: &wgpu::Device, groups: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
        let groups: Vec<_> = groups.iter().map(|group| Some(*group)).collect();
        device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor { label: None, bind_group_layouts: &groups, immediate_size: 0 })
    }
}

fn entry(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn buffer(binding: u32, visibility: wgpu::ShaderStages, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, visibility, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

fn texture(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}
