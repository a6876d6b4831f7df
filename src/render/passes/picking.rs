//! What is seen at a place of the picture, told by the device: the model is drawn once more into a single pixel, as numbers, and
//! what comes out is read when it is there. Nobody waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::model::node::NodeIndex;
use crate::render::bind_groups::frame::{self, FrameUniform};
use crate::render::buffers::dynamic_buffer::Stream;
use crate::render::buffers::palette_pages::{self, Page, Span};
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::{self, Draw, Instance, LightFeatures};
use crate::render::draw_list::part::Part;
use crate::render::model::cull_bounds::Frustum;
use crate::render::picture::{Actor, Picture, Tile};
use crate::render::pipelines::{IDENTITY_FORMAT, Order, PipelineKey, Role, SceneTarget};
use crate::render::{Renderer, passes};
use crate::session::pick::vertex::Vertex;

use super::targets;

/// Bytes of what is read.
const READ: u64 = 16;

pub(crate) struct Identifier {
    frame: Stream,
    instances: Stream,
    target: wgpu::TextureView,
    depth: wgpu::TextureView,
    buffer: wgpu::Buffer,
    /// What the device was asked last, and did not tell yet.
    asked: Option<Asked>,
}

struct Asked {
    /// By number of the draw: a node, and the place in its mesh's primitives.
    drawn: Vec<(NodeIndex, usize)>,
    state: Arc<AtomicU8>,
}

/// States of what was asked.
const WAITING: u8 = 0;
const THERE: u8 = 1;
const LOST: u8 = 2;

impl Identifier {
    fn new(gpu: &Gpu) -> Self {
        use wgpu::BufferUsages as Usage;
        let pixel = |label, format, usage| targets::texture(gpu, label, [1, 1], SceneTarget { format, samples: 1 }, usage);
        Self {
            frame: Stream::new(gpu, "pixel's frame", Usage::UNIFORM, frame::SIZE),
            instances: Stream::new(gpu, "pixel's instances", Usage::STORAGE, size_of::<Instance>()),
            target: pixel("identity", IDENTITY_FORMAT, wgpu::TextureUsages::COPY_SRC),
            depth: pixel("pixel's depth", crate::render::pipelines::DEPTH_FORMAT, wgpu::TextureUsages::empty()),
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("identity"),
                size: READ,
                usage: Usage::COPY_DST | Usage::MAP_READ,
                mapped_at_creation: false,
            }),
            asked: None,
        }
    }

    fn tell(&mut self) -> Option<Option<Vertex>> {
        let state = self.asked.as_ref()?.state.load(Ordering::Acquire);
        let asked = self.asked.take_if(|_| state != WAITING)?;
        Some(if state == THERE { self.read(&asked.drawn) } else { None })
    }

    fn read(&self, drawn: &[(NodeIndex, usize)]) -> Option<Vertex> {
        let words: Option<[u32; 4]> = self.buffer.get_mapped_range(..).ok().map(|bytes| bytemuck::pod_read_unaligned(&bytes));
        self.buffer.unmap();
        let [vertex, number, ..] = words?;
        let (node, primitive) = *drawn.get(number.checked_sub(1)? as usize)?;
        Some(Vertex { node, primitive, vertex })
    }
}

impl Renderer {
    /// Asks what the first member of the first actor shows at a pixel of a picture that was drawn and submitted before. While it is
    /// not told yet nothing else is asked. False: it cannot be told now.
    pub fn identify(&mut self, gpu: &Gpu, picture: &Picture, actors: &[Actor], pixel: [u32; 2]) -> bool {
        let mut identifier = self.identifier.take().unwrap_or_else(|| Identifier::new(gpu));
        let asks = identifier.asked.is_none() && self.ask(gpu, &mut identifier, picture, actors, pixel).is_some();
        self.identifier = Some(identifier);
        asks
    }

    /// What was seen at the pixel that was asked for last. None: not there yet, or not asked.
    pub fn identified(&mut self, gpu: &Gpu) -> Option<Option<Vertex>> {
        self.identifier.as_ref()?.asked.as_ref()?;
        // A device that is lost tells so elsewhere.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        self.identifier.as_mut()?.tell()
    }

    /// Whether something was asked and is not told yet.
    pub fn is_identifying(&self) -> bool {
        self.identifier.as_ref().is_some_and(|identifier| identifier.asked.is_some())
    }

    /// Whether nothing that it takes has failed.
    pub fn identifies(&self) -> bool {
        !self.cannot_identify
    }

