//! Determines the winding of transformed triangles. A matrix with a negative determinant reverses it (glTF 2.0, section 3.7.4).

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::animation::{Interpolation, Target};

/// How transforms change the winding of a primitive's triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Winding {
    /// Front faces stay counterclockwise.
    Kept,
    /// Front faces become clockwise.
    Mirrored,
    /// Some joints of the skin mirror and others do not, so both sides are drawn. The shader finds the front of each triangle.
    Mixed,
}

impl Winding {
    /// Returns the winding of a primitive that these matrices move.
    pub fn from_matrices<'a>(matrices: impl IntoIterator<Item = &'a JointMatrix>) -> Self {
        let (mut mirrored, mut all) = (0, 0);
        for matrix in matrices {
            mirrored += usize::from(mirrors(matrix));
            all += 1;
        }
        match mirrored {
            0 => Self::Kept,
            _ if mirrored == all => Self::Mirrored,
            _ => Self::Mixed,
        }
    }

    /// Returns the winding after one more mirroring.
    pub fn flipped(self) -> Self {
        match self {
            Self::Kept => Self::Mirrored,
            Self::Mirrored => Self::Kept,
            Self::Mixed => Self::Mixed,
        }
    }
}

/// Returns whether the determinant is negative. It is computed in `f64`, because a product of small scales underflows in `f32`.
pub(crate) fn mirrors(matrix: &JointMatrix) -> bool {
    // `rows.map` would not be inlined here, and this runs for every node in every frame.
    let [x, y, z] = &matrix.rows;
    x.truncate().as_dvec3().dot(y.truncate().as_dvec3().cross(z.truncate().as_dvec3())) < 0.0
}

/// Returns whether an animation may change the winding. If so, each crowd member must be tested on its own. Only animated scales can change
/// it: keys that are not positive, and splines, which may overshoot between keys.
pub(crate) fn changes(model: &Model) -> bool {
    let channels = model.animations.iter().flat_map(|animation| &animation.channels);
    let scales = channels.filter(|channel| matches!(channel.target, Target::Scale(_)));
    scales.into_iter().any(|scale| scale.interpolation == Interpolation::CubicSpline || !scale.output.iter().all(|&factor| factor > 0.0))
}
