//! Asks what to do with a file that was dropped while another one is open.

use std::path::{Path, PathBuf};

use egui::{Key, Ui};

use crate::session::file::file_list::file_name;
use crate::ui::context::Context;
use crate::ui::request::Request;
use crate::ui::style::theme;

use super::parts::{buttons, entered, primary_button};

/// Draws the dialog. `files` are the model and the files that were dropped with it. Enter or O opens the file, C compares it with the open one, Esc cancels.
pub fn dropped_ui(ui: &mut Ui, context: &mut Context, model: &Path, files: &[PathBuf]) {
    ui.label(file_name(model));
    ui.weak(model.parent().map(|folder| folder.display().to_string()).unwrap_or_default());
    ui.add_space(theme::MARGIN);
    let pressed = |key: Key| ui.input(|input| input.key_pressed(key));
    let (is_open, is_compare) = (entered(ui) || pressed(Key::O), pressed(Key::C));
    buttons(ui, |ui| {
        let open = primary_button(ui, "Open (O)").on_hover_text("Open it in place of the open file (Enter or O)").clicked();
        let compare = ui.button("Compare (C)").on_hover_text("Compare the open file with it (C)").clicked();
        let request = match () {
            () if open || is_open => Request::OpenDropped(files.to_vec()),
            () if compare || is_compare => Request::Compare(model.to_owned()),
            () => return,
        };
        context.requests.push(request);
        context.window.dialog = None;
    });
    ui.checkbox(&mut context.preferences.ask_on_drop, "Ask when a file is dropped");
}
