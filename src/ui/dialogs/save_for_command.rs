//! The dialog after a render command was copied whose flags cannot express the whole view: it saves the view to a file that the command
//! reads.

use std::path::Path;

use egui::Ui;

use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::theme;

use super::parts::{buttons, entered, primary_button};

/// Draws the dialog. It offers to save the view to the file that a copied command reads with `--state`; `save` makes the request for it.
/// `settings_without_flag` lists the parts of the view that flags cannot express, and `differences` says how its picture differs
/// from that of the window.
pub fn save_for_command_ui(
    ui: &mut Ui,
    context: &mut Context,
    [settings_without_flag, differences]: [&[&str]; 2],
    path: &Path,
    save: impl FnOnce() -> Request,
) {
    ui.label(format!(
        "The command is on the clipboard. Its flags cannot express {}, so it reads the view from this file:",
        listed(settings_without_flag)
    ));
    ui.weak(path.display().to_string());
    if !differences.is_empty() {
        ui.label(format!("The command draws the view {}.", differences.join(", ")));
    }
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
        let request = if primary_button(ui, "Save view file").clicked() || entered(ui) {
            Some(save())
        } else if ui.button("Close").clicked() {
            None
        } else {
            return;
        };
        context.requests.extend(request);
        context.window.dialog = None;
    });
}

/// Lists words: "layers", "layers and the crowd", "switches, layers and the crowd".
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
