//! Floor 4: models and a picture's description to pixels, with wgpu. [`Renderer::draw`] is the whole frame in one visible
//! order: uploads, the overlay's lines, the scene (solid surfaces, ground, axes, blended surfaces), the last pass.
//!
//! A model is uploaded once ([`upload::GpuModel`]); a frame writes the palette, the morph weights and one uniform.

mod draws;
mod frame;
pub mod gpu;
pub mod images;
mod layouts;
pub mod lights;
mod lines;
pub mod material;
pub mod mipmap;
pub mod overlay;
pub mod picture;
mod pipelines;
pub mod readback;
pub mod shaders;
mod stream;
pub mod studio;
mod targets;
mod texture;
pub mod upload;
pub mod vertex;

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use crate::animation::skinning::JointMatrix;

use draws::{Draw, Draws, Instance};
use frame::FrameUniform;
use gpu::Gpu;
use layouts::Layouts;
use lights::GpuLight;
use lines::GpuLine;
use picture::{Actor, Background, Picture};
use pipelines::{Cull, Pipelines};
use stream::Stream;
use studio::Studio;
use targets::Targets;

/// All that outlives a frame.
pub struct Renderer {
    layouts: Layouts,
    pub target_format: wgpu::TextureFormat,
    samples: u32,
    pipelines: Pipelines,
    targets: Option<Targets>,
    studio: Studio,
    irradiance: [Vec4; 9],
    /// Bound where there is no overlay.
    clear: wgpu::TextureView,
    frame: Stream,
    lights: Stream,
    palette: Stream,
    weights: Stream,
    instances: Stream,
    scene_lines: Stream,
    overlay_lines: Stream,
    finish: Stream,
    frame_group: Option<wgpu::BindGroup>,
    actor_group: Option<wgpu::BindGroup>,
    /// Spent so far on making pipelines (with the recording of the frames that needed them, which is next to nothing).
    pub building: Duration,
}

/// Keep in sync with `Finish` in finish.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct FinishUniform {
    origin: [u32; 2],
    supersample: u32,
    has_overlay: u32,
    background: [f32; 4],
}

impl Renderer {
    /// `target_format`: a plain one, not sRGB. `samples`: 1 or 4.
    pub fn new(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32) -> Self {
        use wgpu::BufferUsages as Usage;
        let stream = |label, usage, least| Stream::new(gpu, label, usage, least);
        let studio = Studio::standard();
        Self {
            layouts: Layouts::new(&gpu.device),
            target_format,
            samples: if samples > 1 { 4 } else { 1 },
            pipelines: Pipelines::new(target_format, if samples > 1 { 4 } else { 1 }),
            targets: None,
            irradiance: studio.irradiance(),
            studio,
            clear: texture::single(gpu, [0; 4]),
            frame: stream("frame", Usage::UNIFORM, size_of::<FrameUniform>()),
            lights: stream("lights", Usage::STORAGE, size_of::<GpuLight>()),
            palette: stream("palette", Usage::STORAGE, size_of::<JointMatrix>()),
            weights: stream("weights", Usage::STORAGE, 4),
            instances: stream("instances", Usage::STORAGE, size_of::<Instance>()),
            scene_lines: stream("scene lines", Usage::VERTEX, size_of::<GpuLine>()),
            overlay_lines: stream("overlay lines", Usage::VERTEX, size_of::<GpuLine>()),
            finish: stream("finish", Usage::UNIFORM, size_of::<FinishUniform>()),
            frame_group: None,
            actor_group: None,
            building: Duration::ZERO,
        }
    }

