//! Keeps sampled motions, each sampled once for trails, paths and contacts of the window and of clips that are written meanwhile.
//!
//! The window requests a motion and goes on; its worker samples what was requested. Whoever writes a picture samples at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::session::pose::Rig;
use crate::session::pose::in_place::RootStatus;

use super::request::{MAX_POSITIONS, MotionRequest};
use super::sampled::SampledMotion;

/// Maximum number of failed requests to remember.
const MAX_FAILED: usize = 16;

#[derive(Debug)]
pub struct MotionCache {
    /// Maximum number of positions in all motions together; the least recently used motion is dropped first.
    capacity: usize,
    entries: Mutex<Entries>,
}

impl Default for MotionCache {
    fn default() -> Self {
        Self::with_capacity(2 * MAX_POSITIONS)
    }
}

#[derive(Debug, Default)]
struct Entries {
    /// Ordered by last use, most recent last.
    sampled: Vec<Arc<SampledMotion>>,
    /// Requested since [`MotionCache::take_requests`] and not sampled.
    requests: Vec<MotionRequest>,
    /// Could not be sampled, and are not requested again.
    failed: VecDeque<MotionRequest>,
}

impl MotionCache {
    pub fn with_capacity(positions: usize) -> Self {
        Self { capacity: positions, entries: Mutex::default() }
    }

    /// The motion of a request. If it is not sampled yet, `None`, and it is requested.
    pub fn get_or_request(&self, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let mut entries = self.entries();
        let found = entries.find(request);
        if found.is_none() && !entries.requests.contains(request) && !entries.failed.contains(request) {
            entries.requests.push(request.clone());
        }
        found
    }

    /// The motion of a request, sampled now if need be. `root`: of the request's view, if that is kept in place.
    pub fn get_or_sample(&self, rig: Rig, request: &MotionRequest, root: impl FnOnce() -> RootStatus) -> Option<Arc<SampledMotion>> {
        if let Some(motion) = self.entries().find(request) {
            return Some(motion);
        }
        self.insert(SampledMotion::sample(rig, request, root(), || true)?);
        self.entries().find(request)
    }

    /// What was requested since the last call and is not sampled, in order.
    pub fn take_requests(&self) -> Vec<MotionRequest> {
        std::mem::take(&mut self.entries().requests)
    }

    pub fn insert(&self, motion: impl Into<Arc<SampledMotion>>) {
        let (motion, mut entries) = (motion.into(), self.entries());
        if entries.find(&motion.request).is_none() {
            entries.sampled.push(motion);
        }
        while entries.sampled.len() > 1 && entries.sampled.iter().map(|motion| motion.len()).sum::<usize>() > self.capacity {
            entries.sampled.remove(0);
        }
    }

    /// Remembers a request that could not be sampled: it would fail again.
    pub fn mark_failed(&self, request: MotionRequest) {
        let failed = &mut self.entries().failed;
        failed.push_back(request);
        failed.drain(..failed.len().saturating_sub(MAX_FAILED));
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn find(&mut self, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        let at = self.sampled.iter().position(|motion| motion.request == *request)?;
        let motion = self.sampled.remove(at);
        self.sampled.push(motion.clone());
        Some(motion)
    }
}
