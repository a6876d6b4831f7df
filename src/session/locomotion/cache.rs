//! The gait of what is shown, worked out once for all who ask: the panels, the picture, and the clips that are written beside it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::session::document::Document;
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;
use crate::session::time::transport::Moment;
use crate::session::view::View;

use super::foot_contact::Contact;
use super::{Locomotion, LocomotionRig};

/// A window's, and that of the clip which is written meanwhile.
const MOST: usize = 2;

/// What was worked out last.
#[derive(Debug, Default)]
pub struct LocomotionCache {
    walker: Mutex<Option<(Option<usize>, Arc<LocomotionRig>)>>,
    /// The one that was asked for last stands first.
    known: Mutex<Vec<Known>>,
    /// Asked for last, while its motion was not there.
    wanted: Mutex<Option<Wanted>>,
}

#[derive(Debug)]
struct Wanted {
    course: MotionRequest,
    view: View,
    walker: Arc<LocomotionRig>,
}

#[derive(Debug)]
struct Known {
    course: MotionRequest,
    gait: Arc<Locomotion>,
    /// As they were wished for, the last ones first: those of a clip may be others than the window's.
    contacts: Vec<(Wish, Arc<Vec<Vec<Contact>>>)>,
}

/// All of a view that contacts depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Wish {
    sensitivity: f64,
    loops: bool,
}

impl Wish {
    fn of(gait: &Locomotion, view: &View) -> Self {
        Self { sensitivity: view.display.contact_sensitivity, loops: gait.loops(view) }
    }
}

impl LocomotionCache {
    /// Of what the view shows.
    pub fn walker(&self, document: &Document, view: &View) -> Arc<LocomotionRig> {
        let mut kept = self.walker.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((scene, walker)) if *scene == view.scene => walker.clone(),
            _ => {
                let walker = Arc::new(LocomotionRig::new(&document.model, &document.prepared, view));
                *kept = Some((view.scene, walker.clone()));
                walker
            }
        }
    }

    /// None: its motion is not there yet, and is wanted.
    pub fn get(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        let walker = self.walker(document, view);
        let course = walker.course(document, view, moment);
        if let Some(gait) = self.known(&course) {
            return Some(gait);
        }
        let Some(motion) = document.motions.get(&course) else {
            *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = Some(Wanted { course, view: view.clone(), walker });
            return None;
        };
        Some(self.of(document, view, &walker, &motion))
    }

    /// The same for who can wait.
    pub fn wait_for(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        let walker = self.walker(document, view);
        let course = walker.course(document, view, moment);
        if let Some(gait) = self.known(&course) {
            return Some(gait);
        }
        let motion = document.motions.wait_for(&document.model, &document.prepared, &document.roots, &course)?;
        Some(self.of(document, view, &walker, &motion))
    }

    /// What is wanted of a motion, before it is handed to those who ask: on the thread that sampled it.
    pub fn work_out(&self, model: &Model, prepared: &CompiledModel, motion: &SampledMotion) {
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner).take_if(|wanted| wanted.course == motion.course);
        let Some(Wanted { course, view, walker }) = wanted else { return };
        let gait = Arc::new(Locomotion::new(model, prepared, &view, &walker, motion));
        let contacts = vec![(Wish::of(&gait, &view), Arc::new(gait.contacts(&view)))];
        self.keep(Known { course, gait, contacts });
    }

    /// What the picture needs of it; none: nothing.
    pub fn is_drawn(view: &View) -> bool {
        view.display.path || view.display.contacts
    }

    /// When each foot of this gait stands.
    pub fn contacts(&self, gait: &Arc<Locomotion>, view: &View) -> Arc<Vec<Vec<Contact>>> {
        let wish = Wish::of(gait, view);
        let is_it = |known: &&mut Known| Arc::ptr_eq(&known.gait, gait);
        let found = |known: &mut Known| Some(known.contacts.iter().find(|(of, _)| *of == wish)?.1.clone());
        if let Some(contacts) = self.all_known().iter_mut().find(is_it).and_then(found) {
            return contacts;
        }
        // Nobody waits for this: others may work out the same meanwhile.
        let contacts = Arc::new(gait.contacts(view));
        if let Some(known) = self.all_known().iter_mut().find(is_it) {
            known.contacts.truncate(MOST - 1);
            known.contacts.insert(0, (wish, contacts.clone()));
        }
        contacts
    }

    fn of(&self, document: &Document, view: &View, walker: &LocomotionRig, motion: &SampledMotion) -> Arc<Locomotion> {
        let gait = Arc::new(Locomotion::new(&document.model, &document.prepared, view, walker, motion));
        self.keep(Known { course: motion.course.clone(), gait: gait.clone(), contacts: Vec::new() });
        gait
    }

    fn known(&self, course: &MotionRequest) -> Option<Arc<Locomotion>> {
        let mut kept = self.all_known();
        let at = kept.iter().position(|known| known.course == *course)?;
        kept[..=at].rotate_right(1);
        Some(kept[0].gait.clone())
    }

    fn keep(&self, known: Known) {
        let mut kept = self.all_known();
        kept.retain(|other| other.course != known.course);
        kept.truncate(MOST - 1);
        kept.insert(0, known);
    }

    fn all_known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
