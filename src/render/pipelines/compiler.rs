//! The threads that make pipelines: from orders to pipelines, two at a time. Parsing a program and compiling it takes longer
//! than a frame; here nobody waits for it who does not want to.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use crate::render::Wake;
use crate::render::bind_groups::Layouts;
use crate::render::device::gpu::{Gpu, GpuError};
use crate::render::material::features::Features;
use crate::render::material::texture_set::TextureSet;
use crate::render::shaders::{self, PER_SAMPLE, Program};

use super::fullscreen::{Flat, JOINT_BUFFERS, LINE_BUFFERS, flat};
use super::shadow_caster::cast;
use super::software_warmup::rehearse;
use super::surface::{flag, surface};
use super::warmup::{Order, Warming};
use super::{BEHIND_FORMAT, MASK_FORMAT, PipelineKey, SceneTarget, depth_state};

const THREADS: usize = 2;
/// Of each.
const NAME: &str = "pipelines";

type Made = (PipelineKey, Result<wgpu::RenderPipeline, String>);

/// What pipelines are made from.
pub(crate) struct PipelineBuilder {
    pub gpu: Gpu,
    pub layouts: Layouts,
    pub target_format: wgpu::TextureFormat,
    pub scene: SceneTarget,
    /// Parsed once, by whoever needs one first.
    modules: Mutex<HashMap<Source, Arc<OnceLock<wgpu::ShaderModule>>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Program(Program),
    /// Of what a file draws.
    Surface(TextureSet, Features),
}

impl PipelineBuilder {
    pub fn new(gpu: Gpu, layouts: Layouts, target_format: wgpu::TextureFormat, scene: SceneTarget) -> Self {
        Self { gpu, layouts, target_format, scene, modules: Mutex::default() }
    }

    /// One like it, with another device of the same adapter.
    pub fn another(&self) -> Result<Self, GpuError> {
        let gpu = self.gpu.another()?;
        Ok(Self::new(gpu.clone(), Layouts::new(&gpu), self.target_format, self.scene))
    }

    pub fn make(&self, key: PipelineKey) -> wgpu::RenderPipeline {
        // Never on the window's.
        debug_assert_eq!(thread::current().name(), Some(NAME));
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let on_frame = || layouts.pipeline(&gpu.device, &[&layouts.frame]);
        let on_outline = || layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.outline]);
        match key {
            PipelineKey::Surface(key) => surface(gpu, layouts, &self.module(Source::Surface(key.textures, key.features)), key, self.scene),
            PipelineKey::Cast(key) => cast(gpu, layouts, &self.module(Source::Surface(key.textures, Features::default())), key),
            PipelineKey::Background { tonemap, behind } => {
                let constants = [("studio", 1.0), ("tonemap", tonemap.into())];
                let options = Flat { blend: None, constants: &constants, ..Flat::in_scene(self.scene) };
                let options = Flat { entries: ["behind", "background_color"], ..options };
                flat(gpu, &on_frame(), &self.program(Program::Background), &if behind { options.behind() } else { options })
            }
            PipelineKey::Ground => {
                let options = Flat { entries: ["receiver", "received"], ..Flat::in_scene(self.scene) };
                flat(gpu, &on_frame(), &self.program(Program::Ground), &options)
            }
            PipelineKey::Grid { behind } => {
                let options = Flat { entries: ["ground", "ground_color"], ..Flat::in_scene(self.scene) };
                flat(gpu, &on_frame(), &self.program(Program::Grid), &if behind { options.behind() } else { options })
            }
            PipelineKey::SceneLines { behind } => {
                let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.scene) };
                let options = Flat { entries: ["line", "line_color"], ..options };
                flat(gpu, &on_frame(), &self.program(Program::Line), &if behind { options.behind() } else { options })
            }
            PipelineKey::OverlayLines => {
                let options = Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..Flat::over(self.over()) };
                flat(gpu, &on_frame(), &self.program(Program::Line), &options)
            }
            PipelineKey::Solids { in_scene } => {
                let (depth, topology) = (Some(depth_state(true)), wgpu::PrimitiveTopology::TriangleList);
                let options = if in_scene { Flat::in_scene(self.scene) } else { Flat::over(self.over()) };
                let constants = [("in_scene", flag(in_scene))];
                let options = Flat { entries: ["solid_joint", "joint_color"], buffers: &JOINT_BUFFERS, constants: &constants, ..options };
                flat(gpu, &on_frame(), &self.program(Program::Joint), &Flat { depth, topology, ..options })
            }
            PipelineKey::OutlineBlocks => {
                let options = Flat { entries: ["everywhere", "block"], ..Flat::whole(MASK_FORMAT) };
                flat(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Outline => {
                let options = Flat { entries: ["everywhere", "outline_color"], ..Flat::over(self.over()) };
                flat(gpu, &on_outline(), &self.program(Program::Outline), &options)
            }
            PipelineKey::Behind(tonemap) => self.behind("light_behind", tonemap),
            PipelineKey::BehindSmaller => self.behind("halved", 0),
            PipelineKey::Finish => {
                let options = Flat::whole(self.target_format);
                let layout = layouts.pipeline(&gpu.device, &[&layouts.finish]);
                flat(gpu, &layout, &self.program(Program::Finish), &Flat { entries: ["whole", "finished"], ..options })
            }
        }
    }

    /// What lies over the picture is drawn into.
    fn over(&self) -> SceneTarget {
        SceneTarget { format: self.target_format, ..self.scene }
    }

    fn behind(&self, entry: &str, tonemap: u8) -> wgpu::RenderPipeline {
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        let layout = layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.behind]);
        let constants = [("tonemap", tonemap.into())];
        let options = Flat { entries: ["whole", entry], constants: &constants, ..Flat::whole(BEHIND_FORMAT) };
        flat(gpu, &layout, &self.program(Program::Behind), &options)
    }

    fn program(&self, program: Program) -> wgpu::ShaderModule {
        self.module(Source::Program(program))
    }

    fn module(&self, source: Source) -> wgpu::ShaderModule {
        let cell = self.modules.lock().unwrap_or_else(PoisonError::into_inner).entry(source).or_default().clone();
        let parse = || {
            let (name, text) = match source {
                Source::Program(program) => (program.name(), program.source()),
                Source::Surface(textures, features) => {
                    let by_sample = if self.gpu.masks_by_sample() { PER_SAMPLE } else { "" };
                    (Program::Surface.name(), shaders::surface(textures, features, !self.gpu.is_hardware()) + by_sample)
                }
            };
            let source = wgpu::ShaderSource::Wgsl(text.into());
            self.gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
        };
        cell.get_or_init(parse).clone()
    }
}

