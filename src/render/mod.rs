//! Floor 4: models and a picture's description to pixels, with wgpu. [`Renderer::draw`] is the whole frame in one visible
//! order: uploads, the shadow map, what is behind glass, what lies over the picture ([`over`]), the scene ([`scene`]),
//! and what makes a picture of all that ([`finish`]).
//!
//! A model is uploaded once ([`crate::render::model::GpuModel`]); a frame writes palettes, morph weights ([`pages`]) and one uniform.

pub mod annotations;
pub(crate) mod bind_groups;
pub mod buffers;
pub mod device;
pub(crate) mod draw_list;
pub mod environment;
pub mod frame;
pub mod light;
pub mod material;
pub mod model;
mod passes;
pub mod picture;
mod pipelines;
pub mod shaders;

use std::sync::Arc;
use std::time::Duration;

use crate::session::view::display::Display;

use annotations::joints::GpuSolidJoint;
use annotations::lines::GpuLine;
use bind_groups::Layouts;
use bind_groups::frame::FrameUniform;
use bind_groups::frame_group::{self, FrameSamplers, FrameViews};
use buffers::dynamic_buffer::Stream;
use buffers::palette;
use buffers::palette_pages::Page;
use device::gpu::Gpu;
use environment::EnvironmentLight;
use environment::studio_map::studio_map;
use frame::chunks;
use frame::plan::Plan;
use frame::progressive::Turn;
use light::punctual::GpuLight;
use material::animated::DrivenMaterials;
use material::texture;
use model::partial_indices::Cuts;
use model::wireframe;
use passes::backdrop::Backdrop;
use passes::composite::{self, FinishUniform};
use passes::outline::Outline;
use passes::overlay::Over;
use passes::picking::Identifier;
use passes::shadow::ShadowMap;
use passes::targets::Targets;
use passes::timer::Timer;
use picture::{Actor, Background, Picture};
use pipelines::{Order, PipelineKey, Pipelines, SceneTarget};

/// Called, on any thread, when a pipeline is there that was not before.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// All that outlives a frame.
pub struct Renderer {
    layouts: Layouts,
    pub target_format: wgpu::TextureFormat,
    scene: SceneTarget,
    pipelines: Pipelines,
    targets: Option<Targets>,
    around: EnvironmentLight,
    /// The share of the light that is mirrored.
    table: wgpu::TextureView,
    samplers: FrameSamplers,
    /// Bound where there is no overlay.
    clear: wgpu::TextureView,
    frame: Stream,
    lights: Stream,
    pages: Vec<Page>,
    /// Bytes of the largest buffer of a page: what the device binds at once.
    pub page_limit: u64,
    /// More are drawn in steps, of which two are under way at a time. That takes longer, but where a program draws on the
    /// processor it needs memory for every triangle under way.
    pub indices_at_once: u32,
    /// More of ghosts are drawn over several frames, where nothing moves.
    pub indices_a_turn: u32,
    scene_lines: Stream,
    overlay_lines: Stream,
    solids: Stream,
    outline: Option<Outline>,
    finish: Stream,
    materials: DrivenMaterials,
    cuts: Cuts,
    /// Made when something is first asked.
    identifier: Option<Identifier>,
    cannot_identify: bool,
    frame_group: Option<wgpu::BindGroup>,
    /// While something lets light through.
    behind: Option<Backdrop>,
    shadow: ShadowMap,
    /// While somebody wants to know how long the device takes.
    timer: Option<Timer>,
    /// Bytes that the last picture uploaded.
    pub uploaded: u64,
    /// How many shadow maps were drawn so far.
    pub shadows: u64,
    /// How long pictures have waited for their pipelines so far.
    pub building: Duration,
    /// Of the last picture whose pipelines were there.
    shown: Option<(Display, Background)>,
    /// The last picture was not drawn as it was asked for: its pipelines are being made.
    pub late: bool,
    /// What is not in the picture is not drawn.
    pub culls: bool,
    /// Draws that the last picture took: one is a primitive, or a side of it, at all places.
    pub draws: usize,
    /// The targets have been drawn into since they were made; and what went over that.
    drawn: bool,
    over: Over,
    /// How far a picture is in which nothing moves.
    turn: Turn,
    xray: bool,
    background: Background,
}

impl Renderer {
    /// For stills: each picture waits for its pipelines. `target_format`: a plain one of eight bits, not sRGB. `samples`: 1 or 4.
    pub fn new(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self::with(gpu, target_format, samples, None)
    }

    /// For a window: no picture but the first waits. While pipelines are made it is drawn as it was before, or stays; `wake` is
    /// called, on another thread, when it is worth drawing again.
    pub fn in_background(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32, wake: Wake) -> Self {
        Self::with(gpu, target_format, samples, Some(wake))
    }

