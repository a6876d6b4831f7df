//! Caches the locomotion of the shown model, so that panels, the picture and exported clips share it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::document::Document;
use crate::session::motion::cache::MotionCache;
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::SampledMotion;
use crate::session::pose::Rig;
use crate::session::pose::in_place::RootStatus;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::foot_contact::Contact;
use super::{Locomotion, LocomotionRig};

/// Maximum number of entries: one for the window, and one for a clip that is being exported.
const MAX_ENTRIES: usize = 2;

/// The most recently computed locomotions, and the rig of one scene.
#[derive(Debug, Default)]
pub struct LocomotionCache {
    /// The scene and its rig.
    rig: Mutex<Option<(Option<usize>, Arc<LocomotionRig>)>>,
    /// Ordered by last use, most recent first.
    entries: Mutex<Vec<Entry>>,
    /// The last request whose motion was not sampled yet.
    pending: Mutex<Option<Pending>>,
}

/// A locomotion that waits for its motion.
#[derive(Debug)]
struct Pending {
    request: MotionRequest,
    view: View,
    locomotion_rig: Arc<LocomotionRig>,
}

/// A locomotion and its contacts.
#[derive(Debug)]
struct Entry {
    request: MotionRequest,
    locomotion: Arc<Locomotion>,
    /// Contacts by parameters, most recent first. A clip may use other parameters than the window.
    contacts: Vec<(ContactParams, Arc<Vec<Vec<Contact>>>)>,
}

/// The settings of a view that contacts depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ContactParams {
    sensitivity: f64,
    loops: bool,
}

impl ContactParams {
    /// The parameters of a view.
    fn new(locomotion: &Locomotion, view: &View) -> Self {
        Self { sensitivity: view.display.contact_sensitivity, loops: locomotion.loops(view) }
    }
}

impl LocomotionCache {
    /// The rig of the scene that the view shows.
    pub fn rig(&self, document: &Document, view: &View) -> Arc<LocomotionRig> {
        let mut known = self.rig.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((scene, rig)) if *scene == view.scene => rig.clone(),
            _ => {
                let rig = Arc::new(LocomotionRig::new(document.rig(), view));
                *known = Some((view.scene, rig.clone()));
                rig
            }
        }
    }

    /// The locomotion of a view. `None` while its motion is not sampled yet; the motion is then requested.
    pub fn get_or_request(&self, document: &Document, motions: &MotionCache, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        let locomotion_rig = self.rig(document, view);
        let request = locomotion_rig.request(document, view, moment);
        if let Some(locomotion) = self.find(&request) {
            return Some(locomotion);
        }
        let Some(motion) = motions.get_or_request(&request) else {
            *self.pending.lock().unwrap_or_else(PoisonError::into_inner) = Some(Pending { request, view: view.clone(), locomotion_rig });
            return None;
        };
        Some(self.insert_new(document.rig(), view, &locomotion_rig, &motion))
    }

    /// The locomotion of a view, computed now if not cached.
    pub fn get_or_compute(&self, document: &Document, motions: &MotionCache, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        let locomotion_rig = self.rig(document, view);
        let request = locomotion_rig.request(document, view, moment);
        if let Some(locomotion) = self.find(&request) {
            return Some(locomotion);
        }
        // The request's view is not kept in place, so it needs no root.
        let motion = motions.get_or_sample(document.rig(), &request, || RootStatus::None)?;
        Some(self.insert_new(document.rig(), view, &locomotion_rig, &motion))
    }

    /// Computes the pending locomotion of a motion, if any. The thread that sampled the motion calls this before it hands the motion over.
    pub fn compute(&self, rig: Rig, motion: &SampledMotion) {
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner).take_if(|pending| pending.request == motion.request);
        let Some(Pending { request, view, locomotion_rig }) = pending else { return };
        let locomotion = Arc::new(Locomotion::new(rig, &view, &locomotion_rig, motion));
        let contacts = vec![(ContactParams::new(&locomotion, &view), Arc::new(locomotion.contacts(&view)))];
        self.insert(Entry { request, locomotion, contacts });
    }

    /// Returns whether the picture shows any part of the locomotion.
    pub fn is_drawn(view: &View) -> bool {
        view.display.ground_path || view.display.contacts
    }

    /// The contacts of each foot, computed now if not cached.
    pub fn contacts(&self, locomotion: &Arc<Locomotion>, view: &View) -> Arc<Vec<Vec<Contact>>> {
        let params = ContactParams::new(locomotion, view);
        let is_entry = |entry: &&mut Entry| Arc::ptr_eq(&entry.locomotion, locomotion);
        let known = |entry: &mut Entry| Some(entry.contacts.iter().find(|(known, _)| *known == params)?.1.clone());
        if let Some(contacts) = self.entries().iter_mut().find(is_entry).and_then(known) {
            return contacts;
        }
        // The cache is not locked during the computation, so another thread may compute the same contacts.
        let contacts = Arc::new(locomotion.contacts(view));
        if let Some(entry) = self.entries().iter_mut().find(is_entry) {
            entry.contacts.truncate(MAX_ENTRIES - 1);
            entry.contacts.insert(0, (params, contacts.clone()));
        }
        contacts
    }

    /// Computes and caches the locomotion of a motion.
    fn insert_new(&self, rig: Rig, view: &View, locomotion_rig: &LocomotionRig, motion: &SampledMotion) -> Arc<Locomotion> {
        let locomotion = Arc::new(Locomotion::new(rig, view, locomotion_rig, motion));
        self.insert(Entry { request: motion.request.clone(), locomotion: locomotion.clone(), contacts: Vec::new() });
        locomotion
    }

    /// The cached locomotion of a request, which becomes the most recently used one.
    fn find(&self, request: &MotionRequest) -> Option<Arc<Locomotion>> {
        let mut entries = self.entries();
        let index = entries.iter().position(|entry| entry.request == *request)?;
        entries[..=index].rotate_right(1);
        Some(entries[0].locomotion.clone())
    }

    /// Adds an entry as the most recently used one, and drops the oldest.
    fn insert(&self, entry: Entry) {
        let mut entries = self.entries();
        entries.retain(|other| other.request != entry.request);
        entries.truncate(MAX_ENTRIES - 1);
        entries.insert(0, entry);
    }

    /// The entries, locked.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