    fn ask(&mut self, gpu: &Gpu, identifier: &mut Identifier, picture: &Picture, actors: &[Actor], pixel: [u32; 2]) -> Option<()> {
        let tile = Tile { origin: pixel, ..picture.tile };
        let picture = &Picture { tile, supersample: 1, ..*picture };
        let spans = palette_pages::divide(actors, self.page_limit).into_iter().next()?;
        let actor = actors.first()?;
        let frustum = Frustum::new(&frame::clip_from_anchored(picture, [1, 1]), [1, 1]);
        let drawn = self.first_member(picture, actor, spans.first()?, &frustum);
        if !self.has_pipelines(&drawn.draws) {
            return None;
        }
        let uniform = frame::uniform(picture, [1, 1], &self.around, 0);
        let uniform: &FrameUniform = &uniform;
        identifier.frame.write(gpu, &[bytemuck::bytes_of(uniform)]);
        identifier.instances.write(gpu, &[bytemuck::cast_slice(&drawn.instances)]);
        let group = self.pages.first()?.group_of(gpu, &self.layouts, identifier.instances.buffer());
        let frame = self.bind_frame(gpu, &identifier.frame, &self.clear);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("identity") });
        let target = passes::Target { depth: Some(&identifier.depth), ..passes::Target::cleared(&identifier.target) };
        let mut pass = passes::begin(&mut encoder, "identity", &target, None);
        pass.set_bind_group(0, &frame, &[]);
        pass.set_bind_group(1, &group, &[]);
        for draw in &drawn.draws {
            pass.set_pipeline(self.pipelines.get(PipelineKey::Surface(draw.key))?);
            passes::draw_primitive(&mut pass, draw, (draw.indices(), draw.instances.clone()), &self.materials);
        }
        drop(pass);
        let to = wgpu::TexelCopyBufferInfo { buffer: &identifier.buffer, layout: wgpu::TexelCopyBufferLayout::default() };
        encoder.copy_texture_to_buffer(identifier.target.texture().as_image_copy(), to, wgpu::Extent3d::default());
        gpu.queue.submit([encoder.finish()]);
        let state = Arc::new(AtomicU8::new(WAITING));
        let told = state.clone();
        identifier.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            told.store(if result.is_ok() { THERE } else { LOST }, Ordering::Release);
        });
        identifier.asked = Some(Asked { drawn: drawn.names, state });
        Some(())
    }

    /// All that a member shows near a pixel, each by itself: the number of its instance tells what it is.
    fn first_member<'a>(&self, picture: &Picture, actor: &Actor<'a>, span: &Span, frustum: &Frustum) -> FirstMember<'a> {
        let mut all = FirstMember::default();
        for drawn in actor.drawn() {
            let material = drawn.primitive.material_in(picture.display.variant);
            let cut = self.cuts.part(actor, drawn.index, drawn.place);
            let part = Part { actor, span, drawn, material, cut };
            if part.cut.as_ref().is_some_and(|cut| cut.range.is_empty()) || part.is_beyond(frustum, 0) {
                continue;
            }
            let key =
                draw::key(picture, &part, &actor.gpu.materials[material], part.winding(0), LightFeatures { lamps: false, shadow: false });
            let number = all.instances.len() as u32;
            let only = number..number + 1;
            let Some(draw) = part.draw(key, 0, [only.clone(), only], 0.0) else { continue };
            let key = draw.playing(Role::Identify);
            all.draws.push(Draw { key, ..draw });
            all.instances.push(part.instance(0));
            all.names.push((part.drawn.index, part.drawn.place));
        }
        all
    }

    /// Where nobody waits for them, they are there another time.
    fn has_pipelines(&mut self, draws: &[Draw]) -> bool {
        for draw in draws {
            let key = PipelineKey::Surface(draw.key);
            if !self.pipelines.is_known(key) {
                let samples = self.draw_sample(draw, key).into_iter().collect();
                self.pipelines.order(Order { key, samples, rehearsal: None });
            }
        }
        if !self.pipelines.in_background() {
            self.pipelines.wait();
        }
        let keys = || draws.iter().map(|draw| PipelineKey::Surface(draw.key));
        self.cannot_identify |= keys().any(|key| self.pipelines.is_ready(key) && self.pipelines.get(key).is_none());
        keys().all(|key| self.pipelines.get(key).is_some())
    }
}

#[derive(Default)]
struct FirstMember<'a> {
    draws: Vec<Draw<'a>>,
    instances: Vec<Instance>,
    names: Vec<(NodeIndex, usize)>,
}

impl Page {
    /// What it binds, with other instances.
    fn group_of(&self, gpu: &Gpu, layouts: &crate::render::bind_groups::Layouts, instances: &wgpu::Buffer) -> wgpu::BindGroup {
        let resources = [self.palette(), self.weights(), instances.as_entire_binding()];
        passes::group(gpu, "actor", &layouts.actor, resources)
    }
}
