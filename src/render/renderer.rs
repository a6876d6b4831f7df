//! The renderer: owns the passes and records them in the order of the frame.

use std::time::{Duration, Instant};

use super::actor::Actor;
use super::bind_groups::BindGroupLayouts;
use super::bind_groups::frame;
use super::bind_groups::frame_group::FrameBindings;
use super::buffers::palette;
use super::device::gpu::Gpu;
use super::device::memory::texture_bytes;
use super::draw_list::resources::DrawResources;
use super::draw_list::{DrawList, DrawSettings, FrameInputs};
use super::environment::EnvironmentLight;
use super::frame::chunks;
use super::frame::plan::{self, WarmupBindings};
use super::frame::progressive::{self, Progress};
use super::model::wireframe;
use super::passes::backdrop::BackdropPass;
use super::passes::composite::{CompositePass, Layers};
use super::passes::context::{FrameContext, SharedResources};
use super::passes::outline::{self, OutlinePass};
use super::passes::overlay::OverlayPass;
use super::passes::picking::PickingPass;
use super::passes::scene::ScenePass;
use super::passes::shadow::ShadowPass;
use super::passes::timer::Timer;
use super::picture::{Background, Options, Picture, Tile, Viewport};
use super::pipelines::Pipelines;
use super::pipelines::compiler::Wake;
use super::pipelines::key::PipelineKey;
use super::pipelines::target::SceneTarget;
use super::pipelines::warmup::PipelineOrder;
use crate::session::pick::vertex::Vertex;

/// Draws pictures of posed models. One renderer serves one device and one picture format, and keeps what outlives a frame: pipelines,
/// targets, buffers.
///
/// Positions are in metres, relative to the picture's anchor; viewports and tiles are in pixels, line widths in points. A pipeline that
/// cannot be made is an error of [`Renderer::failure`]; what needs it is not drawn. Memory that runs out is an error of the device's
/// error scope, which the caller sets.
///
/// ```no_run
/// use sinew::render::actor::Actor;
/// use sinew::render::device::gpu::Gpu;
/// use sinew::render::picture::{Picture, Viewport};
/// use sinew::render::renderer::Renderer;
///
/// fn draw(gpu: &Gpu, texture: &wgpu::Texture, picture: &Picture, actors: &[Actor]) {
///     let mut renderer = Renderer::new(gpu, texture.format(), 4);
///     let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
///     let viewport = Viewport { target: &target, rect: [0, 0, texture.width(), texture.height()] };
///     let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
///     renderer.draw(gpu, &mut encoder, &viewport, picture, actors);
///     gpu.queue.submit([encoder.finish()]);
///     assert_eq!(renderer.failure(), None);
/// }
/// ```
pub struct Renderer {
    pub target_format: wgpu::TextureFormat,
    pub limits: Limits,
    /// Whether draws outside the picture are left out.
    pub culls: bool,
    pub statistics: Statistics,
    /// The last picture was drawn with the options of the one before, because pipelines are being made.
    pub late: bool,
    shared: SharedResources,
    shadow: ShadowPass,
    backdrop: BackdropPass,
    outline: OutlinePass,
    overlay: OverlayPass,
    scene: ScenePass,
    composite: CompositePass,
    picking: PickingPass,
    /// The content of the scene targets; `None` if nothing was drawn since their creation.
    drawn: Option<DrawnFrame>,
    /// Options and background of the last picture whose pipelines were made.
    last_ready: Option<(Options, Background)>,
    progress: Progress,
}

/// The amount drawn per call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest buffer of a palette page, in bytes: what the device binds at once.
    pub page_bytes: u64,
    /// Indices of a chunk. Pictures of more indices are drawn in chunks: slower, but a software rasterizer needs memory for every
    /// triangle under way.
    pub indices_per_chunk: u32,
    /// Indices of ghosts that [`Renderer::draw_progressively`] draws in a frame.
    pub indices_per_frame: u32,
}

/// Cost of drawing a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Bytes that the last picture uploaded.
    pub uploaded: u64,
    /// Draws of the last picture: one is a primitive, or a side of it, for all instances.
    pub draws: usize,
    /// Shadow maps that were drawn so far.
    pub shadow_maps: u64,
    /// Total time that pictures have waited for pipelines.
    pub pipeline_wait: Duration,
}

