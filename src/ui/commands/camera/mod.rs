//! Camera commands for keys and the mouse. `session::camera::orbit_controls` computes the moves.

pub mod bookmarks;
pub mod view_presets;

use glam::DVec2;

use crate::camera::{self, Orbit};
use crate::session::camera::lens;
use crate::session::camera::orbit_controls::{self, StandardView};
use crate::session::camera::view_camera;
use crate::session::view::ViewCamera;
use crate::ui::context::Context;
use crate::ui::context::request::Request;

/// An orbit that shows the same picture as the current camera, before the view moves it along with the followed node.
pub fn orbit(context: &Context) -> Orbit {
    // Only a camera of the file can move with the pose.
    let posed = match context.view.camera {
        ViewCamera::File(_) => context.subject().posed_with_known_roots(context.transport.moment()),
        ViewCamera::Fit | ViewCamera::Orbit(_) => context.document.rig().posed(),
    };
    orbit_controls::orbit(context.subject(), &posed, aspect(context))
}

/// Changes the orbit of the camera. If a camera of the file is in use, the orbit starts at its position.
pub fn change_orbit(context: &mut Context, change: impl FnOnce(&Orbit) -> Orbit) {
    let orbit = match context.view.camera {
        ViewCamera::Orbit(orbit) => orbit,
        ViewCamera::Fit | ViewCamera::File(_) => orbit(context),
    };
    context.view.camera = ViewCamera::Orbit(change(&orbit));
    // A user who moves the camera no longer needs the hint about navigation.
    context.preferences.hint_seen = true;
}

/// Fits the view to these nodes (source indices), or to the whole model if the list is empty.
pub fn fit(context: &mut Context, nodes: Vec<usize>) {
    context.requests.push(Request::Fit { nodes });
    context.preferences.hint_seen = true;
}

/// Fits the view to a node (source index) and its surroundings.
pub fn fit_around(context: &mut Context, node: usize) {
    context.requests.push(Request::FitAround { node });
    context.preferences.hint_seen = true;
}

/// Turns the camera around the focus, by angles in radians.
pub fn turn(context: &mut Context, right: f64, up: f64) {
    change_orbit(context, |orbit| orbit_controls::turn(orbit, right, up));
}

/// Moves the camera by fractions of the height of the view.
pub fn pan(context: &mut Context, right: f64, up: f64) {
    change_orbit(context, |orbit| orbit_controls::pan(orbit, DVec2::new(right, up)));
}

/// Moves the camera closer to the focus by this factor.
pub fn zoom(context: &mut Context, factor: f64) {
    change_orbit(context, |orbit| orbit_controls::zoom(orbit, factor, DVec2::ZERO));
}

/// Looks along one of the six standard directions.
pub fn look(context: &mut Context, side: StandardView) {
    change_orbit(context, |orbit| orbit_controls::look(orbit, side));
}

/// Switches between perspective and orthographic projection.
pub fn toggle_orthographic(context: &mut Context) {
    change_orbit(context, |orbit| Orbit { orthographic: !orbit.orthographic, ..*orbit });
}

/// The vertical field of view of the current camera, in radians.
pub fn yfov(context: &Context) -> f64 {
    match context.view.camera {
        ViewCamera::Orbit(orbit) => orbit.yfov,
        ViewCamera::Fit => Orbit::default().yfov,
        ViewCamera::File(_) => orbit(context).yfov,
    }
}

/// Sets the focal length of the free camera, in millimeters.
pub fn set_focal_length(context: &mut Context, focal_length: f64) {
    change_orbit(context, |orbit| lens::with_focal_length(orbit, focal_length));
}

/// Switches to the next camera that a node of the file carries, and from the last one to the camera that fits the model.
pub fn next(context: &mut Context) {
    let first = match context.view.camera {
        ViewCamera::File(camera) => camera + 1,
        ViewCamera::Fit | ViewCamera::Orbit(_) => 0,
    };
    let next = carried(context).into_iter().find(|&camera| camera >= first);
    context.view.camera = next.map_or(ViewCamera::Fit, ViewCamera::File);
}

/// The cameras that a node of the file carries. The others have no place in the scene.
pub fn carried(context: &Context) -> Vec<usize> {
    let model = &context.document.model;
    // The inspector asks in every frame, and most files have many nodes and no camera.
    if model.cameras.is_empty() {
        return Vec::new();
    }
    let mut cameras: Vec<_> = model.nodes.iter().filter_map(|node| node.camera).collect();
    cameras.sort_unstable();
    cameras.dedup();
    cameras
}

/// The aspect ratio of the viewport.
pub fn aspect(context: &Context) -> f64 {
    camera::aspect(context.status.statistics.viewport)
}

/// The label of a camera of the file: its name. If it has none, the name of its node. If the node has none either, the index of the camera.
pub fn label(context: &Context, camera: usize) -> String {
    let model = &context.document.model;
    let named = model.cameras.get(camera).and_then(|camera| camera.name.as_deref()).filter(|name| !name.trim().is_empty());
    let node = || view_camera::camera_node(model, context.view, camera).and_then(|node| model.nodes[node].name.as_deref());
    crate::model::label::text(named.or_else(node), "camera", camera)
}
