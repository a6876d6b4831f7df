//! Draws the mask of the selected geometry. The overlay pass makes the outline from it. The mask extends a little beyond the picture, so
//! that the outline continues from tile to tile. A coarse mask of blocks lets the outline skip pixels that are far from the edge of the
//! selection.

use crate::render::bind_groups::{self, BindGroupLayouts};
use crate::render::device::gpu::Gpu;
use crate::render::device::memory::texture_bytes;
use crate::render::draw_list::DrawList;
use crate::render::picture::{Msaa, Picture};
use crate::render::pipelines::key::{PipelineKey, Role};
use crate::render::pipelines::target::{MASK_FORMAT, SceneTarget};

use super::context::{FrameContext, PassTarget};
use super::targets;

/// Width of the outline, in points. Keep in sync with `outline_width` in outline.wgsl.
const OUTLINE_WIDTH: f32 = 2.0;
/// Side of a block, in pixels. Keep in sync with outline.wgsl.
const BLOCK_SIDE: u32 = 8;
/// Upper limit of the margin, in pixels. The device's texture size limits it further.
const MAX_MARGIN: f32 = 256.0;

/// Returns how far the mask extends beyond a target of `size` on each side, in texels, within the device's texture size.
pub(crate) fn margin(gpu: &Gpu, picture: &Picture, size: [u32; 2]) -> u32 {
    let margin = (OUTLINE_WIDTH * picture.texels_per_point()).ceil().clamp(0.0, MAX_MARGIN) as u32 + 1;
    let free_pixels = gpu.device.limits().max_texture_dimension_2d.saturating_sub(size[0].max(size[1]));
    margin.min(free_pixels / 2)
}

/// Draws the mask and its blocks.
#[derive(Default)]
pub(crate) struct OutlinePass {
    /// Created when geometry is selected for the first time.
    mask: Option<Mask>,
}

/// The textures of a mask.
struct Mask {
    /// Size of the scene target, in pixels.
    size: [u32; 2],
    /// Number of pixels by which `coverage` extends beyond the scene target on each side.
    margin: u32,
    /// MSAA samples that are resolved into `coverage`; `None` without MSAA.
    samples: Option<wgpu::TextureView>,
    /// Fraction of each pixel that selected geometry covers, 0 to 1.
    coverage: wgpu::TextureView,
    /// One value per block of [`BLOCK_SIDE`] x [`BLOCK_SIDE`] pixels: 0 if no pixel near it is covered, 1 if all pixels near it are
    /// covered, and otherwise a value in between.
    blocks: wgpu::TextureView,
    /// Group 1 of the pass that draws `blocks`. The pass reads `coverage`.
    coverage_group: wgpu::BindGroup,
    /// Group 1 of the outline's pipeline, which reads `coverage` and `blocks`.
    group: wgpu::BindGroup,
}

impl OutlinePass {
    /// Returns the bytes of the mask's textures.
    pub fn memory_bytes(&self) -> u64 {
        texture_bytes(self.mask.iter().flat_map(Mask::views))
    }

    /// Returns group 1 of the outline's pipeline. `None` before the first selection.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.mask.as_ref().map(|mask| &mask.group)
    }

    /// Draws the mask, then the blocks. Does nothing if no geometry is selected.
    pub fn record(&mut self, frame: &mut FrameContext, list: &DrawList) {
        if list.draws.outlined.is_empty() {
            return;
        }
        let mask = self.resize(frame, list.samples);
        let mut pass = frame.begin_pass("outline mask", &PassTarget::multisampled(mask.samples.as_ref(), &mask.coverage));
        let mut encoder = frame.shared.draw_encoder(&mut pass);
        for draw in &list.draws.outlined {
            encoder.draw(draw, draw.key_for(Role::OutlineMask), draw.instances.clone());
        }
        drop(pass);
        let mut pass = frame.begin_pass("outline blocks", &PassTarget::cleared(&mask.blocks));
        let Some(pipeline) = frame.shared.pipelines.get(PipelineKey::OutlineBlocks) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &mask.coverage_group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Keeps the mask if its size, margin and number of samples are still right; otherwise makes a new one.
    fn resize(&mut self, frame: &FrameContext, samples: Msaa) -> &Mask {
        let size = frame.size;
        let margin = margin(frame.gpu, frame.picture, size);
        let current =
            self.mask.take_if(|mask| mask.size == size && mask.margin == margin && mask.samples.is_some() == (samples == Msaa::Four));
        self.mask.insert(current.unwrap_or_else(|| Mask::new(frame.gpu, &frame.shared.layouts, size, margin, samples)))
    }
}

impl Mask {
    fn new(gpu: &Gpu, layouts: &BindGroupLayouts, size: [u32; 2], margin: u32, samples: Msaa) -> Self {
        let mask_size = size.map(|pixels| pixels + 2 * margin);
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let single = SceneTarget { format: MASK_FORMAT, samples: Msaa::One };
        let multisampled = SceneTarget { samples, ..single };
        let coverage = targets::texture(gpu, "outline mask", mask_size, single, read);
        let blocks = targets::texture(gpu, "outline blocks", size.map(|pixels| pixels.div_ceil(BLOCK_SIDE)), single, read);
        // The layout has two textures. The pass that draws `blocks` reads only `coverage`, and binds it twice.
        let group = |second: &wgpu::TextureView| {
            let resources = [&coverage, second].map(wgpu::BindingResource::TextureView);
            bind_groups::group(gpu, "outline", &layouts.outline, resources)
        };
        Self {
            size,
            margin,
            samples: (samples == Msaa::Four)
                .then(|| targets::texture(gpu, "outline mask samples", mask_size, multisampled, wgpu::TextureUsages::empty())),
            coverage_group: group(&coverage),
            group: group(&blocks),
            coverage,
            blocks,
        }
    }

    fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        [Some(&self.coverage), self.samples.as_ref(), Some(&self.blocks)].into_iter().flatten()
    }
}
