//! Motions that something in the window asked for, sampled one after the other on a thread of its own: a long animation never
//! holds up a frame. What nobody asks for any more is not sampled to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::app::App;
use crate::app::worker_events::AppEvent;
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;

use super::load;

/// The motion that is being sampled.
pub struct Sampling {
    /// Of which document.
    job: u64,
    course: MotionRequest,
    cancelled: Arc<AtomicBool>,
}

/// What became of it; none: it was cancelled, or failed.
pub struct Sampled {
    job: u64,
    motion: Option<Arc<SampledMotion>>,
}

impl App {
    /// After every frame: has sampled what it asked for and did not find.
    pub(crate) fn follow_motions(&mut self) {
        let Some(open) = &self.open else { return };
        let wanted = open.analyses.motions.take_requests();
        if let Some(sampling) = &self.sampling {
            // Every frame that wants it asks anew.
            if sampling.job != open.job || !wanted.contains(&sampling.course) {
                sampling.cancelled.store(true, Ordering::Relaxed);
            }
            return;
        }
        let Some(course) = wanted.into_iter().next() else { return };
        let (job, cancelled) = (open.job, Arc::new(AtomicBool::new(false)));
        let (document, analyses, proxy) = (open.document.clone(), open.analyses.clone(), self.proxy.clone());
        self.sampling = Some(Sampling { job, course: course.clone(), cancelled: cancelled.clone() });
        std::thread::spawn(move || {
            let sampled = load::caught(|| {
                let root = analyses.find_root(&document, &course);
                let keep_going = || !cancelled.load(Ordering::Relaxed);
                let motion = SampledMotion::sample(document.rig(), &course, root, keep_going).map(Arc::new)?;
                analyses.locomotion.compute(document.rig(), &motion);
                Some(motion)
            });
            let motion = sampled.unwrap_or_else(|message| {
                log::error!("a motion could not be sampled: {message}");
                None
            });
            // The window may be gone, and then nobody asks.
            let _ = proxy.send_event(AppEvent::Sampled(Box::new(Sampled { job, motion })));
        });
    }

    /// The frame that follows asks again, and finds it.
    pub(crate) fn sampled(&mut self, sampled: Sampled) {
        let sampling = self.sampling.take();
        let Some(open) = self.open.as_ref().filter(|open| open.job == sampled.job) else { return };
        match (sampled.motion, sampling) {
            (Some(motion), _) => open.analyses.motions.insert(motion),
            (None, Some(failed)) if !failed.cancelled.load(Ordering::Relaxed) => open.analyses.motions.mark_failed(failed.course),
            (None, _) => {}
        }
    }
}
