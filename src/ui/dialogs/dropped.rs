//! Asks what to do with a file that was dropped while another one is open.

use std::path::{Path, PathBuf};

use egui::{Key, Ui};

use crate::paths::file_name;
use crate::session::file::file_list::FileList;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::theme;

use super::parts::{buttons, entered, primary_button};

/// Draws the dialog. `files` contains the model and the files that were dropped with it. Enter or O opens the model, C compares the open
/// file with it, A plays its animations on the open model, Esc cancels.
pub fn dropped_ui(ui: &mut Ui, context: &mut Context, model: &Path, files: &[PathBuf]) {
    ui.label(file_name(model));
    ui.weak(model.parent().map(|folder| folder.display().to_string()).unwrap_or_default());
    ui.add_space(theme::MARGIN);
    let pressed = |key: Key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key));
    let (open_key, compare_key, borrow_key) = (entered(ui) || pressed(Key::O), pressed(Key::C), pressed(Key::A));
    buttons(ui, |ui| {
        let open = primary_button(ui, "Open (O)").on_hover_text("Open it in place of the open file (Enter or O)").clicked();
        let compare = ui.button("Compare (C)").on_hover_text("Compare the open file with it (C)").clicked();
        let borrow = ui.button("Add its animations (A)").on_hover_text("Add its animations to the open model (A)").clicked();
        let request = if open || open_key {
            Request::OpenDropped(files.to_vec())
        } else if compare || compare_key {
            Request::CompareDropped(files.to_vec())
        } else if borrow || borrow_key {
            Request::AddAnimations(models(files))
        } else {
            return;
        };
        context.requests.push(request);
        context.window.dialog = None;
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut context.preferences.ask_on_drop, "Ask when a file is dropped");
        buttons(ui, |ui| {
            if ui.button("Cancel").clicked() {
                context.window.dialog = None;
            }
        });
    });
}

/// The models among the files. Buffers and textures are left out.
fn models(files: &[PathBuf]) -> Vec<PathBuf> {
    FileList::new(files).map(|list| list.models.iter().map(|model| model.path.clone()).collect()).unwrap_or_default()
}
