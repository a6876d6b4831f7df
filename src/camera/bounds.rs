//! Defines axis-aligned boxes: [`Bounds`] in f64, and [`VertexBounds`] in the precision of vertices.

use glam::{DAffine3, DVec3, Vec3, Vec3A};

/// An axis-aligned box, in meters. It is in world space unless documented otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest coordinate along each axis.
    pub min: DVec3,
    /// Largest coordinate along each axis.
    pub max: DVec3,
}

impl Bounds {
    /// The empty box.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// Returns whether the box contains no point.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Grows the box to include a point. Points that are not finite are ignored.
    pub fn add(&mut self, point: DVec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// The smallest box that contains both boxes.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The corners of the box.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|corner| {
            let end = |axis: usize| if corner >> axis & 1 == 0 { self.min[axis] } else { self.max[axis] };
            DVec3::new(end(0), end(1), end(2))
        })
    }

    /// The center of the box; the origin if the box is empty.
    pub fn center(&self) -> DVec3 {
        if self.is_empty() { DVec3::ZERO } else { (self.min + self.max) / 2.0 }
    }

    /// Radius of the sphere around the box, in meters; 0 if the box is empty.
    pub fn radius(&self) -> f64 {
        if self.is_empty() { 0.0 } else { (self.max - self.min).length() / 2.0 }
    }

    /// The axis-aligned box around this box after a transform by `matrix`.
    pub fn transformed(&self, matrix: &DAffine3) -> Self {
        if self.is_empty() {
            return *self;
        }
        let (center, half) = (matrix.transform_point3(self.center()), (self.max - self.min) / 2.0);
        let m = matrix.matrix3;
        // The half extent of a rotated box along a world axis is the sum of the absolute contributions of the box's three axes.
        let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
        Self { min: center - reach, max: center + reach }
    }
}

/// An axis-aligned box around vertices, in f32.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexBounds {
    /// Smallest coordinate along each axis.
    pub min: Vec3A,
    /// Largest coordinate along each axis.
    pub max: Vec3A,
}

impl VertexBounds {
    /// The empty box.
    pub const EMPTY: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };
    /// The box that contains only the origin.
    pub const ORIGIN: Self = Self { min: Vec3A::ZERO, max: Vec3A::ZERO };

    /// Grows the box to include a point. Points that are not finite are not drawn, so they are ignored.
    pub fn add(&mut self, point: Vec3) {
        let point = Vec3A::from(point);
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// The box grown to include points.
    pub fn with(mut self, points: &[Vec3]) -> Self {
        points.iter().for_each(|point| self.add(*point));
        self
    }

    /// The box in f64.
    pub fn bounds(&self) -> Bounds {
        Bounds { min: self.min.as_dvec3(), max: self.max.as_dvec3() }
    }
}
