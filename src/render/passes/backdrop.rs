//! What stands behind transmissive surfaces: all else, drawn first, into a texture of its own with levels for rough glass.
//!
//! It is always the whole picture's, for a tile sees through glass what stands in another: who draws tiles draws the first one
//! first. The light in it is worked out from the scene as it is shown, tone mapping backwards: so what is seen straight through
//! glass, an unlit surface and the background too, comes out as it is beside the glass.

use bytemuck::bytes_of;
use glam::Vec4;

use crate::render::Renderer;
use crate::render::annotations::line;
use crate::render::bind_groups::Layouts;
use crate::render::bind_groups::frame::{self, FrameUniform};
use crate::render::buffers::dynamic_buffer::Stream;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::Draws;
use crate::render::frame::plan::Plan;
use crate::render::passes::{self, Target};
use crate::render::picture::{Background, Picture, Tile};
use crate::render::pipelines::{BEHIND_FORMAT, PipelineKey, SceneTarget, tonemap_index};

use super::targets::Targets;
use super::timer::Timer;

/// Pixels, at most: of more the picture behind is smaller. A program that draws on the processor takes its memory where the file
/// and the picture have theirs.
const MOST_PIXELS: u32 = 3840 * 2160;
const MOST_PIXELS_IN_SOFTWARE: u32 = 1600 * 1200;

pub(crate) struct Backdrop {
    targets: Targets,
    frame: Stream,
    background: Stream,
    /// Largest first.
    levels: Vec<wgpu::TextureView>,
    /// With all levels.
    pub view: wgpu::TextureView,
}

impl Backdrop {
    fn new(gpu: &Gpu, size: [u32; 2], scene: SceneTarget) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("behind"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: size[0].max(size[1]).ilog2() + 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: BEHIND_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let level = |base_mip_level| {
            texture.create_view(&wgpu::TextureViewDescriptor { base_mip_level, mip_level_count: Some(1), ..Default::default() })
        };
        let stream = |label, least| Stream::new(gpu, label, wgpu::BufferUsages::UNIFORM, least);
        Self {
            targets: Targets::new(gpu, size, scene),
            frame: stream("frame behind", size_of::<frame::FrameUniform>()),
            background: stream("background", size_of::<Vec4>()),
            levels: (0..texture.mip_level_count()).map(level).collect(),
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
        }
    }

    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        self.targets.views().chain([&self.view])
    }

    /// One pass for each level: the first from the scene, each other from the one before it.
    fn group(&self, gpu: &Gpu, layouts: &Layouts, sampler: &wgpu::Sampler, level: usize) -> wgpu::BindGroup {
        let source = if level == 0 { &self.targets.scene } else { &self.levels[level - 1] };
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("behind"),
            layout: &layouts.behind,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.background.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(source) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(sampler) },
            ],
        })
    }
}

/// Of the whole picture.
fn size(gpu: &Gpu, picture: &Picture) -> [u32; 2] {
    let most = f64::from(if gpu.is_hardware() { MOST_PIXELS } else { MOST_PIXELS_IN_SOFTWARE });
    let side = f64::from(gpu.device.limits().max_texture_dimension_2d);
    let [width, height] = picture.tile.picture.map(|pixels| f64::from(pixels * picture.supersample.clamp(1, 4)));
    let scale = (most / (width * height)).sqrt().min(side / width).min(side / height).min(1.0);
    [width, height].map(|pixels| ((pixels * scale).round() as u32).max(1))
}

impl Renderer {
    /// Makes, or lets go of, what a picture needs for light that comes through. True: it is to be drawn.
    pub(crate) fn prepare_behind(&mut self, gpu: &Gpu, picture: &Picture, draws: &Draws) -> bool {
        if !draws.transmit() {
            self.frame_group = self.frame_group.take().filter(|_| self.behind.is_none());
            self.behind = None;
            return false;
        }
        let size = size(gpu, picture);
        let known = self.behind.as_ref().is_some_and(|behind| behind.targets.size == size);
        if !known {
            self.behind = Some(Backdrop::new(gpu, size, self.scene));
            self.frame_group = None;
        }
        !known || picture.tile.origin == [0, 0]
    }

    pub(crate) fn draw_behind(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture,
        plan: &Plan,
        seen: &FrameUniform,
    ) {
        let Some(mut behind) = self.behind.take() else { return };
        let size = behind.targets.size;
        let whole = Picture { tile: Tile::whole(size), supersample: 1, ..*picture };
        let mut uniform = frame::uniform(&whole, size, &self.around, seen.light_count as usize);
        uniform.shadow = seen.shadow;
        behind.frame.write(gpu, &[bytes_of(&uniform)]);
        // What is drawn now cannot be seen through while it is.
        let group = self.bind_frame(gpu, &behind.frame, &self.clear);
        let background = match picture.background {
            Background::Color(color) => line::linear(color).extend(1.0),
            // What is drawn covers it.
            Background::Transparent | Background::Environment => Vec4::ZERO,
        };
        behind.background.write(gpu, &[bytes_of(&background)]);
        {
            let mut pass = passes::begin(encoder, "behind", &behind.targets.scene_target(), self.timer.as_mut().and_then(Timer::begin));
            pass.set_bind_group(0, &group, &[]);
            // Of a tile, what stands beside it can be seen through glass, too.
            self.draw_solid(&mut pass, plan.draws.solid.iter().filter(|draw| !draw.transmits()), true);
            self.draw_surroundings(&mut pass, plan);
        }
        for (level, view) in behind.levels.iter().enumerate() {
            let source = behind.group(gpu, &self.layouts, &self.samplers.behind, level);
            let tonemap = tonemap_index(picture.display.tonemap);
            let key = if level > 0 { PipelineKey::BehindSmaller } else { PipelineKey::Behind(tonemap) };
            let Some(pipeline) = self.pipelines.get(key) else { continue };
            let mut pass = passes::begin(encoder, "behind", &Target::cleared(view), None);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.set_bind_group(1, &source, &[]);
            pass.draw(0..3, 0..1);
        }
        self.behind = Some(behind);
    }
}
