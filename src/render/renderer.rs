//! The renderer owns the passes and records them in the order of a frame: upload, shadow, backdrop, outline mask, overlay, scene,
//! composite. The input is a [`Picture`] and a list of [`Actor`]s. The output is commands in the encoder of the caller.

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
use super::frame::needed_pipelines::{self, WarmupBindings};
use super::frame::plan::{Appearance, PicturePlan, RequestedPicture};
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
use super::picture::{Background, Msaa, Picture, Resolution, Tile, Viewport};
use super::pipelines::Pipelines;
use super::pipelines::compiler::Wake;
use super::pipelines::key::{PipelineKey, SampledKey};
use super::pipelines::target::SceneTarget;
use super::pipelines::warmup::PipelineRequest;
use crate::session::pick::vertex::Vertex;

/// Draws pictures of posed models. One renderer serves one device and one picture format. It keeps the resources that outlive a frame:
/// pipelines, targets and buffers.
///
/// Positions are in meters, relative to the picture's anchor. Viewports and tiles are in pixels, line widths in points. If a pipeline
/// cannot be made, [`Renderer::failure`] says why, and the draws of that pipeline are left out. If memory runs out, the device's error
/// scope, which the caller pushes, catches the error.
///
/// ```no_run
/// use sinew::render::actor::Actor;
/// use sinew::render::device::gpu::Gpu;
/// use sinew::render::picture::{Msaa, Picture, Viewport};
/// use sinew::render::renderer::Renderer;
///
/// fn draw(gpu: &Gpu, texture: &wgpu::Texture, picture: &Picture, actors: &[Actor]) {
///     let mut renderer = Renderer::new(gpu, texture.format(), Msaa::Four);
///     let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
///     let viewport = Viewport { target: &target, rect: [0, 0, texture.width(), texture.height()] };
///     let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
///     renderer.draw(gpu, &mut encoder, &viewport, picture, actors);
///     gpu.queue.submit([encoder.finish()]);
///     assert_eq!(renderer.failure(), None);
/// }
/// ```
pub struct Renderer {
    /// Format of the viewport's texture. The scene targets use its sRGB variant.
    pub target_format: wgpu::TextureFormat,
    /// Sizes at which the work of a picture is split. Callers may lower these limits.
    pub limits: Limits,
    /// The samples of the next picture. While the pipelines for another number are being made, a window's pictures have the number of
    /// samples of the previous picture.
    pub samples: Msaa,
    /// Whether draws outside the picture are left out.
    pub culls: bool,
    /// The cost of the last picture, and totals over all pictures.
    pub statistics: DrawStatistics,
    /// Whether the last call showed an older state, because pipelines are still being made. The older state is either the options of the
    /// previous picture or the previous picture itself. If it takes too long, draws whose pipelines are missing are left out instead.
    pub is_outdated: bool,
    /// Resources that several passes use.
    shared: SharedResources,
    shadow: ShadowPass,
    backdrop: BackdropPass,
    outline: OutlinePass,
    overlay: OverlayPass,
    scene: ScenePass,
    composite: CompositePass,
    picking: PickingPass,
    /// Describes the content of the scene targets. `None` if they hold no picture that may be shown in the meantime.
    drawn: Option<DrawnFrame>,
    plan: PicturePlan,
    /// Whether the targets hold the last picture of [`Renderer::draw`] as it was requested.
    is_current: bool,
    /// How much of the last picture [`Renderer::draw_progressively`] has drawn.
    progress: Progress,
}

/// Maximum number of indices per submission on a software rasterizer. With 1.5 million, a picture of two million triangles took 85 MB more
/// and was no faster.
const MAX_SOFTWARE_INDICES: u32 = 1 << 17;

/// Sizes at which a picture's work is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest palette page, in bytes. A new renderer uses the largest buffer that the device can bind.
    pub page_bytes: u64,
    /// Largest chunk, in indices. Larger pictures are drawn in several submissions, because software rasterizers need memory for every
    /// submitted triangle that is not drawn yet. A new renderer splits pictures only on software rasterizers.
    pub indices_per_chunk: u32,
    /// Maximum number of ghost indices that one call of [`Renderer::draw_progressively`] draws.
    pub indices_per_frame: u32,
}

