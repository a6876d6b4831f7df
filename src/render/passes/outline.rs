//! What the line around the selected geometry is made from: a mask of it, a little larger than the picture so that the line goes
//! on from tile to tile, and a coarse one that spares the pixels where nothing is.

use crate::render::bind_groups::Layouts;
use crate::render::device::gpu::Gpu;
use crate::render::picture::Picture;
use crate::render::pipelines::{MASK_FORMAT, SceneTarget};

use super::targets;

/// Points. Keep in sync with `outline_width` in outline.wgsl.
const WIDTH: f32 = 2.0;
/// Pixels a side. Keep in sync with outline.wgsl.
const BLOCK: u32 = 8;

/// How many pixels beyond a target of this size the mask goes on: no further than the device has textures.
pub(crate) fn margin(gpu: &Gpu, picture: &Picture, size: [u32; 2]) -> u32 {
    let pixels_per_point = picture.pixels_per_point * picture.supersample.clamp(1, 4) as f32;
    let wanted = (WIDTH * pixels_per_point).ceil().clamp(0.0, 256.0) as u32 + 1;
    let room = gpu.device.limits().max_texture_dimension_2d.saturating_sub(size[0].max(size[1]));
    wanted.min(room / 2)
}

/// Made when something is selected, and anew when the size changes.
pub(crate) struct Outline {
    /// Of the picture, and of the margin.
    made_for: ([u32; 2], u32),
    /// What is drawn into with MSAA.
    pub samples: Option<wgpu::TextureView>,
    pub mask: wgpu::TextureView,
    pub blocks: wgpu::TextureView,
    /// Group 1: the mask, and itself once more.
    pub mask_group: wgpu::BindGroup,
    /// Group 1: the mask and its blocks.
    pub group: wgpu::BindGroup,
}

impl Outline {
    pub fn new(gpu: &Gpu, layouts: &Layouts, size: [u32; 2], margin: u32, samples: u32) -> Self {
        let larger = size.map(|pixels| pixels + 2 * margin);
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let single = SceneTarget { format: MASK_FORMAT, samples: 1 };
        let mask = targets::texture(gpu, "mask", larger, single, read);
        let blocks = targets::texture(gpu, "mask blocks", size.map(|pixels| pixels.div_ceil(BLOCK)), single, read);
        let group = |second: &wgpu::TextureView| {
            let resource = wgpu::BindingResource::TextureView;
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("outline"),
                layout: &layouts.outline,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: resource(&mask) },
                    wgpu::BindGroupEntry { binding: 1, resource: resource(second) },
                ],
            })
        };
        Self {
            made_for: (size, margin),
            samples: (samples > 1)
                .then(|| targets::texture(gpu, "mask samples", larger, SceneTarget { samples, ..single }, wgpu::TextureUsages::empty())),
            mask_group: group(&mask),
            group: group(&blocks),
            mask,
            blocks,
        }
    }

    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        [Some(&self.mask), self.samples.as_ref(), Some(&self.blocks)].into_iter().flatten()
    }

    pub fn fits(&self, size: [u32; 2], margin: u32) -> bool {
        self.made_for == (size, margin)
    }
}
