//! What is computed from a document and kept: sampled motions, locomotion, roots, weight checks, and the bounds of what a view shows.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::animation::hierarchy::bind_pose::{self, Difference};
use crate::camera::Bounds;

use super::bounds::{self, AnimationBounds, AtRest};
use super::document::Document;
use super::inspect::weight_checks::{self, Faults};
use super::locomotion::Locomotion;
use super::locomotion::cache::LocomotionCache;
use super::locomotion::root_cache::RootCache;
use super::motion::cache::MotionCache;
use super::motion::request::MotionRequest;
use super::motion::sampled::SampledMotion;
use super::pose::in_place::{RootStatus, Roots};
use super::pose::solve::Posed;
use super::pose::{self, crowd};
use super::time::moment::Moment;
use super::view::View;

/// Least angle between rest and bind pose that is seen, in degrees.
const MIN_ANGLE: f64 = 0.1;
/// Least distance between rest and bind pose that is seen, as a fraction of the model's radius, and least difference in scale.
const MIN_DIFFERENCE: f64 = 1e-3;

/// Caches over one document. Methods must get the document that it was made for. Clones share the caches, but not the bounds.
///
/// What `get`s or `request`s returns at once and may be missing; what `find`s, `sample`s or `compute`s takes its time.
#[derive(Debug, Clone)]
pub struct Analyses {
    pub motions: Arc<MotionCache>,
    pub locomotion: Arc<LocomotionCache>,
    pub roots: Arc<RootCache>,
    weight_checks: Arc<OnceLock<Faults>>,
    /// The bounds of everything that the view's animation shows, of the model by itself; see [`Analyses::update_bounds`]. World space.
    pub bounds: Bounds,
    /// The outermost points within the bounds: what the camera fits. Empty if the bounds had no size of their own.
    pub hull: Vec<DVec3>,
    /// The size of the scene that is shown; see [`Analyses::update_scene`].
    pub at_rest: AtRest,
    /// The joints whose rest pose visibly differs from their bind pose, the greatest angle first.
    pub rest_differences: Vec<Difference>,
}

/// What is shown: a document, with its caches, in a view.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub document: &'a Document,
    /// Of the document.
    pub analyses: &'a Analyses,
    pub view: &'a View,
}

impl Subject<'_> {
    /// A pose at a moment. Searches for roots if need be.
    pub fn posed(&self, moment: impl Into<Moment>) -> Posed {
        let (moment, mut posed) = (moment.into(), self.document.rig().posed());
        let roots = self.analyses.find_roots(self.document, self.view, &moment);
        pose::pose(&self.document.model, self.view, moment, roots, &mut posed);
        posed
    }

    /// A pose at a moment, kept in place by the roots that are known already.
    pub fn posed_with_known_roots(&self, moment: impl Into<Moment>) -> Posed {
        let (moment, mut posed) = (moment.into(), self.document.rig().posed());
        pose::pose(&self.document.model, self.view, moment, self.analyses.known_roots(self.view, &moment), &mut posed);
        posed
    }
}

impl Analyses {
    /// Empty caches, and the bounds of what the view shows.
    pub fn new(document: &Document, view: &View) -> Self {
        let roots = RootCache::default();
        let root = self::roots(view, &Moment::from(0.0), |animation| roots.get_or_find(document.rig(), view, animation)).current;
        let AnimationBounds { bounds, hull } = bounds::animation_bounds(document.rig(), view, root, &document.mesh_bounds);
        let scene = document.model.scene_or_default(view.scene);
        Self {
            motions: Arc::default(),
            locomotion: Arc::default(),
            roots: Arc::new(roots),
            weight_checks: Arc::default(),
            at_rest: AtRest::new(document.rig(), scene, &document.mesh_bounds),
            rest_differences: rest_differences(document, bounds.radius()),
            bounds,
            hull,
        }
    }

    /// The roots of the animations that play at a moment, as far as they are known. None if the view is not kept in place.
    pub fn known_roots(&self, view: &View, moment: &Moment) -> Roots {
        roots(view, moment, |animation| self.roots.get(view, animation))
    }

    /// The roots of the animations that play at a moment, searched for now if need be. None if the view is not kept in place.
    pub fn find_roots(&self, document: &Document, view: &View, moment: &Moment) -> Roots {
        roots(view, moment, |animation| self.roots.get_or_find(document.rig(), view, animation))
    }

    /// The root by which a motion is kept in place, searched for now if need be.
    pub fn find_root(&self, document: &Document, request: &MotionRequest) -> RootStatus {
        let view = &request.view;
        if view.in_place { self.roots.get_or_find(document.rig(), view, view.animation) } else { RootStatus::None }
    }

    /// The motion of a request, sampled now if need be.
    pub fn sample_motion(&self, document: &Document, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        self.motions.get_or_sample(document.rig(), request, || self.find_root(document, request))
    }

    /// The locomotion of a view. If its motion is not sampled yet, `None`, and it is requested.
    pub fn request_locomotion(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        self.locomotion.get_or_request(document, &self.motions, view, moment)
    }

    /// The locomotion of a view, computed now if need be.
    pub fn compute_locomotion(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        self.locomotion.get_or_compute(document, &self.motions, view, moment)
    }

    /// The possible mistakes in the skin weights, computed now if need be. Slow for heavy meshes.
    pub fn check_weights(&self, document: &Document) -> &Faults {
        self.weight_checks.get_or_init(|| weight_checks::faults(document))
    }

    /// The same if they were computed already.
    pub fn weight_checks(&self) -> Option<&Faults> {
        self.weight_checks.get()
    }

    /// Computes the bounds anew. Call when something of the view has changed that they depend on ([`bounds::key::BoundsKey`]).
    pub fn update_bounds(&mut self, document: &Document, view: &View) {
        let root = self.find_roots(document, view, &Moment::from(0.0)).current;
        let AnimationBounds { bounds, hull } = bounds::animation_bounds(document.rig(), view, root, &document.mesh_bounds);
        (self.bounds, self.hull) = (bounds, hull);
    }

    /// Computes the size of the scene anew if the view shows another one.
    pub fn update_scene(&mut self, document: &Document, view: &View) {
        let scene = document.model.scene_or_default(view.scene);
        if scene != self.at_rest.scene {
            self.at_rest = AtRest::new(document.rig(), scene, &document.mesh_bounds);
        }
    }

    /// The bounds of everything that is shown: the model, or a crowd of it.
    pub fn crowd_bounds(&self, view: &View) -> Bounds {
        crowd::bounds(&self.bounds, crowd::count(view))
    }
}

/// The roots of the animations that play at a moment.
fn roots(view: &View, moment: &Moment, root: impl Fn(Option<usize>) -> RootStatus) -> Roots {
    if !view.in_place || view.bind_pose {
        return Roots::default();
    }
    let fading = moment.fade.filter(|fade| fade.weight() < 1.0).map_or(RootStatus::None, |fade| root(fade.from));
    Roots { current: root(view.animation), fading }
}

/// The joints whose rest pose visibly differs from their bind pose. `radius`: of the model, in metres.
fn rest_differences(document: &Document, radius: f64) -> Vec<Difference> {
    let mut differences = bind_pose::differences(&document.model, &document.compiled.rest_globals);
    let is_seen =
        |d: &Difference| d.angle > MIN_ANGLE.to_radians() || d.distance > MIN_DIFFERENCE * radius || (d.scale - 1.0).abs() > MIN_DIFFERENCE;
    differences.retain(is_seen);
    differences.sort_by(|a, b| b.angle.total_cmp(&a.angle).then(b.distance.total_cmp(&a.distance)));
    differences
}
