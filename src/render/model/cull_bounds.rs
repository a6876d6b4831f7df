//! Frustum culling of posed primitives. Each joint has a bounding box of the vertices that it moves, which is tested against the view
//! planes. The position of a skinned vertex is the weighted mean of the positions to which each of its joints would move it. So a primitive
//! is invisible if all its boxes lie outside the same plane.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::camera::bounds::VertexBounds;
use crate::model::mesh::{UnevenWeights, Vertices};

/// Largest difference between 1 and the sum of a vertex's weights, with room for rounding. With a larger difference, the vertex may leave
/// the boxes.
const MAX_WEIGHT_SUM_ERROR: f32 = 2.0 * UnevenWeights::SUM_TOLERANCE as f32;
/// Margin around the view, as a fraction of its size. It covers the rounding of packed vertices and of GPU arithmetic.
const VIEW_MARGIN: f32 = 0.02;
/// Maximum width of lines and points, in pixels.
const MAX_LINE_WIDTH: f32 = 4.0;

/// Bounding boxes of a primitive's rest positions, in mesh space. A clone shares the lists.
#[derive(Debug, Clone)]
pub(crate) struct CullBounds {
    /// Box of all vertices. A point at the origin if there are none, or if its size overflows.
    whole: Extent,
    /// Pairs of an index in the skin's joints and the box of the vertices that the joint moves. Joints without vertices are left out.
    pub joints: Arc<[(u16, Extent)]>,
    /// Bounds of the position deltas, one per morph target.
    targets: Arc<[Extent]>,
    /// Whether the boxes contain every vertex. If not, the primitive is never culled.
    is_known: bool,
}

/// An axis-aligned box, as center and half size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub center: Vec3,
    half: Vec3,
}

impl Extent {
    /// Returns the center and half size of a box. `None` if the box is empty or its size overflows.
    fn new(bounds: VertexBounds) -> Option<Self> {
        let extent = Self { center: ((bounds.min + bounds.max) / 2.0).into(), half: ((bounds.max - bounds.min) / 2.0).into() };
        (extent.center.is_finite() && extent.half.is_finite()).then_some(extent)
    }
}

impl CullBounds {
    /// Computes the boxes of a primitive. Positions that are not finite are ignored.
    pub fn from_vertices(vertices: &Vertices) -> Self {
        let whole = Extent::new(VertexBounds::EMPTY.with(&vertices.positions));
        let (joints, weights_add_up) = joints(vertices);
        // The bounds of a target include the zero delta, which applies if the weight is 0.
        let targets =
            vertices.targets.iter().map(|target| Extent::new(VertexBounds::ORIGIN.with(&target.positions))).collect::<Option<Arc<_>>>();
        let is_known = whole.is_some() && targets.is_some() && weights_add_up;
        let nothing = Extent { center: Vec3::ZERO, half: Vec3::ZERO };
        Self { whole: whole.unwrap_or(nothing), joints: joints.into(), targets: targets.unwrap_or_default(), is_known }
    }

    /// Returns the center of the box of all vertices.
    pub fn center(&self) -> Vec3 {
        self.whole.center
    }
}

/// Returns the box of each joint, and whether the weights of every vertex add up to 1 and none of them is negative.
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
            // A negative weight may move the vertex out of the boxes of its joints.
            add_up &= weight >= 0.0;
            if weight > 0.0 {
                let joint = usize::from(joint);
                if boxes.len() <= joint {
                    boxes.resize(joint + 1, (false, VertexBounds::EMPTY));
                }
                boxes[joint].0 = true;
                boxes[joint].1.add(position);
            }
        }
        add_up &= (sum - 1.0).abs() <= MAX_WEIGHT_SUM_ERROR;
    }
    let used = boxes.into_iter().zip(0..).filter(|((used, _), _)| *used);
    let extents =
        used.map(|((_, bounds), joint)| (joint, Extent::new(bounds).unwrap_or(Extent { center: Vec3::ZERO, half: Vec3::INFINITY })));
    (extents.collect(), add_up)
}

/// The view planes, slightly outside the picture, relative to the anchor. Points inside have a positive distance to all of them.
pub(crate) struct Frustum([Vec4; 5]);

