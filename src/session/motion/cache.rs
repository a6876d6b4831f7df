//! Caches sampled motions, so that trails, paths and contacts of the window and of exported clips share them.
//!
//! The window requests a motion and continues without it; its worker thread samples the requests. Exports sample at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::pose::Rig;
use crate::session::pose::in_place::RootStatus;

use super::request::{MAX_POSITIONS, MotionRequest};
use super::sampled::SampledMotion;

/// Maximum number of requests to remember. More than one frame makes; the oldest are dropped if nobody takes them.
const MAX_REQUESTS: usize = 16;
/// Maximum number of failed requests to remember.
const MAX_FAILED: usize = 16;

/// Sampled motions, up to a total size. Shared between threads.
#[derive(Debug)]
pub struct MotionCache {
    /// Maximum number of positions in all motions together. The least recently used motion is dropped first.
    capacity: usize,
    /// The motions and requests.
    entries: Mutex<Entries>,
}

impl Default for MotionCache {
    fn default() -> Self {
        Self::with_capacity(2 * MAX_POSITIONS)
    }
}

/// The entries of the cache.
#[derive(Debug, Default)]
struct Entries {
    /// Ordered by last use, most recent last.
    sampled: Vec<Arc<SampledMotion>>,
    /// Requests since the last call of [`MotionCache::take_requests`] whose motions were not in the cache.
    requests: Vec<MotionRequest>,
    /// Requests that could not be sampled. They are not requested again.
    failed: VecDeque<MotionRequest>,
}

impl MotionCache {
    /// An empty cache for this number of positions. It always keeps the most recently used motion, whatever its size.
    pub fn with_capacity(positions: usize) -> Self {
        Self { capacity: positions, entries: Mutex::default() }
    }

    /// The motion of a request. `None` while it is not sampled yet; it is then requested.
    pub fn get_or_request(&self, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let mut entries = self.entries();
        let found = entries.find(request);
        if found.is_none() && !entries.requests.contains(request) && !entries.failed.contains(request) {
            entries.requests.push(request.clone());
            let excess = entries.requests.len().saturating_sub(MAX_REQUESTS);
            entries.requests.drain(..excess);
        }
        found
    }

    /// The motion of a request, sampled now if not cached. `root` gives the root of the request's view if that is kept in place.
    pub fn get_or_sample(&self, rig: Rig, request: &MotionRequest, root: impl FnOnce() -> RootStatus) -> Option<Arc<SampledMotion>> {
        if let Some(motion) = self.entries().find(request) {
            return Some(motion);
        }
        let motion = Arc::new(SampledMotion::sample(rig, request, root(), || true)?);
        self.insert(motion.clone());
        Some(motion)
    }

    /// Takes the requests since the last call whose motions were not in the cache, in order.
    pub fn take_requests(&self) -> Vec<MotionRequest> {
        std::mem::take(&mut self.entries().requests)
    }

    /// Adds a motion, and drops old ones beyond the capacity.
    pub fn insert(&self, motion: impl Into<Arc<SampledMotion>>) {
        let (motion, mut entries) = (motion.into(), self.entries());
        if entries.find(&motion.request).is_none() {
            entries.sampled.push(motion);
        }
        while entries.sampled.len() > 1 && entries.sampled.iter().map(|motion| motion.len()).sum::<usize>() > self.capacity {
            entries.sampled.remove(0);
        }
    }

    /// Records that a request could not be sampled, so that it is not requested again.
    pub fn mark_failed(&self, request: MotionRequest) {
        let failed = &mut self.entries().failed;
        failed.push_back(request);
        failed.drain(..failed.len().saturating_sub(MAX_FAILED));
    }

    /// The contents, locked.
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    /// The motion of a request, which becomes the most recently used one.
    fn find(&mut self, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let index = self.sampled.iter().position(|motion| motion.request == *request)?;
        let motion = self.sampled.remove(index);
        self.sampled.push(motion.clone());
        Some(motion)
    }
}
