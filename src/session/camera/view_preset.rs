//! View presets: display settings and a camera that can be applied to any file. The camera is relative to the size of the model.

use serde::{Deserialize, Serialize};

use crate::camera::Orbit;
use crate::camera::bounds::Bounds;
use crate::session::saved_list::plain_name;
use crate::session::view::display::Display;
use crate::session::view::{View, ViewCamera};

use super::bookmarks::is_usable;

/// Maximum number of presets.
pub const MAX_PRESETS: usize = 30;

/// Saved display settings and a camera, to be applied to any model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewPreset {
    pub name: String,
    /// Shading, light and overlays. The crowd and the material variant are left out, because they suit one file only.
    pub display: Display,
    /// The free camera. Its focus is relative to the center of the model's bounds; focus and distance are in radii of the bounds.
    pub orbit: Orbit,
}

impl ViewPreset {
    /// The preset of a view with a free camera.
    pub fn new(name: &str, view: &View, orbit: &Orbit, bounds: &Bounds) -> Self {
        let radius = radius(bounds);
        let orbit = Orbit { focus: (orbit.focus - bounds.center()) / radius, distance: orbit.distance / radius, ..*orbit };
        let display = Display { crowd: 1, variant: None, ..view.display.clone() };
        Self { name: plain_name(name), display, orbit }
    }

    /// Applies the preset to the view of a model with these bounds.
    pub fn apply(&self, view: &mut View, bounds: &Bounds) {
        let radius = radius(bounds);
        let orbit = Orbit { focus: self.orbit.focus * radius + bounds.center(), distance: self.orbit.distance * radius, ..self.orbit };
        view.display = Display { crowd: view.display.crowd, variant: view.display.variant, ..self.display.clone() };
        if is_usable(&orbit) {
            view.camera = ViewCamera::Orbit(orbit);
            // The focus is not relative to a followed node.
            view.follow = None;
        }
    }
}

/// Drops the presets of a settings file that exceed the limit or have an invalid camera, and shortens names.
pub fn check(presets: &mut Vec<ViewPreset>) {
    presets.retain(|preset| is_usable(&preset.orbit));
    presets.truncate(MAX_PRESETS);
    for preset in presets {
        preset.name = plain_name(&preset.name);
    }
}

/// The radius of the bounds, in meters. For a model without size, this is one meter.
fn radius(bounds: &Bounds) -> f64 {
    Some(bounds.radius()).filter(|radius| radius.is_finite() && *radius > 0.0).unwrap_or(1.0)
}
