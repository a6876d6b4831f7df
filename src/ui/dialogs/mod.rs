//! The dialogs. They edit the preferences and push requests to the application. Only one dialog is open at a time.

pub mod binding;
pub mod dropped;
pub mod export_clip;
pub mod export_sheet;
pub mod parts;
pub mod picture_size;
pub mod save_for_command;
pub mod saved_views;
pub mod screenshot;
pub mod settings;
pub mod shortcuts;
pub mod texture;

use std::mem::Discriminant;
use std::path::Path;

use egui::{Frame as Fill, Id, Label, Margin, Modal, RichText, TextStyle, Ui};

use crate::paths::file_name;
use crate::session::time::clip::ClipFormat;

use super::actions::Action;
use super::context::Context;
use super::context::request::{Request, SaveKind};
use super::context::window_state::Dialog;
use super::style::texture_text;
use super::style::{text, theme};

use parts::{buttons, entered, primary_button};

/// Width of a dialog, in points. The binding report, the shortcut page and the texture dialog have other widths.
const WIDTH: f32 = 380.0;
/// Part of the window's width that the content of a dialog cannot use, in points.
const WIDTH_OUTSIDE: f32 = 48.0;

/// State that dialogs keep while they are closed.
#[derive(Debug, Clone, Default)]
pub struct DialogsState {
    /// Text in the search field of the shortcut page.
    pub shortcut_search: String,
    /// The kind of the dialog in the last frame.
    shown: Option<Discriminant<Dialog>>,
    /// Number of dialogs that were opened so far. It is part of egui's ids, so that every dialog opens scrolled to its top.
    openings: u64,
    /// The last duration of a turntable in the dialog for clips, in seconds.
    turntable: Option<f64>,
    texture: texture::TextureState,
    binding: binding::BindingState,
}

/// Draws the open dialog. The command palette is drawn elsewhere, and the question whether to quit waits while an export is new. Esc or a
/// click beside the dialog closes it.
pub fn dialogs_ui(ctx: &egui::Context, state: &mut DialogsState, context: &mut Context) {
    context.window.show_next_dialog();
    if !matches!(context.window.dialog, Some(Dialog::Texture(_))) {
        state.texture.close(context);
    }
    let is_new_export = context.status.exporting.as_ref().is_some_and(|exporting| exporting.is_new);
    let is_drawn = |dialog: &Dialog| *dialog != Dialog::CommandPalette && !(*dialog == Dialog::Quit && is_new_export);
    let dialog = context.window.dialog.clone().filter(is_drawn);
    let kind = dialog.as_ref().map(std::mem::discriminant);
    if std::mem::replace(&mut state.shown, kind) != kind {
        state.openings += 1;
        state.binding = binding::BindingState::default();
    }
    let Some(dialog) = dialog else { return };
    let fill = Fill::popup(&ctx.global_style()).inner_margin(Margin::same(16));
    let modal = Modal::new(Id::unique("dialog")).frame(fill).show(ctx, |ui| {
        ui.spacing_mut().item_spacing.y = theme::MARGIN;
        ui.set_width(match &dialog {
            Dialog::Shortcuts => shortcuts::width(shortcuts::columns(ctx.content_rect().width())),
            Dialog::Texture(_) => texture::width(ui),
            Dialog::Binding(_) => binding::WIDTH.min(ctx.content_rect().width() - WIDTH_OUTSIDE),
            _ => WIDTH,
        });
        ui.heading(title(&dialog));
        ui.add_space(4.0);
        ui.push_id(state.openings, |ui| content_ui(ui, state, context, &dialog));
    });
    // A dialog that has just replaced this one stays open.
    if modal.should_close() && context.window.dialog.as_ref() == Some(&dialog) {
        context.window.dialog = None;
    }
    if context.window.dialog.is_none() {
        // The next key does not belong to a text field of the closed dialog.
        ctx.memory_mut(egui::Memory::stop_text_input);
        if !context.window.waiting_dialogs.is_empty() {
            ctx.request_repaint();
        }
    }
}

/// Draws what a dialog shows below its heading.
fn content_ui(ui: &mut Ui, state: &mut DialogsState, context: &mut Context, dialog: &Dialog) {
    match dialog {
        Dialog::Screenshot => screenshot::screenshot_ui(ui, context),
        Dialog::Clip => export_clip::clip_ui(ui, &mut state.turntable, context),
        Dialog::ContactSheet => export_sheet::sheet_ui(ui, context),
        Dialog::Dropped { model, files } => dropped::dropped_ui(ui, context, model, files),
        &Dialog::Overwrite { kind, ref path } => overwrite_ui(ui, context, kind, path),
        Dialog::SaveForCommand { settings_without_flag, differences, path, view } => {
            let save = || Request::SaveCommandView { view: view.clone(), path: path.clone() };
            save_for_command::save_for_command_ui(ui, context, [settings_without_flag, differences], path, save);
        }
        &Dialog::Binding(file) => {
            with_close_button(ui, context, |ui, context| binding::binding_ui(ui, &mut state.binding, context, file));
        }
        &Dialog::Texture(place) => texture::texture_ui(ui, &mut state.texture, context, place),
        Dialog::Settings => with_close_button(ui, context, settings::settings_ui),
        Dialog::Bookmarks => with_close_button(ui, context, saved_views::bookmarks_ui),
        Dialog::ViewPresets => with_close_button(ui, context, saved_views::presets_ui),
        Dialog::CommandPalette => {}
        Dialog::Shortcuts => {
            with_close_button(ui, context, |ui, context| shortcuts::shortcuts_ui(ui, &mut state.shortcut_search, context));
        }
        Dialog::About => with_close_button(ui, context, about_ui),
        Dialog::Quit => quit_ui(ui, context),
    }
}

