//! Divides the actors' matrices into pages that fit the device's binding limit. A page holds the palettes, morph weights, colors and
//! instances of some members, and is bound as group 1.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::actor::Actor;
use crate::render::bind_groups::{self, BindGroupLayouts};
use crate::render::device::gpu::Gpu;
use crate::session::pose::crowd;

use super::dynamic_buffer::DynamicBuffer;
use super::palette::Palette;

/// Members of one actor that lie next to each other in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// Index in the list of actors.
    pub actor: usize,
    /// Range among the actor's members.
    pub members: Range<usize>,
    /// Number of palette entries per member.
    pub palette_len: usize,
    /// Number of morph weights per member.
    pub weights_len: usize,
    /// Index of the first member's first matrix in the page's palette.
    pub palette_base: usize,
    /// Index of the first member's first weight among the page's morph weights.
    pub weights_base: usize,
    /// Index of the actor's first tint, counted in `f32` values from the page's first morph weight. Tints follow all morph weights of the
    /// page, and the members share them.
    pub tints_base: usize,
    /// Index of the actor's first vertex heat, counted in the same way. Heats follow the actor's tints.
    pub heats_base: usize,
}

/// [`Instance::heats_base`] of a primitive whose vertices have no heats of their own. Keep in sync with heat_map.wgsl.
pub(crate) const NO_HEATS: u32 = u32::MAX;

/// One instance of a draw. Keep in sync with `Instance` in deform.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Instance {
    /// Index of the instance's first matrix in the palette of the page.
    pub palette_base: u32,
    /// Index of the instance's first weight among the morph weights of the page.
    pub weights_base: u32,
    /// Number of influence sets beyond the first.
    pub extra_sets: u32,
    /// 1 if morph targets deform the instance, else 0.
    pub morphed: u32,
    /// Index of the instance's first tint, counted in `f32` values from the page's first morph weight.
    pub tints_base: u32,
    /// Index of the heat of the primitive's first vertex, counted in the same way; [`NO_HEATS`] if there is none.
    pub heats_base: u32,
}

const _: () = assert!(size_of::<Instance>() as u64 == crowd::INSTANCE_BYTES, "the memory of crowds is computed with this size");

/// The content of a page.
#[derive(Default)]
pub(crate) struct PageContents {
    /// Members whose data the page holds, in the order of the data.
    pub spans: Vec<Span>,
    /// Instances that draws refer to by range.
    pub instances: Vec<Instance>,
}

/// Divides the members of all actors into as few pages as possible, in order. `limit` is the size of the largest buffer that the device can
/// bind, in bytes. A page has at least one member, even if its data exceeds the limit.
pub(crate) fn divide(actors: &[Actor], limit: u64) -> Vec<Vec<Span>> {
    let mut pages: Vec<Vec<Span>> = Vec::new();
    // Bytes used in the last page by palettes, weights and instances.
    let mut used = [0; 3];
    let colors: usize = actors.iter().flat_map(Actor::color_lengths).sum();
    // Every page reserves room for the tints and heats of all actors, which share the buffer of the weights.
    let limits = [limit, limit.saturating_sub((colors * size_of::<f32>()) as u64), limit];
    for (actor, data) in actors.iter().enumerate() {
        // Hidden nodes are counted as well. The page may get more room than it needs, but this code need not check every node.
        let drawn_nodes = data.gpu.node_groups.iter().map(|group| group.nodes.len()).sum();
        let lengths = [data.palette_len(), data.weights_len(), drawn_nodes];
        let sizes = [size_of::<JointMatrix>(), size_of::<f32>(), size_of::<Instance>()];
        let member = [0, 1, 2].map(|i| (lengths[i] * sizes[i]) as u64);
        let mut first = 0;
        while first < data.count {
            // The number of members that still fit into the page. It depends on the buffer that is full first.
            let fits = |used: [u64; 3]| {
                let room = [0, 1, 2].into_iter().filter(|&i| member[i] > 0).map(|i| limits[i].saturating_sub(used[i]) / member[i]);
                room.min().map_or(data.count, |room| usize::try_from(room).unwrap_or(data.count))
            };
            if pages.is_empty() || fits(used) == 0 {
                pages.push(Vec::new());
                used = [0; 3];
            }
            let Some(page) = pages.last_mut() else { break };
            let count = fits(used).clamp(1, data.count - first);
            page.push(Span {
                actor,
                members: first..first + count,
                palette_len: lengths[0],
                weights_len: lengths[1],
                palette_base: used[0] as usize / sizes[0],
                weights_base: used[1] as usize / sizes[1],
                tints_base: 0,
                heats_base: 0,
            });
            used = [0, 1, 2].map(|i| used[i] + member[i] * count as u64);
            first += count;
        }
    }
    pages.iter_mut().for_each(|spans| place_colors(spans, actors));
    pages
}

