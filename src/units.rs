//! Converts lengths and axes to the user's units. A file is in meters with y up (glTF 2.0, 3.4); preferences can show centimeters,
//! or z up as in Blender and 3ds Max. Only displayed values change, never the model.

use glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot};
use serde::{Deserialize, Serialize};

use crate::model::hierarchy::Trs;
use crate::numbers::{fixed, grouped, three_digits};

/// Speeds below this limit, in meters per second, are shown as 0. They are the result of rounding keys to f32.
const MAX_STILL_SPEED: f64 = 1e-6;

/// The unit in which lengths are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LengthUnit {
    #[default]
    #[serde(rename = "metres")]
    Meters,
    #[serde(rename = "centimetres")]
    Centimeters,
}

/// The axis that is shown as pointing up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpAxis {
    #[default]
    Y,
    /// The file's y becomes z, and its z becomes -y.
    Z,
}

impl LengthUnit {
    /// All units, in the order of the settings.
    pub const ALL: [Self; 2] = [Self::Meters, Self::Centimeters];

    /// The label in the settings.
    pub fn label(self) -> &'static str {
        match self {
            Self::Meters => "Meters",
            Self::Centimeters => "Centimeters",
        }
    }

    /// The symbol after a number.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Meters => "m",
            Self::Centimeters => "cm",
        }
    }
}

impl UpAxis {
    /// All axes, in the order of the settings.
    pub const ALL: [Self; 2] = [Self::Y, Self::Z];

    /// The label in the settings.
    pub fn label(self) -> &'static str {
        match self {
            Self::Y => "Y (as in the file)",
            Self::Z => "Z",
        }
    }
}

/// The unit and the axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Units {
    pub length: LengthUnit,
    pub up: UpAxis,
}

/// A transform in the user's units and axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplayedTrs {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Units {
    /// Number of units in a meter.
    pub fn per_meter(self) -> f64 {
        match self.length {
            LengthUnit::Meters => 1.0,
            LengthUnit::Centimeters => 100.0,
        }
    }

    /// Number of decimals of a length. The last decimal is a millimeter.
    pub fn decimals(self) -> usize {
        match self.length {
            LengthUnit::Meters => 3,
            LengthUnit::Centimeters => 1,
        }
    }

    /// A length of any sign, with a fixed number of decimals: "0.532 m".
    pub fn length(self, meters: f64) -> String {
        format!("{} {}", fixed(meters * self.per_meter(), self.decimals()), self.length.symbol())
    }

    /// A distance in a unit that suits its size: "3.2 mm", "3.2 cm", "1.50 m". Always in centimeters if the user prefers them.
    pub fn distance(self, meters: f64) -> String {
        match self.length {
            LengthUnit::Centimeters => format!("{:.1} cm", meters * 100.0),
            LengthUnit::Meters if meters < 0.01 => format!("{:.1} mm", meters * 1000.0),
            LengthUnit::Meters if meters < 1.0 => format!("{:.1} cm", meters * 100.0),
            LengthUnit::Meters if meters < 100.0 => format!("{meters:.2} m"),
            LengthUnit::Meters => format!("{meters:.0} m"),
        }
    }

    /// The side of a square of the ground grid, a power of ten in meters: "10 cm", "1 km". Always in centimeters if the user prefers them.
    pub fn cell(self, meters: f64) -> String {
        let decade = meters.log10().round() as i32;
        let power = |exponent: i32| 10f64.powi(decade + exponent);
        match (self.length, decade) {
            (LengthUnit::Centimeters, -2..) => format!("{} cm", grouped(power(2) as usize)),
            (LengthUnit::Centimeters, _) => format!("{:.*} cm", decade.unsigned_abs() as usize - 2, power(2)),
            (LengthUnit::Meters, ..-6) => format!("{} nm", power(9)),
            (LengthUnit::Meters, -6..-3) => format!("{} \u{b5}m", power(6)),
            (LengthUnit::Meters, -3) => "1 mm".to_owned(),
            (LengthUnit::Meters, -2..0) => format!("{} cm", power(2)),
            (LengthUnit::Meters, 0..3) => format!("{} m", power(0)),
            (LengthUnit::Meters, 3..) => format!("{} km", power(-3)),
        }
    }

    /// The sides of a box in the user's axes: "0.500 × 1.80 × 0.300 m".
    pub fn sides(self, meters: DVec3) -> String {
        let sides = self.position(meters).abs().to_array().map(three_digits);
        format!("{} {}", sides.join(" \u{d7} "), self.length.symbol())
    }

    /// A speed with three significant digits: "0.532 m/s".
    pub fn speed(self, meters_per_second: f64) -> String {
        let meters_per_second = if meters_per_second < MAX_STILL_SPEED { 0.0 } else { meters_per_second };
        format!("{} {}/s", three_digits(meters_per_second * self.per_meter()), self.length.symbol())
    }

    /// Converts a direction of the file to the user's axes.
    pub fn turned(self, direction: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Y => direction,
            UpAxis::Z => DVec3::new(direction.x, -direction.z, direction.y),
        }
    }

    /// Converts a position or offset of the file, in meters, to the user's axes and units.
    pub fn position(self, meters: DVec3) -> DVec3 {
        self.turned(meters) * self.per_meter()
    }

    /// Converts a matrix to the user's axes and units. The matrix maps one space of the file to another, such as local to world space.
    pub fn matrix(self, matrix: &DAffine3) -> DAffine3 {
        let turn = DMat3::from_cols(self.turned(DVec3::X), self.turned(DVec3::Y), self.turned(DVec3::Z));
        DAffine3 { matrix3: turn * matrix.matrix3 * turn.transpose(), translation: self.position(matrix.translation) }
    }

    /// Converts a local transform of the file to the user's axes and units.
    pub fn trs(self, trs: &Trs) -> DisplayedTrs {
        let rotation = trs.rotation.as_dquat();
        let scale = trs.scale.as_dvec3();
        DisplayedTrs {
            translation: self.position(trs.translation.as_dvec3()),
            rotation: DQuat::from_vec4(self.turned(rotation.xyz()).extend(rotation.w)),
            scale: match self.up {
                UpAxis::Y => scale,
                UpAxis::Z => DVec3::new(scale.x, scale.z, scale.y),
            },
        }
    }

    /// Names the units if they differ from the file's units: "centimeters, z up".
    pub fn description(self) -> Option<String> {
        let length = (self.length != LengthUnit::Meters).then_some("centimeters");
        let up = (self.up != UpAxis::Y).then_some("z up");
        joined(length, up)
    }

    /// Names the units of the file if they differ from these: "meters, y up". Numbers that are shown as the file has them have this note.
    pub fn file_description(self) -> Option<String> {
        let length = (self.length != LengthUnit::Meters).then_some("meters");
        let up = (self.up != UpAxis::Y).then_some("y up");
        joined(length, up)
    }
}

