//! Maps mouse and touchpad input to camera moves: what each button does in each navigation preset, and how far a drag moves the camera. The
//! functions for moves return a new orbit.

use std::f64::consts::TAU;

use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Rect, Vec2};
use glam::DVec2;

use crate::camera::Orbit;
use crate::model::label;
use crate::session::camera::orbit_controls;
use crate::ui::context::preferences::Navigation;

use super::keys;

/// Zoom factor of one wheel step.
const WHEEL_ZOOM_FACTOR: f64 = 1.1;
/// Length of a zooming drag that halves the distance of the camera, in points.
const HALVING_DRAG_LENGTH: f64 = 150.0;
/// Scroll distance that counts as one wheel step, in points.
const POINTS_PER_WHEEL_STEP: f64 = 50.0;

/// The effect of a drag: it moves the camera or selects nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gesture {
    Orbit,
    Pan,
    Zoom,
    /// Selects the nodes inside a box.
    Select,
}

const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const NONE: Modifiers = Modifiers::NONE;

/// The gestures of each preset. If a preset has several rows for a button, the first row whose modifiers are all held is used.
const DRAGS: [(Navigation, PointerButton, Modifiers, Gesture); 13] = [
    (Navigation::Sinew, PointerButton::Primary, CTRL, Gesture::Select),
    (Navigation::Sinew, PointerButton::Primary, SHIFT, Gesture::Pan),
    (Navigation::Sinew, PointerButton::Primary, NONE, Gesture::Orbit),
    (Navigation::Sinew, PointerButton::Middle, NONE, Gesture::Pan),
    (Navigation::Sinew, PointerButton::Secondary, NONE, Gesture::Pan),
    (Navigation::Blender, PointerButton::Middle, CTRL, Gesture::Zoom),
    (Navigation::Blender, PointerButton::Middle, SHIFT, Gesture::Pan),
    (Navigation::Blender, PointerButton::Middle, NONE, Gesture::Orbit),
    (Navigation::Blender, PointerButton::Primary, NONE, Gesture::Select),
    (Navigation::Maya, PointerButton::Primary, ALT, Gesture::Orbit),
    (Navigation::Maya, PointerButton::Middle, ALT, Gesture::Pan),
    (Navigation::Maya, PointerButton::Secondary, ALT, Gesture::Zoom),
    (Navigation::Maya, PointerButton::Primary, NONE, Gesture::Select),
];

/// The gesture of a drag with this button. `None` if it does nothing.
pub fn gesture(navigation: Navigation, button: PointerButton, modifiers: Modifiers) -> Option<Gesture> {
    let applies =
        |drag: &&(Navigation, PointerButton, Modifiers, Gesture)| drag.0 == navigation && drag.1 == button && modifiers.contains(drag.2);
    DRAGS.iter().find(applies).map(|drag| drag.3)
}

/// Describes the gestures of a preset: the effect and the input ("Orbit", "Alt+left drag"). Sorted by effect: moves of the camera come
/// before the selection. Among drags with the same effect, those without a modifier come first.
pub fn gestures(navigation: Navigation) -> impl Iterator<Item = (&'static str, String)> {
    let mut drags: Vec<_> = DRAGS.iter().filter(|drag| drag.0 == navigation).collect();
    drags.sort_by_key(|drag| (drag.3, drag.2 != NONE));
    drags.into_iter().map(|(_, button, modifiers, gesture)| {
        let button = match button {
            PointerButton::Middle => "middle",
            PointerButton::Secondary => "right",
            _ => "left",
        };
        let effect = match gesture {
            Gesture::Orbit => "Orbit",
            Gesture::Pan => "Pan",
            Gesture::Zoom => "Zoom",
            Gesture::Select => "Box select",
        };
        (effect, label::capitalized(&format!("{}{button} drag", keys::held(*modifiers))))
    })
}

/// Describes the gestures of a preset in one line: "Left drag: orbit. Middle drag: pan."
pub fn buttons(navigation: Navigation) -> String {
    let sentences = gestures(navigation).map(|(effect, input)| format!("{input}: {}.", effect.to_lowercase()));
    sentences.collect::<Vec<_>>().join(" ")
}

/// The navigation hint for new users.
pub fn hint(navigation: Navigation) -> &'static str {
    match navigation {
        Navigation::Sinew => "Drag to orbit, right-drag to pan, scroll to zoom",
        Navigation::Blender => "Middle-drag to orbit, Shift+middle-drag to pan, scroll to zoom",
        Navigation::Maya => "Alt+drag to orbit, Alt+middle-drag to pan, scroll to zoom",
    }
}

/// The orbit after a drag by `delta` points in a viewport of this size. Dragging across the whole width orbits by a full turn. A pan moves
/// the scene at the depth of the focus by the same distance as the pointer.
pub fn drag(orbit: &Orbit, gesture: Gesture, delta: Vec2, size: Vec2) -> Orbit {
    let (x, y) = (f64::from(delta.x), f64::from(delta.y));
    match gesture {
        Gesture::Orbit => {
            let radians = TAU / f64::from(size.x.max(1.0));
            orbit_controls::turn(orbit, -x * radians, y * radians)
        }
        Gesture::Pan => orbit_controls::pan(orbit, DVec2::new(-x, y) / f64::from(size.y.max(1.0))),
        Gesture::Zoom => orbit_controls::zoom(orbit, ((x - y) / HALVING_DRAG_LENGTH).exp2(), DVec2::ZERO),
        Gesture::Select => *orbit,
    }
}

/// The orbit after a scroll event at the pointer. `None` for other events. The wheel zooms. On a touchpad, scrolling orbits, Shift
/// pans, and Ctrl or pinching zooms.
pub fn scroll(orbit: &Orbit, event: &Event, pointer: egui::Pos2, viewport: Rect) -> Option<Orbit> {
    // A zoom keeps the point under the pointer in place. This is its position relative to the center, in viewport heights, with y up.
    let from_center = (pointer - viewport.center()) / viewport.height().max(1.0);
    let fixed_point = DVec2::new(f64::from(from_center.x), -f64::from(from_center.y));
    match event {
        Event::Zoom(factor) => Some(orbit_controls::zoom(orbit, f64::from(*factor), fixed_point)),
        Event::MouseWheel { unit: MouseWheelUnit::Point, source, delta, modifiers, .. } if *source != MouseWheelSource::Wheel => {
            Some(if modifiers.command {
                orbit_controls::zoom(orbit, (f64::from(delta.y) / HALVING_DRAG_LENGTH).exp2(), fixed_point)
            } else if modifiers.shift {
                drag(orbit, Gesture::Pan, *delta, viewport.size())
            } else {
                drag(orbit, Gesture::Orbit, *delta, viewport.size())
            })
        }
        Event::MouseWheel { unit, delta, .. } => {
            // Some wheels report points instead of steps. With Shift, some systems report vertical scrolling as horizontal.
            let steps = f64::from(delta.x + delta.y) / if *unit == MouseWheelUnit::Point { POINTS_PER_WHEEL_STEP } else { 1.0 };
            Some(orbit_controls::zoom(orbit, WHEEL_ZOOM_FACTOR.powf(steps.clamp(-20.0, 20.0)), fixed_point))
        }
        _ => None,
    }
}