/// Sets the offsets of tints and heats. They follow all morph weights of the page, one span after another.
fn place_colors(spans: &mut [Span], actors: &[Actor]) {
    let mut offset: usize = spans.iter().map(|span| span.weights_len * span.members.len()).sum();
    for span in spans {
        let [tints, heats] = actors[span.actor].color_lengths();
        span.tints_base = offset;
        span.heats_base = offset + tints;
        offset += tints + heats;
    }
}

/// The buffers of a page and their bind group.
pub(crate) struct Page {
    /// Binding 0.
    palette: Palette,
    /// Binding 1: morph weights, then the tints and heats of each span.
    weights: DynamicBuffer,
    /// Binding 2.
    instances: DynamicBuffer,
    /// `None` before the first write.
    group: Option<wgpu::BindGroup>,
}

impl Page {
    /// Creates the buffers of an empty page.
    pub fn new(gpu: &Gpu) -> Self {
        let buffer = |label, min_bytes| DynamicBuffer::new(gpu, label, wgpu::BufferUsages::STORAGE, min_bytes);
        Self {
            palette: Palette::new(gpu),
            weights: buffer("weights", size_of::<f32>()),
            instances: buffer("instances", size_of::<Instance>()),
            group: None,
        }
    }

    /// Uploads the page's data without an intermediate copy, and makes the bind group again if a buffer was replaced.
    pub fn write(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        layouts: &BindGroupLayouts,
        actors: &[Actor],
        contents: &PageContents,
    ) {
        let PageContents { spans, instances } = contents;
        let palettes: Vec<_> = spans.iter().map(|span| bytemuck::cast_slice(actors[span.actor].palettes_of(&span.members))).collect();
        let weights = spans.iter().map(|span| bytemuck::cast_slice(actors[span.actor].weights_of(&span.members)));
        let colors = spans.iter().flat_map(|span| {
            let Actor { tints, heats, .. } = actors[span.actor];
            [bytemuck::cast_slice(tints), bytemuck::cast_slice(heats.map_or(&[][..], |heats| &heats.heats))]
        });
        let weights: Vec<_> = weights.chain(colors).collect();
        let mut new = self.palette.write(gpu, encoder, &palettes);
        new |= self.weights.write(gpu, &weights);
        new |= self.instances.write(gpu, &[bytemuck::cast_slice(instances)]);
        if new || self.group.is_none() {
            let buffers = [&self.weights, &self.instances].map(|buffer| buffer.buffer().as_entire_binding());
            let resources = std::iter::once(self.palette.binding()).chain(buffers);
            self.group = Some(bind_groups::group(gpu, "actor", &layouts.actor, resources));
        }
    }

    /// Makes the page's bind group with another list of instances.
    pub fn group_with_instances(&self, gpu: &Gpu, layouts: &BindGroupLayouts, instances: &wgpu::Buffer) -> wgpu::BindGroup {
        let resources = [self.palette.binding(), self.weights.buffer().as_entire_binding(), instances.as_entire_binding()];
        bind_groups::group(gpu, "actor", &layouts.actor, resources)
    }

    /// Returns bind group 1. `None` before the first write.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.group.as_ref()
    }

    /// Returns the bytes that the last write uploaded.
    pub fn uploaded(&self) -> u64 {
        self.palette.uploaded() + self.weights.uploaded + self.instances.uploaded
    }
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(
            &Program::Deform.source(false),
            "Instance",
            &layout!(Instance { palette_base, weights_base, extra_sets, morphed, tints_base, heats_base }),
        );
    }
}
