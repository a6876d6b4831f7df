//! Where the ground lies, and how large the cells of its grid are: what is drawn, and what is said of it.

use crate::camera::{Bounds, Camera, Projection};

/// Lines every cell, every ten and every hundred of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridCells {
    /// Metres, a power of ten.
    pub cell: f64,
    /// How much of the lines of single cells is left (0 to 1) before the next size takes over.
    pub finest: f64,
    /// Metres that the picture shows from top to bottom, where the model is.
    pub seen: f64,
}

/// Fainter lines than this are not what a person takes for the grid.
const FAINT: f64 = 0.35;

/// Where the grid is and what receives the shadow: the world's y = 0 for what stands on it, sinks into it a little, or floats no higher than it is tall. Else
/// the lowest place that the bounds have: a model that is centred on the origin stands on its feet, not in its own shadow.
pub fn height(bounds: &Bounds) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    let height = (bounds.max.y - bounds.min.y).max(bounds.radius() * 0.2);
    if bounds.min.y < -0.08 * height || bounds.min.y > height { bounds.min.y } else { 0.0 }
}

/// What a person sees of the world at the model's distance decides how fine the cells are. `bounds`: of what is shown.
pub fn cells(camera: &Camera, bounds: &Bounds) -> GridCells {
    let seen = match camera.projection {
        Projection::Perspective { yfov, .. } => {
            let distance = (camera.eye() - bounds.center()).length();
            2.0 * distance.max(bounds.radius().max(1e-6) * 0.02) * (yfov / 2.0).tan()
        }
        Projection::Orthographic { ymag, .. } => 2.0 * ymag,
    };
    let decade = (seen / 12.0).max(1e-9).log10();
    GridCells { cell: 10f64.powf(decade.floor()), finest: 1.0 - decade.rem_euclid(1.0), seen }
}

impl GridCells {
    /// The side of the smallest squares that are plainly seen, metres.
    pub fn plain(&self) -> f64 {
        if self.finest < FAINT { self.cell * 10.0 } else { self.cell }
    }
}
