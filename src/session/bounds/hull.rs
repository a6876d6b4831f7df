//! Collects the bounds of a set of points, and its outermost points in 48 directions.

use glam::{DAffine3, DVec3};

use crate::camera::bounds::Bounds;

/// Number of directions.
const DIRECTIONS: usize = 48;
/// Maximum distance by which rounding moves the ball that [`Hull::encloses`] tests, as a fraction of its distance from the origin.
const MAX_ROUNDING: f64 = 1e-12;

/// The bounds and the outermost points of all points so far, in world space.
pub struct Hull {
    /// The bounds of all points.
    pub bounds: Bounds,
    /// Components x, y and z of the unit vectors. They are in separate arrays, so that the processor computes several distances at once.
    directions: [[f64; DIRECTIONS]; 3],
    /// The largest distance along each direction, in meters.
    distances: [f64; DIRECTIONS],
    /// The points at these distances.
    points: [DVec3; DIRECTIONS],
}

impl Hull {
    /// A hull without points.
    pub fn new() -> Self {
        // The directions are spread evenly over the sphere, on a spiral with steps of the golden angle.
        let y = |i: usize| 1.0 - 2.0 * (i as f64 + 0.5) / DIRECTIONS as f64;
        let angle = |i: usize| i as f64 * 2.399_963_229_728_653;
        let radius = |i: usize| (1.0 - y(i) * y(i)).sqrt();
        let directions = [
            std::array::from_fn(|i| radius(i) * angle(i).cos()),
            std::array::from_fn(y),
            std::array::from_fn(|i| radius(i) * angle(i).sin()),
        ];
        let (distances, points) = ([f64::NEG_INFINITY; DIRECTIONS], [DVec3::ZERO; DIRECTIONS]);
        Self { bounds: Bounds::EMPTY, directions, distances, points }
    }

    /// Adds a point in world space. Points that are not finite are ignored.
    pub fn add(&mut self, point: DVec3) {
        self.bounds.add(point);
        let along = self.along(point);
        for ((distance, furthest), outermost) in along.into_iter().zip(&mut self.distances).zip(&mut self.points) {
            if distance.is_finite() && distance > *furthest {
                (*furthest, *outermost) = (distance, point);
            }
        }
    }

    /// Returns whether no point in a box can change the bounds or the outermost points. `transform` maps the box to world space. `slack` is
    /// how far points may leave the box, as a fraction of their distance from `anchor`.
    pub fn encloses(&self, bounds: &Bounds, transform: &DAffine3, anchor: DVec3, slack: f64) -> bool {
        // A ball around the box is tested, because that takes one distance per direction.
        let m = transform.matrix3;
        let max_scale = (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt();
        let (center, radius) = (transform.transform_point3(bounds.center()), bounds.radius() * max_scale);
        let radius = radius + slack * (center.distance(anchor) + radius) + MAX_ROUNDING * (center.length() + radius);
        // Comparisons with NaN are false, so a ball with NaN is not enclosed.
        let in_bounds = (center - radius).cmpge(self.bounds.min).all() && (center + radius).cmple(self.bounds.max).all();
        in_bounds && self.along(center).iter().zip(&self.distances).fold(true, |all, (distance, max)| all & (distance + radius <= *max))
    }

    /// The outermost points. Points that are outermost in several directions occur several times.
    pub fn points(&self) -> Vec<DVec3> {
        self.distances.iter().zip(&self.points).filter(|(distance, _)| distance.is_finite()).map(|(_, point)| *point).collect()
    }

    /// The distance of a point along each direction.
    fn along(&self, point: DVec3) -> [f64; DIRECTIONS] {
        let [x, y, z] = &self.directions;
        std::array::from_fn(|i| point.x * x[i] + point.y * y[i] + point.z * z[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_inside_the_hull_are_enclosed_and_others_are_not() {
        let mut hull = Hull::new();
        let corner = |i: i32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 20.0 - 10.0;
        (0..8).for_each(|i| hull.add(corner(i)));
        let unit = Bounds { min: DVec3::splat(-1.0), max: DVec3::splat(1.0) };
        let encloses = |place: DVec3, slack| hull.encloses(&unit, &DAffine3::from_translation(place), DVec3::ZERO, slack);
        assert!(encloses(DVec3::ZERO, 0.0));
        assert!(encloses(DVec3::new(5.0, -5.0, 5.0), 0.0));
        assert!(!encloses(DVec3::new(9.5, 0.0, 0.0), 0.0), "the box reaches beyond a face of the bounds");
        assert!(!encloses(DVec3::new(5.0, -5.0, 5.0), 0.5), "with this slack, points may lie outside");
        assert!(!encloses(DVec3::splat(f64::NAN), 0.0));
    }
}
