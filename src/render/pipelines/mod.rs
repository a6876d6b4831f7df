//! Keeps every pipeline under a plain key. A pipeline is compiled on separate threads ([`compiler`]) when a picture first needs it. Stills
//! wait for the pipelines that they need. A window draws with the pipelines that exist, and is woken when there are more.

mod build;
pub(crate) mod compiler;
pub(crate) mod key;
mod pass_pipeline;
pub(crate) mod shadow_caster;
mod software_warmup;
pub(crate) mod surface;
pub(crate) mod target;
pub(crate) mod warmup;

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use super::bind_groups::BindGroupLayouts;
use super::device::gpu::Gpu;
use super::picture::Msaa;

use build::PipelineBuilder;
use compiler::{CompileResult, PipelineCompiler, Wake};
use key::{PipelineKey, SampledKey};
use warmup::PipelineRequest;

/// The pipelines made so far, and the compiler that makes more.
pub(crate) struct Pipelines {
    /// The samples of the scene that is being drawn. [`Self::get`] returns the pipelines for them.
    pub drawn_samples: Msaa,
    compiler: PipelineCompiler,
    /// All finished pipelines. `None` for a pipeline that could not be made, whose draws are left out.
    made: HashMap<SampledKey, Option<wgpu::RenderPipeline>>,
    /// Pipelines that are requested but not finished.
    pending: HashSet<SampledKey>,
    /// The reason for the first failure.
    pub failure: Option<String>,
    /// When compiling each finished pipeline began and ended.
    pub compile_times: Vec<[Instant; 2]>,
}

impl Pipelines {
    /// Creates the cache. If `wake` is `Some`, callers need not wait, and pipelines are warmed up before they become available.
    pub fn new(gpu: &Gpu, layouts: &BindGroupLayouts, target_format: wgpu::TextureFormat, samples: Msaa, wake: Option<Wake>) -> Self {
        let builder = PipelineBuilder::new(gpu.clone(), layouts.clone(), target_format);
        Self {
            drawn_samples: samples,
            compiler: PipelineCompiler::new(builder, wake),
            made: HashMap::new(),
            pending: HashSet::new(),
            failure: None,
            compile_times: Vec::new(),
        }
    }

    /// Returns whether callers continue without the missing pipelines.
    pub fn in_background(&self) -> bool {
        self.compiler.wakes_caller()
    }

    /// Returns a pipeline for the scene that is being drawn. `None` if it is not compiled yet, or if compiling it failed.
    pub fn get(&self, key: PipelineKey) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key.sampled(self.drawn_samples))?.as_ref()
    }

    /// Returns whether the pipeline is compiled or has failed.
    pub fn is_ready(&self, key: SampledKey) -> bool {
        self.made.contains_key(&key)
    }

    /// Returns whether the pipeline is requested, is compiled, or has failed.
    pub fn is_known(&self, key: SampledKey) -> bool {
        self.made.contains_key(&key) || self.pending.contains(&key)
    }

    /// Requests a pipeline unless it is known.
    pub fn request(&mut self, request: PipelineRequest) {
        if self.is_known(request.key) {
            return;
        }
        let key = request.key;
        match self.compiler.request(request) {
            Ok(()) => drop(self.pending.insert(key)),
            Err(reason) => self.store(key, Err(reason)),
        }
    }

    /// Takes the pipelines that finished since the last call. Never blocks.
    pub fn take_finished(&mut self) {
        while let Some(result) = self.compiler.finished() {
            self.take(result);
        }
    }

    /// Blocks until all requested pipelines are finished, at most until the deadline.
    pub fn wait(&mut self, deadline: Option<Instant>) {
        while !self.pending.is_empty() {
            match self.compiler.next(deadline) {
                Ok(result) => self.take(result),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => {
                    self.pending.drain().collect::<Vec<_>>().into_iter().for_each(|key| self.store(key, Err("its thread ended".into())));
                }
            }
        }
    }

    /// Stores a result of the compiler.
    fn take(&mut self, CompileResult { key, pipeline, time }: CompileResult) {
        self.compile_times.push(time);
        self.store(key, pipeline);
    }

    /// Stores a pipeline or its failure.
    fn store(&mut self, key: SampledKey, made: Result<wgpu::RenderPipeline, String>) {
        self.pending.remove(&key);
        let made = made.map_err(|reason| {
            log::error!("graphics: a pipeline could not be made, so part of the picture is missing: {reason}");
            self.failure.get_or_insert(reason);
        });
        self.made.insert(key, made.ok());
    }
}
