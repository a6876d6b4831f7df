//! How far a primitive reaches in a pose, and whether any of it can be in the picture: boxes about the vertices that each joint
//! moves, against the planes of the view. A vertex is a mean of where its joints take it, so what all boxes of a primitive have
//! beyond the same plane is not seen; anything else may be.

use glam::{Mat4, Vec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::mesh::Vertices;

/// Weights that add up to something further from one take vertices out of the boxes.
const WEIGHTS_APART: f32 = 1e-3;
/// Of what is seen, so much more counts as seen: packed vertices and the device's arithmetic are a little off.
const WIDER: f32 = 0.02;
/// A line or point at the edge of the picture is so many pixels wide at most.
const EDGE: f32 = 4.0;

#[derive(Debug, Clone)]
pub(crate) struct CullBounds {
    whole: Extent,
    /// By index in the skin's joints: the vertices that the joint moves. Those that move none are left out.
    pub joints: Vec<(u16, Extent)>,
    /// The differences of each morph target.
    targets: Vec<Extent>,
    /// Whether the boxes hold all of it.
    is_known: bool,
}

/// A box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub center: Vec3,
    half: Vec3,
}

/// The ends of a box that grows.
#[derive(Debug, Clone, Copy)]
struct Ends {
    low: Vec3,
    high: Vec3,
}

impl Ends {
    const NONE: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
    const ORIGIN: Self = Self { low: Vec3::ZERO, high: Vec3::ZERO };

    fn with(self, point: Vec3) -> Self {
        Self { low: self.low.min(point), high: self.high.max(point) }
    }

    /// None where there is nothing in it.
    fn extent(self) -> Option<Extent> {
        let extent = Extent { center: (self.low + self.high) / 2.0, half: (self.high - self.low) / 2.0 };
        (extent.center.is_finite() && extent.half.is_finite()).then_some(extent)
    }
}

impl CullBounds {
    pub fn from_vertices(vertices: &Vertices) -> Self {
        let around =
            |start, points: &[Vec3]| points.iter().filter(|point| point.is_finite()).fold(start, |ends: Ends, &point| ends.with(point));
        let whole = around(Ends::NONE, &vertices.positions).extent();
        let (joints, weights_add_up) = joints(vertices);
        // A vertex that a target does not move counts as a difference of zero.
        let targets = vertices.targets.iter().map(|target| around(Ends::ORIGIN, &target.positions).extent()).collect::<Option<Vec<_>>>();
        let is_known = whole.is_some() && targets.is_some() && weights_add_up;
        let nothing = Extent { center: Vec3::ZERO, half: Vec3::ZERO };
        Self { whole: whole.unwrap_or(nothing), joints, targets: targets.unwrap_or_default(), is_known }
    }
}

/// The box of each joint, and whether the weights of every vertex add up to one.
fn joints(vertices: &Vertices) -> (Vec<(u16, Extent)>, bool) {
    let influences = &vertices.influences;
    let (mut boxes, mut add_up) = (Vec::new(), true);
    if influences.sets == 0 {
        return (Vec::new(), true);
    }
    let of_vertices = influences.joints.chunks(influences.sets).zip(influences.weights.chunks(influences.sets));
    for ((joints, weights), &position) in of_vertices.zip(&vertices.positions) {
        let mut sum = 0.0;
        for (&joint, &weight) in joints.as_flattened().iter().zip(weights.as_flattened()) {
            sum += weight;
            // What is below zero pushes away.
            add_up &= weight >= 0.0;
            if weight > 0.0 {
                let joint = usize::from(joint);
                if boxes.len() <= joint {
                    boxes.resize(joint + 1, (false, Ends::NONE));
                }
                boxes[joint].0 = true;
                if position.is_finite() {
                    boxes[joint].1 = boxes[joint].1.with(position);
                }
            }
        }
        add_up &= (sum - 1.0).abs() <= WEIGHTS_APART;
    }
    let used = boxes.into_iter().zip(0..).filter(|((used, _), _)| *used);
    let extents = used.map(|((_, ends), joint)| (joint, ends.extent().unwrap_or(Extent { center: Vec3::ZERO, half: Vec3::INFINITY })));
    (extents.collect(), add_up)
}

