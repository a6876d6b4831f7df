//! Samples the positions of nodes at evenly spaced times. Trails, paths, speeds and contacts are computed from them.
//!
//! Positions are f64 in world space. Every sample is posed by [`pose::pose`], so a node is exactly where it is drawn at that time.

use std::sync::OnceLock;

use glam::DVec3;

use crate::camera::bounds::Bounds;
use crate::session::pose::in_place::{RootStatus, Roots};
use crate::session::pose::{self, Rig};

use super::request::MotionRequest;

/// The positions of some nodes at the times of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledMotion {
    /// The request that the positions answer.
    pub request: MotionRequest,
    /// All samples of the first node, then all of the second, and so on, in world space.
    positions: Vec<DVec3>,
    /// The speeds of each node of the request, computed on first use.
    speeds: Vec<OnceLock<Speeds>>,
}

/// The speeds of a node, and the bounds of its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Speeds {
    /// Speed at each sample, in meters per second.
    pub all: Vec<f64>,
    /// The largest finite speed, in meters per second.
    pub top: f64,
    /// The sum of `all`, in meters per second.
    pub sum: f64,
    /// The bounds of all positions, in world space.
    pub bounds: Bounds,
}

impl SampledMotion {
    /// Poses the model at every sample. `root` is the root of the request's view if that is kept in place. `None` if `keep_going` returns
    /// false before the end.
    pub fn sample(rig: Rig, request: &MotionRequest, root: RootStatus, keep_going: impl Fn() -> bool) -> Option<Self> {
        let mut posed = rig.posed();
        let count = request.len();
        let mut positions = vec![DVec3::ZERO; count * request.nodes.len()];
        for sample in 0..count {
            if !keep_going() {
                return None;
            }
            pose::pose(rig.model, &request.view, request.moment(sample), Roots::new(root), &mut posed);
            for (row, &node) in request.nodes.iter().enumerate() {
                positions[row * count + sample] = posed.globals[node].translation;
            }
        }
        Some(Self { request: request.clone(), positions, speeds: vec![OnceLock::new(); request.nodes.len()] })
    }

    /// The positions of a node in world space, one per sample. `None` if the request does not have the node.
    pub fn positions(&self, node: usize) -> Option<&[DVec3]> {
        self.positions.chunks_exact(self.request.len()).nth(self.row(node)?)
    }

    /// The speeds of a node. `None` if the request does not have the node.
    pub fn speeds(&self, node: usize) -> Option<&Speeds> {
        let speeds = self.speeds.get(self.row(node)?)?;
        Some(speeds.get_or_init(|| {
            let positions = self.positions(node).unwrap_or_default();
            let all = self::speeds(positions, |sample| self.request.time(sample));
            let mut bounds = Bounds::EMPTY;
            positions.iter().for_each(|&position| bounds.add(position));
            let top = all.iter().copied().filter(|speed| speed.is_finite()).fold(0.0, f64::max);
            Speeds { top, sum: all.iter().sum(), bounds, all }
        }))
    }

    /// The position of a node at a time in seconds, interpolated between two samples. `None` if the request does not have the node.
    pub fn position(&self, node: usize, time: f64) -> Option<DVec3> {
        let positions = self.positions(node)?;
        let number = self.request.sample_number(time);
        let before = (number.floor() as usize).min(positions.len().checked_sub(1)?);
        let after = (before + 1).min(positions.len() - 1);
        Some(positions[before].lerp(positions[after], number - number.floor()))
    }

    /// The index of a node in the request.
    fn row(&self, node: usize) -> Option<usize> {
        self.request.nodes.binary_search(&node).ok()
    }

    /// The number of positions, over all nodes.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// The speed at each position in meters per second, averaged over the steps before and after it. `time` gives the time of a position in
/// seconds.
pub fn speeds(positions: &[DVec3], time: impl Fn(usize) -> f64) -> Vec<f64> {
    let last = positions.len().saturating_sub(1);
    let speed = |i: usize| {
        let (from, to) = (i.saturating_sub(1), (i + 1).min(last));
        let length: f64 = (from..to).map(|i| positions[i].distance(positions[i + 1])).sum();
        let elapsed = time(to) - time(from);
        if elapsed > 0.0 { length / elapsed } else { 0.0 }
    };
    (0..positions.len()).map(speed).collect()
}
