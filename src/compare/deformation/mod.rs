//! Measures the differences of morph target deltas and joint weights. Posed vertices show these differences only while a target has a
//! weight or joints move. Here they are measured at rest, whatever the animations of a file do.

pub mod joint_weights;
pub mod morph_targets;

use crate::session::document::Document;
use crate::session::pose;
use crate::session::pose::in_place::Roots;
use crate::session::pose::solve::Posed;
use crate::session::view::View;

use super::node_pairs::NodePairs;
use super::vertices::EqualPrimitives;

use joint_weights::WeightError;
use morph_targets::TargetError;

/// The differences of morph targets and joint weights, over all primitives with the same topology in both files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Deformation {
    /// The error of every morph target.
    pub targets: Vec<TargetError>,
    /// The error of every skinned primitive.
    pub weights: Vec<WeightError>,
}

impl Deformation {
    /// The first of the largest errors of morph targets; `None` if no primitive has any.
    pub fn worst_target(&self) -> Option<&TargetError> {
        self.targets.iter().reduce(|worst, error| if error.distance > worst.distance { error } else { worst })
    }

    /// The first of the largest errors of joint weights; `None` if no primitive has any.
    pub fn worst_weights(&self) -> Option<&WeightError> {
        self.weights.iter().reduce(|worst, error| if error.distance > worst.distance { error } else { worst })
    }
}

/// Two documents at rest.
struct RestPoses<'a> {
    documents: [&'a Document; 2],
    posed: [Posed; 2],
    node_pairs: &'a NodePairs,
}

/// Measures the primitives with the same topology. `None` if `keep_going` returns false before the end.
pub fn measure(
    documents: [&Document; 2],
    node_pairs: &NodePairs,
    primitives: &EqualPrimitives,
    keep_going: &dyn Fn() -> bool,
) -> Option<Deformation> {
    let posed = documents.map(|document| {
        let mut posed = document.rig().posed();
        pose::pose(&document.model, &View::default(), 0.0, Roots::default(), &mut posed);
        posed
    });
    let rest = RestPoses { documents, posed, node_pairs };
    let targets = morph_targets::measure(&rest, primitives.pairs(), keep_going)?;
    let weights = joint_weights::measure(&rest, primitives.pairs(), keep_going)?;
    Some(Deformation { targets, weights })
}
