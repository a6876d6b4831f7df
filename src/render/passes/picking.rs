//! Finds the vertex at a pixel on the GPU: draws the ids of vertices and primitives into a single pixel and reads it back asynchronously.
//! This is for models that are too heavy for ray casting on the CPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::model::node::NodeIndex;
use crate::render::bind_groups::frame;
use crate::render::bind_groups::frame_group::FrameViews;
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::buffers::palette_pages::{self, Instance, Span};
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::FrameInputs;
use crate::render::draw_list::collect::Collection;
use crate::render::draw_list::draw::Draw;
use crate::render::draw_list::key::{LightFeatures, surface_key};
use crate::render::model::cull_bounds::Frustum;
use crate::render::picture::Msaa;
use crate::render::pipelines::key::{PipelineKey, Role};
use crate::render::pipelines::target::{DEPTH_FORMAT, PICKING_FORMAT, SceneTarget};
use crate::render::pipelines::warmup::PipelineRequest;
use crate::session::pick::vertex::Vertex;

use super::context::{PassTarget, SharedResources, begin};
use super::targets;

/// Bytes of one pixel: four `u32`.
const PIXEL_BYTES: u64 = 16;

/// Finds vertices, one request at a time.
#[derive(Default)]
pub(crate) struct PickingPass {
    /// Created with the first request.
    target: Option<PickingTarget>,
    /// The pending request.
    request: Option<Request>,
    /// Whether a pipeline could not be made.
    has_failed: bool,
}

/// Buffers and textures for one pixel.
struct PickingTarget {
    /// Frame uniform with a projection of this single pixel.
    frame: DynamicBuffer,
    /// One [`Instance`] for each draw.
    instances: DynamicBuffer,
    /// The pixel. Component x is the index of the vertex, and y is the index of the draw plus 1.
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
    /// Receives the pixel and is mapped for reading.
    readback: wgpu::Buffer,
}

/// A request whose answer was not taken yet.
struct Request {
    /// One entry per draw: its node, and its index among the primitives of the mesh.
    primitives: Vec<(NodeIndex, usize)>,
    /// [`PENDING`], [`ARRIVED`] or [`LOST`]. The mapping callback sets it, perhaps on another thread.
    state: Arc<AtomicU8>,
}

/// The GPU has not answered.
const PENDING: u8 = 0;
/// The readback buffer is mapped.
const ARRIVED: u8 = 1;
/// The buffer could not be mapped.
const LOST: u8 = 2;

/// The primitives that the first member shows near the pixel.
#[derive(Default)]
struct MemberDraws<'a> {
    draws: Vec<Draw<'a>>,
    /// One instance per draw. The shader writes the instance index, which identifies the draw.
    instances: Vec<Instance>,
    /// One entry per draw: its node, and its index among the primitives of the mesh.
    primitives: Vec<(NodeIndex, usize)>,
}

impl PickingPass {
    /// Returns whether picking works. It does not if one of its pipelines has failed.
    pub fn is_available(&self) -> bool {
        !self.has_failed
    }

    /// Returns whether a request is pending.
    pub fn is_pending(&self) -> bool {
        self.request.is_some()
    }

    /// Requests the vertex that the first member of the first actor shows at a pixel. `inputs` describes a picture of that pixel alone; its
    /// actors must have been drawn and submitted before, because this pass reuses their palettes. Returns whether the request was sent. It
    /// is not sent if another request is pending or a pipeline is still being made.
    pub fn record(&mut self, shared: &mut SharedResources, inputs: &FrameInputs, page_bytes: u64, views: &FrameViews) -> bool {
        if self.request.is_some() {
            return false;
        }
        let target = self.target.take().unwrap_or_else(|| PickingTarget::new(inputs.gpu));
        let target = self.target.insert(target);
        let pages = palette_pages::divide(inputs.actors, page_bytes);
        let Some(span) = pages.first().and_then(|spans| spans.first()) else { return false };
        let member = member_draws(shared, inputs, span);
        if !has_pipelines(shared, &member.draws, &mut self.has_failed) {
            return false;
        }
        self.request = target.draw(shared, inputs, views, member);
        self.request.is_some()
    }

    /// Returns the answer to the last request. `None` means that the answer has not arrived, or that there was no request. `Some(None)`
    /// means that there is no vertex at the pixel, or that the pixel could not be read.
    pub fn take(&mut self, gpu: &Gpu) -> Option<Option<Vertex>> {
        let request = self.request.as_ref()?;
        // Ignore a lost device here. Other code reports it.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        let state = request.state.load(Ordering::Acquire);
        let request = self.request.take_if(|_| state != PENDING)?;
        let target = self.target.as_ref()?;
        Some(if state == ARRIVED { target.read(&request.primitives) } else { None })
    }
}

