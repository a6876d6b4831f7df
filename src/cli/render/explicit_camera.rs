//! Computes the camera that `--eye`, `--target`, `--up`, and `--yfov` or `--focal-length` describe, for pictures and clips.

use std::f64::consts::TAU;

use glam::{DAffine3, DVec3};

use crate::camera::bounds::Bounds;
use crate::camera::{self, Camera, Projection};
use crate::session::camera::lens;

use crate::cli::args::render::RenderArgs;
use crate::cli::args::values::Triple;

/// Errors with a message if the flags give the camera no direction.
pub fn check_direction(args: &RenderArgs) -> Result<(), String> {
    let has_direction = |vector: DVec3| vector.try_normalize().is_some();
    if let (Some(Triple(eye)), Some(Triple(target))) = (args.eye, args.target)
        && !has_direction(eye - target)
    {
        return Err(match eye == target {
            true => "--eye and --target are the same point, so the camera looks nowhere".into(),
            false => "--eye and --target are too far apart or too close together to tell where the camera looks".into(),
        });
    }
    if args.up.is_some_and(|Triple(up)| !has_direction(up)) {
        return Err("--up must have a direction, as in 0,1,0".into());
    }
    Ok(())
}

/// The camera of the flags, turned around its target by `turn` revolutions. `None` without the flags. `bounds` determines the near plane
/// of the camera.
pub fn explicit_camera(args: &RenderArgs, bounds: &Bounds, turn: f64) -> Option<Camera> {
    let yfov = args.yfov.map(f64::to_radians).or_else(|| args.focal_length.map(lens::yfov));
    let (Triple(eye), Triple(target), yfov) = (args.eye?, args.target?, yfov?);
    let up = args.up.map_or(DVec3::Y, |Triple(up)| up);
    let axis = up.try_normalize().unwrap_or(DVec3::Y);
    let turned = DAffine3::from_translation(target) * DAffine3::from_axis_angle(axis, turn * TAU) * DAffine3::from_translation(-target);
    let znear = camera::near(turned.transform_point3(eye), target, bounds);
    let projection = Projection::Perspective { yfov, aspect_ratio: None, zfar: None };
    let camera = Camera::look_at(eye, target, up, projection, znear);
    // The whole camera turns, not only its eye: an eye on the axis stays where it is.
    Some(Camera { view_from_world: camera.view_from_world * turned.inverse(), ..camera })
}
