//! Measures what `sinew diff` reports in addition to a [`Comparison`]: the bounds of meshes whose topology differs. The window does not
//! show them, so it does not wait for them.

use crate::session::document::Document;

use super::bounds::{self, BoundsError, DifferingMeshes};
use super::vertices::{self, MAX_DEFORMED_VERTICES};
use super::{Comparison, Sides};

/// What `sinew diff` reports in addition to a [`Comparison`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Supplement {
    /// The largest difference of bounds; `None` if no mesh has another topology in B.
    pub bounds: Option<BoundsError>,
}

/// Measures the supplement of a comparison of two documents. `None` if `keep_going` returns false before the end.
pub fn measure([a, b]: [&Document; 2], comparison: &Comparison, keep_going: &dyn Fn() -> bool) -> Option<Supplement> {
    let Comparison { animations, time_map, binding, measured, .. } = comparison;
    let meshes = DifferingMeshes::new([&a.model, &b.model], binding);
    let times = vertices::times(&measured.curve, meshes.vertex_count, MAX_DEFORMED_VERTICES);
    let bounds = bounds::measure(&Sides::new([a, b], *animations), time_map, &meshes, &times, keep_going)?;
    Some(Supplement { bounds })
}