#[derive(Clone, Copy)]
struct DrawnFrame {
    has_overlay: bool,
    xray: bool,
    background: Background,
}

impl Renderer {
    /// A renderer for stills: each picture waits for its pipelines. `target_format`: a plain format of eight bits, not sRGB. `samples`:
    /// MSAA samples of a pixel, 1 or 4.
    pub fn new(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self::with(gpu, target_format, samples, None)
    }

    /// A renderer for a window: only the first picture waits. While pipelines are made, the picture is drawn with the options of the one
    /// before, or stays. `wake` is called on another thread when drawing again is worthwhile.
    pub fn in_background(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32, wake: Wake) -> Self {
        Self::with(gpu, target_format, samples, Some(wake))
    }

    fn with(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: u32, wake: Option<Wake>) -> Self {
        let layouts = BindGroupLayouts::new(gpu);
        let scene = SceneTarget::new(target_format, samples);
        let mut pipelines = Pipelines::new(gpu, &layouts, target_format, scene, wake);
        // Every picture needs this one: it is made while the model is uploaded.
        pipelines.order(PipelineOrder { key: PipelineKey::Composite, samples: Vec::new(), software_warmup: None });
        Self {
            target_format,
            limits: Limits { page_bytes: palette::max_bytes(gpu), indices_per_chunk: u32::MAX, indices_per_frame: 3 << 20 },
            culls: true,
            statistics: Statistics::default(),
            late: false,
            shadow: ShadowPass::new(gpu, &layouts),
            backdrop: BackdropPass::new(scene),
            outline: OutlinePass::new(scene),
            overlay: OverlayPass::new(gpu, SceneTarget { format: target_format, ..scene }),
            scene: ScenePass::new(gpu, scene),
            composite: CompositePass::new(gpu),
            picking: PickingPass::default(),
            shared: SharedResources { pipelines, frame: FrameBindings::new(gpu), draws: DrawResources::default(), timer: None, layouts },
            drawn: None,
            last_ready: None,
            progress: Progress::default(),
        }
    }

    /// Draws a picture, or a tile of one. Call it once per submission: the buffers of a frame are written before its commands run.
    pub fn draw(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, viewport: &Viewport, picture: &Picture, actors: &[Actor]) {
        let size = picture.samples(viewport);
        if size.contains(&0) {
            return;
        }
        let inputs = FrameInputs { gpu, picture, actors, size };
        self.progress = Progress::Moving;
        self.resize(gpu, size);
        self.start_frame(&inputs);
        if let Some(list) = self.plan(encoder, &inputs) {
            let picture = Picture { options: list.options, background: list.background, ..*picture };
            let inputs = FrameInputs { picture: &picture, ..inputs };
            self.record_before_scene(encoder, &inputs, &list);
            let mut frame = FrameContext { gpu, encoder, picture: &picture, size, shared: &mut self.shared };
            chunks::record_scene(&self.scene, &mut frame, &list, self.limits.indices_per_chunk);
        }
        self.record_composite(encoder, &inputs, viewport);
    }

    /// Continues the last picture, in which nothing has moved, with more of its ghosts. Returns whether it is complete. [`Renderer::draw`]
    /// starts another picture.
    pub fn draw_progressively(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        viewport: &Viewport,
        picture: &Picture,
        actors: &[Actor],
    ) -> bool {
        let size = picture.samples(viewport);
        if !self.scene.has_size(size) {
            self.draw(gpu, encoder, viewport, picture, actors);
            return true;
        }
        let inputs = FrameInputs { gpu, picture, actors, size };
        self.start_frame(&inputs);
        let is_complete = self.progress == Progress::Complete;
        if !is_complete && let Some(list) = self.plan(encoder, &inputs).filter(|_| !self.late) {
            if self.progress == Progress::Moving {
                self.record_before_scene(encoder, &inputs, &list);
            }
            let ghosts = chunks::divide(list.draws.ghosts_with_keys(), self.limits.indices_per_frame);
            let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
            self.progress = progressive::record(self.progress, &self.scene, &mut frame, &list, &ghosts);
        }
        self.record_composite(encoder, &inputs, viewport);
        self.progress == Progress::Complete
    }

    fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        if !self.scene.has_size(size) {
            self.scene.resize(gpu, size);
            self.overlay.resize(size);
            self.drawn = None;
        }
    }

    fn start_frame(&mut self, inputs: &FrameInputs) {
        if let Some(timer) = &mut self.shared.timer {
            timer.collect(inputs.gpu);
        }
        (self.statistics.uploaded, self.shared.draws.materials.uploaded) = (0, 0);
        if inputs.picture.options.wireframe {
            wireframe::prepare(inputs.gpu, inputs.actors);
        }
        self.shared.draws.subsets.update(inputs.gpu, inputs.actors);
    }

    /// Decides what is drawn: the picture as it was asked for; with the options of the last one, while its pipelines are made; or `None`:
    /// nothing, and what was drawn last stays.
    fn plan<'a>(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs<'_, 'a>) -> Option<DrawList<'a>> {
        self.shared.pipelines.take_finished();
        let look = (inputs.picture.options, inputs.picture.background);
        let list = self.list(inputs);
        self.order_pipelines(encoder, inputs, &list);
        self.late = false;
        if !plan::is_ready(&list, &self.shared.pipelines) {
            if self.shared.pipelines.in_background() {
                self.late = true;
                let previous = self.last_ready.filter(|last| *last != look).map(|(options, background)| {
                    let picture = Picture { options, background, ..*inputs.picture };
                    self.list(&FrameInputs { picture: &picture, ..*inputs })
                });
                if let Some(previous) = previous.filter(|list| plan::is_ready(list, &self.shared.pipelines)) {
                    return Some(previous);
                }
                if self.drawn.is_some() {
                    return None;
                }
            }
            // The very first picture of a window waits, too: there is nothing to show instead.
            let start = Instant::now();
            self.shared.pipelines.wait();
            self.late = false;
            self.statistics.pipeline_wait += start.elapsed();
        }
        self.last_ready = Some(look);
        Some(list)
    }

    fn list<'a>(&self, inputs: &FrameInputs<'_, 'a>) -> DrawList<'a> {
        let settings = DrawSettings {
            key_light: self.shared.frame.environment.key,
            subsets: &self.shared.draws.subsets,
            page_bytes: self.limits.page_bytes,
            culls: self.culls,
        };
        DrawList::new(inputs, &settings)
    }

    fn order_pipelines(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList) {
        if plan::is_known(list, &self.shared.pipelines) {
            return;
        }
        if self.shared.pipelines.in_background() {
            // The warm-up draws bind what the picture binds.
            self.upload(encoder, inputs, list);
        }
        // A picture that is waited for comes sooner without a software warm-up.
        let warms_up = self.drawn.is_some() && !inputs.gpu.is_hardware();
        let software_warmup = warms_up.then(|| self.shared.frame.views(self.shadow.map(), self.backdrop.view()));
        let (shadow_group, scene, overlay) = (self.shadow.group(), &self.scene, &self.overlay);
        plan::order_missing(list, &mut self.shared, &WarmupBindings { shadow_group, scene, overlay, software_warmup });
    }

    /// Uploads everything that the frame's commands read.
    fn upload(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList) {
        let FrameInputs { gpu, picture, actors, size } = *inputs;
        let shared = &mut self.shared;
        let mut rebinds = self.backdrop.resize(gpu, picture, list.draws.transmit());
        rebinds |= self.shadow.resize(gpu, list.shadow.as_ref().map(|fit| fit.quality));
        let mut uniform = frame::uniform(picture, size, &shared.frame.environment, list.lights.len());
        if let Some(fit) = &list.shadow {
            uniform.shadow = fit.uniform;
        }
        uniform.margin = outline::margin(gpu, picture, size) as f32;
        let (frame_bytes, is_new) = shared.frame.write(gpu, uniform, &list.lights);
        if rebinds || is_new {
            let views = shared.frame.views(self.shadow.map(), self.backdrop.view());
            shared.frame.bind(gpu, &shared.layouts, &views);
        }
        let actor_bytes = shared.draws.write(gpu, encoder, &shared.layouts, actors, &list.draws.pages);
        let line_bytes = self.scene.upload(gpu, list) + self.overlay.upload(gpu, list);
        self.statistics.uploaded += frame_bytes + actor_bytes + line_bytes;
    }

    /// Uploads, and records the passes before the scene.
    fn record_before_scene(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList) {
        let FrameInputs { gpu, picture, actors, size } = *inputs;
        self.upload(encoder, inputs, list);
        let overlay = list.overlay();
        let (xray, background) = (list.options.xray, list.background);
        self.drawn = Some(DrawnFrame { has_overlay: overlay.any(), xray, background });
        self.statistics.draws = list.draws.count();
        let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
        let drawn = self.shadow.record(&mut frame, list, actors);
        self.statistics.shadow_maps += u64::from(drawn);
        self.backdrop.record(&mut frame, list, self.shadow.map(), &self.scene);
        self.outline.record(&mut frame, list);
        if let Some(targets) = self.scene.targets() {
            self.overlay.record(&mut frame, list, &targets.depth, &self.outline);
        }
    }

    /// Makes the picture from what was drawn last.
    fn record_composite(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, viewport: &Viewport) {
        let (Some(scene), Some(drawn)) = (self.scene.targets(), self.drawn) else { return };
        let FrameInputs { gpu, picture, size, .. } = *inputs;
        let overlay = self.overlay.texture().filter(|_| drawn.has_overlay);
        let layers = Layers { scene, overlay, xray: drawn.xray, background: drawn.background };
        let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
        self.statistics.uploaded += self.composite.record(&mut frame, &layers, viewport);
        if let Some(timer) = &mut self.shared.timer {
            timer.record(encoder);
        }
    }

    /// The environment from now on; a new renderer has the studio's.
    pub fn set_environment(&mut self, environment: EnvironmentLight) {
        self.shared.frame.set_environment(environment);
        self.progress = Progress::Moving;
    }

    /// Why the first pipeline that could not be made was not; what needs one is not drawn.
    pub fn failure(&self) -> Option<&str> {
        self.shared.pipelines.failure.as_deref()
    }

    /// Requests the vertex that the first member of the first actor shows at a pixel of a picture that was drawn and submitted before.
    /// One request is answered at a time. Returns whether it was sent.
    pub fn pick(&mut self, gpu: &Gpu, picture: &Picture, actors: &[Actor], pixel: [u32; 2]) -> bool {
        let picture = Picture { tile: Tile { origin: pixel, ..picture.tile }, supersample: 1, ..*picture };
        let inputs = FrameInputs { gpu, picture: &picture, actors, size: [1, 1] };
        let views = self.shared.frame.views(self.shadow.map(), None);
        self.picking.record(&mut self.shared, &inputs, self.limits.page_bytes, &views)
    }

    /// The answer to the last request, once. `None` if it has not arrived or nothing was requested; `Some(None)` if there is no vertex.
    pub fn take_picked(&mut self, gpu: &Gpu) -> Option<Option<Vertex>> {
        self.picking.take(gpu)
    }

    /// Whether a request is not answered yet.
    pub fn is_picking(&self) -> bool {
        self.picking.is_pending()
    }

    /// Whether every pipeline that picking needs could be made.
    pub fn can_pick(&self) -> bool {
        self.picking.is_available()
    }

    /// Starts or stops measuring the GPU's time, on adapters that can.
    pub fn measure(&mut self, gpu: &Gpu, measure: bool) {
        if measure != self.shared.timer.is_some() {
            self.shared.timer = measure.then(|| Timer::new(gpu)).flatten();
        }
    }

    /// GPU time of one of the last few pictures, in milliseconds; everything drawn must have been submitted. `None` if nothing is measured
    /// yet, or nothing can be.
    pub fn gpu_milliseconds(&mut self, gpu: &Gpu) -> Option<f64> {
        let timer = self.shared.timer.as_mut()?;
        timer.collect(gpu);
        timer.last
    }

    /// Bytes of the textures that pictures are drawn into.
    pub fn target_memory(&self) -> u64 {
        let passes = [self.shadow.memory(), self.backdrop.memory(), self.outline.memory(), self.overlay.memory(), self.scene.memory()];
        passes.iter().sum()
    }

    /// Bytes of the environment map.
    pub fn environment_memory(&self) -> u64 {
        texture_bytes([&self.shared.frame.environment.map])
    }
}
