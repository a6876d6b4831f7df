//! Floor 4: models and a picture's description to pixels, with wgpu. [`Renderer::draw`] is the whole frame in one visible
//! order: uploads, what lies over the picture, the scene (solid surfaces, ground, axes, blended surfaces, edges), the last pass.
//!
//! A model is uploaded once ([`upload::GpuModel`]); a frame writes palettes, morph weights ([`pages`]) and one uniform.

mod draws;
mod driven;
mod frame;
mod geometry;
pub mod gpu;
pub mod images;
pub mod joints;
mod layouts;
pub mod lights;
mod lines;
pub mod material;
mod mesh_group;
pub mod mipmap;
mod outline;
mod over;
pub mod overlay;
mod pages;
mod passes;
pub mod picture;
mod pieces;
mod pipelines;
mod places;
pub mod readback;
pub mod shaders;
pub mod skeleton;
mod stream;
pub mod studio;
mod targets;
mod texture;
mod timer;
pub mod upload;
pub mod vertex;
mod winding;
mod wire;

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use draws::Draws;
use driven::DrivenMaterials;
use frame::FrameUniform;
use gpu::Gpu;
use joints::GpuOctahedron;
use layouts::Layouts;
use lights::GpuLight;
use lines::GpuLine;
use outline::Outline;
use over::Over;
use pages::Page;
use passes::Target;
use picture::{Actor, Background, Picture};
use pipelines::{Cull, Pipelines};
use stream::Stream;
use studio::Studio;
use targets::Targets;
use timer::Timer;

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
    pages: Vec<Page>,
    /// Bytes of the largest buffer of a page: what the device binds at once.
    pub page_limit: u64,
    scene_lines: Stream,
    overlay_lines: Stream,
    octahedra: Stream,
    outline: Option<Outline>,
    finish: Stream,
    materials: DrivenMaterials,
    frame_group: Option<wgpu::BindGroup>,
    /// While somebody wants to know how long the device takes.
    timer: Option<Timer>,
    /// Bytes that the last picture uploaded.
    pub uploaded: u64,
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
            pages: Vec::new(),
            page_limit: gpu.device.limits().max_storage_buffer_binding_size,
            scene_lines: stream("scene lines", Usage::VERTEX, size_of::<GpuLine>()),
            overlay_lines: stream("overlay lines", Usage::VERTEX, size_of::<GpuLine>()),
            octahedra: stream("octahedra", Usage::VERTEX, size_of::<GpuOctahedron>()),
            outline: None,
            finish: stream("finish", Usage::UNIFORM, size_of::<FinishUniform>()),
            materials: DrivenMaterials::default(),
            frame_group: None,
            timer: None,
            uploaded: 0,
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
        let draws = draws::collect(picture, actors, !lights.is_empty(), self.page_limit);
        let scene_lines = if picture.display.axes { overlay::axes(&picture.bounds, picture.theme).to_vec() } else { Vec::new() };
        let pixels_per_point = picture.pixels_per_point * supersample as f32;
        let scene_lines = lines::gpu_lines(&scene_lines, picture.anchor, pixels_per_point);
        let overlay_lines = lines::gpu_lines(picture.lines, picture.anchor, pixels_per_point);
        let octahedra = joints::gpu_octahedra(picture.octahedra, picture.anchor);
        let over = Over { lines: overlay_lines.len() as u32, octahedra: octahedra.len() as u32, outline: !draws.marked.is_empty() };
        if picture.display.wireframe {
            wire::prepare(gpu, actors);
        }

        let uniform = frame::uniform(picture, size, &self.studio, &self.irradiance, lights.len());
        self.upload_frame(gpu, &uniform, &lights);
        self.upload_actors(gpu, actors, &draws);
        self.materials.write(gpu, &self.layouts, actors);
        self.scene_lines.write(gpu, &[bytemuck::cast_slice(&scene_lines)]);
        self.overlay_lines.write(gpu, &[bytemuck::cast_slice(&overlay_lines)]);
        self.octahedra.write(gpu, &[bytemuck::cast_slice(&octahedra)]);
        if let Some(timer) = &mut self.timer {
            timer.collect(gpu);
        }

        let (start, pipelines) = (Instant::now(), self.pipelines.count());
        self.draw_over(gpu, encoder, picture, &draws, &over);
        self.draw_scene(gpu, encoder, picture, &draws, scene_lines.len() as u32);
        self.draw_finish(gpu, encoder, target, viewport, picture, over.any());
        if self.pipelines.count() > pipelines {
            self.building += start.elapsed();
        }
        if let Some(timer) = &mut self.timer {
            timer.record(encoder);
        }
        let streams = [&self.frame, &self.lights, &self.scene_lines, &self.overlay_lines, &self.octahedra, &self.finish];
        let pages: u64 = self.pages.iter().map(Page::uploaded).sum();
        self.uploaded = pages + streams.iter().map(|stream| stream.uploaded).sum::<u64>();
    }

    /// From now on, or no more, the device's work on each picture is measured; where it can.
    pub fn measure(&mut self, gpu: &Gpu, measure: bool) {
        if measure != self.timer.is_some() {
            self.timer = measure.then(|| Timer::new(gpu)).flatten();
        }
    }

    /// How long the device worked on the last picture that it told of, one of the last few; everything drawn must have been
    /// submitted. None: nothing measured yet, or it cannot be.
    pub fn gpu_milliseconds(&mut self, gpu: &Gpu) -> Option<f64> {
        let timer = self.timer.as_mut()?;
        timer.collect(gpu);
        timer.last
    }

    fn upload_frame(&mut self, gpu: &Gpu, uniform: &FrameUniform, lights: &[GpuLight]) {
        let mut new = self.frame.write(gpu, &[bytemuck::bytes_of(uniform)]);
        new |= self.lights.write(gpu, &[bytemuck::cast_slice(lights)]);
        if new || self.frame_group.is_none() {
            self.frame_group = Some(passes::group(gpu, "frame", &self.layouts.frame, &[&self.frame, &self.lights]));
        }
    }

    fn upload_actors(&mut self, gpu: &Gpu, actors: &[Actor], draws: &Draws) {
        // Pages that are not needed give their memory back.
        self.pages.resize_with(draws.pages.len(), || Page::new(gpu));
        for (page, (spans, instances)) in self.pages.iter_mut().zip(&draws.pages) {
            page.write(gpu, &self.layouts, actors, spans, instances);
        }
    }

    fn draw_scene(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, draws: &Draws, axes: u32) {
        let Some(targets) = &self.targets else { return };
        let (view, resolve) = match &targets.samples {
            Some(samples) => (samples, Some(&targets.scene)),
            None => (&targets.scene, None),
        };
        let target = Target { resolve, depth: Some(&targets.depth), ..Target::cleared(view) };
        let mut pass = passes::begin(encoder, "scene", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        let mut bound = None;
        for draw in &draws.solid {
            passes::bind_page(&mut pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(self.pipelines.surface(gpu, &self.layouts, draw.key));
            passes::draw_primitive(&mut pass, draw, &self.materials);
        }
        // What lets the skeleton through lets the ground through, too.
        let behind = picture.display.xray;
        if picture.display.grid {
            pass.set_pipeline(self.pipelines.grid(gpu, &self.layouts, behind));
            pass.draw(0..4, 0..1);
        }
        if axes > 0 {
            pass.set_pipeline(self.pipelines.scene_lines(gpu, &self.layouts, behind));
            pass.set_vertex_buffer(0, self.scene_lines.buffer().slice(..));
            pass.draw(0..4, 0..axes);
        }
        for draw in &draws.blended {
            passes::bind_page(&mut pass, &self.pages, draw, &mut bound);
            // The far side of a two-sided surface first.
            let keys = if draw.key.two_sided || draw.key.cull == Cull::None && draw.key.points_or_lines.is_none() {
                [Some(draw.culled(Cull::Front)), Some(draw.culled(Cull::Back))]
            } else {
                [Some(draw.key), None]
            };
            for key in keys.into_iter().flatten() {
                pass.set_pipeline(self.pipelines.surface(gpu, &self.layouts, key));
                passes::draw_primitive(&mut pass, draw, &self.materials);
            }
        }
        if picture.display.wireframe {
            self.draw_wires(gpu, &mut pass, draws.solid.iter().chain(&draws.blended));
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
        self.finish.write(gpu, &[bytemuck::bytes_of(&uniform)]);
        let overlay = targets.overlay.as_ref().filter(|_| has_overlay).map_or(&self.clear, |overlay| &overlay.resolved);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("finish"),
            layout: &self.layouts.finish,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.finish.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&targets.scene) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(overlay) },
            ],
        });
        let target = Target { load: wgpu::LoadOp::Load, ..Target::cleared(target) };
        let mut pass = passes::begin(encoder, "finish", &target, self.timer.as_mut().and_then(Timer::end));
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        pass.set_pipeline(self.pipelines.finish(gpu, &self.layouts));
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}
