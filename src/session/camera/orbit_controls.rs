//! Orbit controls: turn, pan, zoom and standard views of a camera that circles a focus without roll.
//!
//! Mouse, touchpad, keys and the gizmo all use these functions, and so does a turntable clip.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec2, DVec3};

use crate::camera::bounds::Bounds;
use crate::camera::{Camera, Orbit, Projection};
use crate::model::node::NodeIndex;
use crate::session::analyses::Subject;
use crate::session::bounds;
use crate::session::locomotion::root_motion;
use crate::session::pose::solve::Posed;
use crate::session::view::ViewCamera;

use super::view_camera;

/// Minimum and maximum distance from the focus, in meters. The limits keep repeated wheel turns from ending at zero or infinity.
pub const DISTANCES: [f64; 2] = [1e-9, 1e12];

/// Number of directions for which the distance of a turntable is fitted.
const TURNTABLE_DIRECTIONS: u32 = 48;

/// A standard view, named by the side that the camera is on. Left and right are meant as seen in the front view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandardView {
    /// The view from +Z, at the model's face.
    Front,
    /// The view from +X.
    Right,
    /// The view from +Y, with the front at the bottom.
    Top,
    /// The view from -Z.
    Back,
    /// The view from -X.
    Left,
    /// The view from -Y.
    Bottom,
}

/// The orbit with the same picture as the view's camera, before [`view_camera::following`] moves it along with the followed node.
/// `aspect` is the viewport's width over its height.
pub fn orbit(subject: Subject, posed: &Posed, aspect: f64) -> Orbit {
    let Subject { document, analyses, view } = subject;
    let fitted = || view_camera::fitted(analyses, view, &Orbit::default(), aspect);
    match view.camera {
        ViewCamera::Orbit(orbit) => orbit,
        ViewCamera::Fit => fitted(),
        ViewCamera::File(index) => match view_camera::camera_node(&document.model, view, index) {
            Some(_) => {
                let orbit = along(&view_camera::camera(subject, posed, aspect), &analyses.bounds, fitted().distance);
                shifted(&orbit, -view_camera::followed(document, view.follow, posed))
            }
            None => fitted(),
        },
    }
}

/// The view's camera, fitted to these nodes or, if there are none, to the model in the whole animation. At least `surroundings` stays in
/// view around the nodes, as a fraction of the model's size. The direction of view does not change.
pub fn framing(subject: Subject, posed: &Posed, aspect: f64, nodes: &[NodeIndex], surroundings: f64) -> ViewCamera {
    let Subject { document, analyses, view } = subject;
    let orbit = orbit(subject, posed, aspect);
    let fitted = if nodes.is_empty() {
        view_camera::fitted(analyses, view, &orbit, aspect)
    } else {
        let bounds = bounds::nodes_bounds(&document.model, &document.mesh_bounds, posed, nodes, &analyses.bounds);
        let size = root_motion::size(&document.model, &document.compiled);
        orbit.fitted(&bounds, aspect).with_surroundings(surroundings * size, aspect)
    };
    // The view stores the focus relative to the point that the camera follows.
    ViewCamera::Orbit(shifted(&fitted, -view_camera::followed(document, view.follow, posed)))
}

/// The camera and the followed node of a view that starts to follow `node`, or stops following if `None`. The picture stays the same.
pub fn follow(subject: Subject, posed: &Posed, aspect: f64, node: Option<usize>) -> (ViewCamera, Option<usize>) {
    let Subject { document, view, .. } = subject;
    let orbit = orbit(subject, posed, aspect);
    // The offset of the followed node is added to the focus when the picture is drawn. Adding the offset of the old node and subtracting
    // that of the new node keeps the camera where it is.
    let offset = view_camera::followed(document, view.follow, posed) - view_camera::followed(document, node, posed);
    (ViewCamera::Orbit(shifted(&orbit, offset)), node)
}

/// The orbit where a turntable begins: the view's camera in this pose. A camera that fits the model steps back until everything stays
/// in view all the way around.
pub fn turntable(subject: Subject, posed: &Posed, aspect: f64) -> Orbit {
    let Subject { analyses, view, .. } = subject;
    if view.camera != ViewCamera::Fit {
        return orbit(subject, posed, aspect);
    }
    let fitted = view_camera::fitted(analyses, view, &Orbit::default(), aspect);
    let directions = (0..TURNTABLE_DIRECTIONS).map(|i| turned(&fitted, f64::from(i) / f64::from(TURNTABLE_DIRECTIONS)));
    let distances = directions.map(|orbit| view_camera::fitted(analyses, view, &orbit, aspect).distance);
    Orbit { distance: distances.fold(fitted.distance, f64::max), ..fitted }
}

/// The orbit of a turntable after a part of its turn, from 0 to 1.
pub fn turned(orbit: &Orbit, turn: f64) -> Orbit {
    Orbit { yaw: orbit.yaw + turn * TAU, ..*orbit }
}

