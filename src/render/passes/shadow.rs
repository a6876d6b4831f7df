//! Draws the shadow map of the key light, but only if the casters or their poses have changed since the map was drawn. Opaque surfaces
//! write only depth. The shadows of masked surfaces have the holes of the mask. Blended surfaces cast a dithered shadow that is as dense as
//! their alpha. The dithered shadow of transmissive surfaces is lighter. Points and lines cast no shadow.

use crate::render::actor::Actor;
use crate::render::bind_groups::frame::{self, shadow_view};
use crate::render::bind_groups::{self, BindGroupLayouts};
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::buffers::palette_pages::Instance;
use crate::render::device::gpu::Gpu;
use crate::render::device::memory::texture_bytes;
use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::Draw;
use crate::render::draw_list::key::shadow_caster_key;
use crate::render::draw_list::resources::DrawResources;
use crate::render::light::shadow_fit::ShadowQuality;
use crate::render::picture::Msaa;
use crate::render::pipelines::key::{PipelineKey, ShadowCasterKey};
use crate::render::pipelines::target::{DEPTH_FORMAT, SceneTarget};

use super::context::{FrameContext, PassTarget};
use super::targets;

/// Owns the shadow map, and remembers its content.
pub(crate) struct ShadowPass {
    /// Depth texture of `size` x `size` texels.
    map: wgpu::TextureView,
    /// Side of the map, in texels.
    size: u32,
    /// Frame uniform with the projection of the key light.
    frame: DynamicBuffer,
    /// Group 0 of the pass, made from `frame`.
    group: wgpu::BindGroup,
    /// The current content of the map. `None` if the map was not drawn yet.
    content: Option<MapContent>,
}

/// The state that the map depends on, apart from the projection and animated materials.
#[derive(PartialEq, Eq)]
struct MapContent {
    /// All casters, in an order that does not depend on the camera.
    casters: Vec<Caster>,
    /// Palette and weight base of each instance, caster after caster, sorted within each caster. Instances of EXT_mesh_gpu_instancing are
    /// left out, because they do not change.
    instances: Vec<[u32; 2]>,
    /// Hash of all palettes and morph weights. See [`digest`].
    pose: u64,
}

/// One draw of the shadow map, identified by the handles of its buffers and groups. Keeping the handles ensures that no new resource gets
/// the same identity.
#[derive(PartialEq, Eq)]
struct Caster {
    key: ShadowCasterKey,
    indices: wgpu::Buffer,
    /// The range of the indices.
    range: [u32; 2],
    mesh: wgpu::BindGroup,
    /// `None` for opaque materials, because drawing their shadow does not read the material.
    material: Option<wgpu::BindGroup>,
    /// Number of its instances in [`MapContent::instances`].
    instance_count: usize,
}

impl ShadowPass {
    /// Makes a pass with a map of one texel, for pictures without a shadow.
    pub fn new(gpu: &Gpu, layouts: &BindGroupLayouts) -> Self {
        let frame = DynamicBuffer::new(gpu, "shadow frame", wgpu::BufferUsages::UNIFORM, frame::SIZE);
        let group = bind_groups::group(gpu, "shadow frame", &layouts.shadow_frame, [frame.buffer().as_entire_binding()]);
        Self { map: map(gpu, 1), size: 1, frame, group, content: None }
    }

    /// Resizes the map to the size that the picture needs, or to one texel if there is no shadow. Returns whether the texture to bind
    /// changed.
    pub fn resize(&mut self, gpu: &Gpu, quality: Option<ShadowQuality>) -> bool {
        let size = quality.map_or(1, |quality| quality.size.min(gpu.device.limits().max_texture_dimension_2d));
        let is_new = size != self.size;
        if is_new {
            (self.map, self.size, self.content) = (map(gpu, size), size, None);
        }
        is_new
    }

    /// Returns the bytes of the map.
    pub fn memory_bytes(&self) -> u64 {
        texture_bytes([&self.map])
    }

    /// Returns group 0 of the pass.
    pub fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    /// Returns the shadow map, a depth texture.
    pub fn map(&self) -> &wgpu::TextureView {
        &self.map
    }

