//! Where nodes are at evenly spaced moments of an animation, in f64 and in world space: what trails, paths, speeds and contacts
//! are worked out from. Every moment is posed by [`solve::pose`], so that a point of it is where the node is drawn then.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::animation::compiled::model::CompiledModel;
use crate::camera::Bounds;
use crate::model::Model;
use crate::session::locomotion::root_cache::RootCache;
use crate::session::pose::solve::{self, Posed};

use super::request::MotionRequest;

/// The places of some nodes along a course.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledMotion {
    pub course: MotionRequest,
    /// Of the first node at every moment, then of the second...
    places: Vec<DVec3>,
    /// By node, as far as somebody asked.
    speeds: Vec<OnceLock<Speeds>>,
}

/// How fast a node is, metres a second, and where it gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Speeds {
    /// At each moment.
    pub all: Vec<f64>,
    pub top: f64,
    /// Of all together.
    pub sum: f64,
    /// Of all places.
    pub bounds: Bounds,
}

impl SampledMotion {
    /// Poses the model at every moment; none: it was not to go on. `roots`: where others may have found them, and find them.
    pub fn sample(
        model: &Model,
        prepared: &Arc<CompiledModel>,
        roots: &RootCache,
        course: &MotionRequest,
        go_on: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut posed = Posed::sharing(model, prepared.clone(), roots.waiting());
        let count = course.len();
        let mut places = vec![DVec3::ZERO; count * course.nodes.len()];
        for number in 0..count {
            if !go_on() {
                return None;
            }
            solve::pose(model, &course.view, course.moment(number), &mut posed);
            for (row, &node) in course.nodes.iter().enumerate() {
                places[row * count + number] = posed.globals[node].translation;
            }
        }
        Some(Self { course: course.clone(), places, speeds: vec![OnceLock::new(); course.nodes.len()] })
    }

    /// Where a node is at each moment; none: it was not asked for.
    pub fn of(&self, node: usize) -> Option<&[DVec3]> {
        self.places.chunks_exact(self.course.len()).nth(self.row(node)?)
    }

    /// How fast a node is; none: it was not asked for.
    pub fn speeds(&self, node: usize) -> Option<&Speeds> {
        let speeds = self.speeds.get(self.row(node)?)?;
        Some(speeds.get_or_init(|| {
            let places = self.of(node).unwrap_or_default();
            let all = speeds_of(places, |moment| self.course.time(moment));
            let mut bounds = Bounds::EMPTY;
            places.iter().for_each(|&place| bounds.add(place));
            let top = all.iter().copied().filter(|speed| speed.is_finite()).fold(0.0, f64::max);
            Speeds { top, sum: all.iter().sum(), bounds, all }
        }))
    }

    /// Where a node is at a time, between two moments on the straight line.
    pub fn place(&self, node: usize, time: f64) -> Option<DVec3> {
        let places = self.of(node)?;
        let number = self.course.number(time);
        let before = (number.floor() as usize).min(places.len().checked_sub(1)?);
        let after = (before + 1).min(places.len() - 1);
        Some(places[before].lerp(places[after], number - number.floor()))
    }

    fn row(&self, node: usize) -> Option<usize> {
        self.course.nodes.binary_search(&node).ok()
    }

    /// Places in it, of all nodes together.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// How fast something is at each of its places, metres a second: the mean of the way there and the way on, at the ends of the one
/// way there is. `time`: when it is at the place of a number.
pub fn speeds_of(places: &[DVec3], time: impl Fn(usize) -> f64) -> Vec<f64> {
    let last = places.len().saturating_sub(1);
    let speed = |i: usize| {
        let (from, to) = (i.saturating_sub(1), (i + 1).min(last));
        let length: f64 = (from..to).map(|i| places[i].distance(places[i + 1])).sum();
        let elapsed = time(to) - time(from);
        if elapsed > 0.0 { length / elapsed } else { 0.0 }
    };
    (0..places.len()).map(speed).collect()
}