    fn with(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32, wake: Option<Wake>) -> Self {
        use wgpu::BufferUsages as Usage;
        let stream = |label, usage, least| Stream::new(gpu, label, usage, least);
        let layouts = Layouts::new(gpu);
        let scene = SceneTarget::new(target_format, samples);
        let mut pipelines = Pipelines::new(gpu, &layouts, target_format, scene, wake);
        // Every picture needs it: it is made while the model is uploaded.
        pipelines.order(Order { key: PipelineKey::Finish, samples: Vec::new(), rehearsal: None });
        Self {
            shadow: ShadowMap::new(gpu, &layouts),
            layouts,
            target_format,
            scene,
            pipelines,
            targets: None,
            around: EnvironmentLight::new(gpu, &studio_map()),
            table: environment::mirrored_share(gpu),
            samplers: FrameSamplers::new(gpu),
            clear: texture::single(gpu, [0; 4]),
            frame: stream("frame", Usage::UNIFORM, size_of::<FrameUniform>()),
            lights: stream("lights", Usage::STORAGE, size_of::<GpuLight>()),
            pages: Vec::new(),
            page_limit: palette::most_bytes(gpu),
            indices_at_once: u32::MAX,
            indices_a_turn: 3 << 20,
            scene_lines: stream("scene lines", Usage::VERTEX, size_of::<GpuLine>()),
            overlay_lines: stream("overlay lines", Usage::VERTEX, size_of::<GpuLine>()),
            solids: stream("solids", Usage::VERTEX, size_of::<GpuSolidJoint>()),
            outline: None,
            finish: stream("finish", Usage::UNIFORM, size_of::<FinishUniform>()),
            materials: DrivenMaterials::default(),
            cuts: Cuts::default(),
            identifier: None,
            cannot_identify: false,
            frame_group: None,
            behind: None,
            timer: None,
            uploaded: 0,
            shadows: 0,
            building: Duration::ZERO,
            shown: None,
            late: false,
            culls: true,
            draws: 0,
            drawn: false,
            over: Over::default(),
            turn: Turn::Moving,
            xray: false,
            background: Background::Transparent,
        }
    }

    /// Why the first pipeline that could not be made was not; what needs one is not drawn.
    pub fn failure(&self) -> Option<&str> {
        self.pipelines.failure.as_deref()
    }

    /// Draws one picture, or tile, into `viewport` (x, y, width, height in pixels) of `target`; what is beside it stays.
    /// Once per submission: the buffers of a frame are written before its commands run.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: [u32; 4],
        picture: &Picture,
        actors: &[Actor],
    ) {
        let size = picture.samples(viewport);
        if size.contains(&0) {
            return;
        }
        self.turn = Turn::Moving;
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.targets = Some(Targets::new(gpu, size, self.scene));
            self.drawn = false;
        }
        self.begin(gpu, picture, actors);
        if let Some(plan) = self.plan(gpu, encoder, picture, actors, size) {
            let behind = self.draw_before(gpu, encoder, picture, actors, &plan, size);
            let load = self.draw_in_steps(gpu, encoder, &chunks::steps(plan.draws.of_body(), self.indices_at_once), behind);
            let ghosts = chunks::steps(plan.draws.of_ghosts(), self.indices_at_once);
            if let [_, _, ..] = &ghosts[..] {
                self.begin_scene(encoder, &plan, load);
                self.draw_in_steps(gpu, encoder, &ghosts, wgpu::LoadOp::Load);
                self.end_scene(encoder, &plan);
            } else {
                self.draw_scene(encoder, &plan, load, ghosts.first().map_or(&[], Vec::as_slice));
            }
        }
        self.show(gpu, encoder, target, viewport, picture);
    }

    fn begin(&mut self, gpu: &Gpu, picture: &Picture, actors: &[Actor]) {
        if let Some(timer) = &mut self.timer {
            timer.collect(gpu);
        }
        (self.uploaded, self.materials.uploaded) = (0, 0);
        if picture.display.wireframe {
            wireframe::prepare(gpu, actors);
        }
        self.cuts.follow(gpu, actors);
    }

    /// All that the scene is drawn with. Tells what is behind it.
    fn draw_before(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture,
        actors: &[Actor],
        plan: &Plan,
        size: [u32; 2],
    ) -> wgpu::LoadOp<wgpu::Color> {
        let picture = &Picture { display: &plan.display.clone(), background: plan.background, ..*picture };
        let (uniform, seen_through) = self.upload(gpu, encoder, picture, actors, plan, size);
        if let Some((_, fit)) = &plan.shadow {
            self.draw_shadow(gpu, encoder, fit, &plan.draws, actors);
        }
        if seen_through {
            self.draw_behind(gpu, encoder, picture, plan, &uniform);
        }
        (self.drawn, self.over, self.draws) = (true, plan.over(), plan.draws.count());
        (self.xray, self.background) = (plan.display.xray, plan.background);
        self.draw_over(gpu, encoder, picture, plan);
        wgpu::LoadOp::Clear(composite::behind(picture))
    }

    /// The light from all around from now on; a new renderer has the studio's.
    pub fn set_around(&mut self, around: EnvironmentLight) {
        self.around = around;
        self.turn = Turn::Moving;
        self.frame_group = None;
    }

    fn bind_frame(&self, gpu: &Gpu, frame: &Stream, behind: &wgpu::TextureView) -> wgpu::BindGroup {
        let buffers = [frame.buffer(), self.lights.buffer()];
        frame_group::group(gpu, &self.layouts, buffers, &self.frame_views(behind), &self.samplers)
    }

    fn frame_views(&self, behind: &wgpu::TextureView) -> FrameViews {
        let (around, table) = (self.around.map.clone(), self.table.clone());
        FrameViews { around, table, shadow: self.shadow.texture().clone(), behind: behind.clone() }
    }
}
