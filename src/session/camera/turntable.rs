//! The camera once around: from the view's camera to an orbit that turns about its focus.

use std::f64::consts::TAU;

use crate::camera::Orbit;
use crate::session::document::Document;
use crate::session::pose::solve;
use crate::session::view::{View, ViewCamera};

use super::{orbit_controls, view_camera};

/// So many directions are looked from to find the distance at which nothing leaves the picture.
const DIRECTIONS: u32 = 48;

/// Where the turn begins: the view's camera at `time`. A fitted one stands back until everything stays in view all around.
pub fn orbit(document: &Document, view: &View, time: f64, aspect: f64) -> Orbit {
    if view.camera == ViewCamera::Fit {
        let fitted = view_camera::fitted(document, view, &Orbit::default(), aspect);
        let directions = (0..DIRECTIONS).map(|i| turned(&fitted, f64::from(i) / f64::from(DIRECTIONS)));
        let farthest = directions.map(|orbit| view_camera::fitted(document, view, &orbit, aspect).distance).fold(fitted.distance, f64::max);
        return Orbit { distance: farthest, ..fitted };
    }
    let mut posed = document.posed();
    solve::pose(&document.model, view, time, &mut posed);
    orbit_controls::orbit(document, view, &posed, aspect)
}

/// `turn` of the way around, from 0 to 1.
pub fn turned(orbit: &Orbit, turn: f64) -> Orbit {
    Orbit { yaw: orbit.yaw + turn * TAU, ..*orbit }
}
