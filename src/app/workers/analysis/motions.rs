//! Samples the motions that panels request, one at a time on a background thread, so that a long animation never delays a frame. A
//! motion that no panel requests any more is canceled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use winit::event_loop::EventLoopProxy;

use crate::app::documents::open_document::OpenDocument;
use crate::app::worker_events::{AppEvent, MotionResult};
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;

use crate::app::workers::{catch_panic, send};

/// Samples one motion at a time. After its event, the next frame starts another one.
#[derive(Default)]
pub struct MotionWorker {
    running: Option<RunningSample>,
}

/// The motion that is being sampled.
struct RunningSample {
    /// Id of the load job that has read the document.
    job: u64,
    request: MotionRequest,
    /// Set to stop the thread. Sampling checks it regularly.
    canceled: Arc<AtomicBool>,
}

impl MotionWorker {
    /// Starts sampling a motion that the last frame requested, but that is not sampled yet. Every frame repeats its requests, so a running
    /// motion that is not among them is canceled.
    pub fn update(&mut self, open: &OpenDocument, proxy: &EventLoopProxy<AppEvent>) {
        let requests = open.analyses.motions.take_requests();
        if let Some(running) = &self.running {
            if running.job != open.job || !requests.contains(&running.request) {
                running.canceled.store(true, Ordering::Relaxed);
            }
        } else if let Some(request) = requests.into_iter().next() {
            self.start(open, request, proxy.clone());
        }
    }

    /// Samples a motion on a thread, with its locomotion.
    fn start(&mut self, open: &OpenDocument, request: MotionRequest, proxy: EventLoopProxy<AppEvent>) {
        let (job, canceled) = (open.job, Arc::new(AtomicBool::new(false)));
        let (document, analyses) = (open.document.clone(), open.analyses.clone());
        self.running = Some(RunningSample { job, request: request.clone(), canceled: canceled.clone() });
        std::thread::spawn(move || {
            let sampled = catch_panic(|| {
                let root = analyses.find_root(&document, &request);
                let keep_going = || !canceled.load(Ordering::Relaxed);
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

    /// Stores a finished motion, or records its failure. The next frame requests the motion again and finds it.
    pub fn receive(&mut self, result: MotionResult, open: Option<&OpenDocument>) {
        let running = self.running.take();
        let Some(open) = open.filter(|open| open.job == result.job) else { return };
        match (result.motion, running) {
            (Some(motion), _) => open.analyses.motions.insert(motion),
            (None, Some(failed)) if !failed.canceled.load(Ordering::Relaxed) => open.analyses.motions.mark_failed(failed.request),
            (None, _) => {}
        }
    }
}
