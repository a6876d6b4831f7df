//! Defines cameras, and the boxes that they frame ([`bounds`]). The renderer draws with a [`Camera`], which is made from an orbit camera or
//! from a camera of the file.
//!
//! A [`Camera`] is a rigid view matrix in f64 and a projection. View space is right-handed with +Y up, and cameras look along -Z. Units
//! are meters and radians.

pub mod bounds;

use glam::{DAffine3, DMat3, DVec2, DVec3, Mat4};
use serde::{Deserialize, Serialize};

use bounds::Bounds;

/// A camera that the renderer draws with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Transform from world to view space, without scale.
    pub view_from_world: DAffine3,
    /// How view space is projected.
    pub projection: Projection,
    /// Distance of the near plane, in meters.
    pub znear: f64,
}

/// The aspect ratio of a viewport of this width and height. 1 if the viewport has no area.
pub fn aspect([width, height]: [f32; 2]) -> f64 {
    if width >= 1.0 && height >= 1.0 { f64::from(width) / f64::from(height) } else { 1.0 }
}

/// The projection of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Vertical field of view in radians, the ratio of width to height if the file sets one, and the distance of the far plane in meters
    /// if the file sets one.
    Perspective { yfov: f64, aspect_ratio: Option<f64>, zfar: Option<f64> },
    /// Half the height of the view, half its width if the file sets `xmag`, and the distance from near to far plane; in meters.
    Orthographic { ymag: f64, xmag: Option<f64>, depth: f64 },
}

impl Projection {
    /// Half the width and half the height of the view: in meters for orthographic cameras, in meters at a distance of one meter for
    /// perspective cameras.
    ///
    /// A view with a fixed aspect ratio is always shown whole and undistorted. A picture with another `aspect` shows more on two sides.
    pub fn half_extent(&self, aspect: f64) -> DVec2 {
        let (half, fixed) = match *self {
            Self::Perspective { yfov, aspect_ratio, .. } => ((yfov / 2.0).tan(), aspect_ratio),
            Self::Orthographic { ymag, xmag, .. } => (ymag, xmag.map(|xmag| xmag / ymag)),
        };
        // A picture that is narrower than the fixed ratio shows more above and below. A wider picture shows more at the sides.
        let up = half * fixed.map_or(1.0, |fixed| (fixed / aspect).max(1.0));
        DVec2::new(up * aspect, up)
    }
}

impl Camera {
    /// A camera at `eye` that looks at `target`, all in world space.
    pub fn look_at(eye: DVec3, target: DVec3, up: DVec3, projection: Projection, znear: f64) -> Self {
        let back = (eye - target).try_normalize().unwrap_or(DVec3::Z);
        let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
        let world_from_view = DAffine3 { matrix3: DMat3::from_cols(right, back.cross(right), back), translation: eye };
        Self { view_from_world: world_from_view.inverse(), projection, znear }
    }

    /// The position of the camera, in world space.
    pub fn eye(&self) -> DVec3 {
        self.view_from_world.inverse().translation
    }

    /// The matrix from view to clip space. x points right and y up, both from -1 to 1; depth is 1 at the near plane and 0 at the far
    /// plane, or at infinity without a far plane (reversed-Z).
    pub fn clip_from_view(&self, aspect: f64) -> Mat4 {
        let half = self.projection.half_extent(aspect).as_vec2();
        match self.projection {
            Projection::Perspective { zfar, .. } => {
                let yfov = 2.0 * half.y.atan();
                let mut clip = glam::camera::rh::proj::directx::perspective_infinite_reverse(yfov, half.x / half.y, self.znear as f32);
                if let Some(far) = zfar {
                    clip.z_axis.z = (self.znear / (far - self.znear)) as f32;
                    clip.w_axis.z = (self.znear * far / (far - self.znear)) as f32;
                }
                clip
            }
            Projection::Orthographic { depth, .. } => {
                let (near, far) = (self.znear, self.znear + depth);
                Mat4::from_cols_array_2d(&[
                    [1.0 / half.x, 0.0, 0.0, 0.0],
                    [0.0, 1.0 / half.y, 0.0, 0.0],
                    [0.0, 0.0, (1.0 / (far - near)) as f32, 0.0],
                    [0.0, 0.0, (far / (far - near)) as f32, 1.0],
                ])
            }
        }
    }

    /// The matrix from world positions relative to `anchor` to clip space. The anchor is a point near the model, so that f32 is precise
    /// enough.
    pub fn clip_from_anchored(&self, anchor: DVec3, aspect: f64) -> Mat4 {
        let view_from_anchored = self.view_from_world * DAffine3::from_translation(anchor);
        self.clip_from_view(aspect) * Mat4::from(view_from_anchored.as_affine3a())
    }
}

/// A camera that circles a focus without roll. Mouse, touchpad and keys control it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    /// The point that the camera looks at, in world space.
    pub focus: DVec3,
    /// Angle about +Y, in radians. At 0 the camera looks from +Z at the model's front.
    pub yaw: f64,
    /// Angle above the horizon, in radians, from -pi/2 to pi/2.
    pub pitch: f64,
    /// Distance from the focus to the eye, in meters.
    pub distance: f64,
    /// Vertical field of view, in radians. It also sets the height of an orthographic view.
    pub yfov: f64,
    /// Whether the projection is orthographic.
    pub orthographic: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            focus: DVec3::ZERO,
            yaw: 30f64.to_radians(),
            pitch: 15f64.to_radians(),
            distance: 5.0,
            yfov: 35f64.to_radians(),
            orthographic: false,
        }
    }
}

