//! What stands in front of the window: screenshot, clip, the question before a file is overwritten, settings, shortcuts, about.

pub mod export_clip;
pub mod screenshot;
pub mod settings;
pub mod shortcuts;

use std::path::{Path, PathBuf};

use egui::{Align, Frame as Fill, Id, Layout, Margin, Modal, RichText, TextStyle, Ui, vec2};

use super::actions::table::Action;
use super::style::{text, theme};
use super::{Context, Dialog, Request, command_palette};

const WIDTH: f32 = 380.0;
/// What stands before the values.
const LABEL: f32 = 56.0;

/// The dialog that is open, if any. Escape and a click beside it close it.
pub fn dialogs_ui(ctx: &egui::Context, frame: &mut Context) {
    let Some(dialog) = frame.state.dialog.clone() else { return command_palette::give_focus_back(ctx, frame) };
    if dialog == Dialog::Commands {
        return command_palette::palette_ui(ctx, frame);
    }
    let fill = Fill::popup(&ctx.global_style()).inner_margin(Margin::same(16));
    let modal = Modal::new(Id::unique("dialog")).frame(fill).show(ctx, |ui| {
        ui.spacing_mut().item_spacing.y = theme::MARGIN;
        let shortcuts = shortcuts::width(shortcuts::columns(ctx.content_rect().width()));
        ui.set_width(if dialog == Dialog::Shortcuts { shortcuts } else { WIDTH });
        ui.heading(title(&dialog));
        ui.add_space(4.0);
        match &dialog {
            Dialog::Screenshot => screenshot::screenshot_ui(ui, frame),
            Dialog::Clip => export_clip::clip_ui(ui, frame),
            &Dialog::Overwrite { options, ref path } => {
                overwrite_ui(ui, frame, path, |path, overwrite| Request::SaveScreenshot { options, path, overwrite });
            }
            &Dialog::OverwriteClip { options, ref path } => {
                overwrite_ui(ui, frame, path, |path, overwrite| Request::ExportClip { options, path, overwrite });
            }
            Dialog::SaveForCommand { beyond_flags, path } => export_clip::save_for_command_ui(ui, frame, beyond_flags, path),
            Dialog::Settings => closing(ui, frame, settings::settings_ui),
            Dialog::Commands => {}
            Dialog::Shortcuts => closing(ui, frame, shortcuts::shortcuts_ui),
            Dialog::About => closing(ui, frame, about_ui),
        }
    });
    // Not where the dialog was just exchanged for another.
    if modal.should_close() && frame.state.dialog.as_ref() == Some(&dialog) {
        frame.state.dialog = None;
    }
}

fn title(dialog: &Dialog) -> &'static str {
    match dialog {
        Dialog::Screenshot => "Screenshot",
        Dialog::Clip => "Export clip",
        Dialog::Overwrite { .. } | Dialog::OverwriteClip { .. } => "Replace the file?",
        Dialog::SaveForCommand { .. } => "The command needs the view",
        Dialog::Settings => "Settings",
        Dialog::Commands => Action::Commands.label(),
        Dialog::Shortcuts => "Keyboard shortcuts",
        Dialog::About => "Sinew",
    }
}

/// A dialog with nothing to decide.
fn closing(ui: &mut Ui, frame: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) {
    content(ui, frame);
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
        if ui.button("Close").clicked() {
            frame.state.dialog = None;
        }
    });
}

/// What stands before a value: as wide as the others, so that the values stand in a column.
pub fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(LABEL, theme::CONTROL), row, |ui| {
        ui.set_min_width(LABEL);
        ui.label(text)
    })
    .inner
}

/// At the bottom right, the one that goes on first.
pub fn buttons(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CONTROL), Layout::right_to_left(Align::Center), content);
}

/// The button that goes on: there is one in a dialog.
pub fn primary_button(ui: &mut Ui, label: &str) -> egui::Response {
    let palette = theme::palette(ui.ctx());
    ui.add(egui::Button::new(RichText::new(label).color(palette.on_accent)).fill(palette.accent))
}

/// `save`: the command that writes it, there or at a place to ask for.
fn overwrite_ui(ui: &mut Ui, frame: &mut Context, path: &Path, save: impl Fn(Option<PathBuf>, bool) -> Request) {
    ui.label(format!("{} is there already.", path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()));
    ui.weak(path.parent().map(|folder| folder.display().to_string()).unwrap_or_default());
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
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

fn about_ui(ui: &mut Ui, frame: &mut Context) {
    ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.label("MIT or Apache 2.0, as you like.");
    if !frame.state.statistics.adapter.is_empty() {
        ui.label(text::section(ui, "Drawn by"));
        ui.label(&frame.state.statistics.adapter);
    }
    ui.label(text::section(ui, "With"));
    let fonts = "Inter and JetBrains Mono (SIL Open Font License 1.1), icons by Lucide (ISC).";
    ui.label(RichText::new(fonts).text_style(TextStyle::Small));
}