/// Threads begin with the first order and end with this.
pub(crate) struct PipelineCompiler {
    workshop: Arc<PipelineBuilder>,
    wake: Option<Wake>,
    threads: Vec<JoinHandle<()>>,
    orders: Option<Sender<Order>>,
    waiting: Arc<Mutex<Receiver<Order>>>,
    made: Receiver<Made>,
    /// Each thread has one; it is kept here until they have begun.
    to_made: Option<Sender<Made>>,
    ended: Arc<AtomicBool>,
}

impl PipelineCompiler {
    pub fn new(workshop: PipelineBuilder, wake: Option<Wake>) -> Self {
        let (orders, waiting) = mpsc::channel();
        let (to_made, made) = mpsc::channel();
        Self {
            workshop: Arc::new(workshop),
            wake,
            threads: Vec::new(),
            orders: Some(orders),
            waiting: Arc::new(Mutex::new(waiting)),
            made,
            to_made: Some(to_made),
            ended: Arc::default(),
        }
    }

    pub fn wakes(&self) -> bool {
        self.wake.is_some()
    }

    pub fn order(&mut self, order: Order) -> Result<(), String> {
        self.begin().map_err(|error| format!("no thread could be started: {error}"))?;
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        if sent { Ok(()) } else { Err("its thread ended".into()) }
    }

    /// What has been made meanwhile.
    pub fn finished(&self) -> Option<Made> {
        self.made.try_recv().ok()
    }

    /// The next that is made; none when nobody makes any more.
    pub fn next(&self) -> Option<Made> {
        self.made.recv().ok()
    }

    fn begin(&mut self) -> std::io::Result<()> {
        let Some(to_made) = self.to_made.clone() else { return Ok(()) };
        for _ in 0..THREADS {
            let (workshop, waiting, to_made) = (self.workshop.clone(), self.waiting.clone(), to_made.clone());
            let (wake, ended) = (self.wake.clone(), self.ended.clone());
            let work = move || {
                while let Some(order) = next_order(&waiting, &ended) {
                    let made = (order.key, made(&workshop, &order, wake.is_some()));
                    // Nobody wants it any more where the renderer is gone.
                    let _ = to_made.send(made);
                    if let Some(wake) = &wake {
                        wake();
                    }
                }
            };
            match thread::Builder::new().name(NAME.into()).spawn(work) {
                Ok(thread) => self.threads.push(thread),
                // One is enough.
                Err(_) if !self.threads.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        self.to_made = None;
        Ok(())
    }
}

impl Drop for PipelineCompiler {
    /// A driver must not be taken down while it compiles.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.orders = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn next_order(waiting: &Mutex<Receiver<Order>>, ended: &AtomicBool) -> Option<Order> {
    let order = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()?;
    (!ended.load(Ordering::Relaxed)).then_some(order)
}

/// A pipeline, or in words why there is none: whoever waits for it must be told in any case.
fn made(workshop: &PipelineBuilder, order: &Order, warm: bool) -> Result<wgpu::RenderPipeline, String> {
    let work = || {
        if let Some(frame) = order.rehearsal.as_ref().filter(|_| warm) {
            // Where it fails a frame waits, no more.
            if let Err(error) = rehearse(workshop, order, frame) {
                log::warn!("a pipeline could not be rehearsed: {error}");
            }
        }
        let scope = workshop.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let pipeline = workshop.make(order.key);
        match pollster::block_on(scope.pop()) {
            Some(error) => return Err(error.to_string()),
            None if warm => Warming::new(workshop, order.key).draw(&pipeline, &order.samples)?,
            None => {}
        }
        Ok(pipeline)
    };
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("a mistake in Sinew itself".into()))
}