/// The heading of the dialog.
fn title(dialog: &Dialog) -> &'static str {
    match dialog {
        Dialog::Screenshot => "Screenshot",
        Dialog::Clip => "Export clip",
        Dialog::ContactSheet => "Export contact sheet",
        Dialog::Dropped { .. } => "Dropped file",
        Dialog::Overwrite { kind, .. } if is_sequence(*kind) => "Replace frames?",
        Dialog::Overwrite { .. } => "Replace file?",
        Dialog::SaveForCommand { .. } => "Save view file for the command?",
        Dialog::Binding(_) => "Binding report",
        Dialog::Texture(place) => texture_text::slot(place.slot),
        Dialog::Settings => "Settings",
        Dialog::Bookmarks => "Bookmarks",
        Dialog::ViewPresets => "View presets",
        Dialog::CommandPalette => Action::CommandPalette.label(),
        Dialog::Shortcuts => "Keyboard shortcuts",
        Dialog::About => "About Sinew",
        Dialog::Quit => "Quit Sinew?",
    }
}

/// Draws the content of a dialog, and a button that closes it.
fn with_close_button(ui: &mut Ui, context: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) {
    content(ui, context);
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
        if ui.button("Close").clicked() {
            context.window.dialog = None;
        }
    });
}

/// Returns whether what is saved is a folder of frames.
fn is_sequence(kind: SaveKind) -> bool {
    matches!(kind, SaveKind::Clip(options) if options.format == ClipFormat::Sequence)
}

/// Asks whether to replace an existing file, or frames in a folder.
fn overwrite_ui(ui: &mut Ui, context: &mut Context, kind: SaveKind, path: &Path) {
    let existing = if is_sequence(kind) { "already has frames with these names." } else { "already exists." };
    ui.label(format!("{} {existing}", file_name(path)));
    ui.weak(path.parent().map(|folder| folder.display().to_string()).unwrap_or_default());
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
        let request = if primary_button(ui, "Replace").clicked() {
            Some(Request::Save { kind, path: Some(path.to_owned()), overwrite: true })
        } else if ui.button("Save as...").clicked() {
            Some(Request::Save { kind, path: None, overwrite: false })
        } else if ui.button("Cancel").clicked() {
            None
        } else {
            return;
        };
        context.requests.extend(request);
        context.window.dialog = None;
    });
}

/// Asks whether to quit although an export or a screenshot is running. The application quits when the export has ended. Enter and
/// Esc keep the export, and the window stays open.
fn quit_ui(ui: &mut Ui, context: &mut Context) {
    let Some(exporting) = &context.status.exporting else {
        context.window.dialog = None;
        return;
    };
    ui.label("An export is running. Cancel it and quit?");
    ui.add(Label::new(text::number(exporting.to_string()).weak()).truncate());
    ui.add_space(theme::MARGIN);
    buttons(ui, |ui| {
        let is_kept = primary_button(ui, "Keep exporting").clicked() || entered(ui);
        let is_quit = ui.button("Quit").on_hover_text("Cancel the export and delete its files").clicked();
        if is_quit {
            context.requests.push(Request::QuitAnyway);
        }
        if is_kept || is_quit {
            context.window.dialog = None;
        }
    });
}

/// Draws the version, the licenses and the graphics device.
fn about_ui(ui: &mut Ui, context: &mut Context) {
    ui.label(concat!("Version ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.label("License: MIT or Apache 2.0");
    if !context.status.statistics.adapter.is_empty() {
        ui.label(text::section(ui, "Graphics device"));
        ui.label(&context.status.statistics.adapter);
    }
    if ui.button("Copy system information").on_hover_text("For a bug report").clicked() {
        let facts = format!("{}Graphics: {}\n", context.status.system, context.status.statistics.adapter);
        context.requests.push(Request::CopyText(facts));
    }
    ui.label(text::section(ui, "Fonts and icons"));
    let fonts = "Inter and JetBrains Mono (SIL Open Font License 1.1), icons by Lucide (ISC).";
    ui.label(RichText::new(fonts).text_style(TextStyle::Small));
}