/// The planes that a picture ends at, a little outside of it: in front of them a point is positive.
pub(crate) struct Frustum([Vec4; 5]);

impl Frustum {
    /// `size`: of the target, pixels.
    pub fn new(clip_from_anchored: &Mat4, size: [u32; 2]) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_anchored.row(row));
        let [wide, high] = size.map(|pixels| w * (1.0 + WIDER + EDGE / pixels.max(1) as f32));
        // Depth is reversed: the near plane is at one. There is none far away.
        let planes = [wide + x, wide - x, high + y, high - y, w * (1.0 + WIDER) - z];
        Self(planes.map(|plane| plane + Vec4::W * plane.w.abs() * 1e-4))
    }

    /// Whether nothing of a primitive is in the picture. `weights`: of its morph targets. `matrix`: the one that an index into
    /// the skin's joints means; of a rigid primitive, whatever the index.
    pub fn misses<'m>(
        &self,
        reach: &CullBounds,
        weights: &[f32],
        skinned: bool,
        matrix: impl Fn(usize) -> Option<&'m JointMatrix>,
    ) -> bool {
        if !reach.is_known {
            return false;
        }
        let (mut shift, mut growth) = (Vec3::ZERO, Vec3::ZERO);
        for (target, &weight) in reach.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            shift += target.center * weight;
            growth += target.half * weight.abs();
        }
        let grown = |extent: &Extent| Extent { center: extent.center + shift, half: extent.half + growth };
        let beyond = |joint: usize, extent: &Extent| matrix(joint).map_or(0, |matrix| self.beyond(&grown(extent), matrix));
        if !skinned {
            return beyond(0, &reach.whole) != 0;
        }
        let mut planes = u8::MAX;
        for (joint, extent) in &reach.joints {
            planes &= beyond(usize::from(*joint), extent);
            if planes == 0 {
                return false;
            }
        }
        true
    }

    /// The planes that all of a box is beyond, as bits. What is not finite is beyond none.
    fn beyond(&self, extent: &Extent, matrix: &JointMatrix) -> u8 {
        let [x, y, z] = matrix.rows;
        let (center, half) = (extent.center.extend(1.0), (extent.half * 1.001).extend(0.0));
        self.0.iter().zip(0..).fold(0, |planes, (plane, bit)| {
            let plane = x * plane.x + y * plane.y + z * plane.z + Vec4::W * plane.w;
            planes | (u8::from(plane.dot(center) + plane.abs().dot(half) < 0.0) << bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(x: f32) -> JointMatrix {
        JointMatrix { rows: [Vec4::new(1.0, 0.0, 0.0, x), Vec4::Y, Vec4::Z] }
    }

    fn two_joints() -> CullBounds {
        let extent = Extent { center: Vec3::ZERO, half: Vec3::splat(0.1) };
        CullBounds { whole: extent, joints: vec![(0, extent), (1, extent)], targets: vec![extent], is_known: true }
    }

    #[test]
    fn what_spans_the_picture_is_seen_though_no_joint_of_it_is() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let (left, right) = (moved(-9.0), moved(9.0));
        let (both, reach) = ([&left, &right], two_joints());
        assert!(!frustum.misses(&reach, &[], true, |joint| both.get(joint).copied()));
        assert!(frustum.misses(&reach, &[], true, |_| Some(&left)));
    }

    #[test]
    fn a_morph_target_reaches_as_far_as_its_weight_takes_it() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let left = moved(-2.0);
        assert!(frustum.misses(&two_joints(), &[1.0], false, |_| Some(&left)));
        assert!(!frustum.misses(&two_joints(), &[-12.0], false, |_| Some(&left)));
    }

    #[test]
    fn what_is_not_a_number_is_never_left_out() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let nowhere = moved(f32::NAN);
        assert!(!frustum.misses(&two_joints(), &[], true, |_| Some(&nowhere)));
    }
}
