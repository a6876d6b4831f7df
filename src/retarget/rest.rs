//! Computes global rotations and directions in the rest pose, and the rotation that makes one skeleton face the same way as another.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::animation::hierarchy::pose::global_transforms;
use crate::model::Model;
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

/// If the mean cosine of the angles between the directions of two skeletons is below this, they may face different ways.
const MAX_TURNED_COSINE: f64 = 0.5;
/// Minimum mean cosine after a rotation of one skeleton. Rotations with a smaller mean cosine are not used.
const MIN_FITTED_COSINE: f64 = 0.8;

/// The rotation of a node in global space, without scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalRotation {
    pub rotation: DQuat,
    /// The axes along which the node and its ancestors mirror their children.
    pub mirror: Mirror,
}

/// The signs of the scale along each axis: 1 or -1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mirror(pub DVec3);

impl Mirror {
    /// No axis is mirrored.
    pub const NONE: Self = Self(DVec3::ONE);

    /// The signs of a scale. The sign of zero is 1.
    pub fn from_scale(scale: DVec3) -> Self {
        Self(DVec3::select(scale.cmplt(DVec3::ZERO), DVec3::NEG_ONE, DVec3::ONE))
    }

    /// Mirrors a rotation. Mirroring the result again gives the original rotation.
    pub fn reflect(self, rotation: DQuat) -> DQuat {
        // The axis of a rotation is a pseudovector: mirroring also reverses it.
        let axis = DVec3::new(rotation.x, rotation.y, rotation.z) * self.0 * self.0.element_product();
        DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }
}

impl GlobalRotation {
    /// No rotation and no mirrored axis.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, mirror: Mirror::NONE };

    /// The global rotation of a child with this local rotation and mirror.
    pub fn child(self, rotation: DQuat, mirror: Mirror) -> Self {
        Self { rotation: (self.rotation * self.mirror.reflect(rotation)).normalize(), mirror: Mirror(self.mirror.0 * mirror.0) }
    }

    /// The local rotation of a child with this global rotation.
    pub fn local(self, child: DQuat) -> DQuat {
        self.mirror.reflect(self.rotation.conjugate() * child).normalize()
    }
}

/// The rotation of a rest transform as a unit quaternion; the identity if its length is zero or not finite.
pub fn rest_rotation(rest: &Trs) -> DQuat {
    let rotation = rest.rotation.as_dquat();
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY }
}

/// The global transforms of the rest pose, one per node.
pub fn rest_globals(model: &Model) -> Vec<DAffine3> {
    let mut globals = vec![DAffine3::IDENTITY; model.nodes.len()];
    global_transforms(&model.hierarchy, &model.hierarchy.rest, &[], &mut globals);
    globals
}

/// The global rotations of the rest pose, one per node.
pub fn rest_global_rotations(model: &Model) -> Vec<GlobalRotation> {
    let mut rotations: Vec<GlobalRotation> = Vec::with_capacity(model.nodes.len());
    for (rest, parent) in model.hierarchy.rest.iter().zip(&model.hierarchy.parents) {
        let parent_rotation = parent.map_or(GlobalRotation::IDENTITY, |parent| rotations[parent.index()]);
        rotations.push(parent_rotation.child(rest_rotation(rest), Mirror::from_scale(rest.scale.as_dvec3())));
    }
    rotations
}

/// The largest side of the box around these nodes, in meters; 0 without nodes.
pub fn extent(globals: &[DAffine3], nodes: impl Iterator<Item = NodeIndex>) -> f64 {
    let points = nodes.map(|node| globals[node.index()].translation).filter(|point| point.is_finite());
    let bounds = points.fold(None, |bounds: Option<[DVec3; 2]>, point| {
        let [min, max] = bounds.unwrap_or([point; 2]);
        Some([min.min(point), max.max(point)])
    });
    bounds.map_or(0.0, |[min, max]| (max - min).max_element())
}

/// The unit vector from one point to another; `None` if they coincide.
pub fn direction(from: DVec3, to: DVec3) -> Option<DVec3> {
    (to - from).try_normalize().filter(|direction| direction.is_finite())
}

/// The rotation that makes the source face the same way as the target. It consists of quarter turns about the axes. It is the identity if
/// both face the same way already, or if no such rotation fits. `directions` has the directions of corresponding joints from their parents,
/// in the source and in the target.
pub fn facing(directions: &[[DVec3; 2]]) -> DQuat {
    let mean_cosine = |turn: &DMat3| {
        let cosines = directions.iter().map(|[source, target]| (*turn * *source).dot(*target));
        cosines.sum::<f64>() / directions.len() as f64
    };
    if directions.is_empty() || mean_cosine(&DMat3::IDENTITY) >= MAX_TURNED_COSINE {
        return DQuat::IDENTITY;
    }
    let turns = quarter_turns().map(|turn| (mean_cosine(&turn), turn));
    let (cosine, turn) = turns.fold((0.0, DMat3::IDENTITY), |best, turn| if turn.0 > best.0 + 1e-9 { turn } else { best });
    if cosine >= MIN_FITTED_COSINE { DQuat::from_mat3(&turn) } else { DQuat::IDENTITY }
}

/// The 24 rotations that map axes to axes.
fn quarter_turns() -> impl Iterator<Item = DMat3> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let pairs = axes.into_iter().flat_map(move |x| axes.into_iter().map(move |y| (x, y)));
    pairs.filter(|(x, y)| x.dot(*y) == 0.0).map(|(x, y)| DMat3::from_cols(x, y, x.cross(y)))
}