impl Orbit {
    /// The direction from the focus to the eye, of unit length.
    pub fn back(&self) -> DVec3 {
        DVec3::new(self.yaw.sin() * self.pitch.cos(), self.pitch.sin(), self.yaw.cos() * self.pitch.cos())
    }

    /// The direction to the right of the picture, of unit length.
    pub fn right(&self) -> DVec3 {
        DVec3::new(self.yaw.cos(), 0.0, -self.yaw.sin())
    }

    /// The direction to the top of the picture, of unit length.
    pub fn up(&self) -> DVec3 {
        self.back().cross(self.right())
    }

    /// The position of the camera, in world space.
    pub fn eye(&self) -> DVec3 {
        self.focus + self.back() * self.distance
    }

    /// Half the height of the view at the focus, in meters.
    pub fn half_height(&self) -> f64 {
        self.distance * (self.yfov / 2.0).tan()
    }

    /// The camera of this orbit for the renderer. `bounds` contains all that is shown, so that the near plane does not cut it off.
    pub fn camera(&self, bounds: &Bounds) -> Camera {
        let right = self.right();
        let (eye, projection, znear) = if self.orthographic {
            // The view volume starts far enough behind the eye to include all that is shown, and the grid. The ground lies at most two
            // radii below the center of the bounds.
            let grid = grid_reach(bounds, 2.0 * self.half_height()) + 2.0 * bounds.radius();
            let depth = 2.0 * (reach(self.focus, bounds) + self.distance.max(grid));
            (self.focus + self.back() * depth / 2.0, Projection::Orthographic { ymag: self.half_height(), xmag: None, depth }, 0.0)
        } else {
            let znear = near(self.eye(), self.focus, bounds);
            (self.eye(), Projection::Perspective { yfov: self.yfov, aspect_ratio: None, zfar: None }, znear)
        };
        let world_from_view = DAffine3 { matrix3: DMat3::from_cols(right, self.up(), self.back()), translation: eye };
        Camera { view_from_world: world_from_view.inverse(), projection, znear }
    }

    /// This orbit, moved without turning so that `bounds` fills the view. `aspect` is the picture's width over its height.
    pub fn fitted(&self, bounds: &Bounds, aspect: f64) -> Self {
        let half = (bounds.max - bounds.min) / 2.0;
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            bounds.center() + half * DVec3::new(sign(0), sign(1), sign(2))
        };
        self.fitted_to((0..8).map(corner), bounds.center(), aspect)
    }

    /// This orbit with the focus `center` and the same angles, as close as possible with all `points` in view.
    pub fn fitted_to(&self, points: impl Iterator<Item = DVec3>, center: DVec3, aspect: f64) -> Self {
        let (tan_y, tan_x) = ((self.yfov / 2.0).tan(), (self.yfov / 2.0).tan() * aspect);
        let (right, up, back) = (self.right(), self.up(), self.back());
        let margin = 1.08;
        // The result is the smallest distance at which every point is inside all four sides of the view.
        let mut distance = 0f64;
        for point in points {
            let point = point - center;
            let side = (point.dot(right).abs() / tan_x).max(point.dot(up).abs() / tan_y) * margin;
            let depth = if self.orthographic { 0.0 } else { point.dot(back) };
            distance = distance.max(side + depth);
        }
        // A single point fits at any distance.
        Self { focus: center, distance: if distance > 0.0 { distance } else { 1e-6 }, ..*self }
    }

    /// The same orbit, far enough away that at least `extent` meters around the focus are in view, in height and in width.
    pub fn with_surroundings(&self, extent: f64, aspect: f64) -> Self {
        let distance = extent / (2.0 * (self.yfov / 2.0).tan() * aspect.min(1.0));
        Self { distance: if distance.is_finite() { self.distance.max(distance) } else { self.distance }, ..*self }
    }
}

/// Distance of the near plane from an eye that looks at `focus`, in meters. The plane cuts off as little as possible of `bounds`, which
/// contains all that is shown.
pub fn near(eye: DVec3, focus: DVec3, bounds: &Bounds) -> f64 {
    // Outside the sphere around the bounds, use a twentieth of the distance to the sphere, because the ground reaches closer to the eye.
    // Inside, use a thousandth of the distance to the focus, so that the camera can come close to the model and depth stays precise. The
    // focus may be far behind the model, so the far side of the sphere limits this distance.
    let to_center = (eye - bounds.center()).length();
    let nearest = (to_center - bounds.radius()) * 0.05;
    nearest.max((eye - focus).length().min(to_center + bounds.radius()) * 1e-3).max(1e-12)
}

/// Distance from the center of the grid at which its lines have faded out, in meters: a few times the size of the model, or of the picture
/// if that is larger. `picture_height` is that at the model, in meters.
pub fn grid_reach(bounds: &Bounds, picture_height: f64) -> f64 {
    (bounds.radius().max(1e-6) * 6.0).max(picture_height * 4.0)
}

/// Distance from the focus to the far side of the sphere around `bounds`, in meters.
fn reach(focus: DVec3, bounds: &Bounds) -> f64 {
    (bounds.center() - focus).length() + bounds.radius()
}
