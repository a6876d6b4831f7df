//! Determines the winding of transformed triangles: a negative determinant reverses it (glTF 2.0, 3.5.3).

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::animation::{Interpolation, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Winding {
    Kept,
    Mirrored,
    /// Some joints of the skin mirror, others do not.
    Mixed {
        mostly_mirrored: bool,
    },
}

impl Winding {
    /// Combines the matrices of a primitive.
    pub fn from_matrices<'a>(matrices: impl IntoIterator<Item = &'a JointMatrix>) -> Self {
        let (mut mirrored, mut all) = (0, 0);
        for matrix in matrices {
            mirrored += usize::from(mirrors(matrix));
            all += 1;
        }
        match mirrored {
            0 => Self::Kept,
            _ if mirrored == all => Self::Mirrored,
            _ => Self::Mixed { mostly_mirrored: mirrored * 2 > all },
        }
    }

    /// The winding of the same matrices combined with one mirroring.
    pub fn flipped(self) -> Self {
        match self {
            Self::Kept => Self::Mirrored,
            Self::Mirrored => Self::Kept,
            Self::Mixed { mostly_mirrored } => Self::Mixed { mostly_mirrored: !mostly_mirrored },
        }
    }
}

fn mirrors(matrix: &JointMatrix) -> bool {
    let [x, y, z] = matrix.rows.map(|row| row.truncate().as_dvec3());
    x.dot(y.cross(z)) < 0.0
}

/// Whether an animation may change the winding, so that each crowd member is tested on its own. Only scale can: if all keys are
/// positive and no spline overshoots between them, the winding is constant.
pub(crate) fn changes(model: &Model) -> bool {
    let channels = model.animations.iter().flat_map(|animation| &animation.channels);
    let scales = channels.filter(|channel| matches!(channel.target, Target::Scale(_)));
    scales.into_iter().any(|scale| scale.interpolation == Interpolation::CubicSpline || !scale.output.iter().all(|&factor| factor > 0.0))
}
