//! The gait of what is shown, worked out once for all who ask: the panels, the picture, and the clips that are written beside it.

use std::sync::{Arc, Mutex, PoisonError};

use super::course::Course;
use super::document::Document;
use super::gait::{Gait, Standing, Walker};
use super::motion::Motion;
use super::transport::Moment;
use super::view::View;

/// A window's, and that of the clip which is written meanwhile.
const MOST: usize = 2;

/// What was worked out last.
#[derive(Debug, Default)]
pub struct Gaits {
    walker: Mutex<Option<(Option<usize>, Arc<Walker>)>>,
    /// The one that was asked for last stands first.
    known: Mutex<Vec<Known>>,
}

#[derive(Debug)]
struct Known {
    motion: Arc<Motion>,
    gait: Arc<Gait>,
    /// With its sensitivity.
    standing: Option<(f64, Arc<Standing>)>,
}

impl Gaits {
    /// Of what the view shows.
    pub fn walker(&self, document: &Document, view: &View) -> Arc<Walker> {
        let mut kept = self.walker.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((scene, walker)) if *scene == view.scene => walker.clone(),
            _ => {
                let walker = Arc::new(Walker::new(&document.model, &document.prepared, view));
                *kept = Some((view.scene, walker.clone()));
                walker
            }
        }
    }

    /// None: its motion is not there yet, and is wanted.
    pub fn get(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Gait>> {
        let walker = self.walker(document, view);
        let motion = document.motions.get(&walker.course(document, view, moment))?;
        Some(self.of(document, view, &walker, motion))
    }

    /// The same for who can wait.
    pub fn wait_for(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Gait>> {
        let walker = self.walker(document, view);
        let course: Course = walker.course(document, view, moment);
        let motion = document.motions.wait_for(&document.model, &document.prepared, &course)?;
        Some(self.of(document, view, &walker, motion))
    }

    /// What the picture needs of it; none: nothing.
    pub fn is_drawn(view: &View) -> bool {
        view.display.path || view.display.contacts
    }

    /// When the feet of this gait stand.
    pub fn standing(&self, gait: &Arc<Gait>, sensitivity: f64) -> Arc<Standing> {
        let mut kept = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter_mut().find(|known| Arc::ptr_eq(&known.gait, gait));
        if let Some((_, standing)) = known.as_ref().and_then(|known| known.standing.as_ref()).filter(|(of, _)| *of == sensitivity) {
            return standing.clone();
        }
        let standing = Arc::new(gait.standing(sensitivity));
        if let Some(known) = known {
            known.standing = Some((sensitivity, standing.clone()));
        }
        standing
    }

    fn of(&self, document: &Document, view: &View, walker: &Walker, motion: Arc<Motion>) -> Arc<Gait> {
        let mut kept = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match kept.iter().position(|known| Arc::ptr_eq(&known.motion, &motion)) {
            Some(at) => kept.remove(at),
            None => {
                let gait = Arc::new(Gait::new(&document.model, &document.prepared, view, walker, &motion));
                Known { motion, gait, standing: None }
            }
        };
        kept.truncate(MOST - 1);
        let gait = known.gait.clone();
        kept.insert(0, known);
        gait
    }
}
