//! How a model gets along in an animation: the node that carries it, the way that this takes on the ground and how fast, the feet
//! and when they stand. Worked out of one [`SampledMotion`], as the file has it: not in place.

pub mod cache;
pub mod feet;
pub mod foot_contact;
pub mod root_cache;
pub mod root_motion;

use glam::{DVec2, DVec3};

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;

use super::document::Document;
use super::motion::request::MotionRequest;
use super::motion::sampled::{self, SampledMotion};
use super::time::transport::{self, Moment};
use super::view::morph_overrides::Morphs;
use super::view::{Repeat, View};

use feet::Foot;
use foot_contact::{Contact, Limits, Point};
use root_motion::{Root, Travel};

/// What of a model gets it along, at rest. The same for all of its animations.
#[derive(Debug, Clone, PartialEq)]
pub struct LocomotionRig {
    /// Metres.
    pub size: f64,
    /// Nodes that most of it hangs on, the topmost first.
    pub bearers: Vec<usize>,
    pub feet: Vec<Foot>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Locomotion {
    /// None: nothing travels.
    pub root: Option<Root>,
    /// Seconds at which the moments are.
    pub times: Vec<f64>,
    /// Of the root, in the world; empty without one.
    pub path: Vec<DVec3>,
    /// Of the root along the ground, metres a second at every moment.
    pub speeds: Vec<f64>,
    pub travel: Travel,
    pub feet: Vec<Foot>,
    /// By foot, but for what this animation never lets down.
    pub points: Vec<Vec<Point>>,
    /// Whether it ends where it began, but for what the root travels: contacts go on over the seam of a loop.
    pub is_closed: bool,
    /// How fast the ground would run under a model that walks on the spot; zero for one that travels.
    pub drift: DVec2,
    /// Of the model, metres.
    pub size: f64,
}

impl LocomotionRig {
    pub fn new(model: &Model, prepared: &CompiledModel, view: &View) -> Self {
        let size = root_motion::size(model, prepared);
        Self { size, bearers: root_motion::bearers(model, view), feet: feet::feet(model, prepared, view, size) }
    }

    /// All that a motion has to show of it.
    pub fn nodes(&self) -> Vec<usize> {
        self.bearers.iter().chain(self.feet.iter().flat_map(|foot| &foot.points)).copied().collect()
    }

    /// Along which its gait is worked out.
    pub fn course(&self, document: &Document, view: &View, moment: &Moment) -> MotionRequest {
        let view = View { in_place: false, bind_pose: false, morphs: Morphs::new(), ..view.clone() };
        MotionRequest::of_frames(document, &view, &self.nodes(), moment)
    }
}

impl Locomotion {
    /// `motion`: of the walker's nodes.
    pub fn new(model: &Model, prepared: &CompiledModel, view: &View, walker: &LocomotionRig, motion: &SampledMotion) -> Self {
        let root = root_motion::root(model, view, &walker.bearers, walker.size, motion);
        let times: Vec<f64> = (0..motion.course.len()).map(|moment| motion.course.time(moment)).collect();
        let path = root.as_ref().and_then(|root| motion.of(root.node)).map(<[DVec3]>::to_vec).unwrap_or_default();
        let time = |moment: usize| times[moment];
        let speeds = sampled::speeds_of(&root_motion::on_ground(&path, 0.0), time);
        let travel = root_motion::travel(&path, time);
        let rest = |node: usize| prepared.rest_globals[node].translation.y;
        let stands = |node: usize, point: &Point| feet::is_low(point.floor, rest(node), walker.size);
        let point = |node: &usize| motion.of(*node).map(|path| Point::new(*node, path.to_vec())).filter(|point| stands(*node, point));
        let points: Vec<Vec<Point>> = walker.feet.iter().map(|foot| foot.points.iter().filter_map(point).collect()).collect();
        let drift = match root {
            Some(_) => DVec2::ZERO,
            None => foot_contact::drift(points.iter().flatten(), &times, Limits::new(walker.size, 0.5)),
        };
        let is_closed = is_closed(walker, motion, root.as_ref());
        Self { root, times, path, speeds, travel, feet: walker.feet.clone(), points, is_closed, drift, size: walker.size }
    }

    /// When each foot stands, as the view wants it.
    pub fn contacts(&self, view: &View) -> Vec<Vec<Contact>> {
        let (limits, loops) = (Limits::new(self.size, view.display.contact_sensitivity), self.loops(view));
        self.points.iter().map(|points| foot_contact::contacts(points, &self.times, self.drift, limits, loops)).collect()
    }

    /// Whether what stands at the end goes on at the beginning: all of the animation plays again and again, by itself.
    pub fn loops(&self, view: &View) -> bool {
        let whole = [0.0, self.times.last().copied().unwrap_or_default()];
        let alone = view.playlist.is_empty() && view.layers.iter().all(|layer| layer.effective_weight() == 0.0);
        self.is_closed && view.repeat == Repeat::Loop && alone && transport::range_within(view.range, whole[1]) == whole
    }

    /// Where the root is at a time; none where nothing travels.
    pub fn place(&self, time: f64) -> Option<DVec3> {
        let after = self.after(time)?;
        let (from, to) = (after.saturating_sub(1), after);
        let span = self.times[to] - self.times[from];
        let share = if span > 0.0 { ((time - self.times[from]) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(self.path.get(from)?.lerp(*self.path.get(to)?, share))
    }

    /// How fast the root is at a time, metres a second along the ground; none where nothing travels.
    pub fn speed(&self, time: f64) -> Option<f64> {
        self.speeds.get(self.after(time)?).copied()
    }

    /// The first moment that is not before a time, or the last.
    fn after(&self, time: f64) -> Option<usize> {
        Some(self.times.partition_point(|&other| other < time).min(self.times.len().checked_sub(1)?))
    }
}

/// Whether the feet and what most of the model hangs on end where they began, but for what the root travels.
fn is_closed(walker: &LocomotionRig, motion: &SampledMotion, root: Option<&Root>) -> bool {
    let moved = |node: usize| motion.of(node).and_then(|path| Some(*path.last()? - *path.first()?)).unwrap_or_default();
    let travelled = root.map_or(DVec3::ZERO, |root| moved(root.node).with_y(0.0));
    let unseen = Limits::new(walker.size, 0.5).unseen;
    // What is above the root does not go along.
    let bearers = walker.bearers.iter().filter(|&&node| root.is_none_or(|root| node >= root.node));
    let feet = walker.feet.iter().flat_map(|foot| &foot.points);
    bearers.chain(feet).all(|&node| moved(node).distance(travelled) <= unseen)
}