impl PickingTarget {
    /// Makes the buffers and the 1 x 1 textures.
    fn new(gpu: &Gpu) -> Self {
        use wgpu::BufferUsages as Usage;
        let pixel = |label, format, usage| targets::texture(gpu, label, [1, 1], SceneTarget { format, samples: Msaa::One }, usage);
        Self {
            frame: DynamicBuffer::new(gpu, "picking frame", Usage::UNIFORM, frame::SIZE),
            instances: DynamicBuffer::new(gpu, "picking instances", Usage::STORAGE, size_of::<Instance>()),
            color: pixel("picking", PICKING_FORMAT, wgpu::TextureUsages::COPY_SRC),
            depth: pixel("picking depth", DEPTH_FORMAT, wgpu::TextureUsages::empty()),
            readback: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("picking readback"),
                size: PIXEL_BYTES,
                usage: Usage::COPY_DST | Usage::MAP_READ,
                mapped_at_creation: false,
            }),
        }
    }

    /// Draws and submits the ids, and starts reading them back. Returns `None` if a resource is missing.
    fn draw(&mut self, shared: &SharedResources, inputs: &FrameInputs, views: &FrameViews, member: MemberDraws) -> Option<Request> {
        let gpu = inputs.gpu;
        let uniform = frame::uniform(inputs.picture, inputs.size, &shared.frame.environment, 0);
        self.frame.write(gpu, &[bytemuck::bytes_of(&uniform)]);
        self.instances.write(gpu, &[bytemuck::cast_slice(&member.instances)]);
        let actor_group = shared.draws.pages.first()?.group_with_instances(gpu, &shared.layouts, self.instances.buffer());
        let frame_group = shared.frame.group_with(gpu, &shared.layouts, &self.frame, views);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picking") });
        let target = PassTarget { depth: Some(&self.depth), ..PassTarget::cleared(&self.color) };
        let mut pass = begin(&mut encoder, "picking", &target, None);
        pass.set_bind_group(0, &frame_group, &[]);
        pass.set_bind_group(1, &actor_group, &[]);
        let mut draws = shared.draw_encoder(&mut pass).with_page(0);
        member.draws.iter().for_each(|draw| draws.draw(draw, draw.key, draw.instances.clone()));
        drop(pass);
        let to = wgpu::TexelCopyBufferInfo { buffer: &self.readback, layout: wgpu::TexelCopyBufferLayout::default() };
        encoder.copy_texture_to_buffer(self.color.texture().as_image_copy(), to, wgpu::Extent3d::default());
        gpu.queue.submit([encoder.finish()]);
        let state = Arc::new(AtomicU8::new(PENDING));
        let mapped = state.clone();
        self.readback.map_async(wgpu::MapMode::Read, .., move |result| {
            mapped.store(if result.is_ok() { ARRIVED } else { LOST }, Ordering::Release);
        });
        Some(Request { primitives: member.primitives, state })
    }

    /// Reads the mapped pixel: the vertex in x, and in y the index of the draw plus 1. If y is 0, nothing was drawn at the pixel.
    fn read(&self, primitives: &[(NodeIndex, usize)]) -> Option<Vertex> {
        let words: Option<[u32; 4]> = self.readback.get_mapped_range(..).ok().map(|bytes| bytemuck::pod_read_unaligned(&bytes));
        self.readback.unmap();
        let [vertex, number, ..] = words?;
        let (node, primitive) = *primitives.get(number.checked_sub(1)? as usize)?;
        Some(Vertex { node, primitive, vertex })
    }
}

/// Lists the primitives that the first member shows near the pixel, with one draw for each.
fn member_draws<'a>(shared: &SharedResources, inputs: &FrameInputs<'_, 'a>, span: &Span) -> MemberDraws<'a> {
    let FrameInputs { picture, actors, size, .. } = *inputs;
    let frustum = Frustum::new(&frame::clip_from_anchored(picture, size), size);
    let features = LightFeatures::default();
    let collection = Collection { picture, features, page_bytes: 0, frustum: None, subsets: &shared.draws.subsets };
    let mut member = MemberDraws::default();
    let Some(actor) = actors.first() else { return member };
    let visible = actor.gpu.node_groups.iter().flat_map(|group| actor.visible_in(group));
    let parts = visible.filter_map(|visible| collection.part(actor, span, visible)).filter(|part| !part.is_outside(&frustum, 0));
    let mut parts: Vec<_> = parts.collect();
    // If several surfaces have the same depth, the order of the nodes decides which surface is found.
    parts.sort_by_key(|part| (part.visible.node_index, part.visible.primitive_index));
    for part in parts {
        let key = surface_key(picture, &part, part.winding(0), features);
        let index = member.instances.len() as u32;
        let range = index..index + 1;
        let Some(draw) = part.draw(key, 0, [range.clone(), range], 0.0) else { continue };
        let key = draw.key_for(Role::Picking);
        member.draws.push(Draw { key, ..draw });
        member.instances.push(part.instance(0));
        member.primitives.push((part.visible.node_index, part.visible.primitive_index));
    }
    member
}

/// Requests missing pipelines. Returns whether all pipelines are made. For a still, the function waits for them. In a window, a later
/// picking request can use them.
fn has_pipelines(shared: &mut SharedResources, draws: &[Draw], has_failed: &mut bool) -> bool {
    for draw in draws {
        let key = PipelineKey::Surface(draw.key).sampled(Msaa::One);
        if !shared.pipelines.is_known(key) {
            let draws = shared.draws.warmup_draw(draw, shared.frame.group()).into_iter().collect();
            shared.pipelines.request(PipelineRequest { key, draws, software_warmup: None });
        }
    }
    if shared.pipelines.in_background() {
        // If the picture is not drawn again, nothing else takes them.
        shared.pipelines.take_finished();
    } else {
        shared.pipelines.wait(None);
    }
    let pipelines = &shared.pipelines;
    let keys = || draws.iter().map(|draw| PipelineKey::Surface(draw.key));
    *has_failed |= keys().any(|key| pipelines.is_ready(key.sampled(Msaa::One)) && pipelines.get(key).is_none());
    keys().all(|key| pipelines.get(key).is_some())
}
