//! Clips: drawn by the same function as `sinew render`, frame after frame, on a thread of their own, one at a time. And what is
//! seen, as a command.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

use crate::app::worker_events::{AppEvent, Saved, Saving};
use crate::app::{App, draw_frame, window};
use crate::export::atomic_file::WriteError;
use crate::export::clip::{self, ClipError, Progress, Target};
use crate::export::still::{self, StillOptions, Stills};
use crate::export::video;
use crate::render::annotations::line::Theme;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::session::analyses::Subject;
use crate::session::camera::orbit_controls;
use crate::session::file::output_name::{clip_name, picture_name};
use crate::session::file::render_command::{self, Shot};
use crate::session::time::clip::{Clip, ClipFormat, ClipOptions};
use crate::ui::app_status::Exporting;
use crate::ui::dialogs::screenshot;
use crate::ui::window_state::Dialog;

use super::load;

/// A clip on its way to the disk.
pub struct Export {
    name: String,
    frames: usize,
    progress: Arc<Progress>,
    thread: JoinHandle<()>,
}

impl Export {
    pub fn shown(&self) -> Exporting {
        Exporting { name: self.name.clone(), written: self.progress.written(), frames: self.frames }
    }

    /// Ends it, and waits until nothing of it is left.
    pub fn end(self) {
        self.progress.cancel();
        let _ = self.thread.join();
    }
}

impl App {
    pub(crate) fn look_for_ffmpeg(&mut self) {
        self.ui.status.ffmpeg = video::is_possible();
    }

    pub(crate) fn cancel_export(&mut self) {
        if let Some(export) = &self.export {
            export.progress.cancel();
        }
    }

    /// Its outcome has come.
    pub(crate) fn exported(&mut self) {
        self.export = None;
    }

    /// Draws and writes on a thread of its own, and the window goes on.
    pub(crate) fn export_clip(&mut self, options: ClipOptions, path: PathBuf, overwrite: bool) {
        if self.export.is_some() {
            return self.note("A clip is being exported already: wait until it is there, or cancel it".into());
        }
        let (Some(shell), Some(open)) = (&self.shell, &self.open) else { return };
        let (document, analyses, view) = (open.document.clone(), open.analyses.clone(), self.view.clone());
        let clip = match Clip::new(&document.model, &view, options.rate(&document, &view), options.turntable) {
            Ok(clip) => clip,
            Err(error) => return self.fail("Exporting".into(), error.to_string()),
        };
        let [width, height] = options.format.size(screenshot::size([options.width, options.height], &self.ui.status.statistics));
        let theme = draw_frame::picture_theme(&shell.egui).clone();
        let background = if options.is_transparent() { Background::Transparent } else { still::picture_background(&view.display, &theme) };
        let still_options = StillOptions {
            width,
            height,
            supersample: 1,
            background,
            overlays: options.overlays,
            theme,
            pixels_per_point: self.line_width(height),
            camera: None,
        };
        let aspect = f64::from(width) / f64::from(height);
        let (gpu, gpu_model, proxy) = (shell.gpu.clone(), open.gpu_model.clone(), self.proxy.clone());
        let (around, progress) = (self.environments.around.clone(), Arc::new(Progress::default()));
        let (frames, name) = (clip.frames.len(), load::file_name(&path));
        let told = progress.clone();
        let thread = std::thread::spawn(move || {
            let written = load::caught(|| {
                let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, window::SAMPLES);
                around.into_iter().for_each(|around| renderer.set_environment(around));
                let first = clip.frames.first().map_or(0.0, |frame| frame.time);
                let subject = Subject { document: &document, analyses: &analyses, view: &view };
                let orbit = options.turntable.map(|_| orbit_controls::turntable(subject, &subject.posed(first), aspect));
                let mut stills = Stills::new(&gpu, &mut renderer, subject);
                let target = target(options.format, &path, overwrite);
                clip::write(&clip, [width, height], options.is_transparent(), &target, &told, |frame| {
                    stills.orbit = orbit.map(|orbit| orbit_controls::turned(&orbit, frame.turn));
                    let gpu_model = gpu_model.read().unwrap_or_else(PoisonError::into_inner);
                    stills.draw_all(&gpu_model, frame.moment(), &still_options)
                })
            });
            let saved = match written {
                Ok(Ok(())) => Saved::Written(path),
                Ok(Err(ClipError::Cancelled)) => Saved::Cancelled,
                Ok(Err(ClipError::Write(WriteError::Exists { .. }))) => Saved::ClipExists { options, path },
                Ok(Err(error)) => Saved::Failed(error.to_string()),
                Err(message) => Saved::Failed(message),
            };
            // The window may be gone, and then nobody asks.
            let _ = proxy.send_event(AppEvent::Exported(saved));
        });
        self.export = Some(Export { name, frames, progress, thread });
    }

    /// Lines and names as large beside the model as they are in the window.
    pub(crate) fn line_width(&self, height: u32) -> f32 {
        (height as f32 / self.ui.status.statistics.viewport[1].max(1.0)).max(0.5)
    }

    /// What is seen, or the clip of it, as a command; and where it needs the view saved, the offer to do that.
    pub(crate) fn copy_command(&mut self, clip: Option<ClipOptions>) {
        let state = self.default_place(Saving::View);
        let (Some(shell), Some(open), Some(state)) = (&mut self.shell, &self.open, state) else { return };
        let Some(file) = &open.document.path else { return };
        let (document, view) = (&open.document, &self.view);
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let time = self.transport.time();
        let output = match &clip {
            Some(options) => match clip_name(document, view, options) {
                folder if options.format == ClipFormat::Sequence => format!("{folder}/{NUMBERED}"),
                name => name,
            },
            None => picture_name(document, view, time),
        };
        let wanted = clip.map_or([0; 2], |options| [options.width, options.height]);
        let theme = draw_frame::picture_theme(&shell.egui);
        let shot = Shot {
            file: &file,
            document,
            view,
            time,
            clip: clip.as_ref().map(|options| (options, options.rate(document, view))),
            size: screenshot::size(wanted, &self.ui.status.statistics),
            background: (*theme != Theme::DARK).then_some(theme.background),
            state: &state,
            output: &output,
        };
        let line = render_command::command_line(&shot);
        let beyond_flags = render_command::beyond_flags(view);
        shell.input.set_clipboard_text(line);
        if beyond_flags.is_empty() {
            self.note("Copied the command that draws this".into());
        } else {
            self.ui.window.dialog = Some(Dialog::SaveForCommand { beyond_flags, path: state });
        }
    }
}

/// Pictures of a sequence, in its folder.
const NUMBERED: &str = "%04d.png";

fn target(format: ClipFormat, path: &Path, overwrite: bool) -> Target {
    let path = if format == ClipFormat::Sequence { path.join(NUMBERED) } else { path.to_owned() };
    Target { format, path, overwrite }
}
