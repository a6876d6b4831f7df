//! Draws the backdrop that transmissive surfaces refract (KHR_materials_transmission): the scene without these surfaces, in a texture whose
//! smaller mip levels are for rougher glass.
//!
//! The backdrop always shows the whole picture, because glass in one tile may refract surfaces in another tile. When a picture is drawn in
//! tiles, the upper left tile must be drawn first. The texture holds linear light, computed by inverting the tone mapping of the scene.
//! This way an unlit surface or the background looks the same through clear glass as beside the glass.

use bytemuck::bytes_of;
use glam::Vec4;

use crate::colors;
use crate::render::bind_groups::frame::{self, FrameUniform};
use crate::render::bind_groups::{self, BindGroupLayouts};
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::device::memory::texture_bytes;
use crate::render::draw_list::DrawList;
use crate::render::picture::{Background, Msaa, Picture, Resolution, Tile};
use crate::render::pipelines::key::{PipelineKey, tonemap_index};
use crate::render::pipelines::target::{BACKDROP_FORMAT, SceneTarget};

use super::context::{FrameContext, PassTarget, begin};
use super::scene::ScenePass;
use super::targets::Targets;

/// Largest backdrop, in pixels. Larger pictures get a backdrop of lower resolution.
const MAX_PIXELS: u32 = 3840 * 2160;
/// The same limit for software rasterizers, whose textures share main memory with the file and the picture.
const MAX_SOFTWARE_PIXELS: u32 = 1600 * 1200;

/// Owns the backdrop's textures and draws them.
pub(crate) struct BackdropPass {
    /// Format of the scene, which is drawn before the mip levels.
    format: wgpu::TextureFormat,
    /// `Some` while any surface transmits light.
    target: Option<BackdropTarget>,
    /// Whether nothing was drawn into the target yet.
    is_new: bool,
}

/// The textures and buffers of a backdrop of one size.
struct BackdropTarget {
    /// The scene without transmissive surfaces, at the backdrop's size.
    targets: Targets,
    /// Frame uniform of the whole picture.
    frame: DynamicBuffer,
    /// Linear color behind the scene, as a `vec4`.
    background: DynamicBuffer,
    /// One view for each mip level, largest first.
    levels: Vec<wgpu::TextureView>,
    /// A view of all mip levels, which surfaces sample.
    view: wgpu::TextureView,
}

impl BackdropPass {
    /// Makes a pass without a texture.
    pub fn new(format: wgpu::TextureFormat) -> Self {
        Self { format, target: None, is_new: false }
    }

    /// Makes or replaces the texture if any surface transmits light, and drops it otherwise. Returns whether the texture to bind changed.
    pub fn resize(&mut self, gpu: &Gpu, picture: &Picture, transmits: bool, samples: Msaa) -> bool {
        if !transmits {
            return self.target.take().is_some();
        }
        let size = size(gpu, picture);
        let is_current = self.target.as_ref().is_some_and(|target| target.targets.fits(size, samples));
        if !is_current {
            (self.target, self.is_new) = (Some(BackdropTarget::new(gpu, size, SceneTarget { format: self.format, samples })), true);
        }
        !is_current
    }

    /// Returns the bytes of the textures.
    pub fn memory_bytes(&self) -> u64 {
        texture_bytes(self.target.iter().flat_map(|target| target.targets.views().chain([&target.view])))
    }

