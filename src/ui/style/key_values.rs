//! Formats the value of a key.

use glam::Quat;

use crate::model::animation::{Channel, Target};
use crate::numbers;
use crate::ui::context::Context;
use crate::units;

/// Maximum number of numbers shown in a tooltip.
const MAX_SHOWN_NUMBERS: usize = 8;

/// The value as text: "0.5 1 0". A rotation is followed by its angles in degrees.
pub fn value_text(channel: &Channel, key: usize) -> String {
    let value = channel.value(key);
    let mut text = value.iter().take(MAX_SHOWN_NUMBERS).map(|&number| numbers::fixed(number.into(), 3)).collect::<Vec<_>>().join(" ");
    if value.len() > MAX_SHOWN_NUMBERS {
        text += " ...";
    }
    if let (Target::Rotation(_), &[x, y, z, w]) = (channel.target, value) {
        let degrees = units::euler_degrees(Quat::from_xyzw(x, y, z, w).as_dquat()).map(|angle| format!("{angle:.1}\u{00B0}"));
        text += &format!("  ({})", degrees.join(" "));
    }
    text
}

/// The units of the values of a target, in parentheses, if the user has chosen others: " (meters, y up)". Keys and curves show the numbers
/// of the file.
pub fn unit_note(context: &Context, target: Target) -> String {
    let is_transform = matches!(target, Target::Translation(_) | Target::Rotation(_) | Target::Scale(_));
    let description = context.preferences.units.file_description().filter(|_| is_transform);
    description.map_or(String::new(), |description| format!(" ({description})"))
}
