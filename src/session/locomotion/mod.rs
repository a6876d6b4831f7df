//! Analyzes locomotion: the root that carries a model, its path and speed along the ground, and the feet and their contacts.
//!
//! All results are computed from one [`SampledMotion`]. It has the movement as it is in the file, even if the view is kept in place.

pub mod cache;
pub mod feet;
pub mod foot_contact;
pub mod rigs;
pub mod root_cache;
pub mod root_motion;

use glam::{DVec2, DVec3};

use crate::animation::playback;

use super::document::Document;
use super::motion::request::MotionRequest;
use super::motion::sampled::{self, SampledMotion};
use super::pose::Rig;
use super::pose::in_place::Root;
use super::time::moment::Moment;
use super::view::morph_overrides::Morphs;
use super::view::{Repeat, View};

use feet::Foot;
use foot_contact::{Contact, ContactLimits, FootPoint};
use root_motion::Travel;

/// The parts of a model that take part in locomotion. They depend on the rest pose only, not on an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct LocomotionRig {
    /// Size of the model, in meters.
    pub size: f64,
    /// Indices of the nodes that may be the root, the topmost first.
    pub root_candidates: Vec<usize>,
    /// The feet.
    pub feet: Vec<Foot>,
}

/// The movement of a model along the ground during one animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Locomotion {
    /// The root; `None` if nothing travels.
    pub root: Option<Root>,
    /// Time of each sample, in seconds.
    pub times: Vec<f64>,
    /// Position of the root at each sample, in world space. Empty without a root.
    pub path: Vec<DVec3>,
    /// Speed of the root along the ground at each sample, in meters per second. Empty without a root.
    pub speeds: Vec<f64>,
    /// Distances and speeds of the root along the ground.
    pub travel: Travel,
    /// The feet of the rig.
    pub feet: Vec<Foot>,
    /// The points of each foot. Points that this animation never lowers to the ground are left out.
    pub points: Vec<Vec<FootPoint>>,
    /// Whether the animation ends where it starts, except for the root's travel. Contacts then continue across the seam of a loop.
    pub is_closed: bool,
    /// Velocity of the ground under a model that walks on the spot, in meters per second on x and z. Zero if the model travels.
    pub ground_velocity: DVec2,
    /// Size of the model, in meters.
    pub size: f64,
}

impl LocomotionRig {
    /// The rig of the scene that the view shows.
    pub fn new(rig: Rig, view: &View) -> Self {
        let Rig { model, compiled } = rig;
        let size = root_motion::size(model, compiled);
        Self { size, root_candidates: root_motion::root_candidates(model, view), feet: feet::feet(model, compiled, view, size) }
    }

    /// The nodes whose motion [`Locomotion::new`] needs.
    pub fn nodes(&self) -> Vec<usize> {
        self.root_candidates.iter().chain(self.feet.iter().flat_map(|foot| &foot.points)).copied().collect()
    }

    /// The request for the motion from which a view's locomotion is computed.
    pub fn request(&self, document: &Document, view: &View, moment: &Moment) -> MotionRequest {
        let view = View { in_place: false, bind_pose: false, morphs: Morphs::new(), ..view.clone() };
        MotionRequest::from_frames(document, &view, &self.nodes(), moment)
    }
}

