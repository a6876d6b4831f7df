//! The key lamp's shadow: a map of how far it sees, drawn anew only when what casts differs from what the map shows. Opaque
//! surfaces cast with depth alone, masked ones with their holes, blended ones and those that transmit light as densely as they are
//! seen. Points and lines cast none.

use crate::render::bind_groups::Layouts;
use crate::render::buffers::dynamic_buffer::Stream;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::{Draw, Draws};
use crate::render::environment::EnvironmentLight;
use crate::render::light::shadow_fit::{self, Fit, Quality};
use crate::render::material::features::Features;
use crate::render::material::texture_set::TextureSet;
use crate::render::picture::{Actor, Picture};
use crate::render::pipelines::{Alpha, CastKey, DEPTH_FORMAT, PipelineKey, VertexStage};
use crate::render::{Renderer, passes};
use crate::session::view::display::{Lighting, Shading, Shadow};

use super::timer::Timer;

const HARDWARE: Quality = Quality { size: 2048, taps: 6, step: 2.0 };
/// Where the processor draws.
const SOFTWARE: Quality = Quality { size: 512, taps: 3, step: 1.0 };
/// Of all members together: where the processor draws, what has more vertices casts no shadow unless it is asked to. Each of them
/// would be deformed once more in every frame.
const HEAVY: usize = 60_000;

/// What stays from frame to frame.
pub(crate) struct ShadowMap {
    texture: wgpu::TextureView,
    size: u32,
    /// The lamp's eye: group 0 of the pass.
    eye: Stream,
    group: wgpu::BindGroup,
    /// What the map shows.
    shown: Option<Shown>,
}

#[derive(PartialEq, Eq)]
struct Shown {
    casts: Vec<Cast>,
    /// Of all palettes and morph weights.
    pose: u64,
}

/// What casts, by the handles of what it is made of: while these are held, nothing else can take their place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cast {
    key: CastKey,
    indices: wgpu::Buffer,
    mesh: wgpu::BindGroup,
    /// Of what is not opaque.
    material: Option<wgpu::BindGroup>,
    /// Of all instances where their matrices and weights are, in no order of the eye's; empty at many places, which do not change.
    instances: Vec<[u32; 2]>,
}

impl ShadowMap {
    /// One texel, for pictures without a shadow.
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let eye = Stream::new(gpu, "lamp's eye", wgpu::BufferUsages::UNIFORM, crate::render::bind_groups::frame::SIZE);
        Self {
            texture: texture(gpu, 1),
            size: 1,
            group: passes::group(gpu, "lamp's eye", &layouts.cast_frame, [eye.buffer().as_entire_binding()]),
            eye,
            shown: None,
        }
    }

    /// Makes it as large as a picture needs it: one texel without a shadow. True when it is another texture now.
    pub fn resize(&mut self, gpu: &Gpu, shadow: Option<Quality>) -> bool {
        let size = shadow.map_or(1, |quality| quality.size.min(gpu.device.limits().max_texture_dimension_2d));
        let new = size != self.size;
        if new {
            (self.texture, self.size, self.shown) = (texture(gpu, size), size, None);
        }
        new
    }

    /// Group 0 of the pass.
    pub fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    pub fn texture(&self) -> &wgpu::TextureView {
        &self.texture
    }
}

/// The shadow of a picture; none where it has none.
pub(crate) fn of_picture(gpu: &Gpu, picture: &Picture, actors: &[Actor], around: &EnvironmentLight) -> Option<(Quality, Fit)> {
    let display = picture.display;
    let lamp = around.key?.turned(display.environment.rotation);
    let lit = display.lighting == Lighting::Studio && matches!(display.shading, Shading::Lit | Shading::Clay);
    let wanted = match display.shadow {
        Shadow::On => true,
        Shadow::Off => false,
        Shadow::Automatic => gpu.is_hardware() || solid(actors).map(Actor::vertices).sum::<usize>() <= HEAVY,
    };
    if !lit || !wanted || picture.bounds.is_empty() {
        return None;
    }
    let quality = if gpu.is_hardware() { HARDWARE } else { SOFTWARE };
    Some((quality, shadow_fit::fit(&picture.bounds, picture.anchor, quality, &lamp)?))
}

/// Ghosts cast none.
fn solid<'a>(actors: &'a [Actor<'a>]) -> impl Iterator<Item = &'a Actor<'a>> {
    actors.iter().filter(|actor| actor.ghost.is_none())
}

impl Renderer {
    /// Draws the map, unless it shows the same already.
    pub(crate) fn draw_shadow(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, fit: &Fit, draws: &Draws, actors: &[Actor]) {
        let eye = crate::render::bind_groups::frame::lamps_eye(fit.clip_from_anchored);
        self.shadow.eye.write(gpu, &[bytemuck::bytes_of(&eye)]);
        let casting = || draws.solid.iter().chain(&draws.blended).filter_map(|draw| Some((draw, cast_key(draw)?)));
        let mut casts: Vec<_> = casting().map(|(draw, key)| self.cast(draws, draw, key)).collect();
        // The eye's order changes with the eye.
        casts.sort_unstable();
        let shown = Shown { casts, pose: digest(actors) };
        if self.shadow.eye.uploaded == 0 && self.materials.uploaded == 0 && self.shadow.shown.as_ref() == Some(&shown) {
            return;
        }
        self.shadows += 1;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.shadow.texture,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            timestamp_writes: self.timer.as_mut().and_then(Timer::begin),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.shadow.group, &[]);
        let mut bound = None;
        for (draw, key) in casting() {
            let Some(pipeline) = self.pipelines.get(PipelineKey::Cast(key)) else { continue };
            passes::bind_page(&mut pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(pipeline);
            passes::draw_primitive(&mut pass, draw, (draw.indices(), draw.all.clone()), &self.materials);
        }
        drop(pass);
        self.shadow.shown = Some(shown);
    }

    fn cast(&self, draws: &Draws, draw: &Draw, key: CastKey) -> Cast {
        let material = || passes::material_group(draw, &self.materials).clone();
        let listed = draws.pages.get(draw.page).filter(|_| !key.stage.placed);
        let listed = listed.and_then(|(_, instances)| instances.get(draw.all.start as usize..draw.all.end as usize));
        let mut instances: Vec<_> = listed.into_iter().flatten().map(|instance| [instance.palette_base, instance.weights_base]).collect();
        instances.sort_unstable();
        Cast {
            key,
            indices: draw.index_buffer().0.clone(),
            mesh: draw.group.clone(),
            material: (key.alpha != Alpha::Opaque).then(material),
            instances,
        }
    }
}

/// None of what casts no shadow.
pub(crate) fn cast_key(draw: &Draw) -> Option<CastKey> {
    let (key, transmits) = (&draw.key, draw.material.features.has(Features::TRANSMISSION));
    if key.points_or_lines.is_some() {
        return None;
    }
    let alpha = if transmits { Alpha::Blend } else { key.alpha };
    let seen = alpha != Alpha::Opaque;
    Some(CastKey {
        alpha,
        // Only what is read.
        stage: VertexStage { further: key.further && seen, ..VertexStage::of(*key) },
        textures: if seen { key.textures } else { TextureSet::default() },
        transmits,
    })
}

fn texture(gpu: &Gpu, size: u32) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadow map"),
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH_FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Of all that poses the actors: four lanes of multiplications, each undone by nothing but the same bits.
fn digest(actors: &[Actor]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes = [actors.len() as u64, 1, 2, 3];
    for actor in solid(actors) {
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
