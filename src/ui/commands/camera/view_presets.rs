//! Saves view presets and applies them to the open model.

use crate::session::camera::view_camera;
use crate::session::camera::view_preset::{self, ViewPreset};
use crate::session::saved_list::free_name;
use crate::ui::context::Context;
use crate::ui::context::request::Request;

use crate::ui::commands::camera;

/// Saves the current display and camera as a preset. The message says where the user finds it.
pub fn save(context: &mut Context) {
    let name = free_name("Preset", context.preferences.view_presets.iter().map(|preset| preset.name.as_str()));
    let posed = context.subject().posed_with_known_roots(context.transport.moment());
    // A preset follows no node, so its orbit includes the offset of the followed node.
    let orbit = view_camera::following(context.document, context.view, &posed, &camera::orbit(context));
    let preset = ViewPreset::new(&name, context.view, &orbit, &context.analyses.bounds);
    context.preferences.view_presets.push(preset);
    view_preset::check(&mut context.preferences.view_presets);
    context.requests.push(Request::ShowMessage(format!("Saved {name} for all files. It is in View > Camera > View presets")));
}

/// Applies the display and the camera of a preset to the open model.
pub fn apply(context: &mut Context, number: usize) {
    if let Some(preset) = context.preferences.view_presets.get(number) {
        preset.apply(context.view, &context.analyses.bounds);
    }
}