impl Frustum {
    /// Makes the planes of a projection. `size` is the size of the target, in pixels.
    pub fn new(clip_from_anchored: &Mat4, size: [u32; 2]) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_anchored.row(row));
        let [width, height] = size.map(|pixels| w * (1.0 + VIEW_MARGIN + MAX_LINE_WIDTH / pixels.max(1) as f32));
        // Depth is reversed: the near plane is at 1. There is no far plane.
        let planes = [width + x, width - x, height + y, height - y, w * (1.0 + VIEW_MARGIN) - z];
        // Move the planes outwards a little, because rounding errors grow with the distance between the anchor and the view.
        Self(planes.map(|plane| plane + Vec4::W * plane.w.abs() * 1e-4))
    }

    /// Returns whether a primitive is certainly outside the picture. `weights` are the weights of its morph targets. `matrix` returns the
    /// matrix of a joint, given its index in the skin's joints. For a rigid primitive, `matrix` is called with 0.
    pub fn misses<'m>(
        &self,
        bounds: &CullBounds,
        weights: &[f32],
        skinned: bool,
        matrix: impl Fn(usize) -> Option<&'m JointMatrix>,
    ) -> bool {
        if !bounds.is_known {
            return false;
        }
        // Morph targets move every box and enlarge it.
        let (mut shift, mut growth) = (Vec3::ZERO, Vec3::ZERO);
        for (target, &weight) in bounds.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            shift += target.center * weight;
            growth += target.half * weight.abs();
        }
        let grown = |extent: &Extent| Extent { center: extent.center + shift, half: extent.half + growth };
        let outside = |joint: usize, extent: &Extent| matrix(joint).map_or(0, |matrix| self.planes_outside(&grown(extent), matrix));
        if !skinned {
            return outside(0, &bounds.whole) != 0;
        }
        let mut planes = u8::MAX;
        for (joint, extent) in bounds.joints.iter() {
            planes &= outside(usize::from(*joint), extent);
            if planes == 0 {
                return false;
            }
        }
        true
    }

    /// Returns the planes that have the whole box on their outer side, one bit each. A box that is not finite sets no bit.
    fn planes_outside(&self, extent: &Extent, matrix: &JointMatrix) -> u8 {
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
    use crate::model::mesh::Influences;

    use super::*;

    fn moved(x: f32) -> JointMatrix {
        JointMatrix { rows: [Vec4::new(1.0, 0.0, 0.0, x), Vec4::Y, Vec4::Z] }
    }

    fn two_joints() -> CullBounds {
        let extent = Extent { center: Vec3::ZERO, half: Vec3::splat(0.1) };
        CullBounds { whole: extent, joints: [(0, extent), (1, extent)].into(), targets: [extent].into(), is_known: true }
    }

    #[test]
    fn a_primitive_between_joints_on_both_sides_of_the_picture_is_not_culled() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let (left, right) = (moved(-9.0), moved(9.0));
        let (both, reach) = ([&left, &right], two_joints());
        assert!(!frustum.misses(&reach, &[], true, |joint| both.get(joint).copied()));
        assert!(frustum.misses(&reach, &[], true, |_| Some(&left)));
    }

    #[test]
    fn morph_targets_extend_the_bounds_by_their_weight() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let left = moved(-2.0);
        assert!(frustum.misses(&two_joints(), &[1.0], false, |_| Some(&left)));
        assert!(!frustum.misses(&two_joints(), &[-12.0], false, |_| Some(&left)));
    }

    #[test]
    fn weights_at_the_tolerance_of_loading_do_not_prevent_culling() {
        // The exact sum is within the tolerance, but its f32 is not.
        let weights = [1.0, 0.000_999_999, 0.0, 0.0];
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        assert!(sum - 1.0 <= UnevenWeights::SUM_TOLERANCE);
        let influences = Influences { sets: 1, joints: vec![[0, 1, 0, 0]], weights: vec![weights] };
        let vertices = Vertices { positions: vec![Vec3::ZERO], influences, ..Vertices::default() };
        assert!(CullBounds::from_vertices(&vertices).is_known);
    }

    #[test]
    fn primitives_with_nan_matrices_are_never_culled() {
        let frustum = Frustum::new(&Mat4::IDENTITY, [1000, 1000]);
        let nowhere = moved(f32::NAN);
        assert!(!frustum.misses(&two_joints(), &[], true, |_| Some(&nowhere)));
    }
}
