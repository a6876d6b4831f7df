//! The camera of a frame under a person's hands, by key or by mouse. The moves themselves are in [`navigate`].

use glam::DVec2;

use crate::camera::Orbit;
use crate::session::camera::orbit_controls::{self, Side};
use crate::session::view::ViewCamera;
use crate::ui::{Context, Request};

/// The orbit that sees what is seen now, whatever camera that is.
pub fn orbit(frame: &Context) -> Orbit {
    // Only a camera of the file stands where the pose has it.
    let posed = match frame.view.camera {
        ViewCamera::File(_) => frame.subject().posed_with_known_roots(frame.transport.moment()),
        ViewCamera::Fit | ViewCamera::Orbit(_) => frame.document.rig().posed(),
    };
    orbit_controls::orbit(frame.subject(), &posed, aspect(frame))
}

/// Changes the orbit; a file's camera is left by it.
pub fn steer(frame: &mut Context, change: impl FnOnce(&Orbit) -> Orbit) {
    let orbit = match frame.view.camera {
        ViewCamera::Orbit(orbit) => orbit,
        ViewCamera::Fit | ViewCamera::File(_) => orbit(frame),
    };
    frame.view.camera = ViewCamera::Orbit(change(&orbit));
    frame.state.preferences.hint_seen = true;
}

/// These nodes (the file's indices), or everything.
pub fn fit(frame: &mut Context, nodes: Vec<usize>) {
    frame.commands.push(Request::Fit { nodes });
    frame.state.preferences.hint_seen = true;
}

/// Radians: to the right and up around the focus.
pub fn turn(frame: &mut Context, right: f64, up: f64) {
    steer(frame, |orbit| orbit_controls::turn(orbit, right, up));
}

/// Moves the camera by fractions of the height of the view.
pub fn pan(frame: &mut Context, right: f64, up: f64) {
    steer(frame, |orbit| orbit_controls::pan(orbit, DVec2::new(right, up)));
}

/// Nearer by this factor, towards the focus.
pub fn zoom(frame: &mut Context, factor: f64) {
    steer(frame, |orbit| orbit_controls::zoom(orbit, factor, DVec2::ZERO));
}

pub fn look(frame: &mut Context, side: Side) {
    steer(frame, |orbit| orbit_controls::look(orbit, side));
}

/// Width over height of the viewport.
pub fn aspect(frame: &Context) -> f64 {
    let [width, height] = frame.state.statistics.viewport.map(f64::from);
    if width > 0.0 && height > 0.0 { width / height } else { 1.0 }
}