/// The cost of drawing pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DrawStatistics {
    /// Bytes that the last picture uploaded.
    pub uploaded: u64,
    /// Number of draw calls for the surfaces of the last picture. A draw call draws a primitive for all its instances. A blended primitive
    /// may need several draw calls.
    pub draws: usize,
    /// Number of shadow maps drawn since the renderer was made.
    pub shadow_maps: u64,
    /// Total time that pictures have waited for pipelines.
    pub pipeline_wait: Duration,
    /// Total time that pictures drawn in several submissions have waited for their earlier submissions.
    pub submission_wait: Duration,
}

/// Properties of the content of the targets. The composite pass needs them.
#[derive(Clone, Copy)]
struct DrawnFrame {
    /// The rectangle of the viewport ([`Viewport::rect`]).
    rect: [u32; 4],
    resolution: Resolution,
    has_overlay: bool,
    xray: bool,
    background: Background,
}

impl Renderer {
    /// Makes a renderer for stills: each picture waits for its pipelines. `target_format` is a plain eight-bit format, not an sRGB one,
    /// because the composite shader encodes sRGB itself.
    pub fn new(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: Msaa) -> Self {
        Self::with_wake(gpu, target_format, samples, None)
    }

    /// Makes a renderer for a window. Only the first picture waits, and the one after [`Renderer::forget_picture`]. While pipelines are
    /// being made, the picture is drawn with the options of the previous picture, or the previous picture stays. `wake` is called on
    /// another thread when a pipeline has become available, so that drawing again is worthwhile.
    pub fn in_background(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: Msaa, wake: Wake) -> Self {
        Self::with_wake(gpu, target_format, samples, Some(wake))
    }

    /// Makes a renderer whose pictures wait for their pipelines if `wake` is `None`.
    fn with_wake(gpu: &Gpu, target_format: wgpu::TextureFormat, samples: Msaa, wake: Option<Wake>) -> Self {
        let layouts = BindGroupLayouts::new(gpu);
        let format = SceneTarget::new(target_format, samples).format;
        let mut pipelines = Pipelines::new(gpu, &layouts, target_format, samples, wake);
        // Every picture needs this pipeline. It is requested here so that it can be made while the model is uploaded.
        let key = PipelineKey::Composite.sampled(samples);
        pipelines.request(PipelineRequest { key, draws: Vec::new(), software_warmup: None });
        Self {
            target_format,
            limits: Limits {
                page_bytes: palette::max_bytes(gpu),
                indices_per_chunk: if gpu.is_hardware() { u32::MAX } else { MAX_SOFTWARE_INDICES },
                indices_per_frame: 3 << 20,
            },
            samples,
            culls: true,
            statistics: DrawStatistics::default(),
            is_outdated: false,
            shadow: ShadowPass::new(gpu, &layouts),
            backdrop: BackdropPass::new(format),
            outline: OutlinePass::default(),
            overlay: OverlayPass::new(gpu, target_format),
            scene: ScenePass::new(gpu, format),
            composite: CompositePass::new(gpu),
            picking: PickingPass::default(),
            shared: SharedResources { pipelines, frame: FrameBindings::new(gpu), draws: DrawResources::default(), timer: None, layouts },
            drawn: None,
            plan: PicturePlan::default(),
            is_current: false,
            progress: Progress::default(),
        }
    }

    /// Records a picture, or a tile of one. Call it once per submission: the queue writes a frame's buffers before any of its commands run,
    /// so a second picture would overwrite the first one's data.
    pub fn draw(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, viewport: &Viewport, picture: &Picture, actors: &[Actor]) {
        let size = picture.target_size(viewport);
        if size.contains(&0) {
            return;
        }
        let inputs = FrameInputs { gpu, picture, actors, size };
        (self.progress, self.is_current) = (Progress::NotStarted, false);
        // A picture of another size cannot be shown in the meantime, so the new picture waits for its pipelines.
        self.drawn.take_if(|drawn| drawn.rect[2..] != viewport.rect[2..]);
        self.start_frame(&inputs);
        if let Some(list) = self.plan(encoder, viewport, &inputs) {
            self.scene.resize(gpu, size, list.samples);
            self.overlay.resize(size, list.samples);
            // The list may have the options of the previous picture (see `plan`). The passes must use the same options as the list.
            let picture = Picture { options: list.options, background: list.background, ..*picture };
            let inputs = FrameInputs { picture: &picture, ..inputs };
            self.record_before_scene(encoder, &inputs, &list, viewport);
            let mut frame = FrameContext { gpu, encoder, picture: &picture, size, shared: &mut self.shared };
            self.statistics.submission_wait += chunks::record_scene(&self.scene, &mut frame, &list, self.limits.indices_per_chunk);
            self.is_current = !self.is_outdated;
        }
        self.record_composite(encoder, &inputs, viewport);
    }

