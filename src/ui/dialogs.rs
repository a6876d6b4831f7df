//! What stands in front of the window: screenshot, the question before a file is overwritten, settings, shortcuts, about.

use std::path::Path;

use egui::{Context, Grid, Id, Modal, RichText, ScrollArea, TextStyle, Ui};

use super::actions::{Binding, Category, TABLE};
use super::{Command, Dialog, Frame, ScreenshotOptions, screenshot, settings, text, theme};

/// The dialog that is open, if any. Escape and a click beside it close it.
pub fn dialogs_ui(ctx: &Context, frame: &mut Frame) {
    let Some(dialog) = frame.state.dialog.clone() else { return };
    let modal = Modal::new(Id::unique("dialog")).show(ctx, |ui| {
        ui.spacing_mut().item_spacing.y = theme::MARGIN;
        match &dialog {
            Dialog::Screenshot => titled(ui, "Screenshot", |ui| screenshot::screenshot_ui(ui, frame)),
            Dialog::Overwrite { options, path } => titled(ui, "Replace the file?", |ui| overwrite_ui(ui, frame, *options, path)),
            Dialog::Settings => titled(ui, "Settings", |ui| closing(ui, frame, settings::settings_ui)),
            Dialog::Shortcuts => titled(ui, "Keyboard shortcuts", |ui| closing(ui, frame, |ui, _| shortcuts_ui(ui))),
            Dialog::About => titled(ui, "Sinew", |ui| closing(ui, frame, about_ui)),
        }
    });
    // Not where the dialog was just exchanged for another.
    if modal.should_close() && frame.state.dialog.as_ref() == Some(&dialog) {
        frame.state.dialog = None;
    }
}

fn titled(ui: &mut Ui, title: &str, content: impl FnOnce(&mut Ui)) {
    ui.heading(title);
    ui.add_space(4.0);
    content(ui);
}

/// A dialog with nothing to decide.
fn closing(ui: &mut Ui, frame: &mut Frame, content: impl FnOnce(&mut Ui, &mut Frame)) {
    content(ui, frame);
    ui.add_space(theme::MARGIN);
    if ui.button("Close").clicked() {
        frame.state.dialog = None;
    }
}

/// The button that goes on: there is one in a dialog.
pub fn primary_button(ui: &mut Ui, label: &str) -> egui::Response {
    let palette = theme::palette(ui.ctx());
    ui.add(egui::Button::new(RichText::new(label).color(palette.on_accent)).fill(palette.accent))
}

fn overwrite_ui(ui: &mut Ui, frame: &mut Frame, options: ScreenshotOptions, path: &Path) {
    ui.set_max_width(420.0);
    ui.label(format!("{} is there already.", path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()));
    ui.weak(path.parent().map(|folder| folder.display().to_string()).unwrap_or_default());
    ui.add_space(theme::MARGIN);
    let save = |path, overwrite| Command::SaveScreenshot { options, path, overwrite };
    ui.horizontal(|ui| {
        let command = match () {
            () if primary_button(ui, "Replace").clicked() => Some(save(Some(path.to_owned()), true)),
            () if ui.button("Save elsewhere...").clicked() => Some(save(None, false)),
            () if ui.button("Cancel").clicked() => None,
            () => return,
        };
        frame.commands.extend(command);
        frame.state.dialog = None;
    });
}

/// The table of actions, by category.
fn shortcuts_ui(ui: &mut Ui) {
    let height = ui.ctx().content_rect().height() - 180.0;
    ScrollArea::vertical().max_height(height).auto_shrink([true, true]).show(ui, |ui| {
        for category in Category::ALL {
            ui.label(text::section(ui, category.label()));
            Grid::new(category.label()).num_columns(2).min_col_width(200.0).striped(true).show(ui, |ui| {
                for entry in TABLE.iter().filter(|entry| entry.category == category) {
                    ui.label(entry.label);
                    let keys: Vec<_> = entry.keys.iter().map(Binding::text).collect();
                    ui.label(RichText::new(if keys.is_empty() { "in the menu".to_owned() } else { keys.join("  or  ") }).weak());
                    ui.end_row();
                }
            });
            ui.add_space(theme::MARGIN);
        }
    });
}

fn about_ui(ui: &mut Ui, frame: &mut Frame) {
    ui.set_max_width(420.0);
    ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.label("MIT or Apache 2.0, as you like.");
    ui.label(text::section(ui, "Drawn by"));
    ui.label(if frame.state.statistics.adapter.is_empty() { "no adapter" } else { &frame.state.statistics.adapter });
    ui.label(text::section(ui, "With"));
    let fonts = "Inter and JetBrains Mono (SIL Open Font License 1.1), icons by Lucide (ISC).";
    ui.label(RichText::new(fonts).text_style(TextStyle::Small));
}
