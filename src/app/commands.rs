//! What the panels cannot do themselves.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

use egui_winit::accesskit_winit::WindowEvent as Access;
use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use crate::camera::Orbit;
use crate::render::material::mipmap::PreparedImage;
use crate::session::bounds;
use crate::session::camera::{orbit_controls, view_camera};
use crate::session::view::ViewCamera;
use crate::ui::request::Request;
use crate::ui::window_state::Dialog;

use super::progressive_ghosts::Stillness;
use super::worker_events::{NoDialog, Saved, Saving};
use super::workers::file_watcher::WatchMessage;
use super::workers::load::{self, Source};
use super::{App, LONG_NOTE, dialogs};

impl App {
    pub(super) fn quit(&mut self, event_loop: &ActiveEventLoop) {
        self.cancel_job(WatchMessage::Dropped);
        event_loop.exit();
    }

    pub(super) fn do_commands(&mut self, event_loop: &ActiveEventLoop, commands: Vec<Request>) {
        for command in commands {
            self.command(event_loop, command);
        }
    }

    pub(super) fn command(&mut self, event_loop: &ActiveEventLoop, command: Request) {
        match command {
            Request::OpenDialog => {
                if let Some(shell) = &self.shell {
                    dialogs::open(&shell.window, self.settings.open_folder.as_deref(), self.proxy.clone());
                }
            }
            Request::EnvironmentDialog => {
                if let Some(shell) = &self.shell {
                    dialogs::environment(&shell.window, self.settings.environment_folder.as_deref(), self.proxy.clone());
                }
            }
            Request::Environment(path) => self.choose_environment(path),
            Request::Open(path) => self.show(Source::File { path, beside: Vec::new() }),
            Request::OpenSample => self.show(Source::Sample),
            Request::StepFile(by) => self.step_file(by),
            Request::Reload => self.reload(),
            Request::CancelLoading => {
                self.cancel_job(WatchMessage::Dropped);
                self.return_to_open();
                self.fetch_lost_textures();
                self.note("Cancelled".into());
            }
            Request::SaveScreenshot { options, path: None, .. } => self.ask_place(Saving::Picture(options)),
            Request::SaveScreenshot { options, path: Some(path), overwrite } => self.save_picture(options, path, overwrite),
            Request::SaveScreenshotNow => self.save_picture_now(),
            Request::SaveView { path: None } => self.ask_place(Saving::View),
            Request::SaveView { path: Some(path) } => self.save(Saving::View, path, false),
            Request::ExportClip { options, path: None, .. } => self.ask_place(Saving::Clip(options)),
            Request::ExportClip { options, path: Some(path), overwrite } => self.export_clip(options, path, overwrite),
            Request::CancelExport => self.cancel_export(),
            Request::LookForFfmpeg => self.look_for_ffmpeg(),
            Request::CopyCommand { clip } => self.copy_command(clip),
            Request::Fit { nodes } => self.fit(&nodes),
            Request::CopyText(text) => {
                if let Some(shell) = &mut self.shell {
                    let lines = text.lines().count();
                    shell.input.set_clipboard_text(text);
                    self.note(if lines > 1 { format!("Copied {lines} lines") } else { "Copied".into() });
                }
            }
            Request::FindFonts(missing) => self.find_fonts(missing),
            Request::Undo => {
                if let Some(what) = self.undo.undo(&mut self.view) {
                    self.note(format!("Undone: {what}"));
                }
            }
            Request::Redo => {
                if let Some(what) = self.undo.redo(&mut self.view) {
                    self.note(format!("Done again: {what}"));
                }
            }
            Request::ToggleFullScreen => {
                if let Some(shell) = &self.shell {
                    let full = shell.window.fullscreen().is_some();
                    shell.window.set_fullscreen((!full).then_some(Fullscreen::Borderless(None)));
                }
            }
            Request::ClearRecentFiles => {
                self.ui.preferences.recent_files.clear();
                self.settings.preferences.recent_files.clear();
                self.write_settings(false);
            }
            Request::Quit => self.quit(event_loop),
        }
        self.ask_frame();
    }

    /// The camera on these nodes (the file's indices), or on everything that the whole animation shows; its direction stays.
    fn fit(&mut self, nodes: &[usize]) {
        let Some(open) = &self.open else { return };
        let model = &open.document.model;
        let nodes: Vec<_> = nodes.iter().filter_map(|&source| model.node_from_source(source)).collect();
        let size = self.ui.status.statistics.viewport;
        let aspect = f64::from((size[0] / size[1].max(1.0)).max(0.01));
        let orbit = orbit_controls::orbit(open.subject(&self.view), &open.posed, aspect);
        let fitted = if nodes.is_empty() {
            view_camera::fitted(&open.analyses, &self.view, &orbit, aspect)
        } else {
            let bounds = bounds::nodes_bounds(model, &open.document.mesh_bounds, &open.posed, &nodes, &open.analyses.bounds);
            orbit.fitted(&bounds, aspect)
        };
        let followed = view_camera::followed(&open.document, self.view.follow, &open.posed);
        self.view.camera = ViewCamera::Orbit(Orbit { focus: fitted.focus - followed, ..fitted });
    }

    /// A texture is ready, or never will be.
    pub(super) fn image(&mut self, job: u64, index: usize, image: Result<PreparedImage, String>) {
        let (Some(open), Some(shell)) = (&mut self.open, &self.shell) else { return };
        if open.job != job {
            return;
        }
        open.stillness = Stillness::default();
        let mut gpu_model = open.gpu_model.write().unwrap_or_else(PoisonError::into_inner);
        open.document.image_done(index, gpu_model.receive_image(&shell.gpu, index, image));
    }

    pub(super) fn no_dialog(&mut self, dialog: NoDialog) {
        match dialog {
            NoDialog::Open => {
                let drop = if self.ui.status.can_drop { "drop the file on this window, or " } else { "" };
                self.note(format!("No file dialog answers on this system: {drop}start sinew with the file's name"));
            }
            NoDialog::Environment => {
                let drop = if self.ui.status.can_drop { ": drop the .hdr or .exr on this window" } else { "" };
                self.note(format!("No file dialog answers on this system{drop}"));
            }
            NoDialog::Save(saving) => match self.default_place(saving) {
                Some(path) => self.save(saving, path, false),
                None => self.note("No file dialog answers on this system, and there is no folder to save to".into()),
            },
        }
    }

    pub(super) fn saved(&mut self, saved: Saved) {
        match saved {
            Saved::Written(path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let folder = path.parent().map(PathBuf::from);
                let place = folder.as_ref().map_or(String::new(), |folder| format!(" in {}", folder.display()));
                self.note_for(LONG_NOTE, format!("Saved {}{place}", load::file_name(&path)));
                self.settings.save_folder = folder;
                self.settings_due = Some(Instant::now());
            }
            Saved::Exists { options, path } => self.ui.window.dialog = Some(Dialog::Overwrite { options, path }),
            Saved::ClipExists { options, path } => self.ui.window.dialog = Some(Dialog::OverwriteClip { options, path }),
            Saved::Cancelled => self.note("Cancelled: nothing was written".into()),
            Saved::Failed(message) => self.fail("Saving".into(), message),
        }
    }

    pub(super) fn access(&mut self, event: egui_winit::accesskit_winit::Event) {
        let Some(shell) = &mut self.shell else { return };
        match event.window_event {
            Access::InitialTreeRequested => shell.egui.enable_accesskit(),
            Access::ActionRequested(request) => shell.input.on_accesskit_action_request(request),
            Access::AccessibilityDeactivated => shell.egui.disable_accesskit(),
        }
    }
}