    /// Forgets the last picture, because the next one shows another model. Like the first picture, the next one waits for its pipelines;
    /// otherwise the old model would stay visible beside the panels of the new one.
    pub fn forget_picture(&mut self) {
        self.drawn = None;
        self.plan.forget_picture();
        (self.progress, self.is_current) = (Progress::NotStarted, false);
    }

    /// Returns whether [`Renderer::draw_progressively`] can continue the last picture, because its targets have the right size and number
    /// of samples.
    pub fn can_continue(&self, viewport: &Viewport, picture: &Picture) -> bool {
        self.scene.fits(picture.target_size(viewport), self.samples)
    }

    /// Continues the last picture with more of its ghosts. The picture must not have changed since the last call. Returns whether the
    /// picture is complete. [`Renderer::draw`] starts another picture.
    pub fn draw_progressively(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        viewport: &Viewport,
        picture: &Picture,
        actors: &[Actor],
    ) -> bool {
        let size = picture.target_size(viewport);
        // If the targets hold no picture that could be continued, draw the whole picture at once.
        if !self.can_continue(viewport, picture) {
            self.draw(gpu, encoder, viewport, picture, actors);
            return !self.is_outdated;
        }
        let inputs = FrameInputs { gpu, picture, actors, size };
        self.is_current = false;
        self.start_frame(&inputs);
        let is_complete = self.progress == Progress::Complete;
        if !is_complete && let Some(list) = self.plan(encoder, viewport, &inputs).filter(|_| !self.is_outdated) {
            // The first call also records the passes that come before the scene.
            if self.progress == Progress::NotStarted {
                self.record_before_scene(encoder, &inputs, &list, viewport);
            }
            let ghosts = chunks::divide(list.draws.ghosts_with_keys(), self.limits.indices_per_frame);
            let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
            self.progress = progressive::record(self.progress, &self.scene, &mut frame, &list, &ghosts);
        }
        self.record_composite(encoder, &inputs, viewport);
        self.progress == Progress::Complete
    }

    /// Resets the per-frame statistics and updates the buffers that depend on the actors alone.
    fn start_frame(&mut self, inputs: &FrameInputs) {
        if let Some(timer) = &mut self.shared.timer {
            timer.collect(inputs.gpu);
        }
        self.statistics.uploaded = 0;
        if inputs.picture.options.wireframe {
            wireframe::prepare(inputs.gpu, inputs.actors);
        }
        self.shared.draws.subsets.update(inputs.gpu, inputs.actors);
    }

    /// Shows the last picture again without drawing it. Returns false if this is not possible because the targets do not hold the whole
    /// picture; then call [`Renderer::draw`]. The picture and its actors must not have changed since the last call of `draw`.
    pub fn repeat(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, viewport: &Viewport, picture: &Picture) -> bool {
        let size = picture.target_size(viewport);
        let is_drawn = self.is_current && self.scene.fits(size, self.samples);
        if is_drawn {
            self.statistics.uploaded = 0;
            self.record_composite(encoder, &FrameInputs { gpu, picture, actors: &[], size }, viewport);
        }
        is_drawn
    }

