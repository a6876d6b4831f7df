//! How a model gets along in an animation: the node that carries it, the way that this takes on the ground and how fast, the feet
//! and when they stand. Worked out of one [`Motion`], as the file has it: not in place.

use glam::{DVec2, DVec3};

use crate::animation::prepared::Prepared;
use crate::model::Model;

use super::contact::{self, Contact, Limits};
use super::course::Course;
use super::document::Document;
use super::feet::{self, Foot};
use super::morphs::Morphs;
use super::motion::{self, Motion};
use super::root_motion::{self, Root, Travel};
use super::transport::Moment;
use super::view::View;

/// What of a model gets it along, at rest. The same for all of its animations.
#[derive(Debug, Clone, PartialEq)]
pub struct Walker {
    /// Metres.
    pub size: f64,
    /// Nodes that most of it hangs on, the topmost first.
    pub bearers: Vec<usize>,
    pub feet: Vec<Foot>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Gait {
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
    /// Where each point of the feet is at every moment, but for what this animation never lets down.
    points: Vec<Vec<Vec<DVec3>>>,
    /// Of the model, metres.
    pub size: f64,
}

/// When the feet stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// By foot.
    pub contacts: Vec<Vec<Contact>>,
    /// How fast the ground would run under a model that walks on the spot; zero for one that travels.
    pub drift: DVec2,
}

impl Walker {
    pub fn new(model: &Model, prepared: &Prepared, view: &View) -> Self {
        let size = root_motion::size(model, prepared);
        Self { size, bearers: root_motion::bearers(model, view), feet: feet::feet(model, prepared, view, size) }
    }

    /// All that a motion has to show of it.
    pub fn nodes(&self) -> Vec<usize> {
        self.bearers.iter().chain(self.feet.iter().flat_map(|foot| &foot.points)).copied().collect()
    }

    /// Along which its gait is worked out.
    pub fn course(&self, document: &Document, view: &View, moment: &Moment) -> Course {
        let view = View { in_place: false, bind_pose: false, morphs: Morphs::new(), ..view.clone() };
        Course::of_frames(document, &view, &self.nodes(), moment)
    }
}

impl Gait {
    /// `motion`: of the walker's nodes.
    pub fn new(model: &Model, prepared: &Prepared, view: &View, walker: &Walker, motion: &Motion) -> Self {
        let root = root_motion::root(model, view, &walker.bearers, walker.size, motion);
        let times: Vec<f64> = (0..motion.course.len()).map(|moment| motion.course.time(moment)).collect();
        let path = root.as_ref().and_then(|root| motion.of(root.node)).map(<[DVec3]>::to_vec).unwrap_or_default();
        let time = |moment: usize| times[moment];
        let speeds = motion::speeds_of(&root_motion::on_ground(&path, 0.0), time);
        let travel = root_motion::travel(&path, time);
        let rest = |node: usize| prepared.rest_globals[node].translation.y;
        let stands = |node: usize, path: &[DVec3]| feet::is_low(contact::floor(path), rest(node), walker.size);
        let place = |node: &usize| motion.of(*node).filter(|path| stands(*node, path)).map(<[DVec3]>::to_vec);
        let points = walker.feet.iter().map(|foot| foot.points.iter().filter_map(place).collect()).collect();
        Self { root, times, path, speeds, travel, feet: walker.feet.clone(), points, size: walker.size }
    }

    /// `sensitivity`: 0 finds the fewest contacts, 1 the most.
    pub fn standing(&self, sensitivity: f64) -> Standing {
        let limits = Limits::new(self.size, sensitivity);
        let all: Vec<&[DVec3]> = self.points.iter().flatten().map(Vec::as_slice).collect();
        let usual = Limits::new(self.size, 0.5);
        let drift = if self.root.is_some() { DVec2::ZERO } else { contact::drift(&all, &self.times, usual) };
        let of = |points: &Vec<Vec<DVec3>>| {
            let points: Vec<&[DVec3]> = points.iter().map(Vec::as_slice).collect();
            contact::contacts(&points, &self.times, drift, limits)
        };
        Standing { contacts: self.points.iter().map(of).collect(), drift }
    }

    /// Where the points of a foot are at every moment.
    pub fn points(&self, foot: usize) -> &[Vec<DVec3>] {
        self.points.get(foot).map_or(&[], Vec::as_slice)
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
