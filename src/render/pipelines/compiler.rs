//! Compiles pipelines on two threads, because parsing and compiling a shader takes longer than a frame. Orders go in through one channel
//! and results come out through another; callers choose whether to wait.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::build::PipelineBuilder;
use super::key::PipelineKey;
use super::software_warmup::warm_up_in_software;
use super::warmup::{PipelineOrder, WarmupTarget};

/// Called on a compiler thread when a pipeline has become available.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Number of compiler threads.
const THREADS: usize = 2;
/// Name of each compiler thread.
pub(crate) const THREAD_NAME: &str = "pipelines";

/// A pipeline with its key, or the reason why it could not be made.
type CompileResult = (PipelineKey, Result<wgpu::RenderPipeline, String>);

/// The compiler threads and their channels. The threads start with the first order and end when this is dropped.
pub(crate) struct PipelineCompiler {
    builder: Arc<PipelineBuilder>,
    /// `Some` for a window, whose pipelines are warmed up before they are handed over.
    wake: Option<Wake>,
    threads: Vec<JoinHandle<()>>,
    order_sender: Option<Sender<PipelineOrder>>,
    order_receiver: Arc<Mutex<Receiver<PipelineOrder>>>,
    results: Receiver<CompileResult>,
    /// Each thread gets a clone. Kept until the threads have started, and then dropped, so that `results` ends with the threads.
    result_sender: Option<Sender<CompileResult>>,
    /// Tells the threads to skip the orders that are left.
    ended: Arc<AtomicBool>,
}

impl PipelineCompiler {
    /// Makes a compiler without threads.
    pub fn new(builder: PipelineBuilder, wake: Option<Wake>) -> Self {
        let (order_sender, order_receiver) = mpsc::channel();
        let (result_sender, made) = mpsc::channel();
        Self {
            builder: Arc::new(builder),
            wake,
            threads: Vec::new(),
            order_sender: Some(order_sender),
            order_receiver: Arc::new(Mutex::new(order_receiver)),
            results: made,
            result_sender: Some(result_sender),
            ended: Arc::default(),
        }
    }

    /// Returns whether callers are woken and do not wait.
    pub fn wakes(&self) -> bool {
        self.wake.is_some()
    }

    /// Orders a pipeline. Returns an error if no thread runs.
    pub fn order(&mut self, order: PipelineOrder) -> Result<(), String> {
        self.start().map_err(|error| format!("no thread could be started: {error}"))?;
        let sent = self.order_sender.as_ref().is_some_and(|order_sender| order_sender.send(order).is_ok());
        if sent { Ok(()) } else { Err("its thread ended".into()) }
    }

    /// Returns a pipeline that is finished, if there is one. Never blocks.
    pub fn finished(&self) -> Option<CompileResult> {
        self.results.try_recv().ok()
    }

    /// Blocks for the next pipeline. Returns `None` if the threads have ended.
    pub fn next(&self) -> Option<CompileResult> {
        self.results.recv().ok()
    }

    /// Starts the threads, once.
    fn start(&mut self) -> std::io::Result<()> {
        let Some(result_sender) = self.result_sender.clone() else { return Ok(()) };
        for _ in 0..THREADS {
            let (builder, order_receiver, result_sender) = (self.builder.clone(), self.order_receiver.clone(), result_sender.clone());
            let (wake, ended) = (self.wake.clone(), self.ended.clone());
            let work = move || {
                while let Some(order) = next_order(&order_receiver, &ended) {
                    let made = (order.key, made(&builder, &order, wake.is_some()));
                    // The receiver is gone once the renderer is dropped.
                    let _ = result_sender.send(made);
                    if let Some(wake) = &wake {
                        wake();
                    }
                }
            };
            match thread::Builder::new().name(THREAD_NAME.into()).spawn(work) {
                Ok(thread) => self.threads.push(thread),
                // One thread is enough.
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
        self.order_sender = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Waits for an order. Returns `None` if the compiler is being dropped.
fn next_order(order_receiver: &Mutex<Receiver<PipelineOrder>>, ended: &AtomicBool) -> Option<PipelineOrder> {
    let order = order_receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()?;
    (!ended.load(Ordering::Relaxed)).then_some(order)
}

/// Makes a pipeline, or returns why it failed. Callers may be waiting, so there is a result even after a panic.
fn made(builder: &PipelineBuilder, order: &PipelineOrder, warm: bool) -> Result<wgpu::RenderPipeline, String> {
    let work = || {
        if let Some(frame) = order.software_warmup.as_ref().filter(|_| warm) {
            // Without the warm-up a frame stutters, nothing more.
            if let Err(error) = warm_up_in_software(builder, order, frame) {
                log::warn!("a pipeline could not be rehearsed: {error}");
            }
        }
        let scope = builder.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let pipeline = builder.make(order.key);
        match pollster::block_on(scope.pop()) {
            Some(error) => return Err(error.to_string()),
            None if warm => WarmupTarget::new(builder, order.key).draw(&pipeline, &order.samples)?,
            None => {}
        }
        Ok(pipeline)
    };
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("internal error in Sinew".into()))
}
