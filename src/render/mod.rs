//! Floor 4: models and a picture's description to pixels, with wgpu. [`Renderer::draw`] is the whole frame in one visible
//! order: uploads, the overlay's lines, what is behind glass, the scene (solid surfaces, ground, axes, blended surfaces), the last
//! pass.
//!
//! A model is uploaded once ([`upload::GpuModel`]); a frame writes palettes, morph weights ([`pages`]) and one uniform.

mod behind;
mod draws;
mod driven;
pub mod environment;
pub mod features;
mod frame;
mod geometry;
pub mod gpu;
pub mod images;
mod layouts;
pub mod lights;
mod lines;
mod material;
mod mesh_group;
pub mod mipmap;
pub mod overlay;
mod pages;
mod passes;
pub mod picture;
mod pieces;
mod pipelines;
mod places;
pub mod readback;
pub mod shaders;
mod shadow;
mod shadow_fit;
mod stream;
pub mod studio;
mod targets;
mod texture;
pub mod texture_set;
mod timer;
pub mod upload;
pub mod vertex;
mod winding;

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use behind::Behind;
use draws::{Draw, Draws, Shining};
use driven::DrivenMaterials;
use environment::studio_map::studio_map;
use environment::{Around, Lookup};
use frame::FrameUniform;
use gpu::Gpu;
use layouts::Layouts;
use lights::GpuLight;
use lines::GpuLine;
use pages::Page;
use passes::Target;
use picture::{Actor, Background, Picture};
use pipelines::{Cull, Pipelines};
use shadow::ShadowMap;
use stream::Stream;
use targets::Targets;
use timer::Timer;

/// All that outlives a frame.
pub struct Renderer {
    layouts: Layouts,
    pub target_format: wgpu::TextureFormat,
    samples: u32,
    pipelines: Pipelines,
    targets: Option<Targets>,
    around: Around,
    lookup: Lookup,
    /// Bound where there is no overlay.
    clear: wgpu::TextureView,
    frame: Stream,
    lights: Stream,
    pages: Vec<Page>,
    /// Bytes of the largest buffer of a page: what the device binds at once.
    pub page_limit: u64,
    scene_lines: Stream,
    overlay_lines: Stream,
    finish: Stream,
    materials: DrivenMaterials,
    frame_group: Option<wgpu::BindGroup>,
    /// While something lets light through.
    behind: Option<Behind>,
    behind_sampler: wgpu::Sampler,
    shadow: ShadowMap,
    /// While somebody wants to know how long the device takes.
    timer: Option<Timer>,
    /// Bytes that the last picture uploaded.
    pub uploaded: u64,
    /// How many shadow maps were drawn so far.
    pub shadows: u64,
    /// Spent so far on making pipelines (with the recording of the frames that needed them, which is next to nothing).
    pub building: Duration,
}

