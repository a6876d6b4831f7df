//! Samples the motions that panels ask for, one at a time on a background thread, so that a long animation never holds up a
//! frame. A motion that no panel wants any more is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use winit::event_loop::EventLoopProxy;

use crate::app::documents::open_document::OpenDocument;
use crate::app::worker_events::{AppEvent, MotionResult};
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;

use super::{catch_panic, send};

/// Samples one motion at a time. The next one starts with the frame after the last one's event.
#[derive(Default)]
pub struct MotionWorker {
    running: Option<RunningSample>,
}

/// The motion that is being sampled.
struct RunningSample {
    /// Load job of the document.
    job: u64,
    request: MotionRequest,
    /// Tells the thread to stop. Sampling checks it now and then.
    cancelled: Arc<AtomicBool>,
}

impl MotionWorker {
    /// Samples the motions that the last frame requested and did not find. Every frame repeats its requests, so a running motion that
    /// is not among them is cancelled.
    pub fn update(&mut self, open: &OpenDocument, proxy: &EventLoopProxy<AppEvent>) {
        let requests = open.analyses.motions.take_requests();
        if let Some(running) = &self.running {
            if running.job != open.job || !requests.contains(&running.request) {
                running.cancelled.store(true, Ordering::Relaxed);
            }
        } else if let Some(request) = requests.into_iter().next() {
            self.start(open, request, proxy.clone());
        }
    }

    /// Samples a motion on a thread, with its locomotion.
    fn start(&mut self, open: &OpenDocument, request: MotionRequest, proxy: EventLoopProxy<AppEvent>) {
        let (job, cancelled) = (open.job, Arc::new(AtomicBool::new(false)));
        let (document, analyses) = (open.document.clone(), open.analyses.clone());
        self.running = Some(RunningSample { job, request: request.clone(), cancelled: cancelled.clone() });
        std::thread::spawn(move || {
            let sampled = catch_panic(|| {
                let root = analyses.find_root(&document, &request);
                let keep_going = || !cancelled.load(Ordering::Relaxed);
                let motion = SampledMotion::sample(document.rig(), &request, root, keep_going).map(Arc::new)?;
                analyses.locomotion.compute(document.rig(), &motion);
                Some(motion)
            });
            let motion = sampled.unwrap_or_else(|message| {
                log::error!("a motion could not be sampled: {message}");
                None
            });
            send(&proxy, AppEvent::MotionSampled(Box::new(MotionResult { job, motion })));
        });
    }

    /// Stores a finished motion, or that it failed. The next frame asks again and finds it.
    pub fn receive(&mut self, result: MotionResult, open: Option<&OpenDocument>) {
        let running = self.running.take();
        let Some(open) = open.filter(|open| open.job == result.job) else { return };
        match (result.motion, running) {
            (Some(motion), _) => open.analyses.motions.insert(motion),
            (None, Some(failed)) if !failed.cancelled.load(Ordering::Relaxed) => open.analyses.motions.mark_failed(failed.request),
            (None, _) => {}
        }
    }
}
