//! Formats the value of a key for the tooltip and for the clipboard.

use std::fmt::Write;

use glam::Quat;

use crate::model::animation::{Animation, Channel, Target};
use crate::numbers;
use crate::ui::context::Context;
use crate::ui::style::time_text;
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

/// The selected keys as tab-separated text: for each channel a line with node, path, interpolation and [`unit_note`], a line of column
/// names, then one line per key with time, frame and numbers.
pub fn selected_text(context: &Context) -> String {
    let model = &context.document.model;
    let Some(animation) = context.view.animation.and_then(|a| model.animations.get(a)) else { return String::new() };
    let fps = context.document.rate(context.view).fps;
    let mut text = String::new();
    for (number, ranges) in context.keys.channels() {
        let Some(channel) = animation.channels.get(number) else { continue };
        let node = model.target_node(channel.target).map(|node| format!("{} ", model.node(node).label())).unwrap_or_default();
        let path = match channel.target {
            Target::Pointer(pointer) => &model.pointers[pointer].path,
            target => target.path(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{node}{path} {}{}", channel.interpolation.name(), unit_note(context, channel.target));
        let columns = match channel.target {
            Target::Translation(_) | Target::Scale(_) => "x\ty\tz",
            Target::Rotation(_) => "x\ty\tz\tw",
            Target::Weights(_) | Target::Pointer(_) => "values",
        };
        let _ = writeln!(text, "seconds\tframe\t{columns}");
        for key in ranges.iter().cloned().flatten() {
            let Some(time) = key_time(animation, channel, key) else { break };
            let numbers: Vec<_> = channel.value(key).iter().map(f32::to_string).collect();
            let frame = time_text::frame_text(time, fps);
            let _ = writeln!(text, "{time}\t{frame}\t{}", numbers.join("\t"));
        }
    }
    text
}

/// The time of a key, in seconds.
pub fn key_time(animation: &Animation, channel: &Channel, key: usize) -> Option<f64> {
    animation.key_times[channel.key_times].get(key).map(|&time| time.into())
}