/// Joins the names of a length unit and of an up axis. `None` if there are none.
fn joined(length: Option<&str>, up: Option<&str>) -> Option<String> {
    let words: Vec<_> = length.into_iter().chain(up).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Angles in degrees about the fixed axes X, then Y, then Z. Blender calls this order XYZ.
pub fn euler_degrees(rotation: DQuat) -> [f64; 3] {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    // Adding zero avoids "-0".
    [x, y, z].map(|angle| angle.to_degrees() + 0.0)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::{LengthUnit, Units, euler_degrees};

    #[test]
    fn angles_turn_about_x_then_y_then_z() {
        let [x, y, z] = [20f64, -35.0, 110.0].map(f64::to_radians);
        // Composed by hand rather than by the function under test: the rotation about Z is applied last.
        let rotation = DQuat::from_axis_angle(DVec3::Z, z) * DQuat::from_axis_angle(DVec3::Y, y) * DQuat::from_axis_angle(DVec3::X, x);
        for (got, wanted) in euler_degrees(rotation).into_iter().zip([20.0, -35.0, 110.0]) {
            assert!((got - wanted).abs() < 1e-9, "{got} is not {wanted}");
        }
    }

    #[test]
    fn distances_have_a_suitable_unit_speeds_have_three_digits_and_zero_has_no_sign() {
        let units = Units::default();
        assert_eq!([0.0032, 0.0321, 1.5, 150.0].map(|way| units.distance(way)), ["3.2 mm", "3.2 cm", "1.50 m", "150 m"]);
        assert_eq!([-0.0001, -0.532].map(|height| units.length(height)), ["0.000 m", "-0.532 m"]);
        assert_eq!([1e-9, 0.00321, 0.75, 12.34].map(|speed| units.speed(speed)), ["0 m/s", "0.00321 m/s", "0.750 m/s", "12.3 m/s"]);
        let units = Units { length: LengthUnit::Centimeters, ..units };
        assert_eq!((units.distance(0.0321), units.speed(0.75)), ("3.2 cm".to_owned(), "75.0 cm/s".to_owned()));
    }

    #[test]
    fn grid_cells_are_shown_in_a_readable_unit() {
        let meters = [1e-4, 0.001, 0.01, 1.0, 1000.0];
        let in_unit = |length| meters.map(|side| Units { length, ..Units::default() }.cell(side));
        assert_eq!(in_unit(LengthUnit::Meters), ["100 \u{b5}m", "1 mm", "1 cm", "1 m", "1 km"]);
        assert_eq!(in_unit(LengthUnit::Centimeters), ["0.01 cm", "0.1 cm", "1 cm", "100 cm", "100,000 cm"]);
    }
}
