//! Copies the selected keys to the clipboard as text.

use std::fmt::Write;

use crate::model::animation::{Animation, Channel, Target};
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::{key_values, time_text};

use super::nodes::copy_transforms;

/// Copies the selected keys. If there are none, copies the transforms of the selected nodes.
pub fn copy_keys_or_transforms(context: &mut Context) {
    if context.keys.is_empty() {
        copy_transforms::copy_transforms(context);
    } else {
        copy_keys(context);
    }
}

/// Copies the selected keys.
pub fn copy_keys(context: &mut Context) {
    context.requests.push(Request::CopyKeys { text: selected_text(context), count: context.keys.count() });
}

/// The selected keys as tab-separated text: for each channel a line with node, path, interpolation and [`key_values::unit_note`], a line of
/// column names, then one line per key with time, frame and numbers.
fn selected_text(context: &Context) -> String {
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
        let _ = writeln!(text, "{node}{path} {}{}", channel.interpolation.name(), key_values::unit_note(context, channel.target));
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
fn key_time(animation: &Animation, channel: &Channel, key: usize) -> Option<f64> {
    animation.key_times[channel.key_times].get(key).map(|&time| time.into())
}
