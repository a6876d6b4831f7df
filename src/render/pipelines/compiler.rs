//! Compiles pipelines on two threads, because parsing and compiling a shader takes longer than a frame. Requests are sent through one
//! channel, and results are received through another. Callers choose whether to wait.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::build::{PipelineBuilder, THREAD_NAME};
use super::key::SampledKey;
use super::software_warmup::warm_up_in_software;
use super::warmup::{PipelineRequest, WarmupTarget};

/// Called on a compiler thread when a pipeline has become available.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Number of compiler threads.
const THREADS: usize = 2;

/// A pipeline that was compiled, or could not be.
pub(crate) struct CompileResult {
    pub key: SampledKey,
    /// The pipeline, or the reason why it could not be made.
    pub pipeline: Result<wgpu::RenderPipeline, String>,
    /// When compiling began and ended.
    pub time: [Instant; 2],
}

/// The compiler threads and their channels. The threads start with the first request and end when the compiler is dropped.
pub(crate) struct PipelineCompiler {
    builder: Arc<PipelineBuilder>,
    /// `Some` for a window. Its pipelines are warmed up before they become available.
    wake: Option<Wake>,
    threads: Vec<JoinHandle<()>>,
    request_sender: Option<Sender<PipelineRequest>>,
    request_receiver: Arc<Mutex<Receiver<PipelineRequest>>>,
    results: Receiver<CompileResult>,
    /// Each thread gets a clone. This sender is dropped as soon as the threads have started, so that `results` disconnects when they end.
    result_sender: Option<Sender<CompileResult>>,
    /// Tells the threads to skip all remaining requests.
    ended: Arc<AtomicBool>,
}

impl PipelineCompiler {
    /// Makes a compiler without starting its threads.
    pub fn new(builder: PipelineBuilder, wake: Option<Wake>) -> Self {
        let (request_sender, request_receiver) = mpsc::channel();
        let (result_sender, results) = mpsc::channel();
        Self {
            builder: Arc::new(builder),
            wake,
            threads: Vec::new(),
            request_sender: Some(request_sender),
            request_receiver: Arc::new(Mutex::new(request_receiver)),
            results,
            result_sender: Some(result_sender),
            ended: Arc::default(),
        }
    }

    /// Returns whether the compiler wakes the caller for each result, so that the caller need not wait.
    pub fn wakes_caller(&self) -> bool {
        self.wake.is_some()
    }

    /// Requests a pipeline. Returns an error if no thread could be started.
    pub fn request(&mut self, request: PipelineRequest) -> Result<(), String> {
        self.start().map_err(|error| format!("no thread could be started: {error}"))?;
        let sent = self.request_sender.as_ref().is_some_and(|request_sender| request_sender.send(request).is_ok());
        if sent { Ok(()) } else { Err("its thread ended".into()) }
    }

    /// Returns a finished result, if there is one. Never blocks.
    pub fn finished(&self) -> Option<CompileResult> {
        self.results.try_recv().ok()
    }

    /// Blocks until the next result, at most until the deadline. `Disconnected` means that the threads have ended.
    pub fn next(&self, deadline: Option<Instant>) -> Result<CompileResult, RecvTimeoutError> {
        match deadline {
            Some(deadline) => self.results.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.results.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Starts the threads, once.
    fn start(&mut self) -> std::io::Result<()> {
        let Some(result_sender) = self.result_sender.clone() else { return Ok(()) };
        for _ in 0..THREADS {
            let (builder, request_receiver, result_sender) = (self.builder.clone(), self.request_receiver.clone(), result_sender.clone());
            let (wake, ended) = (self.wake.clone(), self.ended.clone());
            let work = move || {
                while let Some(request) = next_request(&request_receiver, &ended) {
                    let start = Instant::now();
                    let pipeline = build(&builder, &request, wake.is_some());
                    let result = CompileResult { key: request.key, pipeline, time: [start, Instant::now()] };
                    // The receiver no longer exists after the renderer is dropped.
                    let _ = result_sender.send(result);
                    if let Some(wake) = &wake {
                        wake();
                    }
                }
            };
            match thread::Builder::new().name(THREAD_NAME.into()).spawn(work) {
                Ok(thread) => self.threads.push(thread),
                // A single thread is sufficient.
                Err(_) if !self.threads.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        self.result_sender = None;
        Ok(())
    }
}

impl Drop for PipelineCompiler {
    /// Waits for the threads, because a driver must not be unloaded while it compiles.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.request_sender = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Waits for a request. Returns `None` if the compiler is being dropped.
fn next_request(request_receiver: &Mutex<Receiver<PipelineRequest>>, ended: &AtomicBool) -> Option<PipelineRequest> {
    let request = request_receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()?;
    (!ended.load(Ordering::Relaxed)).then_some(request)
}

/// Builds a pipeline. If `warms_up` is true, also draws its warm-up draws. Returns the reason if this fails. Returns an error even after
/// a panic, because the caller may be waiting for a result.
fn build(builder: &PipelineBuilder, request: &PipelineRequest, warms_up: bool) -> Result<wgpu::RenderPipeline, String> {
    let work = || {
        if let Some(frame) = request.software_warmup.as_ref().filter(|_| warms_up) {
            // Without the warm-up, the pipeline works, but its first frame stutters.
            if let Err(error) = warm_up_in_software(builder, request, frame) {
                log::warn!("a pipeline could not be warmed up: {error}");
            }
        }
        let pipeline = builder.gpu.checked(|| builder.make(request.key))?;
        if warms_up {
            WarmupTarget::new(builder, request.key).draw(&pipeline, &request.draws)?;
        }
        Ok(pipeline)
    };
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("internal error in Sinew".into()))
}
