//! Keeps every pipeline under a plain key. A pipeline is compiled when something first needs it, on threads of its own ([`compiler`]).
//! Stills wait for the pipelines they need; a window goes on with those it has, and is woken when there are more.

mod build;
pub(crate) mod compiler;
mod fullscreen;
pub(crate) mod key;
pub(crate) mod shadow_caster;
mod software_warmup;
pub(crate) mod surface;
pub(crate) mod target;
pub(crate) mod warmup;

use std::collections::{HashMap, HashSet};

use super::bind_groups::BindGroupLayouts;
use super::device::gpu::Gpu;

use build::PipelineBuilder;
use compiler::{PipelineCompiler, Wake};
use key::PipelineKey;
use target::SceneTarget;
use warmup::PipelineOrder;

/// The pipelines made so far, and the compiler that makes more.
pub(crate) struct Pipelines {
    compiler: PipelineCompiler,
    /// `None` for a pipeline that could not be made. What needs it is not drawn.
    made: HashMap<PipelineKey, Option<wgpu::RenderPipeline>>,
    /// Pipelines that are ordered and not finished.
    pending: HashSet<PipelineKey>,
    /// The reason of the first failure.
    pub failure: Option<String>,
}

impl Pipelines {
    /// Creates the cache. With `wake`, callers do not block, and pipelines are warmed up before they become available.
    pub fn new(gpu: &Gpu, layouts: &BindGroupLayouts, target_format: wgpu::TextureFormat, scene: SceneTarget, wake: Option<Wake>) -> Self {
        let builder = PipelineBuilder::new(gpu.clone(), layouts.clone(), target_format, scene);
        Self { compiler: PipelineCompiler::new(builder, wake), made: HashMap::new(), pending: HashSet::new(), failure: None }
    }

    /// Returns whether callers go on without missing pipelines.
    pub fn in_background(&self) -> bool {
        self.compiler.wakes()
    }

    /// Returns a pipeline. `None` if it is not compiled yet or failed.
    pub fn get(&self, key: PipelineKey) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key)?.as_ref()
    }

    /// Returns whether the pipeline is compiled or failed.
    pub fn is_ready(&self, key: PipelineKey) -> bool {
        self.made.contains_key(&key)
    }

    /// Returns whether the pipeline is ordered, compiled or failed.
    pub fn is_known(&self, key: PipelineKey) -> bool {
        self.made.contains_key(&key) || self.pending.contains(&key)
    }

    /// Orders a pipeline unless it is known.
    pub fn order(&mut self, order: PipelineOrder) {
        let key = order.key;
        if self.is_known(key) {
            return;
        }
        match self.compiler.order(order) {
            Ok(()) => drop(self.pending.insert(key)),
            Err(reason) => self.keep(key, Err(reason)),
        }
    }

    /// Takes the pipelines that finished since the last call. Never blocks.
    pub fn take_finished(&mut self) {
        while let Some((key, made)) = self.compiler.finished() {
            self.keep(key, made);
        }
    }

    /// Blocks until all ordered pipelines are finished.
    pub fn wait(&mut self) {
        while !self.pending.is_empty() {
            match self.compiler.next() {
                Some((key, made)) => self.keep(key, made),
                None => self.pending.drain().collect::<Vec<_>>().into_iter().for_each(|key| self.keep(key, Err("its thread ended".into()))),
            }
        }
    }

    /// Stores a pipeline or its failure.
    fn keep(&mut self, key: PipelineKey, made: Result<wgpu::RenderPipeline, String>) {
        self.pending.remove(&key);
        let made = made.map_err(|reason| {
            log::error!("graphics: a pipeline could not be made, what needs it is not drawn: {reason}");
            self.failure.get_or_insert(reason);
        });
        self.made.insert(key, made.ok());
    }
}
