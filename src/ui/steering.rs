//! The camera under a person's hands, by mouse or by key: the orbit that sees what is seen now, and the ways to move it.

use glam::DVec3;

use crate::camera::{Camera, Orbit, Projection};
use crate::session::eye;
use crate::session::posing::{self, Posed};
use crate::session::view::ViewCamera;

use super::Frame;

/// Zooming stops here, so that no sum of wheel turns ends at zero or infinity.
const DISTANCES: [f64; 2] = [1e-6, 1e12];

/// The orbit that sees what is seen now, whatever camera that is.
pub fn orbit(frame: &Frame) -> Orbit {
    let (document, bounds) = (frame.document, &frame.document.bounds);
    let fitted = || Orbit::default().fitted(bounds, aspect(frame));
    match frame.view.camera {
        ViewCamera::Orbit(orbit) => orbit,
        ViewCamera::Fit => fitted(),
        ViewCamera::File(_) => {
            let mut posed = Posed::new(&document.model);
            posing::pose(&document.model, frame.view, frame.transport.time(), &mut posed);
            let camera = eye::camera(&document.model, frame.view, &posed, bounds, aspect(frame));
            along(&camera, (camera.eye() - bounds.center()).dot(back(&camera)), fitted().distance)
        }
    }
}

/// Changes the orbit; a file's camera is left by it.
pub fn steer(frame: &mut Frame, change: impl FnOnce(&mut Orbit)) {
    let mut orbit = orbit(frame);
    change(&mut orbit);
    let limit = std::f64::consts::FRAC_PI_2;
    orbit.pitch = orbit.pitch.clamp(-limit, limit);
    orbit.yaw = orbit.yaw.rem_euclid(std::f64::consts::TAU);
    orbit.distance = orbit.distance.clamp(DISTANCES[0], DISTANCES[1]);
    frame.view.camera = ViewCamera::Orbit(orbit);
}

/// Radians: to the right and up around the focus.
pub fn turn(frame: &mut Frame, right: f64, up: f64) {
    steer(frame, |orbit| {
        orbit.yaw += right;
        orbit.pitch += up;
    });
}

/// Moves the camera by fractions of the height of the view.
pub fn pan(frame: &mut Frame, right: f64, up: f64) {
    steer(frame, |orbit| {
        let height = 2.0 * orbit.half_height();
        orbit.focus += (orbit.right() * right + orbit.up() * up) * height;
    });
}

/// Nearer by this factor, towards the focus.
pub fn zoom(frame: &mut Frame, factor: f64) {
    steer(frame, |orbit| orbit.distance /= factor);
}

/// Width over height of the viewport.
pub fn aspect(frame: &Frame) -> f64 {
    let [width, height] = frame.state.statistics.viewport.map(f64::from);
    if width > 0.0 && height > 0.0 { width / height } else { 1.0 }
}

/// From what the camera sees towards it.
fn back(camera: &Camera) -> DVec3 {
    camera.view_from_world.inverse().matrix3.z_axis
}

/// An orbit with the camera's place and direction. `distance`: to the focus; behind the eye there is nothing to turn about.
fn along(camera: &Camera, distance: f64, otherwise: f64) -> Orbit {
    let back = back(camera);
    let mut orbit = Orbit { yaw: back.x.atan2(back.z), pitch: back.y.clamp(-1.0, 1.0).asin(), ..Orbit::default() };
    orbit.distance = if distance > DISTANCES[0] { distance } else { otherwise };
    match camera.projection {
        Projection::Perspective { yfov, .. } => orbit.yfov = yfov,
        Projection::Orthographic { ymag, .. } => {
            orbit.orthographic = true;
            orbit.distance = ymag / (orbit.yfov / 2.0).tan();
        }
    }
    orbit.focus = camera.eye() - back * orbit.distance;
    orbit
}
