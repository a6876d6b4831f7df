//! The bounds of a model that stays in place, or no longer does: what carries it is looked for and its whole animation is posed, on
//! a thread of its own. Until that is done the body goes on as it was.

use crate::app::App;
use crate::app::worker_events::AppEvent;
use crate::session::bounds::key::BoundsKey;
use crate::session::bounds::{self, AnimationBounds};
use crate::session::time::moment::Moment;

use super::load;

pub struct Measured {
    job: u64,
    shown: BoundsKey,
    /// None: it failed, and would fail again.
    bounds: Option<AnimationBounds>,
}

impl App {
    /// After every frame in which nothing is dragged.
    pub(crate) fn follow_bounds(&mut self) {
        let Some(open) = self.open.as_ref().filter(|_| !self.measuring) else { return };
        let shown = BoundsKey::new(&self.view);
        if open.measured == shown {
            return;
        }
        let (job, view, proxy) = (open.job, self.view.clone(), self.proxy.clone());
        let (document, analyses) = (open.document.clone(), open.analyses.clone());
        self.measuring = true;
        std::thread::spawn(move || {
            let bounds = load::caught(|| {
                let root = analyses.find_roots(&document, &view, &Moment::from(0.0)).current;
                bounds::animation_bounds(document.rig(), &view, root, &document.mesh_bounds)
            });
            let bounds = bounds.map_err(|message| log::error!("the model could not be measured: {message}")).ok();
            // The window may be gone, and then nobody asks.
            let _ = proxy.send_event(AppEvent::Measured(Box::new(Measured { job, shown, bounds })));
        });
    }

    /// What carries the model is known now, too. If the view is another by now, the frame that follows measures that.
    pub(crate) fn measured(&mut self, measured: Measured) {
        self.measuring = false;
        let Some(open) = self.open.as_mut().filter(|open| open.job == measured.job) else { return };
        if measured.shown != BoundsKey::new(&self.view) {
            return;
        }
        open.measured = measured.shown;
        if let Some(AnimationBounds { bounds, hull }) = measured.bounds {
            (open.analyses.bounds, open.analyses.hull) = (bounds, hull);
        }
    }
}
