//! Motions that were sampled, each once, for all who ask: trails, paths and contacts of a window, and of the clips that are
//! written beside it. A window asks and goes on, and its worker samples what it asked for; who writes a picture waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::session::locomotion::root_cache::RootCache;

use super::request::{MOST_PLACES, MotionRequest};
use super::sampled::SampledMotion;

/// So many courses that failed are remembered.
const MOST_FAILED: usize = 16;

#[derive(Debug)]
pub struct MotionCache {
    /// All together have no more places than these; the one that nobody asked for the longest goes first.
    room: usize,
    shelf: Mutex<Shelf>,
}

impl Default for MotionCache {
    fn default() -> Self {
        Self::with_room(2 * MOST_PLACES)
    }
}

#[derive(Debug, Default)]
struct Shelf {
    /// The one that was asked for last stands last.
    ready: Vec<Arc<SampledMotion>>,
    /// Asked for since [`MotionCache::take_wanted`], and not there.
    wanted: Vec<MotionRequest>,
    /// Could not be sampled, and are not wanted again.
    failed: VecDeque<MotionRequest>,
}

impl MotionCache {
    pub fn with_room(places: usize) -> Self {
        Self { room: places, shelf: Mutex::default() }
    }

    /// The motion along a course, if it is there; else it is wanted.
    pub fn get(&self, course: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let mut shelf = self.shelf();
        let found = shelf.find(course);
        if found.is_none() && !shelf.wanted.contains(course) && !shelf.failed.contains(course) {
            shelf.wanted.push(course.clone());
        }
        found
    }

    /// The same, sampled now where it is not there.
    pub fn wait_for(
        &self,
        model: &Model,
        prepared: &Arc<CompiledModel>,
        roots: &RootCache,
        course: &MotionRequest,
    ) -> Option<Arc<SampledMotion>> {
        if let Some(motion) = self.shelf().find(course) {
            return Some(motion);
        }
        self.keep(SampledMotion::sample(model, prepared, roots, course, || true)?);
        self.shelf().find(course)
    }

    /// What was asked for since the last call and is not there, in that order.
    pub fn take_wanted(&self) -> Vec<MotionRequest> {
        std::mem::take(&mut self.shelf().wanted)
    }

    pub fn keep(&self, motion: impl Into<Arc<SampledMotion>>) {
        let (motion, mut shelf) = (motion.into(), self.shelf());
        if shelf.find(&motion.course).is_none() {
            shelf.ready.push(motion);
        }
        while shelf.ready.len() > 1 && shelf.ready.iter().map(|motion| motion.len()).sum::<usize>() > self.room {
            shelf.ready.remove(0);
        }
    }

    /// After a course could not be sampled: it would fail again.
    pub fn give_up(&self, course: MotionRequest) {
        let failed = &mut self.shelf().failed;
        failed.push_back(course);
        failed.drain(..failed.len().saturating_sub(MOST_FAILED));
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn find(&mut self, course: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let at = self.ready.iter().position(|motion| motion.course == *course)?;
        let motion = self.ready.remove(at);
        self.ready.push(motion.clone());
        Some(motion)
    }
}