impl Locomotion {
    /// Computes the locomotion from a motion of all nodes of `locomotion_rig`.
    pub fn new(rig: Rig, view: &View, locomotion_rig: &LocomotionRig, motion: &SampledMotion) -> Self {
        let Rig { model, compiled } = rig;
        let root = root_motion::root(model, view, &locomotion_rig.root_candidates, locomotion_rig.size, motion);
        let times: Vec<f64> = (0..motion.request.len()).map(|sample| motion.request.time(sample)).collect();
        let path = root.as_ref().and_then(|root| motion.positions(root.node)).map(<[DVec3]>::to_vec).unwrap_or_default();
        let time = |sample: usize| times[sample];
        let speeds = sampled::speeds(&root_motion::on_ground(&path, 0.0), time);
        let travel = root_motion::travel(&path, time);
        let rest_height = |node: usize| compiled.rest_globals[node].translation.y;
        let stands = |node: usize, point: &FootPoint| feet::is_low(point.floor, rest_height(node), locomotion_rig.size);
        let point =
            |node: &usize| motion.positions(*node).map(|path| FootPoint::new(*node, path.to_vec())).filter(|point| stands(*node, point));
        // A foot's joint that never comes near the ground (a raised leg, a swimmer) has no contacts.
        let points: Vec<Vec<FootPoint>> = locomotion_rig.feet.iter().map(|foot| foot.points.iter().filter_map(point).collect()).collect();
        // A model that travels stands on ground that does not move.
        let ground_velocity = match root {
            Some(_) => DVec2::ZERO,
            None => foot_contact::ground_velocity(points.iter().flatten(), &times, ContactLimits::usual(locomotion_rig.size)),
        };
        let is_closed = is_closed(locomotion_rig, motion, root.as_ref());
        Self {
            root,
            times,
            path,
            speeds,
            travel,
            feet: locomotion_rig.feet.clone(),
            points,
            is_closed,
            ground_velocity,
            size: locomotion_rig.size,
        }
    }

    /// The contacts of each foot at the view's sensitivity.
    pub fn contacts(&self, view: &View) -> Vec<Vec<Contact>> {
        let (limits, loops) = (ContactLimits::new(self.size, view.display.contact_sensitivity), self.loops(view));
        self.points.iter().map(|points| foot_contact::contacts(points, &self.times, self.ground_velocity, limits, loops)).collect()
    }

    /// Returns whether contacts at the end continue at the start: the whole animation loops, and nothing else plays.
    pub fn loops(&self, view: &View) -> bool {
        let whole_range = [0.0, self.times.last().copied().unwrap_or_default()];
        let nothing_else_plays = view.playlist.is_empty() && view.layers.iter().all(|layer| layer.effective_weight() == 0.0);
        self.is_closed
            && view.repeat == Repeat::Loop
            && nothing_else_plays
            && playback::range_within(view.range, whole_range[1]) == whole_range
    }

    /// The position of the root in world space at a time in seconds. `None` without a root.
    pub fn position(&self, time: f64) -> Option<DVec3> {
        let to = self.sample_after(time)?;
        let from = to.saturating_sub(1);
        let span = self.times[to] - self.times[from];
        let fraction = if span > 0.0 { ((time - self.times[from]) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(self.path.get(from)?.lerp(*self.path.get(to)?, fraction))
    }

    /// The speed of the root along the ground in meters per second, at a time in seconds. `None` without a root.
    pub fn speed(&self, time: f64) -> Option<f64> {
        self.speeds.get(self.sample_after(time)?).copied()
    }

    /// The first sample at or after a time in seconds, or the last one if there is none. `None` without samples.
    fn sample_after(&self, time: f64) -> Option<usize> {
        Some(self.times.partition_point(|&other| other < time).min(self.times.len().checked_sub(1)?))
    }
}

/// Returns whether feet and root candidates end where they start, except for the root's travel.
fn is_closed(locomotion_rig: &LocomotionRig, motion: &SampledMotion, root: Option<&Root>) -> bool {
    let displacement = |node: usize| motion.positions(node).and_then(|path| Some(*path.last()? - *path.first()?)).unwrap_or_default();
    let travel = root.map_or(DVec3::ZERO, |root| displacement(root.node).with_y(0.0));
    let invisible_slide = ContactLimits::usual(locomotion_rig.size).invisible_slide;
    // Nodes above the root do not travel with it.
    let below_root = locomotion_rig.root_candidates.iter().filter(|&&node| root.is_none_or(|root| node >= root.node));
    let feet = locomotion_rig.feet.iter().flat_map(|foot| &foot.points);
    below_root.chain(feet).all(|&node| displacement(node).distance(travel) <= invisible_slide)
}
