//! What a camera sees on a picture of some size: from the world to a point of the picture, and from a point back into the world.
//! Points count from the picture's top left corner, right and down.

use glam::{DVec2, DVec3};

use crate::camera::{Camera, Projection};

#[derive(Debug, Clone, Copy)]
pub struct ScreenProjection {
    pub camera: Camera,
    /// Of the picture, in points.
    pub size: DVec2,
}

/// From a place in a direction, metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    pub origin: DVec3,
    /// Unit length.
    pub direction: DVec3,
}

/// A place of the world on the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    pub point: DVec2,
    /// Metres in front of the camera.
    pub depth: f64,
}

impl ScreenProjection {
    /// Where a place of the world is seen; none: behind the camera, or nearer than it sees.
    pub fn project(&self, world: DVec3) -> Option<Projected> {
        let view = self.camera.view_from_world.transform_point3(world);
        let (half, depth) = (self.half_extent(), -view.z);
        let (seen, spread) = match self.camera.projection {
            Projection::Perspective { .. } => (depth > self.camera.znear.max(0.0), depth),
            Projection::Orthographic { depth: far, .. } => ((self.camera.znear..self.camera.znear + far).contains(&depth), 1.0),
        };
        let at = DVec2::new(view.x, -view.y) / (half * spread);
        (seen && at.is_finite()).then(|| Projected { point: (at + 1.0) / 2.0 * self.size, depth })
    }

    /// How large a metre at a place is seen; none where it cannot be.
    pub fn points_per_metre(&self, at: DVec3) -> Option<f64> {
        let right = self.camera.view_from_world.matrix3.row(0).normalize_or(DVec3::X);
        // Small, however near the place is.
        let step = 1e-3 * self.camera.view_from_world.transform_point3(at).length().max(1e-9);
        Some(self.project(at)?.point.distance(self.project(at + right * step)?.point) / step)
    }

    /// What lies under a point of the picture.
    pub fn ray(&self, point: DVec2) -> Ray {
        let at = (point / self.size * 2.0 - 1.0) * self.half_extent();
        let world_from_view = self.camera.view_from_world.inverse();
        // From the near plane: what lies before it is not seen.
        let znear = self.camera.znear;
        let (origin, direction) = match self.camera.projection {
            Projection::Perspective { .. } => (DVec3::new(at.x, -at.y, -1.0) * znear, DVec3::new(at.x, -at.y, -1.0)),
            Projection::Orthographic { .. } => (DVec3::new(at.x, -at.y, -znear), DVec3::NEG_Z),
        };
        Ray {
            origin: world_from_view.transform_point3(origin),
            direction: world_from_view.transform_vector3(direction).normalize_or(DVec3::NEG_Z),
        }
    }

    fn half_extent(&self) -> DVec2 {
        self.camera.projection.half_extent(self.size.x / self.size.y)
    }
}
