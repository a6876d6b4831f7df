//! Measures the bounds of a model on a background thread: again when playing in place is switched on or off, because that finds the root,
//! and for the first time after the first picture of a large model. Also measures the model that it is compared with, whenever the view of
//! that model changes. Until it is done, the camera uses the previous bounds, or the bounds of the first pose.

use winit::event_loop::EventLoopProxy;

use crate::app::comparison::open_comparison::OpenComparison;
use crate::app::documents::open_document::OpenDocument;
use crate::app::worker_events::{AppEvent, MeasuredBounds};
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds::key::BoundsKey;
use crate::session::bounds::{self, AnimationBounds};
use crate::session::time::moment::Moment;
use crate::session::view::View;

use crate::app::workers::catch_panic;

/// Measures one view at a time.
#[derive(Default)]
pub struct BoundsWorker {
    is_running: bool,
}

impl BoundsWorker {
    /// Starts measuring, unless the bounds are those of the view already, or another measurement is running.
    pub fn update(&mut self, subject: Subject, proxy: &EventLoopProxy<AppEvent>) {
        let is_measured = subject.analyses.measured.as_ref().is_some_and(|measured| measured.is_of(subject.view));
        if !self.is_running && !is_measured {
            self.start(subject, proxy.clone());
        }
    }

    /// Measures copies of document and view on a thread.
    fn start(&mut self, subject: Subject, proxy: EventLoopProxy<AppEvent>) {
        let (document, analyses, view) = (subject.document.clone(), subject.analyses.clone(), subject.view.clone());
        let key = BoundsKey::new(&view);
        self.is_running = true;
        std::thread::spawn(move || {
            let bounds = catch_panic(|| {
                let root = analyses.find_roots(&document, &view, &Moment::from(0.0)).current;
                bounds::animation_bounds(document.rig(), &view, root, &document.mesh_bounds)
            });
            let bounds = bounds.map_err(|message| log::error!("the model could not be measured: {message}")).ok();
            AppEvent::BoundsMeasured(Box::new(MeasuredBounds { document: document.id, key, bounds })).send(&proxy);
        });
    }

    /// Stores the bounds in the documents that show what was measured. If the view has changed in the meantime, drops them, and the next
    /// frame measures again.
    pub fn receive(
        &mut self,
        measured: MeasuredBounds,
        open: Option<&mut OpenDocument>,
        view: &View,
        comparison: Option<&mut OpenComparison>,
    ) {
        self.is_running = false;
        if let Some(open) = open.filter(|open| measured.is_of(open.subject(view))) {
            let is_first = open.analyses.measured.is_none();
            measured.store(&mut open.analyses);
            if is_first {
                open.analyses.update_rest_differences(&open.document);
            }
        }
        if let Some(comparison) = comparison.filter(|comparison| measured.is_of(comparison.subject())) {
            measured.store(&mut comparison.other.analyses);
        }
    }
}

impl MeasuredBounds {
    /// Returns whether this document in this view was measured.
    fn is_of(&self, Subject { document, view, .. }: Subject) -> bool {
        self.document == document.id && self.key.is_of(view)
    }

    /// Stores the bounds. If measuring failed, the previous bounds stay, but count as measured, so that it is not tried again in every
    /// frame.
    fn store(&self, analyses: &mut Analyses) {
        analyses.measured = Some(self.key.clone());
        if let Some(AnimationBounds { bounds, hull }) = &self.bounds {
            analyses.bounds = *bounds;
            analyses.hull.clone_from(hull);
        }
    }
}
