//! Measures the bounds of a model on a background thread: again when playing in place is switched on or off, because that finds the root,
//! and for the first time after the first picture of a large model. Until it is done, the camera uses the previous bounds, or those of the
//! first pose.

use winit::event_loop::EventLoopProxy;

use crate::app::documents::open_document::OpenDocument;
use crate::app::worker_events::{AppEvent, MeasuredBounds};
use crate::session::bounds::key::BoundsKey;
use crate::session::bounds::{self, AnimationBounds};
use crate::session::time::moment::Moment;
use crate::session::view::View;

use crate::app::workers::{catch_panic, send};

/// Measures one view at a time.
#[derive(Default)]
pub struct BoundsWorker {
    is_running: bool,
}

impl BoundsWorker {
    /// Starts measuring if the bounds of this view are not known and no other measurement is running.
    pub fn update(&mut self, open: &OpenDocument, view: &View, proxy: &EventLoopProxy<AppEvent>) {
        if !self.is_running && !open.measured.as_ref().is_some_and(|measured| measured.is_of(view)) {
            self.start(open, view.clone(), proxy.clone());
        }
    }

    /// Measures copies of document and view on a thread.
    fn start(&mut self, open: &OpenDocument, view: View, proxy: EventLoopProxy<AppEvent>) {
        let (document, analyses, key) = (open.document.clone(), open.analyses.clone(), BoundsKey::new(&view));
        self.is_running = true;
        std::thread::spawn(move || {
            let bounds = catch_panic(|| {
                let root = analyses.find_roots(&document, &view, &Moment::from(0.0)).current;
                bounds::animation_bounds(document.rig(), &view, root, &document.mesh_bounds)
            });
            let bounds = bounds.map_err(|message| log::error!("the model could not be measured: {message}")).ok();
            send(&proxy, AppEvent::BoundsMeasured(Box::new(MeasuredBounds { document: document.id, key, bounds })));
        });
    }

    /// Stores the bounds. If the view has changed in the meantime, drops them, and the next frame measures again.
    pub fn receive(&mut self, measured: MeasuredBounds, open: Option<&mut OpenDocument>, view: &View) {
        self.is_running = false;
        let Some(open) = open.filter(|open| open.document.id == measured.document) else { return };
        if !measured.key.is_of(view) {
            return;
        }
        // A measurement that failed counts as done, so that it is not tried again in every frame.
        let is_first = open.measured.replace(measured.key).is_none();
        if let Some(AnimationBounds { bounds, hull }) = measured.bounds {
            (open.analyses.bounds, open.analyses.hull) = (bounds, hull);
        }
        if is_first {
            open.analyses.update_rest_differences(&open.document);
        }
    }
}
