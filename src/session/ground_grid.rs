//! Computes the height of the ground and the cell size of its grid, for drawing and for labels.

use crate::camera::bounds::Bounds;
use crate::camera::{Camera, Projection};

/// The cell size of the grid. The grid has lines every cell, every ten cells and every hundred cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridCells {
    /// Side of a cell in meters, a power of ten.
    pub cell: f64,
    /// Opacity of the single-cell lines, from 0 to 1. They fade out before the next size takes over.
    pub finest_opacity: f64,
    /// Height of the picture in meters, at the model's distance.
    pub picture_height: f64,
}

/// Opacity below which lines do not count as the visible grid.
const MIN_VISIBLE_OPACITY: f64 = 0.6;

/// Height of the grid and of the ground that receives the shadow, in meters.
///
/// It is 0 for a model that stands on y = 0, sinks into it a little, or floats no higher than it is tall. Otherwise it is the lowest
/// point of the bounds, so that a model centered on the origin stands on the grid and does not sink into it.
pub fn height(bounds: &Bounds) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    let height = (bounds.max.y - bounds.min.y).max(bounds.radius() * 0.2);
    if bounds.min.y < -0.08 * height || bounds.min.y > height { bounds.min.y } else { 0.0 }
}

/// The grid for a camera. Cells become smaller as the camera comes nearer to the model. `bounds` contains what is shown.
pub fn cells(camera: &Camera, bounds: &Bounds) -> GridCells {
    let picture_height = match camera.projection {
        Projection::Perspective { yfov, .. } => {
            let distance = (camera.eye() - bounds.center()).length();
            2.0 * distance.max(bounds.radius().max(1e-6) * 0.02) * (yfov / 2.0).tan()
        }
        Projection::Orthographic { ymag, .. } => 2.0 * ymag,
    };
    // A cell is at most a twelfth of the height of the picture. The fractional part of the decade fades the finest lines out.
    let decade = (picture_height / 12.0).max(1e-9).log10();
    GridCells { cell: 10f64.powf(decade.floor()), finest_opacity: 1.0 - decade.rem_euclid(1.0), picture_height }
}

impl GridCells {
    /// Side of the smallest squares that are clearly visible, in meters.
    pub fn visible_cell(&self) -> f64 {
        if self.finest_opacity < MIN_VISIBLE_OPACITY { self.cell * 10.0 } else { self.cell }
    }
}
