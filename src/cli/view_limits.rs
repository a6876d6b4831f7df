//! Limits the numbers of a view file to the values that docs/view-file.md lists, so that every command shows what the window could show.

use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt::Display;

use crate::numbers;
use crate::session::motion::trail::MIN_WINDOW;
use crate::session::pose::crowd::MAX_MEMBERS;
use crate::session::pose::onion_skin::{MAX_GHOSTS_PER_SIDE, STEPS};
use crate::session::time::clip::RATES;
use crate::session::time::transport::MAX_FADE;
use crate::session::view::{View, ViewCamera};

/// Replaces numbers outside their limits by the nearest ones. Returns a text for each of them, which begins with its key. Errors with the
/// key and the reason if the nearest number would not be a sensible one.
pub fn apply(view: &mut View) -> Result<Vec<String>, String> {
    let mut limits = Limits::default();
    limits.range("range", &mut view.range)?;
    if let Some(rate) = &mut view.rate {
        limits.clamp("rate", rate, RATES);
    }
    limits.clamp("cross_fade", &mut view.cross_fade, [0.0, MAX_FADE]);
    for (number, layer) in view.layers.iter_mut().enumerate() {
        limits.clamp(format_args!("layers.{number}.weight"), &mut layer.weight, [0.0, 1.0]);
        limits.range(format_args!("layers.{number}.range"), &mut layer.range)?;
    }
    for (node, weights) in &view.morphs {
        for (target, weight) in weights {
            check_size(format_args!("morphs.{node}.{target}"), *weight)?;
        }
    }
    if let ViewCamera::Orbit(orbit) = &mut view.camera {
        // The nearest field of view and the nearest distance would show nothing.
        if !(orbit.yfov > 0.0 && orbit.yfov < PI) {
            return Err("camera.orbit.yfov: expected radians, more than 0 and less than pi".into());
        }
        if orbit.distance <= 0.0 {
            return Err("camera.orbit.distance: expected more than 0".into());
        }
        // Users write 1.5708 for a right angle.
        if (FRAC_PI_2..FRAC_PI_2 + 1e-4).contains(&orbit.pitch.abs()) {
            orbit.pitch = FRAC_PI_2.copysign(orbit.pitch);
        }
        limits.clamp("camera.orbit.pitch", &mut orbit.pitch, [-FRAC_PI_2, FRAC_PI_2]);
    }
    let display = &mut view.display;
    check_size("display.environment.rotation", display.environment.rotation)?;
    limits.clamp("display.environment.blur", &mut display.environment.blur, [0.0, 1.0]);
    check_size("display.exposure", display.exposure)?;
    if let Some(window) = &mut display.trail.window {
        limits.clamp("display.trail.window", window, [MIN_WINDOW, f64::INFINITY]);
    }
    limits.clamp("display.ghosts.before", &mut display.ghosts.before, [0, MAX_GHOSTS_PER_SIDE]);
    limits.clamp("display.ghosts.after", &mut display.ghosts.after, [0, MAX_GHOSTS_PER_SIDE]);
    limits.clamp("display.ghosts.step", &mut display.ghosts.step, STEPS);
    limits.clamp("display.contact_sensitivity", &mut display.contact_sensitivity, [0.0, 1.0]);
    limits.clamp("display.crowd", &mut display.crowd, [1, MAX_MEMBERS]);
    Ok(limits.changes)
}

/// Errors if a number of the file is too large for single precision.
fn check_size(key: impl Display, number: f32) -> Result<(), String> {
    if number.is_finite() { Ok(()) } else { Err(format!("{key}: the number is too large")) }
}

/// Limits numbers, and collects a text for each one that it changes.
#[derive(Default)]
struct Limits {
    changes: Vec<String>,
}

impl Limits {
    /// Replaces a number outside its limits by the nearer limit.
    fn clamp<T: Copy + PartialOrd + Into<f64>>(&mut self, key: impl Display, number: &mut T, [min, max]: [T; 2]) {
        let nearest = match *number {
            number if number < min => min,
            number if number > max => max,
            _ => return,
        };
        let limits = match short(max) {
            _ if max.into() == f64::INFINITY => format!("less than {}", short(min)),
            max => format!("outside {} to {max}", short(min)),
        };
        self.changes.push(format!("{key}: {} is {limits}; {} is used", short(*number), short(nearest)));
        *number = nearest;
    }

    /// Moves the part of a range that lies before the start of the animation to the start. Errors if the range ends before it starts.
    fn range(&mut self, key: impl Display, range: &mut Option<[f64; 2]>) -> Result<(), String> {
        let Some([start, end]) = range else { return Ok(()) };
        if *end < *start {
            return Err(format!("{key}: {} is before {}", short(*end), short(*start)));
        }
        self.clamp(format_args!("{key}.0"), start, [0.0, f64::INFINITY]);
        self.clamp(format_args!("{key}.1"), end, [0.0, f64::INFINITY]);
        Ok(())
    }
}