/// What is drawn between solid and blended surfaces.
#[derive(Debug, Clone, Copy)]
struct Ground {
    /// It receives one.
    shadow: bool,
    grid: bool,
    /// How many lines.
    axes: u32,
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
        let layouts = Layouts::new(&gpu.device);
        Self {
            shadow: ShadowMap::new(gpu, &layouts),
            layouts,
            target_format,
            samples: if samples > 1 { 4 } else { 1 },
            pipelines: Pipelines::new(target_format, if samples > 1 { 4 } else { 1 }),
            targets: None,
            around: Around::new(gpu, &studio_map()),
            lookup: Lookup::new(gpu),
            clear: texture::single(gpu, [0; 4]),
            frame: stream("frame", Usage::UNIFORM, size_of::<FrameUniform>()),
            lights: stream("lights", Usage::STORAGE, size_of::<GpuLight>()),
            pages: Vec::new(),
            page_limit: gpu.device.limits().max_storage_buffer_binding_size,
            scene_lines: stream("scene lines", Usage::VERTEX, size_of::<GpuLine>()),
            overlay_lines: stream("overlay lines", Usage::VERTEX, size_of::<GpuLine>()),
            finish: stream("finish", Usage::UNIFORM, size_of::<FinishUniform>()),
            materials: DrivenMaterials::default(),
            frame_group: None,
            behind: None,
            behind_sampler: behind::sampler(gpu),
            timer: None,
            uploaded: 0,
            shadows: 0,
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
        let shadow = shadow::of_picture(gpu, picture, actors);
        let shining = Shining { lamps: !lights.is_empty(), shadow: shadow.is_some() };
        let draws = draws::collect(picture, actors, shining, self.page_limit);
        let scene_lines = if picture.display.axes { overlay::axes(&picture.bounds, picture.theme).to_vec() } else { Vec::new() };
        let pixels_per_point = picture.pixels_per_point * supersample as f32;
        let scene_lines = lines::gpu_lines(&scene_lines, picture.anchor, pixels_per_point);
        let overlay_lines = lines::gpu_lines(picture.lines, picture.anchor, pixels_per_point);

        let seen_through = self.prepare_behind(gpu, picture, &draws);
        let mut uniform = frame::uniform(picture, size, &self.around, lights.len());
        let (quality, fit) = shadow.unzip();
        if let Some(fit) = &fit {
            uniform.shadow = fit.uniform;
        }
        if self.shadow.resize(gpu, quality) {
            self.frame_group = None;
        }
        self.upload_frame(gpu, &uniform, &lights);
        self.upload_actors(gpu, actors, &draws);
        self.materials.write(gpu, actors);
        self.scene_lines.write(gpu, &[bytemuck::cast_slice(&scene_lines)]);
        self.overlay_lines.write(gpu, &[bytemuck::cast_slice(&overlay_lines)]);
        if let Some(timer) = &mut self.timer {
            timer.collect(gpu);
        }

        let ground = Ground { shadow: draws.shadow, grid: picture.display.grid, axes: scene_lines.len() as u32 };
        let (start, pipelines) = (Instant::now(), self.pipelines.count());
        self.draw_overlay(gpu, encoder, overlay_lines.len() as u32);
        if let Some(fit) = &fit {
            self.draw_shadow(gpu, encoder, fit, &draws, actors);
        }
        if seen_through {
            self.draw_behind(gpu, encoder, picture, &draws, &uniform, ground);
        }
        self.draw_scene(gpu, encoder, picture, &draws, ground);
        self.draw_finish(gpu, encoder, target, viewport, picture, !overlay_lines.is_empty());
        if self.pipelines.count() > pipelines {
            self.building += start.elapsed();
        }
        if let Some(timer) = &mut self.timer {
            timer.record(encoder);
        }
        let streams = [&self.frame, &self.lights, &self.scene_lines, &self.overlay_lines, &self.finish];
        let pages: u64 = self.pages.iter().map(Page::uploaded).sum();
        self.uploaded = pages + streams.iter().map(|stream| stream.uploaded).sum::<u64>();
    }