/// The same orbit with its focus moved by an offset in world space, in meters.
fn shifted(orbit: &Orbit, offset: DVec3) -> Orbit {
    Orbit { focus: orbit.focus + offset, ..*orbit }
}

/// The orbit at the camera's position that looks in the same direction, without roll.
///
/// With perspective, the focus is as far away as the center of `bounds`. If the center lies behind the eye or nearer than the near plane,
/// the focus is `fallback_distance` meters away. Without perspective, the focus is at the distance at which the orbit shows the same
/// height.
fn along(camera: &Camera, bounds: &Bounds, fallback_distance: f64) -> Orbit {
    let axes = camera.view_from_world.inverse().matrix3;
    let (right, back) = (axes.x_axis, axes.z_axis);
    // If the camera looks straight up or down, only the right axis gives the yaw.
    let yaw = if back.x.hypot(back.z) > 1e-6 { back.x.atan2(back.z) } else { (-right.z).atan2(right.x) };
    let mut orbit = Orbit { yaw: yaw.rem_euclid(TAU), pitch: back.y.clamp(-1.0, 1.0).asin(), ..Orbit::default() };
    let distance = (camera.eye() - bounds.center()).dot(back);
    orbit.distance = if distance > camera.znear.max(DISTANCES[0]) { distance } else { fallback_distance };
    match camera.projection {
        Projection::Perspective { yfov, .. } => orbit.yfov = yfov,
        Projection::Orthographic { ymag, .. } => {
            orbit.orthographic = true;
            // An orbit has a distance even without perspective: the one at which its field of view shows the same height.
            orbit.distance = ymag / (orbit.yfov / 2.0).tan();
        }
    }
    orbit.focus = camera.eye() - orbit.back() * orbit.distance;
    orbit
}

/// Turns the camera around the focus by angles in radians: to the right and up. The camera stops straight above and straight below the
/// focus.
pub fn turn(orbit: &Orbit, right: f64, up: f64) -> Orbit {
    Orbit { yaw: (orbit.yaw + right).rem_euclid(TAU), pitch: (orbit.pitch + up).clamp(-FRAC_PI_2, FRAC_PI_2), ..*orbit }
}

/// Moves the focus to the right and up by `by`, in units of the viewport's height.
pub fn pan(orbit: &Orbit, by: DVec2) -> Orbit {
    let height = 2.0 * orbit.half_height();
    Orbit { focus: orbit.focus + (orbit.right() * by.x + orbit.up() * by.y) * height, ..*orbit }
}

/// Moves the camera closer by `factor`. The point under `at`, at the depth of the focus, keeps its position on the screen. `at` is measured
/// to the right and up from the middle of the viewport, in units of the viewport's height. A factor that is not positive changes nothing.
pub fn zoom(orbit: &Orbit, factor: f64, at: DVec2) -> Orbit {
    if factor.is_nan() || factor <= 0.0 {
        return *orbit;
    }
    let distance = (orbit.distance / factor).clamp(DISTANCES[0], DISTANCES[1]);
    // The point under `at` stays where it is, and the focus moves towards it by the same factor as the eye.
    let kept = pan(orbit, at).focus;
    Orbit { focus: kept + (orbit.focus - kept) * (distance / orbit.distance), distance, ..*orbit }
}

/// A standard view of the same focus from the same distance.
pub fn look(orbit: &Orbit, side: StandardView) -> Orbit {
    let (yaw, pitch) = match side {
        StandardView::Front => (0.0, 0.0),
        StandardView::Right => (FRAC_PI_2, 0.0),
        StandardView::Top => (0.0, FRAC_PI_2),
        StandardView::Back => (PI, 0.0),
        StandardView::Left => (3.0 * FRAC_PI_2, 0.0),
        StandardView::Bottom => (0.0, -FRAC_PI_2),
    };
    Orbit { yaw, pitch, ..*orbit }
}

impl StandardView {
    /// Every side, in the order of declaration.
    pub const ALL: [Self; 6] = [Self::Front, Self::Right, Self::Top, Self::Back, Self::Left, Self::Bottom];

    /// The direction from the model towards the eye, of unit length.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::Front => DVec3::Z,
            Self::Right => DVec3::X,
            Self::Top => DVec3::Y,
            Self::Back => DVec3::NEG_Z,
            Self::Left => DVec3::NEG_X,
            Self::Bottom => DVec3::NEG_Y,
        }
    }

    /// The name, as in "Right view".
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Right => "Right",
            Self::Top => "Top",
            Self::Back => "Back",
            Self::Left => "Left",
            Self::Bottom => "Bottom",
        }
    }

    /// The opposite side.
    pub fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Right => Self::Left,
            Self::Top => Self::Bottom,
            Self::Back => Self::Front,
            Self::Left => Self::Right,
            Self::Bottom => Self::Top,
        }
    }
}
