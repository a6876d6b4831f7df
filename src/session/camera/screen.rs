//! Projects world positions to a picture, and casts rays from a point of the picture into the world.
//!
//! Positions on the picture are measured to the right and down from its top left corner, in points.

use glam::{DVec2, DVec3};

use crate::camera::{Camera, Projection};

/// A camera and the size of the picture that it draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenProjection {
    /// The camera, in world space.
    pub camera: Camera,
    /// Width and height of the picture, in points.
    pub size: DVec2,
}

/// A half line in world space, in meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start of the ray, on the near plane.
    pub origin: DVec3,
    /// Unit length.
    pub direction: DVec3,
}

/// A world position on the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Position on the picture, in points.
    pub point: DVec2,
    /// Meters in front of the camera.
    pub depth: f64,
}

impl ScreenProjection {
    /// Projects a world position. `None` if it lies behind the camera or outside its depth range.
    pub fn project(&self, world: DVec3) -> Option<Projected> {
        self.projector()(world)
    }

    /// Returns a function that does the same as [`ScreenProjection::project`], and is faster for many positions.
    pub fn projector(&self) -> impl Fn(DVec3) -> Option<Projected> + use<> {
        let Self { camera, size } = *self;
        let half = self.half_extent();
        move |world| {
            let view = camera.view_from_world.transform_point3(world);
            let depth = -view.z;
            let (seen, spread) = match camera.projection {
                Projection::Perspective { zfar, .. } => (depth > camera.znear.max(0.0) && zfar.is_none_or(|zfar| depth <= zfar), depth),
                Projection::Orthographic { depth: far, .. } => ((camera.znear..camera.znear + far).contains(&depth), 1.0),
            };
            // Converts from view space (+Y up) to the range from -1 to 1 over the picture, with +Y down.
            let at = DVec2::new(view.x, -view.y) / (half * spread);
            (seen && at.is_finite()).then(|| Projected { point: (at + 1.0) / 2.0 * size, depth })
        }
    }

    /// The length of one meter on the picture, in points, at a world position. `None` if that position is not visible.
    pub fn points_per_meter(&self, at: DVec3) -> Option<f64> {
        let right = self.camera.view_from_world.matrix3.row(0).normalize_or(DVec3::X);
        // The step is small in relation to the distance from the camera.
        let step = 1e-3 * self.camera.view_from_world.transform_point3(at).length().max(1e-9);
        Some(self.project(at)?.point.distance(self.project(at + right * step)?.point) / step)
    }

    /// The ray from the near plane through a point of the picture.
    pub fn ray(&self, point: DVec2) -> Ray {
        let at = (point / self.size * 2.0 - 1.0) * self.half_extent();
        let world_from_view = self.camera.view_from_world.inverse();
        // The ray starts at the near plane because nothing between the eye and that plane is drawn.
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

    /// Half the width and height of the view, at depth 1 for a perspective camera.
    fn half_extent(&self) -> DVec2 {
        self.camera.projection.half_extent(self.size.x / self.size.y)
    }
}
