//! Group 2: what the vertex stage pulls of a primitive beside its attributes, and of a node that shows it in many places, where
//! these are (EXT_mesh_gpu_instancing).

use wgpu::util::DeviceExt;

use crate::animation::skinning::JointMatrix;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::vertex;

/// Of a primitive, whoever shows it.
#[derive(Clone)]
pub(super) struct MeshBuffers {
    influences: wgpu::Buffer,
    offsets: wgpu::Buffer,
    deltas: wgpu::Buffer,
}

impl MeshBuffers {
    /// Of what has neither morph targets nor more than four influences.
    pub fn plain(gpu: &Gpu) -> Self {
        Self::new(gpu, &[], &[], &[])
    }

    /// Empty storage is padded to one element: a binding cannot be empty.
    pub fn new(gpu: &Gpu, influences: &[u32], offsets: &[u32], deltas: &[vertex::MorphDelta]) -> Self {
        Self {
            influences: storage(gpu, "extra influences", bytemuck::cast_slice(influences), 4),
            offsets: storage(gpu, "morph offsets", bytemuck::cast_slice(offsets), 4),
            deltas: storage(gpu, "morph deltas", bytemuck::cast_slice(deltas), size_of::<vertex::MorphDelta>()),
        }
    }

    pub fn group(&self, gpu: &Gpu, layouts: &Layouts, places: &wgpu::Buffer) -> wgpu::BindGroup {
        let buffers = [&self.influences, &self.offsets, &self.deltas, places];
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("mesh"), layout: &layouts.mesh, entries: &entries })
    }
}

/// Where a mesh stands, in the space of its node.
pub(super) fn places(gpu: &Gpu, matrices: &[JointMatrix]) -> wgpu::Buffer {
    storage(gpu, "places", bytemuck::cast_slice(matrices), size_of::<JointMatrix>())
}

fn storage(gpu: &Gpu, label: &str, contents: &[u8], least: usize) -> wgpu::Buffer {
    let padded;
    let contents = if contents.len() < least {
        padded = vec![0; least];
        &padded
    } else {
        contents
    };
    let usage = wgpu::BufferUsages::STORAGE;
    gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage })
}
