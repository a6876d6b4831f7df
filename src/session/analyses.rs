//! Caches the results that are computed from a document: sampled motions, locomotion, roots, weight checks, and the bounds of the content
//! that a view shows.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::animation::hierarchy::bind_pose::{self, Difference};
use crate::camera::bounds::Bounds;

use super::bounds::key::BoundsKey;
use super::bounds::{self, AnimationBounds, RestSize};
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

/// Smallest angle between rest and bind pose that counts as visible, in degrees.
const MIN_VISIBLE_ANGLE: f64 = 0.1;
/// Smallest distance between rest and bind pose that counts as visible, as a fraction of the model's radius. The same limit applies to the
/// scale factor between both poses, minus 1.
const MIN_DIFFERENCE: f64 = 1e-3;

/// The caches of one document. Every method must get the document that the caches were made for. Clones share the caches, but not the
/// bounds.
///
/// Methods that begin with `known` or `request` never sample an animation, and the result may be missing. Methods that begin with `find`,
/// `sample`, `compute` or `update` may be slow.
#[derive(Debug, Clone)]
pub struct Analyses {
    /// Sampled motions, by request.
    pub motions: Arc<MotionCache>,
    /// Locomotion, by view.
    pub locomotion: Arc<LocomotionCache>,
    /// Roots, by animation.
    pub roots: Arc<RootCache>,
    /// Possible mistakes in the skin weights. See [`Analyses::find_weight_faults`].
    weight_faults: Arc<OnceLock<Faults>>,
    /// Bounds of one model over the whole animation of the view, in world space; see [`Analyses::update_bounds`].
    pub bounds: Bounds,
    /// The outermost points within the bounds, which the camera fits. Empty if the shown content has no size.
    pub hull: Vec<DVec3>,
    /// The part of the view that the bounds were measured for. `None` while they contain a single pose only, because measuring takes long.
    pub measured: Option<BoundsKey>,
    /// The size of the shown scene at rest; see [`Analyses::update_scene`].
    pub rest_size: RestSize,
    /// The joints whose rest pose visibly differs from their bind pose, in descending order of the angle.
    pub rest_differences: Arc<[Difference]>,
}

/// A document, its caches and a view, which together determine the shown content.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The open document.
    pub document: &'a Document,
    /// The caches over this document.
    pub analyses: &'a Analyses,
    /// The user's choices.
    pub view: &'a View,
}

impl Subject<'_> {
    /// The pose at a moment. Finds roots that are not known yet, which may be slow.
    pub fn posed(&self, moment: impl Into<Moment>) -> Posed {
        let (moment, mut posed) = (moment.into(), self.document.rig().posed());
        let roots = self.analyses.find_roots(self.document, self.view, &moment);
        pose::pose(&self.document.model, self.view, moment, roots, &mut posed);
        posed
    }

    /// The pose at a moment, kept in place only by the roots that are already known.
    pub fn posed_with_known_roots(&self, moment: impl Into<Moment>) -> Posed {
        let (moment, mut posed) = (moment.into(), self.document.rig().posed());
        pose::pose(&self.document.model, self.view, moment, self.analyses.known_roots(self.view, &moment), &mut posed);
        posed
    }
}

impl Analyses {
    /// Empty caches, and the bounds of the content that the view shows.
    pub fn new(document: &Document, view: &View) -> Self {
        let roots = RootCache::default();
        let root = self::roots(view, &Moment::from(0.0), |animation| roots.get_or_find(document.rig(), view, animation)).current;
        let bounds = bounds::animation_bounds(document.rig(), view, root, &document.mesh_bounds);
        Self { measured: Some(BoundsKey::new(view)), ..Self::with_bounds(document, view, roots, bounds) }
    }

    /// Empty caches, and the bounds of the first pose of the view's animation, not kept in place. This takes less time than measuring the
    /// whole animation.
    pub fn of_first_pose(document: &Document, view: &View) -> Self {
        let moment = Moment::from(0.0);
        let bounds = bounds::moment_bounds(document.rig(), view, moment, Roots::default(), &document.mesh_bounds);
        Self::with_bounds(document, view, RootCache::default(), bounds)
    }

    /// These roots and bounds, and otherwise empty caches.
    fn with_bounds(document: &Document, view: &View, roots: RootCache, bounds: AnimationBounds) -> Self {
        let AnimationBounds { bounds, hull } = bounds;
        let scene = document.model.scene_or_default(view.scene);
        Self {
            motions: Arc::default(),
            locomotion: Arc::default(),
            roots: Arc::new(roots),
            weight_faults: Arc::default(),
            rest_size: RestSize::new(document.rig(), scene, &document.mesh_bounds),
            rest_differences: rest_differences(document, bounds.radius()),
            bounds,
            hull,
            measured: None,
        }
    }