    /// The light from all around from now on; a new renderer has the studio's.
    pub fn set_around(&mut self, around: Around) {
        self.around = around;
        self.frame_group = None;
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
            let behind = self.behind.as_ref().map_or(&self.clear, |behind| &behind.view);
            self.frame_group = Some(self.bind_frame(gpu, &self.frame, behind));
        }
    }

    /// Group 0.
    fn bind_frame(&self, gpu: &Gpu, frame: &Stream, behind: &wgpu::TextureView) -> wgpu::BindGroup {
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &self.layouts.frame,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: frame.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: self.lights.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(&self.around.map) },
                wgpu::BindGroupEntry { binding: 3, resource: wgpu::BindingResource::Sampler(&self.lookup.sampler) },
                wgpu::BindGroupEntry { binding: 4, resource: wgpu::BindingResource::TextureView(&self.lookup.table) },
                wgpu::BindGroupEntry { binding: 5, resource: wgpu::BindingResource::TextureView(self.shadow.texture()) },
                wgpu::BindGroupEntry { binding: 6, resource: wgpu::BindingResource::Sampler(&self.shadow.sampler) },
                wgpu::BindGroupEntry { binding: 7, resource: wgpu::BindingResource::TextureView(behind) },
                wgpu::BindGroupEntry { binding: 8, resource: wgpu::BindingResource::Sampler(&self.behind_sampler) },
            ],
        })
    }

    fn upload_actors(&mut self, gpu: &Gpu, actors: &[Actor], draws: &Draws) {
        // Pages that are not needed give their memory back.
        self.pages.resize_with(draws.pages.len(), || Page::new(gpu));
        for (page, (spans, instances)) in self.pages.iter_mut().zip(&draws.pages) {
            page.write(gpu, &self.layouts, actors, spans, instances);
        }
    }

    fn draw_overlay(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, count: u32) {
        let Some(targets) = self.targets.as_mut().filter(|_| count > 0) else { return };
        let overlay = targets.overlay(gpu);
        let mut pass = passes::begin(encoder, "overlay", &Target::cleared(&overlay), self.timer.as_mut().and_then(Timer::begin));
        pass.set_pipeline(self.pipelines.overlay_lines(gpu, &self.layouts));
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_vertex_buffer(0, self.overlay_lines.buffer().slice(..));
        pass.draw(0..4, 0..count);
    }

    fn draw_scene(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, draws: &Draws, ground: Ground) {
        let Some(targets) = &self.targets else { return };
        let mut pass = passes::begin(encoder, "scene", &targets.scene_target(), self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.draw_solid(gpu, &mut pass, draws.solid.iter());
        self.draw_background(gpu, &mut pass, picture);
        self.draw_ground(gpu, &mut pass, ground);
        let mut bound = None;
        for draw in &draws.blended {
            bind_page(&mut pass, &self.pages, draw, &mut bound);
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
    }

    fn draw_solid<'a>(&mut self, gpu: &Gpu, pass: &mut wgpu::RenderPass, draws: impl Iterator<Item = &'a Draw<'a>>) {
        let mut bound = None;
        for draw in draws {
            bind_page(pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(self.pipelines.surface(gpu, &self.layouts, draw.key));
            passes::draw_primitive(pass, draw, &self.materials);
        }
    }

    fn draw_background(&mut self, gpu: &Gpu, pass: &mut wgpu::RenderPass, picture: &Picture) {
        if picture.shows_environment() {
            pass.set_pipeline(self.pipelines.background(gpu, &self.layouts, picture.display.tonemap));
            pass.draw(0..3, 0..1);
        }
    }

    fn draw_ground(&mut self, gpu: &Gpu, pass: &mut wgpu::RenderPass, ground: Ground) {
        if ground.shadow {
            pass.set_pipeline(self.pipelines.ground(gpu, &self.layouts));
            pass.draw(0..4, 0..1);
        }
        if ground.grid {
            pass.set_pipeline(self.pipelines.grid(gpu, &self.layouts));
            pass.draw(0..4, 0..1);
        }
        if ground.axes > 0 {
            pass.set_pipeline(self.pipelines.scene_lines(gpu, &self.layouts));
            pass.set_vertex_buffer(0, self.scene_lines.buffer().slice(..));
            pass.draw(0..4, 0..ground.axes);
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
            Background::Transparent | Background::Environment => [0.0; 4],
        };
        let supersample = targets.size[0] / width;
        let uniform = FinishUniform { origin: [x, y], supersample, has_overlay: u32::from(has_overlay), background };
        self.finish.write(gpu, &[bytemuck::bytes_of(&uniform)]);
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
        let target = Target { load: wgpu::LoadOp::Load, ..Target::cleared(target) };
        let mut pass = passes::begin(encoder, "finish", &target, self.timer.as_mut().and_then(Timer::end));
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        pass.set_pipeline(self.pipelines.finish(gpu, &self.layouts));
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Its palettes, weights and instances, unless they are bound already.
fn bind_page(pass: &mut wgpu::RenderPass, pages: &[Page], draw: &Draw, bound: &mut Option<usize>) {
    if *bound != Some(draw.page) {
        pass.set_bind_group(1, pages[draw.page].group(), &[]);
        *bound = Some(draw.page);
    }
}
