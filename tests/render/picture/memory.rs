//! Tests the reported GPU memory, and that a full device refuses an upload with a message.

use std::sync::Arc;

use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::export::error::ExportError;
use sinew::export::still::tiles;
use sinew::model::mesh::{Influences, Vertices};
use sinew::render::device::gpu::Gpu;
use sinew::render::error::RenderError;
use sinew::render::model::GpuModel;
use sinew::session::view::display::{Display, Lighting, Shadow};

use crate::common::skip::skip;
use crate::scene::{Scene, Shot, colored, gpu, quad};

/// Returns a device that counts its memory as used up, or `None` if the driver does not report memory use.
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
fn a_model_too_large_for_graphics_memory_is_refused_with_an_error() {
    let Some(gpu) = full() else {
        skip("this driver does not report how much memory is used");
        return;
    };
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![]);
    scene.add(quad(0.0, 0.0, 2.0, 2.0), glam::Mat4::IDENTITY);
    let refused = GpuModel::new(&gpu, &scene.model).err();
    assert!(matches!(refused, Some(RenderError::OutOfMemory(_))), "{refused:?}");
}

/// Returns a device that binds at most `max_bytes` of a storage buffer.
fn limited(max_bytes: u64) -> Option<Gpu> {
    let real = gpu()?;
    let required_limits = wgpu::Limits { max_storage_buffer_binding_size: max_bytes, ..wgpu::Limits::default() };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(real.adapter.request_device(&descriptor)).unwrap();
    Some(Gpu { instance: real.instance.clone(), adapter: real.adapter.clone(), device, queue, info: real.info.clone() })
}

#[test]
fn more_instances_than_the_device_can_bind_are_refused_with_an_error() {
    let Some(gpu) = limited(65_536) else { return };
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], vec![quad(0.0, 0.0, 2.0, 2.0)]);
    scene.model.nodes[0].source = 3;
    // Each instance has a matrix of 48 bytes.
    let mut refused = |count| {
        scene.model.nodes[0].instances = vec![glam::Affine3A::IDENTITY; count];
        GpuModel::new(&gpu, &scene.model).err().map(|error| error.to_string())
    };
    assert_eq!(refused(1365), None);
    let message = "node 3: instances need 65,568 bytes, more than the graphics driver's limit of 65,536";
    assert_eq!(refused(1366).as_deref(), Some(message));
}

#[test]
fn influences_beyond_the_first_set_must_fit_into_a_storage_buffer() {
    let Some(gpu) = limited(65_536) else { return };
    let refused = |sets, count: usize| {
        let mut primitive = quad(0.0, 0.0, 2.0, 2.0);
        let influences = Influences { sets, joints: vec![[0; 4]; count * sets], weights: vec![[1.0, 0.0, 0.0, 0.0]; count * sets] };
        primitive.vertices = Arc::new(Vertices { positions: vec![glam::Vec3::ZERO; count], influences, ..Vertices::default() });
        let scene = Scene::new(vec![colored([1.0; 4])], vec![primitive]);
        GpuModel::new(&gpu, &scene.model).err().map(|error| error.to_string())
    };
    // A set takes 24 bytes per vertex in the storage buffer. The first set lies in a vertex buffer.
    assert_eq!(refused(1, 5000), None);
    assert_eq!(refused(2, 2730), None);
    let message = "mesh 0, primitive 0: influences need 65,544 bytes, more than the graphics driver's limit of 65,536";
    assert_eq!(refused(2, 2731).as_deref(), Some(message));
}

#[test]
fn a_picture_that_the_driver_refuses_to_draw_is_an_error_instead_of_blank() {
    let Some(gpu) = gpu() else { return };
    let entries = gpu.device.limits().max_storage_buffer_binding_size as usize / size_of::<JointMatrix>() + 1;
    if entries > 10_000_000 {
        skip("this driver binds buffers of any size that the test could fill");
        return;
    }
    let mut scene = Scene::new(vec![colored([1.0; 4])], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    scene.model.palette_len = entries;
    scene.palette = vec![JointMatrix::IDENTITY; entries];
    scene.staged(gpu, &Shot::default(), |renderer, picture, actors| {
        let drawn = tiles::draw_tiles(gpu, renderer, picture, actors, &mut [0; 64 * 64 * 4], [2048; 2], None);
        assert!(matches!(drawn, Err(ExportError::Draw(_))), "{drawn:?}");
    });
}

#[test]
fn render_target_memory_is_counted_while_it_exists() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(20.0, 20.0, 20.0, 20.0)]);
    let targets = |shot: &Shot| {
        let mut bytes = 0;
        scene.staged(gpu, shot, |renderer, picture, actors| {
            tiles::draw_tiles(gpu, renderer, picture, actors, &mut [0; 64 * 64 * 4], [shot.tile; 2], None).unwrap();
            bytes = renderer.target_memory();
        });
        bytes
    };
    // Without a shadow there is a shadow map of one texel.
    let bare = targets(&Shot::default());
    assert_eq!(bare % (64 * 64), 4);
    // The outline needs the overlay, the mask with a margin of three pixels, and one texel for each block of the mask.
    let outlined = targets(&Shot { outlined: vec![true], ..Shot::default() });
    assert_eq!(outlined - bare, 64 * 64 * 4 + 70 * 70 + 8 * 8);
    let display = Display { lighting: Lighting::Studio, shadow: Shadow::On, ..Shot::default().display };
    let side: u64 = if gpu.is_hardware() { 2048 } else { 512 };
    assert_eq!(targets(&Shot { display, ..Shot::default() }) - bare, side * side * 4 - 4);
}

#[test]
fn edge_index_memory_is_counted_after_creation() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(20.0, 20.0, 20.0, 20.0)]);
    let corners = |wireframe| {
        let mut bytes = 0;
        let display = Display { wireframe, ..Shot::default().display };
        scene.staged(gpu, &Shot { display, ..Shot::default() }, |renderer, picture, actors| {
            tiles::draw_tiles(gpu, renderer, picture, actors, &mut [0; 64 * 64 * 4], [2048; 2], None).unwrap();
            bytes = actors[0].gpu.memory().corners;
        });
        bytes
    };
    assert_eq!([false, true].map(corners), [0, 4 * 4]);
}