    /// The analyses with bounds that include another model, so that a comparison has one camera, ground and shadow for both. All else is
    /// that of this model.
    pub fn widened(&self, other: &Self) -> Self {
        let mut widened = self.clone();
        widened.bounds = widened.bounds.union(&other.bounds);
        widened.hull.extend(&other.hull);
        widened
    }

    /// Takes over the weight checks of a document with the same meshes and skins.
    pub fn with_weight_faults_of(self, other: &Self) -> Self {
        Self { weight_faults: other.weight_faults.clone(), ..self }
    }

    /// The known roots of the animations that play at a moment. There are none if the view is not kept in place.
    pub fn known_roots(&self, view: &View, moment: &Moment) -> Roots {
        roots(view, moment, |animation| self.roots.get(view, animation))
    }

    /// The roots of the animations that play at a moment, found now if not known yet. There are none if the view is not kept
    /// in place.
    pub fn find_roots(&self, document: &Document, view: &View, moment: &Moment) -> Roots {
        roots(view, moment, |animation| self.roots.get_or_find(document.rig(), view, animation))
    }

    /// The root that keeps a motion in place, found now if not known yet.
    pub fn find_root(&self, document: &Document, request: &MotionRequest) -> RootStatus {
        self.find_roots(document, &request.view, &Moment::from(0.0)).current
    }

    /// The motion of a request, sampled now if not cached yet.
    pub fn sample_motion(&self, document: &Document, request: &MotionRequest) -> Option<Arc<SampledMotion>> {
        self.motions.get_or_sample(document.rig(), request, || self.find_root(document, request))
    }

    /// The locomotion of a view. `None` while its motion is not sampled yet; the motion is then requested.
    pub fn request_locomotion(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        self.locomotion.get_or_request(document, &self.motions, view, moment)
    }

    /// The locomotion of a view, computed now if not cached yet.
    pub fn compute_locomotion(&self, document: &Document, view: &View, moment: &Moment) -> Option<Arc<Locomotion>> {
        self.locomotion.get_or_compute(document, &self.motions, view, moment)
    }

    /// The possible mistakes in the skin weights, computed now if not cached yet. Slow for heavy meshes.
    pub fn find_weight_faults(&self, document: &Document) -> &Faults {
        self.weight_faults.get_or_init(|| weight_checks::faults(document))
    }

    /// The possible mistakes in the skin weights. `None` if they are not computed yet.
    pub fn known_weight_faults(&self) -> Option<&Faults> {
        self.weight_faults.get()
    }

    /// Measures the bounds for a view. Call it if that view is not the [`Self::measured`] one.
    pub fn update_bounds(&mut self, document: &Document, view: &View) {
        let root = self.find_roots(document, view, &Moment::from(0.0)).current;
        let AnimationBounds { bounds, hull } = bounds::animation_bounds(document.rig(), view, root, &document.mesh_bounds);
        (self.bounds, self.hull, self.measured) = (bounds, hull, Some(BoundsKey::new(view)));
    }

    /// Updates the joints whose rest pose differs from their bind pose, because differences that are small beside the model do not count.
    pub fn update_rest_differences(&mut self, document: &Document) {
        self.rest_differences = rest_differences(document, self.bounds.radius());
    }

    /// Updates the size of the scene if the view shows another scene.
    pub fn update_scene(&mut self, document: &Document, view: &View) {
        let scene = document.model.scene_or_default(view.scene);
        if scene != self.rest_size.scene {
            self.rest_size = RestSize::new(document.rig(), scene, &document.mesh_bounds);
        }
    }

    /// The bounds of the shown content: the model, or a crowd of it.
    pub fn crowd_bounds(&self, view: &View) -> Bounds {
        crowd::bounds(&self.bounds, crowd::count(view))
    }
}

/// The roots of the animations that play at a moment, each given by `root`. There are none if the view is not kept in place, or shows the
/// bind pose.
pub fn roots(view: &View, moment: &Moment, root: impl Fn(Option<usize>) -> RootStatus) -> Roots {
    if !view.in_place || view.bind_pose {
        return Roots::default();
    }
    let mut roots = Roots::new(root(view.animation));
    if let Some(fade) = moment.fade.filter(|fade| fade.weight() < 1.0) {
        roots.fading = fade.sources.map(|source| source.map_or(RootStatus::None, |source| root(source.animation)));
    }
    roots
}

/// The joints whose rest pose visibly differs from their bind pose. `radius` is the radius of the model, in meters.
fn rest_differences(document: &Document, radius: f64) -> Arc<[Difference]> {
    let mut differences = bind_pose::differences(&document.model, &document.compiled.rest_globals);
    let is_visible = |d: &Difference| {
        d.angle > MIN_VISIBLE_ANGLE.to_radians() || d.distance > MIN_DIFFERENCE * radius || (d.scale - 1.0).abs() > MIN_DIFFERENCE
    };
    differences.retain(is_visible);
    differences.sort_by(|a, b| b.angle.total_cmp(&a.angle).then(b.distance.total_cmp(&a.distance)));
    differences.into()
}
