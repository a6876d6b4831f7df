//! Builds the key marks of a frame in one mesh, because separate shapes would be tessellated one by one.

use egui::{Color32, Mesh, Pos2, Rect, Vec2, vec2};

use crate::model::animation::Interpolation;

// Sizes of the marks, in points. Diamonds are measured from corner to corner, squares from side to side.
const DIAMOND_SIZE: f32 = 8.0;
const SQUARE_SIZE: f32 = 7.0;
const CIRCLE_SIZE: f32 = 8.0;
/// Size that selection adds to a mark, in points.
const SELECTED_EXTRA_SIZE: f32 = 2.0;
/// Line width of a hollow diamond, in points.
const LINE_WIDTH: f32 = 1.25;

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A key: diamond for LINEAR, square for STEP, circle for CUBICSPLINE.
    Key(Interpolation),
    /// The keys of several channels: a hollow diamond.
    Summary,
}

/// Collects the marks of a frame.
pub struct Marks {
    /// All marks so far.
    pub mesh: Mesh,
    /// Size of a pixel, in points. Edges fade over one pixel.
    pixel: f32,
}

impl Marks {
    /// An empty mesh for a screen with this many pixels per point.
    pub fn new(pixels_per_point: f32) -> Self {
        Self { mesh: Mesh::default(), pixel: 1.0 / pixels_per_point }
    }

    /// Adds a mark. A selected one is larger and always filled.
    pub fn mark(&mut self, mark: Mark, center: Pos2, color: Color32, selected: bool) {
        let radius = |size: f32| (size + if selected { SELECTED_EXTRA_SIZE } else { 0.0 }) / 2.0;
        // Each outline is given by its distance inside the corners and its color. Between the last two, the color fades out over one pixel.
        let fade = [(0.5 * self.pixel, color), (-0.5 * self.pixel, Color32::TRANSPARENT)];
        let full = [(f32::INFINITY, color), fade[0], fade[1]];
        match mark {
            Mark::Key(Interpolation::Linear) => self.rings(center, &corners::<4>(radius(DIAMOND_SIZE), 0.0), &full),
            // The corners of a square are further from the center than its sides.
            Mark::Key(Interpolation::Step) => self.rings(center, &corners::<4>(radius(SQUARE_SIZE) * std::f32::consts::SQRT_2, 0.5), &full),
            Mark::Key(Interpolation::CubicSpline) => self.rings(center, &corners::<12>(radius(CIRCLE_SIZE), 0.0), &full),
            Mark::Summary if selected => self.rings(center, &corners::<4>(radius(DIAMOND_SIZE), 0.0), &full),
            Mark::Summary => {
                let line = LINE_WIDTH * std::f32::consts::SQRT_2;
                let hollow = [(line + 0.5 * self.pixel, Color32::TRANSPARENT), (line - 0.5 * self.pixel, color), fade[0], fade[1]];
                self.rings(center, &corners::<4>(radius(DIAMOND_SIZE), 0.0), &hollow);
            }
        }
    }

    /// Adds a bar in place of marks that would overlap. `first` and `last` are the x coordinates of its first and last key.
    pub fn bar(&mut self, first: f32, last: f32, middle: f32, height: f32, color: Color32) {
        let across = middle - height / 2.0..=middle + height / 2.0;
        self.mesh.add_colored_rect(Rect::from_x_y_ranges(first - 2.0..=last + 2.0, across), color);
    }

    /// Adds nested outlines, each given by its distance inside the corners and its color, and fills the space between them.
    fn rings(&mut self, center: Pos2, corners: &[Vec2], rings: &[(f32, Color32)]) {
        let (start, count) = (self.mesh.vertices.len() as u32, corners.len() as u32);
        for &(inset, color) in rings {
            for corner in corners {
                self.mesh.colored_vertex(center + *corner * (1.0 - inset / corner.length()).max(0.0), color);
            }
        }
        for ring in 1..rings.len() as u32 {
            let (inner, outer) = (start + (ring - 1) * count, start + ring * count);
            for (a, b) in (0..count).map(|i| (i, (i + 1) % count)) {
                self.mesh.add_triangle(inner + a, outer + a, outer + b);
                self.mesh.add_triangle(inner + a, outer + b, inner + b);
            }
        }
    }
}

/// The corners of a regular polygon, rotated by `rotation`, a fraction of the angle between two corners.
fn corners<const N: usize>(radius: f32, rotation: f32) -> [Vec2; N] {
    std::array::from_fn(|i| {
        let angle = (i as f32 + rotation) / N as f32 * std::f32::consts::TAU;
        radius * vec2(angle.cos(), angle.sin())
    })
}