/// A number with all of its digits if they are few.
fn short(number: impl Into<f64>) -> String {
    let number = number.into();
    let full = number.to_string();
    if full.len() <= 8 { full } else { numbers::fitted(number, 3, 8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(json: &str) -> Result<(View, Vec<String>), String> {
        let mut view = serde_json::from_str(json).unwrap();
        apply(&mut view).map(|changes| (view, changes))
    }

    #[test]
    fn numbers_outside_their_limits_are_replaced_by_the_nearest() {
        for (given, limited_to, change) in [
            (r#"{"rate": -4}"#, r#"{"rate": 0.1}"#, "rate: -4 is outside 0.1 to 1000; 0.1 is used"),
            (r#"{"rate": 1e9}"#, r#"{"rate": 1000}"#, "rate: 1.0e9 is outside 0.1 to 1000; 1000 is used"),
            (r#"{"cross_fade": 1000}"#, r#"{"cross_fade": 60}"#, "cross_fade: 1000 is outside 0 to 60; 60 is used"),
            (r#"{"range": [-1, 0.5]}"#, r#"{"range": [0, 0.5]}"#, "range.0: -1 is less than 0; 0 is used"),
            (r#"{"layers": [{}, {"weight": 5}]}"#, r#"{"layers": [{}, {}]}"#, "layers.1.weight: 5 is outside 0 to 1; 1 is used"),
            (r#"{"display": {"ghosts": {"before": 9}}}"#, "{}", "display.ghosts.before: 9 is outside 0 to 3; 3 is used"),
            (r#"{"display": {"ghosts": {"after": 4}}}"#, "{}", "display.ghosts.after: 4 is outside 0 to 3; 3 is used"),
            (
                r#"{"display": {"ghosts": {"step": 0}}}"#,
                r#"{"display": {"ghosts": {"step": 1}}}"#,
                "display.ghosts.step: 0 is outside 1 to 1000; 1 is used",
            ),
            (r#"{"display": {"environment": {"blur": -0.1}}}"#, "{}", "display.environment.blur: -0.100 is outside 0 to 1; 0 is used"),
            (
                r#"{"display": {"trail": {"window": -1}}}"#,
                r#"{"display": {"trail": {"window": 0.01}}}"#,
                "display.trail.window: -1 is less than 0.01; 0.01 is used",
            ),
            (
                r#"{"display": {"contact_sensitivity": 7}}"#,
                r#"{"display": {"contact_sensitivity": 1}}"#,
                "display.contact_sensitivity: 7 is outside 0 to 1; 1 is used",
            ),
            (r#"{"display": {"crowd": 0}}"#, "{}", "display.crowd: 0 is outside 1 to 100000; 1 is used"),
        ] {
            let expected = serde_json::from_str::<View>(limited_to).unwrap();
            assert_eq!(limited(given), Ok((expected, vec![change.to_owned()])), "{given}");
        }
        let orbit =
            r#"{"camera": {"orbit": {"focus": [0, 0, 0], "yaw": 99, "pitch": 9, "distance": 1, "yfov": 1, "orthographic": false}}}"#;
        let straight_down = limited(&orbit.replace("\"pitch\": 9", "\"pitch\": 1.5708")).unwrap();
        assert!(matches!(straight_down.0.camera, ViewCamera::Orbit(orbit) if orbit.pitch == FRAC_PI_2) && straight_down.1.is_empty());
        let (view, changes) = limited(orbit).unwrap();
        assert_eq!(changes, ["camera.orbit.pitch: 9 is outside -1.571 to 1.571; 1.571 is used"]);
        assert!(matches!(view.camera, ViewCamera::Orbit(orbit) if orbit.pitch == FRAC_PI_2 && orbit.yaw == 99.0));
    }

    #[test]
    fn numbers_without_a_sensible_nearest_one_are_errors() {
        let orbit = |yfov: f64, distance: f64| {
            format!(
                r#"{{"camera": {{"orbit": {{"focus": [0, 0, 0], "yaw": 0, "pitch": 0, "distance": {distance:?}, "yfov": {yfov:?}, "orthographic": false}}}}}}"#
            )
        };
        let yfov = "camera.orbit.yfov: expected radians, more than 0 and less than pi";
        for (given, reason) in [
            (orbit(0.0, 100.0), yfov),
            (orbit(-1.0, 100.0), yfov),
            (orbit(9.0, 100.0), yfov),
            (orbit(0.6, 0.0), "camera.orbit.distance: expected more than 0"),
            (orbit(0.6, -1.0), "camera.orbit.distance: expected more than 0"),
            (r#"{"range": [5, 2]}"#.into(), "range: 2 is before 5"),
            (r#"{"layers": [{}, {"range": [0.5, 0.25]}]}"#.into(), "layers.1.range: 0.25 is before 0.5"),
            (r#"{"morphs": {"3": {"1": 1e300}}}"#.into(), "morphs.3.1: the number is too large"),
            (r#"{"display": {"exposure": -1e300}}"#.into(), "display.exposure: the number is too large"),
            (r#"{"display": {"environment": {"rotation": 1e300}}}"#.into(), "display.environment.rotation: the number is too large"),
        ] {
            assert_eq!(limited(&given), Err(reason.to_owned()), "{given}");
        }
        for extreme in [orbit(1e-6, 1e-12), orbit(3.141_592_5, 1e15)] {
            assert_eq!(limited(&extreme).unwrap().1, [""; 0], "a file's camera, or a model of any size, can give this orbit to the window");
        }
    }
}