    /// Returns the texture that surfaces sample. `None` while no surface transmits light.
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.target.as_ref().map(|target| &target.view)
    }

    /// Draws the scene without transmissive surfaces, then the mip levels. Does nothing for tiles other than the first, unless the texture
    /// is new. `shadow` is the shadow map; `scene` draws the ground and the background.
    pub fn record(&mut self, frame: &mut FrameContext, list: &DrawList, shadow: &wgpu::TextureView, scene: &ScenePass) {
        let picture = frame.picture;
        let Some(target) = self.target.as_mut().filter(|_| self.is_new || picture.tile.origin == [0, 0]) else { return };
        self.is_new = false;
        let group = target.upload(frame, shadow);
        {
            let mut pass = frame.begin_bare_pass("backdrop", &target.targets.pass_target());
            pass.set_bind_group(0, &group, &[]);
            let mut encoder = frame.shared.draw_encoder(&mut pass);
            // Instances outside a tile may be visible through glass inside the tile.
            for draw in list.draws.solid.iter().filter(|draw| !draw.transmits() && !draw.all_instances.is_empty()) {
                encoder.draw(draw, draw.key, draw.all_instances.clone());
            }
            scene.draw_surroundings(&mut pass, frame.shared, list);
        }
        // The first level inverts the tone mapping. Each further level has half the size of the previous one.
        for (level, view) in target.levels.iter().enumerate() {
            let source = target.source_group(frame.gpu, &frame.shared.layouts, &frame.shared.frame.samplers.backdrop, level);
            let tonemap = tonemap_index(picture.options.tonemap);
            let key = if level > 0 { PipelineKey::BackdropMip } else { PipelineKey::Backdrop(tonemap) };
            let Some(pipeline) = frame.shared.pipelines.get(key) else { continue };
            let mut pass = begin(frame.encoder, "backdrop level", &PassTarget::cleared(view), None);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.set_bind_group(1, &source, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

impl BackdropTarget {
    fn new(gpu: &Gpu, size: [u32; 2], scene: SceneTarget) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("backdrop"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: size[0].max(size[1]).ilog2() + 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: BACKDROP_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let level = |base_mip_level| {
            texture.create_view(&wgpu::TextureViewDescriptor { base_mip_level, mip_level_count: Some(1), ..Default::default() })
        };
        let buffer = |label, min_bytes| DynamicBuffer::new(gpu, label, bind_groups::UNIFORM_USAGES, min_bytes);
        Self {
            targets: Targets::new(gpu, size, scene),
            frame: buffer("backdrop frame", size_of::<FrameUniform>()),
            background: buffer("backdrop background", size_of::<Vec4>()),
            levels: (0..texture.mip_level_count()).map(level).collect(),
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
        }
    }

    /// Uploads the frame uniform of the whole picture. Returns its bind group, in which the backdrop is empty because it is the target.
    fn upload(&mut self, frame: &FrameContext, shadow: &wgpu::TextureView) -> wgpu::BindGroup {
        let (gpu, picture, bindings) = (frame.gpu, frame.picture, &frame.shared.frame);
        let size = self.targets.size;
        let whole = Picture { tile: Tile::whole(size), resolution: Resolution::FULL, ..*picture };
        let mut uniform = frame::uniform(&whole, size, &bindings.environment, bindings.uniform.light_count as usize);
        uniform.shadow = bindings.uniform.shadow;
        self.frame.write(gpu, &[bytes_of(&uniform)]);
        let background = match picture.background {
            Background::Color(color) => colors::linear(color).extend(1.0),
            // The environment covers the whole background, and a transparent picture has no background.
            Background::Transparent | Background::Environment => Vec4::ZERO,
        };
        self.background.write(gpu, &[bytes_of(&background)]);
        bindings.group_with(gpu, &frame.shared.layouts, &self.frame, &bindings.views(shadow, None))
    }

    /// Returns group 1 of a level's pass. The first level reads the scene, and each further level reads the previous one.
    fn source_group(&self, gpu: &Gpu, layouts: &BindGroupLayouts, sampler: &wgpu::Sampler, level: usize) -> wgpu::BindGroup {
        let source = if level == 0 { &self.targets.scene } else { &self.levels[level - 1] };
        let resources = [
            self.background.buffer().as_entire_binding(),
            wgpu::BindingResource::TextureView(source),
            wgpu::BindingResource::Sampler(sampler),
        ];
        bind_groups::group(gpu, "backdrop", &layouts.backdrop, resources)
    }
}

/// Returns the size of the backdrop in pixels, which is the size of the whole picture, scaled down to the limits.
fn size(gpu: &Gpu, picture: &Picture) -> [u32; 2] {
    let max_pixels = f64::from(if gpu.is_hardware() { MAX_PIXELS } else { MAX_SOFTWARE_PIXELS });
    let max_side = f64::from(gpu.device.limits().max_texture_dimension_2d);
    let [width, height] = picture.tile.picture.map(|pixels| f64::from(picture.resolution.texels(pixels)));
    let scale = (max_pixels / (width * height)).sqrt().min(max_side / width).min(max_side / height).min(1.0);
    [width, height].map(|pixels| ((pixels * scale).round() as u32).max(1))
}