    /// Decides what is drawn ([`PicturePlan::choose`]), and returns its draw list. If it is `None`, nothing is drawn and the targets keep
    /// their content.
    fn plan<'a>(&mut self, encoder: &mut wgpu::CommandEncoder, viewport: &Viewport, inputs: &FrameInputs<'_, 'a>) -> Option<DrawList<'a>> {
        self.shared.pipelines.take_finished();
        let list = DrawList::new(inputs, &draw_settings(&self.shared.frame, &self.shared.draws, self.limits, self.culls), self.samples);
        let needed = needed_pipelines::keys(&list);
        self.request_pipelines(encoder, inputs, &list, &needed);
        // Side by side, the targets may hold the picture of the other half.
        let can_wait = self.drawn.is_some_and(|drawn| drawn.rect == viewport.rect);
        let SharedResources { pipelines, frame, draws, .. } = &mut self.shared;
        let make_list = |Appearance { options, background, samples }| {
            let picture = Picture { options, background, ..*inputs.picture };
            let inputs = FrameInputs { picture: &picture, ..*inputs };
            DrawList::new(&inputs, &draw_settings(frame, draws, self.limits, self.culls), samples)
        };
        let planned = self.plan.choose(pipelines, RequestedPicture { list, needed, can_wait }, make_list);
        self.is_outdated = planned.is_outdated;
        self.statistics.pipeline_wait += planned.waited;
        let list = planned.list?;
        self.shared.pipelines.drawn_samples = list.samples;
        Some(list)
    }

    /// Requests the pipelines that a list needs and that have not been requested yet. `needed` are the keys of all its pipelines.
    fn request_pipelines(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList, needed: &[SampledKey]) {
        if needed_pipelines::are_known(needed, &self.shared.pipelines) {
            return;
        }
        if self.shared.pipelines.in_background() {
            // Warm-up draws bind the same resources as the picture, so these resources must exist.
            self.upload(encoder, inputs, list);
        }
        // A software warm-up delays the pipeline. The first picture has none, because the user is waiting for it.
        let warms_up = self.drawn.is_some() && !inputs.gpu.is_hardware();
        let software_warmup = warms_up.then(|| self.shared.frame.views(self.shadow.map(), self.backdrop.view()));
        let (shadow_group, scene, overlay) = (self.shadow.group(), &self.scene, &self.overlay);
        needed_pipelines::request_missing(list, &mut self.shared, &WarmupBindings { shadow_group, scene, overlay, software_warmup });
    }