    /// Draws one picture, or tile, into `viewport` (x, y, width, height in pixels) of `target`; what is beside it stays.
    /// Once per submission: the buffers of a frame are written before its commands run.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: [u32; 4],
        picture: &Picture,
        actors: &[Actor],
    ) {
        let [_, _, width, height] = viewport;
        if width == 0 || height == 0 {
            return;
        }
        let supersample = picture.supersample.clamp(1, 4);
        let size = [width * supersample, height * supersample];
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.targets = Some(Targets::new(gpu, size, self.samples));
        }
        let lights = frame::lights(picture);
        let draws = draws::collect(picture, actors, !lights.is_empty());
        let scene_lines = if picture.display.axes { overlay::axes(&picture.bounds, picture.theme).to_vec() } else { Vec::new() };
        let pixels_per_point = picture.pixels_per_point * supersample as f32;
        let scene_lines = lines::gpu_lines(&scene_lines, picture.anchor, pixels_per_point);
        let overlay_lines = lines::gpu_lines(picture.lines, picture.anchor, pixels_per_point);

        let uniform = frame::uniform(picture, size, &self.studio, &self.irradiance, lights.len());
        self.upload_frame(gpu, &uniform, &lights);
        self.upload_actors(gpu, actors, &draws.instances);
        self.scene_lines.write(gpu, bytemuck::cast_slice(&scene_lines));
        self.overlay_lines.write(gpu, bytemuck::cast_slice(&overlay_lines));

        let (start, pipelines) = (Instant::now(), self.pipelines.count());
        self.draw_overlay(gpu, encoder, overlay_lines.len() as u32);
        self.draw_scene(gpu, encoder, picture, &draws, scene_lines.len() as u32);
        self.draw_finish(gpu, encoder, target, viewport, picture, !overlay_lines.is_empty());
        if self.pipelines.count() > pipelines {
            self.building += start.elapsed();
        }
    }

    fn upload_frame(&mut self, gpu: &Gpu, uniform: &FrameUniform, lights: &[GpuLight]) {
        let mut new = self.frame.write(gpu, bytemuck::bytes_of(uniform));
        new |= self.lights.write(gpu, bytemuck::cast_slice(lights));
        if new || self.frame_group.is_none() {
            self.frame_group = Some(group(gpu, "frame", &self.layouts.frame, &[&self.frame, &self.lights]));
        }
    }

    fn upload_actors(&mut self, gpu: &Gpu, actors: &[Actor], instances: &[Instance]) {
        let mut new = false;
        if let [actor] = actors {
            new |= self.palette.write(gpu, bytemuck::cast_slice(actor.palette));
            new |= self.weights.write(gpu, bytemuck::cast_slice(actor.weights));
        } else {
            let palette: Vec<JointMatrix> = actors.iter().flat_map(|actor| actor.palette).copied().collect();
            let weights: Vec<f32> = actors.iter().flat_map(|actor| actor.weights).copied().collect();
            new |= self.palette.write(gpu, bytemuck::cast_slice(&palette));
            new |= self.weights.write(gpu, bytemuck::cast_slice(&weights));
        }
        new |= self.instances.write(gpu, bytemuck::cast_slice(instances));
        if new || self.actor_group.is_none() {
            let buffers = [&self.palette, &self.weights, &self.instances];
            self.actor_group = Some(group(gpu, "actor", &self.layouts.actor, &buffers));
        }
    }

    fn draw_overlay(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, count: u32) {
        let Some(targets) = self.targets.as_mut().filter(|_| count > 0) else { return };
        let overlay = targets.overlay(gpu);
        let mut pass = begin(encoder, "overlay", &overlay, None, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), None);
        pass.set_pipeline(self.pipelines.overlay_lines(gpu, &self.layouts));
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_vertex_buffer(0, self.overlay_lines.buffer().slice(..));
        pass.draw(0..4, 0..count);
    }

    fn draw_scene(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, draws: &Draws, axes: u32) {
        let Some(targets) = &self.targets else { return };
        let (view, resolve) = match &targets.samples {
            Some(samples) => (samples, Some(&targets.scene)),
            None => (&targets.scene, None),
        };
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let mut pass = begin(encoder, "scene", view, resolve, clear, Some(&targets.depth));
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, &self.actor_group, &[]);
        for draw in &draws.solid {
            pass.set_pipeline(self.pipelines.surface(gpu, &self.layouts, draw.key));
            draw_primitive(&mut pass, draw);
        }
        if picture.display.grid {
            pass.set_pipeline(self.pipelines.grid(gpu, &self.layouts));
            pass.draw(0..4, 0..1);
        }
        if axes > 0 {
            pass.set_pipeline(self.pipelines.scene_lines(gpu, &self.layouts));
            pass.set_vertex_buffer(0, self.scene_lines.buffer().slice(..));
            pass.draw(0..4, 0..axes);
        }
        for draw in &draws.blended {
            // The far side of a two-sided surface first.
            let keys = if draw.key.two_sided || draw.key.cull == Cull::None && draw.key.points_or_lines.is_none() {
                [Some(draw.culled(Cull::Front)), Some(draw.culled(Cull::Back))]
            } else {
                [Some(draw.key), None]
            };
            for key in keys.into_iter().flatten() {
                pass.set_pipeline(self.pipelines.surface(gpu, &self.layouts, key));
                draw_primitive(&mut pass, draw);
            }
        }
    }

    fn draw_finish(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: [u32; 4],
        picture: &Picture,
        has_overlay: bool,
    ) {
        let Some(targets) = &self.targets else { return };
        let [x, y, width, height] = viewport;
        let background = match picture.background {
            Background::Color([r, g, b]) => [r, g, b, 255].map(|byte| f32::from(byte) / 255.0),
            Background::Transparent => [0.0; 4],
        };
        let supersample = targets.size[0] / width;
        let uniform = FinishUniform { origin: [x, y], supersample, has_overlay: u32::from(has_overlay), background };
        self.finish.write(gpu, bytemuck::bytes_of(&uniform));
        let overlay = targets.overlay.as_ref().filter(|_| has_overlay).unwrap_or(&self.clear);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("finish"),
            layout: &self.layouts.finish,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.finish.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&targets.scene) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(overlay) },
            ],
        });
        let mut pass = begin(encoder, "finish", target, None, wgpu::LoadOp::Load, None);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        pass.set_pipeline(self.pipelines.finish(gpu, &self.layouts));
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn draw_primitive(pass: &mut wgpu::RenderPass, draw: &Draw) {
    let primitive = draw.primitive;
    pass.set_bind_group(2, &primitive.group, &[]);
    pass.set_bind_group(3, &draw.material.group, &[]);
    pass.set_vertex_buffer(0, primitive.vertices.slice(..));
    if let Some(influences) = primitive.influences.as_ref().filter(|_| draw.key.skinned) {
        pass.set_vertex_buffer(1, influences.slice(..));
    }
    pass.set_index_buffer(primitive.indices.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..primitive.index_count, 0, draw.instance..draw.instance + 1);
}

fn group(gpu: &Gpu, label: &str, layout: &wgpu::BindGroupLayout, buffers: &[&Stream]) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers
        .iter()
        .zip(0..)
        .map(|(stream, binding)| wgpu::BindGroupEntry { binding, resource: stream.buffer().as_entire_binding() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
    depth: Option<&wgpu::TextureView>,
) -> wgpu::RenderPass<'a> {
    // Samples that are resolved, and depth, are read by nobody afterwards.
    let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        depth_stencil_attachment: depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}
