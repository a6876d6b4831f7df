//! Which way round triangles come out of their transforms: a negative determinant turns them over (glTF 2.0, 3.5.3).

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::animation::{Interpolation, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Winding {
    Kept,
    Mirrored,
    /// Some joints of a skin mirror, others do not.
    Mixed {
        mostly_mirrored: bool,
    },
}

impl Winding {
    /// Of all the matrices that move a primitive.
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

    /// Of the same matrices, each with a mirror before it.
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

/// Whether the winding may change with the time, so that it is looked at for each member of a crowd. Only scale can: while all
/// keys are positive, and nothing swings between them, what mirrors at one time mirrors at all times.
pub(crate) fn changes(model: &Model) -> bool {
    let channels = model.animations.iter().flat_map(|animation| &animation.channels);
    let scales = channels.filter(|channel| matches!(channel.target, Target::Scale(_)));
    scales.into_iter().any(|scale| scale.interpolation == Interpolation::CubicSpline || !scale.output.iter().all(|&factor| factor > 0.0))
}
