//! Warms up a pipeline on software rasterizers. They compile a pipeline at its first draw. A frame that is submitted in the meantime waits,
//! so the window would stutter. But they also cache compiled code on disk for all devices. This module therefore makes the first draw on
//! another device, with small stand-ins for the resources. No data of the model is copied.

use crate::render::bind_groups::frame_group::{self, FrameSamplers, FrameViews};
use crate::render::bind_groups::{self, BindGroupLayouts};
use crate::render::buffers::arena::BufferRange;
use crate::render::buffers::palette::Palette;
use crate::render::device::gpu::Gpu;
use crate::render::material::texture;
use crate::render::material::texture_set::TextureSet;
use crate::render::model::BoundTextures;

use super::build::PipelineBuilder;
use super::key::PipelineKey;
use super::warmup::{PipelineRequest, WarmupDraw, WarmupTarget};

/// Side of a stand-in texture whose original has a side that is a power of two. Drivers compile different code to sample such textures.
const POWER_OF_TWO_SIDE: u32 = 16;
/// Side of a stand-in texture for other originals.
const OTHER_SIDE: u32 = 12;
/// Maximum number of mip levels that a stand-in texture of either size can have.
const MAX_LEVELS: u32 = 4;
/// Size of the stand-in buffer, in bytes. It is larger than any uniform. Reads beyond it return 0.
const BUFFER_BYTES: u64 = 4096;

/// Makes the requested pipeline on another device and makes its warm-up draws there. `frame` has the textures of group 0. Returns when all
/// draws are done.
pub(crate) fn warm_up_in_software(builder: &PipelineBuilder, request: &PipelineRequest, frame: &FrameViews) -> Result<(), String> {
    if request.draws.is_empty() {
        return Ok(());
    }
    let builder = builder.for_second_device().map_err(|error| error.to_string())?;
    let pipeline = builder.make(request.key);
    let stand_ins = StandIns::new(&builder, request.key.key, frame);
    let draws: Vec<_> = request.draws.iter().map(|draw| stand_ins.draw(draw)).collect();
    WarmupTarget::new(&builder, request.key).draw(&pipeline, &draws)
}

/// Small resources that replace those that a draw reads.
struct StandIns<'a> {
    gpu: &'a Gpu,
    /// Replaces every buffer.
    buffer: wgpu::Buffer,
    frame: wgpu::BindGroup,
    actor: wgpu::BindGroup,
    mesh: wgpu::BindGroup,
}

impl<'a> StandIns<'a> {
    /// Creates stand-ins for the bind groups of a pipeline.
    fn new(builder: &'a PipelineBuilder, key: PipelineKey, frame: &FrameViews) -> Self {
        use wgpu::BufferUsages as Usage;
        let (gpu, layouts) = (&builder.gpu, &builder.layouts);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("stand-in"),
            size: BUFFER_BYTES,
            usage: Usage::UNIFORM | Usage::STORAGE | Usage::VERTEX | Usage::INDEX,
            mapped_at_creation: false,
        });
        let whole = || buffer.as_entire_binding();
        let views = FrameViews {
            environment: stand_in_texture(gpu, &frame.environment),
            brdf_lut: stand_in_texture(gpu, &frame.brdf_lut),
            shadow: stand_in_texture(gpu, &frame.shadow),
            backdrop: stand_in_texture(gpu, &frame.backdrop),
        };
        let frame = match key {
            PipelineKey::ShadowCaster(_) => bind_groups::group(gpu, "shadow frame", &layouts.shadow_frame, [whole()]),
            _ => frame_group::group(gpu, layouts, [&buffer; 2], &views, &FrameSamplers::new(gpu)),
        };
        let palette = Palette::new(gpu);
        let actor = bind_groups::group(gpu, "actor", &layouts.actor, [palette.binding(), whole(), whole()]);
        let mesh = bind_groups::group(gpu, "mesh", &layouts.mesh, [whole(), whole(), whole(), whole()]);
        Self { gpu, frame, actor, mesh, buffer }
    }

    /// Returns a draw with stand-ins in place of the original's resources.
    fn draw(&self, original: &WarmupDraw) -> WarmupDraw {
        let mut groups = vec![Some(self.frame.clone())];
        if let Some((set, textures)) = &original.material {
            groups.extend([&self.actor, &self.mesh, &self.material(*set, textures)].map(|group| Some(group.clone())));
        }
        WarmupDraw {
            groups,
            vertices: original.vertices.iter().map(|range| range.as_ref().map(|_| BufferRange::whole(&self.buffer))).collect(),
            indices: original.indices.as_ref().map(|(_, format, range)| (self.buffer.clone(), *format, 0..range.len() as u32)),
            instance: 0,
            material: None,
        }
    }

    /// Returns a bind group 3 with stand-ins for the original's textures and samplers.
    fn material(&self, set: TextureSet, textures: &BoundTextures) -> wgpu::BindGroup {
        let stand_ins = BoundTextures {
            views: textures.views.iter().map(|view| stand_in_texture(self.gpu, view)).collect(),
            samplers: textures.samplers.iter().map(|(kind, _)| (*kind, texture::sampler(self.gpu, *kind))).collect(),
        };
        stand_ins.group(self.gpu, &BindGroupLayouts::material(&self.gpu.device, set), &self.buffer)
    }
}

/// Creates a small texture for which drivers compile the same code as for the original texture.
fn stand_in_texture(gpu: &Gpu, view: &wgpu::TextureView) -> wgpu::TextureView {
    let original = view.texture();
    let (columns, rows) = original.format().block_dimensions();
    let side = |texels: u32, block| if texels.is_power_of_two() { POWER_OF_TWO_SIDE } else { OTHER_SIDE }.next_multiple_of(block);
    let (width, height) = (side(original.width(), columns), side(original.height(), rows));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("stand-in"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: original.mip_level_count().min(MAX_LEVELS),
        sample_count: 1,
        dimension: original.dimension(),
        format: original.format(),
        usage: original.usage(),
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
