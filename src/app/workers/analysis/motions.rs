//! Samples the motions that panels request, one at a time on a background thread, so that a long animation never delays a frame. A
//! motion that no panel requests any more is canceled.

use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, MotionResult};
use crate::cancel::Cancel;
use crate::session::analyses::Subject;
use crate::session::document::DocumentId;
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;

use crate::app::workers::catch_panic;

/// Samples one motion at a time. After its event, the next frame starts another one.
#[derive(Default)]
pub struct MotionWorker {
    running: Option<RunningSample>,
}

/// The motion that is being sampled.
struct RunningSample {
    /// The document. Its id changes when animations of other files are added or removed.
    document: DocumentId,
    request: MotionRequest,
    /// Stops the thread. Sampling checks it regularly.
    cancel: Cancel,
}

impl MotionWorker {
    /// Starts sampling a motion of one of these documents that the last frame requested, but that is not sampled yet. Every frame repeats
    /// its requests, so a running motion that is not among them is canceled.
    pub fn update<'a>(&mut self, subjects: impl Iterator<Item = Subject<'a>>, proxy: &EventLoopProxy<AppEvent>) {
        let of = |subject: Subject<'a>| subject.analyses.motions.take_requests().into_iter().map(move |request| (subject, request));
        let requests: Vec<_> = subjects.flat_map(of).collect();
        if let Some(running) = &self.running {
            let is_wanted = |(subject, request): &(Subject, _)| subject.document.id == running.document && *request == running.request;
            if !requests.iter().any(is_wanted) {
                running.cancel.cancel();
            }
        } else if let Some((subject, request)) = requests.into_iter().next() {
            self.start(subject, request, proxy.clone());
        }
    }

    /// Samples a motion on a thread, with its locomotion.
    fn start(&mut self, subject: Subject, request: MotionRequest, proxy: EventLoopProxy<AppEvent>) {
        let cancel = Cancel::default();
        let (document, analyses) = (subject.document.clone(), subject.analyses.clone());
        self.running = Some(RunningSample { document: document.id, request: request.clone(), cancel: cancel.clone() });
        std::thread::spawn(move || {
            let sampled = catch_panic(|| {
                let root = analyses.find_root(&document, &request);
                let keep_going = || !cancel.is_canceled();
                let motion = SampledMotion::sample(document.rig(), &request, root, keep_going).map(Arc::new)?;
                analyses.locomotion.compute(document.rig(), &motion);
                Some(motion)
            });
            let motion = sampled.unwrap_or_else(|message| {
                log::error!("a motion could not be sampled: {message}");
                None
            });
            AppEvent::MotionSampled(Box::new(MotionResult { document: document.id, motion })).send(&proxy);
        });
    }

    /// Stores a finished motion in the document that it belongs to, or records its failure. The next frame requests the motion again and
    /// finds it.
    pub fn receive<'a>(&mut self, result: MotionResult, mut subjects: impl Iterator<Item = Subject<'a>>) {
        let running = self.running.take();
        let Some(subject) = subjects.find(|subject| subject.document.id == result.document) else { return };
        match (result.motion, running) {
            (Some(motion), _) => subject.analyses.motions.insert(motion),
            (None, Some(failed)) if !failed.cancel.is_canceled() => subject.analyses.motions.mark_failed(failed.request),
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::session::analyses::Analyses;
    use crate::session::document::Document;
    use crate::session::view::View;

    #[test]
    fn a_motion_is_dropped_if_other_animations_were_added_while_it_was_sampled() {
        let (model, view) = (Arc::new(Model::default()), View::default());
        let before = Document::new(model.clone(), "a.glb".into(), None);
        let after = before.with_animations(model);
        let analyses = Analyses::new(&after, &view);
        let subject = Subject { document: &after, analyses: &analyses, view: &view };
        let request = MotionRequest::from_frames(&before, &view, &[], &0.0.into());
        let motion = analyses.motions.get_or_request(&request);
        assert!(motion.is_none() && analyses.motions.take_requests() == [request.clone()]);
        let root = analyses.find_root(&before, &request);
        let motion = SampledMotion::sample(before.rig(), &request, root, || true).map(Arc::new);

        let mut worker = MotionWorker::default();
        worker.receive(MotionResult { document: before.id, motion: motion.clone() }, [subject].into_iter());
        assert!(analyses.motions.get_or_request(&request).is_none(), "the motion has the old animations");
        worker.receive(MotionResult { document: after.id, motion }, [subject].into_iter());
        assert!(analyses.motions.get_or_request(&request).is_some());
    }
}