    /// Uploads all data that the commands of the frame read. Buffers and textures may be replaced, so the frame's bind group is made again
    /// if needed.
    fn upload(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList) {
        let FrameInputs { gpu, picture, actors, size } = *inputs;
        let shared = &mut self.shared;
        let mut rebinds = self.backdrop.resize(gpu, picture, list.draws.has_transmission, list.samples);
        rebinds |= self.shadow.resize(gpu, list.shadow.as_ref().map(|fit| fit.quality));
        let mut uniform = frame::uniform(picture, size, &shared.frame.environment, list.lights.len());
        if let Some(fit) = &list.shadow {
            uniform.shadow = fit.uniform;
        }
        // The outline mask extends beyond the picture by this many texels.
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

    /// Uploads the data of the frame, then records the passes that come before the scene: shadow, backdrop, outline mask and overlay.
    fn record_before_scene(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, list: &DrawList, viewport: &Viewport) {
        let FrameInputs { gpu, picture, actors, size } = *inputs;
        self.upload(encoder, inputs, list);
        let overlay = list.overlay();
        self.drawn = Some(DrawnFrame {
            rect: viewport.rect,
            resolution: picture.resolution,
            has_overlay: overlay.any(),
            xray: list.options.xray,
            background: list.background,
        });
        self.statistics.draws = list.draws.count();
        let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
        let drawn = self.shadow.record(&mut frame, list, actors);
        self.statistics.shadow_maps += u64::from(drawn);
        frame.shared.draws.materials.changed = false;
        self.backdrop.record(&mut frame, list, self.shadow.map(), &self.scene);
        self.outline.record(&mut frame, list);
        if let Some(targets) = self.scene.targets() {
            self.overlay.record(&mut frame, list, &targets.depth, &self.outline);
        }
    }

    /// Composites the picture into the viewport from the targets, which may hold an older frame, and ends the measurement of its GPU time.
    fn record_composite(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &FrameInputs, viewport: &Viewport) {
        let (Some(scene), Some(drawn)) = (self.scene.targets(), self.drawn) else { return };
        let FrameInputs { gpu, picture, size, .. } = *inputs;
        let overlay = self.overlay.texture().filter(|_| drawn.has_overlay);
        let layers = Layers { scene, overlay, xray: drawn.xray, background: drawn.background, resolution: drawn.resolution };
        let mut frame = FrameContext { gpu, encoder, picture, size, shared: &mut self.shared };
        self.statistics.uploaded += self.composite.record(&mut frame, &layers, viewport);
        if let Some(timer) = &mut self.shared.timer {
            timer.record(encoder);
        }
    }

    /// Sets the environment that lights the following pictures. A new renderer has the studio environment.
    pub fn set_environment(&mut self, environment: EnvironmentLight) {
        self.shared.frame.set_environment(environment);
        (self.progress, self.is_current) = (Progress::NotStarted, false);
    }

    /// Returns why a pipeline could not be made. If several failed, this is the reason for the first one. The draws of failed pipelines are
    /// left out.
    pub fn failure(&self) -> Option<&str> {
        self.shared.pipelines.failure.as_deref()
    }

    /// Returns when compiling each pipeline began and ended, in the order in which they were finished.
    pub fn compile_times(&self) -> &[[Instant; 2]] {
        &self.shared.pipelines.compile_times
    }

    /// Requests the vertex that the first member of the first actor shows at `pixel`, in pixels of the whole picture. The picture must have
    /// been drawn and submitted before. Only one request can be pending. Returns whether the request was sent.
    pub fn pick(&mut self, gpu: &Gpu, picture: &Picture, actors: &[Actor], pixel: [u32; 2]) -> bool {
        // Picking draws one pixel: a tile of size 1 x 1 at the pixel.
        let tile = Tile { origin: pixel, ..picture.tile };
        let picture = Picture { tile, resolution: Resolution::FULL, is_simplified: false, ..*picture };
        let inputs = FrameInputs { gpu, picture: &picture, actors, size: [1, 1] };
        let views = self.shared.frame.views(self.shadow.map(), None);
        self.picking.record(&mut self.shared, &inputs, self.limits.page_bytes, &views)
    }

    /// Returns the answer to the last picking request. Each answer is returned only once. `None` means that no answer has arrived, or that
    /// there was no request. `Some(None)` means that there is no vertex at the pixel, or that it could not be read.
    pub fn take_picked(&mut self, gpu: &Gpu) -> Option<Option<Vertex>> {
        self.picking.take(gpu)
    }

    /// Returns whether a picking request is pending.
    pub fn is_picking(&self) -> bool {
        self.picking.is_pending()
    }

    /// Returns whether picking works. It does not if one of its pipelines has failed.
    pub fn can_pick(&self) -> bool {
        self.picking.is_available()
    }

    /// Starts or stops measuring GPU time. On adapters without timestamps, this has no effect.
    pub fn measure(&mut self, gpu: &Gpu, measure: bool) {
        if measure != self.shared.timer.is_some() {
            self.shared.timer = measure.then(|| Timer::new(gpu)).flatten();
        }
    }

    /// Returns the GPU time of one of the last few pictures, in milliseconds. All recorded commands must have been submitted. `None` if no
    /// time has been measured yet, or if the adapter has no timestamps.
    pub fn gpu_milliseconds(&mut self, gpu: &Gpu) -> Option<f64> {
        let timer = self.shared.timer.as_mut()?;
        timer.collect(gpu);
        timer.last_milliseconds
    }

    /// Returns the bytes of the textures that pictures are drawn into.
    pub fn target_memory(&self) -> u64 {
        let Self { shadow, backdrop, outline, overlay, scene, .. } = self;
        shadow.memory_bytes() + backdrop.memory_bytes() + outline.memory_bytes() + overlay.memory_bytes() + scene.memory_bytes()
    }

    /// Returns the bytes of the environment map.
    pub fn environment_memory(&self) -> u64 {
        texture_bytes([&self.shared.frame.environment.map])
    }
}

/// Returns the settings for draw lists.
fn draw_settings<'d>(frame: &FrameBindings, draws: &'d DrawResources, limits: Limits, culls: bool) -> DrawSettings<'d> {
    DrawSettings { key_light: frame.environment.key, subsets: &draws.subsets, page_bytes: limits.page_bytes, culls }
}