    /// Draws the map, unless its content would be the same as before. Returns whether it was drawn.
    pub fn record(&mut self, frame: &mut FrameContext, list: &DrawList, actors: &[Actor]) -> bool {
        let Some(fit) = &list.shadow else { return false };
        self.frame.write(frame.gpu, &[bytemuck::bytes_of(&shadow_view(fit.clip_from_anchored))]);
        let content = MapContent::new(&frame.shared.draws, list, actors);
        if self.frame.uploaded == 0 && !frame.shared.draws.materials.changed && self.content.as_ref() == Some(&content) {
            return false;
        }
        let target = PassTarget { view: None, depth: Some(&self.map), stores_samples: true, ..PassTarget::cleared(&self.map) };
        let mut pass = frame.begin_bare_pass("shadow", &target);
        pass.set_bind_group(0, &self.group, &[]);
        let mut encoder = frame.shared.draw_encoder(&mut pass);
        for (draw, key) in shadow_casters(list) {
            encoder.draw_indices(draw, PipelineKey::ShadowCaster(key), draw.indices.clone(), draw.all_instances.clone());
        }
        self.content = Some(content);
        true
    }
}

impl MapContent {
    /// Describes the map of a list.
    fn new(resources: &DrawResources, list: &DrawList, actors: &[Actor]) -> Self {
        let mut casters: Vec<_> = shadow_casters(list).collect();
        casters.sort_by_cached_key(|(draw, key)| sort_key(list, draw, *key));
        let mut content = Self { casters: Vec::with_capacity(casters.len()), instances: Vec::new(), pose: digest(actors) };
        for (draw, key) in casters {
            let start = content.instances.len();
            content.instances.extend(instances(list, draw, key).iter().map(|instance| [instance.palette_base, instance.weights_base]));
            content.instances[start..].sort_unstable();
            content.casters.push(Caster {
                key,
                indices: draw.index_buffer().0.clone(),
                range: [draw.indices.start, draw.indices.end],
                mesh: draw.group.clone(),
                material: key.has_fragments().then(|| resources.material_group(draw).clone()),
                instance_count: content.instances.len() - start,
            });
        }
        content
    }
}

/// Returns the key by which casters are sorted: winding, actor, page, first node, primitive and smallest palette base, in the bits of one
/// integer, because integers are compared faster than tuples. Unlike the order of draws, it does not depend on the camera.
fn sort_key(list: &DrawList, draw: &Draw, key: ShadowCasterKey) -> u128 {
    let (node, primitive) = draw.first;
    let base = instances(list, draw, key).iter().map(|instance| instance.palette_base).min().unwrap_or_default();
    // Numbers from 65,535 on become equal. The map may then be drawn more often than needed.
    let [actor, page, primitive] = [draw.actor, draw.page, primitive].map(|n| u128::from(u16::try_from(n).unwrap_or(u16::MAX)));
    u128::from(draw.key.mirrored) << 112 | actor << 96 | page << 80 | u128::from(node.0) << 48 | primitive << 32 | u128::from(base)
}

/// Returns the instances of a caster in its page. The slice is empty for instances of EXT_mesh_gpu_instancing.
fn instances<'l>(list: &'l DrawList, draw: &Draw, key: ShadowCasterKey) -> &'l [Instance] {
    let page = list.draws.pages.get(draw.page).filter(|_| !key.stage.instanced);
    page.and_then(|page| page.instances.get(draw.all_instances.start as usize..draw.all_instances.end as usize)).unwrap_or_default()
}

/// Lists the draws that cast a shadow, with their pipelines.
fn shadow_casters<'l, 'a>(list: &'l DrawList<'a>) -> impl Iterator<Item = (&'l Draw<'a>, ShadowCasterKey)> {
    list.draws.surfaces().filter_map(|draw| Some((draw, shadow_caster_key(draw)?)))
}

/// Creates a shadow map with a side of `size` texels.
fn map(gpu: &Gpu, size: u32) -> wgpu::TextureView {
    let format = SceneTarget { format: DEPTH_FORMAT, samples: Msaa::One };
    targets::texture(gpu, "shadow map", [size; 2], format, wgpu::TextureUsages::TEXTURE_BINDING)
}

/// Hashes the palettes and morph weights of all actors that are not ghosts. Four independent lanes let the processor multiply in parallel.
/// Each step is a bijection of a lane, so two inputs that differ in a single word always end with different lanes.
fn digest(actors: &[Actor]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes = [actors.len() as u64, 1, 2, 3];
    for actor in actors.iter().filter(|actor| actor.ghost.is_none()) {
        for bytes in [bytemuck::cast_slice::<_, u8>(actor.palettes), bytemuck::cast_slice(actor.weights)] {
            let (blocks, rest) = bytes.as_chunks::<32>();
            let mut last = [0; 32];
            last[..rest.len()].copy_from_slice(rest);
            for block in blocks.iter().chain([&last]) {
                for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                    *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR).rotate_left(31);
                }
            }
        }
    }
    lanes.iter().fold(0, |sum, lane| (sum ^ lane).wrapping_mul(FACTOR).rotate_left(31))
}
