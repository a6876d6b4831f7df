//! A device that has no memory left: what was to be uploaded is refused in words.

use sinew::render::gpu::Gpu;
use sinew::render::upload::{GpuModel, RenderError};

use crate::scene::{Scene, colored, gpu, quad};

/// A device that counts its memory as used up; none where the driver does not tell how much is used.
fn full() -> Option<Gpu> {
    let real = gpu()?;
    let thresholds = wgpu::MemoryBudgetThresholds { for_resource_creation: Some(0), for_device_loss: None };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        memory_budget_thresholds: thresholds,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default())).ok()?;
    let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let usage = wgpu::BufferUsages::VERTEX;
    let _ = device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false });
    pollster::block_on(scope.pop())?;
    Some(Gpu { instance, adapter, device, queue, info: real.info.clone() })
}

#[test]
fn a_model_without_room_in_graphics_memory_is_refused_and_says_so() {
    let Some(gpu) = full() else {
        eprintln!("SKIPPED: this driver does not say how much memory is used");
        return;
    };
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![]);
    scene.add(quad(0.0, 0.0, 2.0, 2.0), glam::Mat4::IDENTITY);
    let refused = GpuModel::new(&gpu, &scene.model).err();
    assert!(matches!(refused, Some(RenderError::OutOfMemory(_))), "{refused:?}");
}
