//! Focal lengths of the free camera, in millimeters as on 35 mm film: the sensor is 36 mm wide and 24 mm high. The vertical field of
//! view is `2 atan(12 / focal length)`, whatever the shape of the picture.

use crate::camera::Orbit;

/// Half the height of the sensor, in millimeters.
const HALF_SENSOR: f64 = 12.0;
/// Minimum and maximum focal length, in millimeters.
pub const FOCAL_LENGTHS: [f64; 2] = [5.0, 1000.0];
/// Common focal lengths, in millimeters: wide, normal, portrait.
pub const PRESETS: [f64; 3] = [35.0, 50.0, 85.0];

/// The focal length of a vertical field of view in radians.
pub fn focal_length(yfov: f64) -> f64 {
    HALF_SENSOR / (yfov / 2.0).tan()
}

/// The vertical field of view of a focal length, in radians. The focal length is limited to [`FOCAL_LENGTHS`].
pub fn yfov(focal_length: f64) -> f64 {
    2.0 * (HALF_SENSOR / focal_length.clamp(FOCAL_LENGTHS[0], FOCAL_LENGTHS[1])).atan()
}

/// The focal length of a vertical field of view in radians, if it is a whole number of tenths of a millimeter.
pub fn round_focal_length(angle: f64) -> Option<f64> {
    let rounded = (focal_length(angle) * 10.0).round() / 10.0;
    (yfov(rounded) == angle).then_some(rounded)
}

/// The orbit with another focal length. The camera steps back or forward, so that objects at the focus keep their size in the picture.
pub fn with_focal_length(orbit: &Orbit, focal_length: f64) -> Orbit {
    let yfov = yfov(focal_length);
    Orbit { yfov, distance: orbit.half_height() / (yfov / 2.0).tan(), ..*orbit }
}
