//! Screenshots: drawn by the same function as `sinew render`, encoded and written on a thread of their own, and never over a
//! file that nobody asked to replace.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::app::worker_events::{AppEvent, Saved, Saving};
use crate::app::{App, dialogs, draw_frame, files, window};
use crate::export::atomic_file::WriteError;
use crate::export::png;
use crate::export::still::{self, StillOptions};
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::session::analyses::Subject;
use crate::session::file::output_name::{clip_name, picture_name};
use crate::ui::dialogs::screenshot;
use crate::ui::preferences::ScreenshotOptions;

use super::load;

impl App {
    /// Asks where to save; the answer comes as an event.
    pub(crate) fn ask_place(&mut self, saving: Saving) {
        let Some(place) = self.default_place(saving) else { return };
        let (Some(shell), Some(folder), Some(name)) = (&self.shell, place.parent(), place.file_name()) else { return };
        dialogs::save(&shell.window, folder, &name.to_string_lossy(), saving, self.proxy.clone());
    }

    /// With the last settings, beside the last one.
    pub(crate) fn save_picture_now(&mut self) {
        let options = self.ui.preferences.screenshot;
        match self.default_place(Saving::Picture(options)) {
            Some(path) => self.save_picture(options, path, false),
            None => self.note("There is no folder to save to: use Screenshot... once".into()),
        }
    }

    pub(crate) fn save(&mut self, saving: Saving, path: PathBuf, overwrite: bool) {
        match saving {
            Saving::Picture(options) => self.save_picture(options, path, overwrite),
            Saving::Clip(options) => self.export_clip(options, path, overwrite),
            Saving::View => {
                let text = serde_json::to_string_pretty(&self.view).map_err(std::io::Error::from);
                let written = text.and_then(|text| match !overwrite && path.exists() {
                    true => Err(std::io::ErrorKind::AlreadyExists.into()),
                    false => files::write_whole(&path, text.as_bytes()),
                });
                self.saved(match written {
                    Ok(()) => Saved::Written(path),
                    Err(error) => Saved::Failed(format!("{} cannot be written: {error}", path.display())),
                });
            }
        }
    }

    /// Draws and writes on a thread of its own: a large picture takes a while, and the window goes on.
    pub(crate) fn save_picture(&mut self, options: ScreenshotOptions, path: PathBuf, overwrite: bool) {
        let (Some(shell), Some(open)) = (&self.shell, &self.open) else { return };
        let [width, height] = screenshot::size([options.width, options.height], &self.ui.status.statistics);
        let theme = draw_frame::picture_theme(&shell.egui).clone();
        let background = match options.transparent {
            true => Background::Transparent,
            false => still::picture_background(&self.view.display, &theme),
        };
        let still_options = StillOptions {
            width,
            height,
            supersample: options.supersample,
            background,
            overlays: options.overlays,
            theme,
            pixels_per_point: self.line_width(height),
            camera: None,
        };
        let (gpu, gpu_model, proxy) = (shell.gpu.clone(), open.gpu_model.clone(), self.proxy.clone());
        let around = self.environments.around.clone();
        let (document, analyses) = (open.document.clone(), open.analyses.clone());
        let (view, moment) = (self.view.clone(), self.transport.moment());
        self.saves.retain(|(_, save)| !save.is_finished());
        let to = path.clone();
        let save = std::thread::spawn(move || {
            let saved = load::caught(|| {
                let mut renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, window::SAMPLES);
                let subject = Subject { document: &document, analyses: &analyses, view: &view };
                around.into_iter().for_each(|around| renderer.set_environment(around));
                let drawn = {
                    let gpu_model = gpu_model.read().unwrap_or_else(PoisonError::into_inner);
                    still::still(&gpu, &mut renderer, &gpu_model, subject, moment, &still_options)
                };
                match drawn.map(|picture| png::write_png(&picture, &path, overwrite)) {
                    Ok(Ok(())) => Saved::Written(path),
                    Ok(Err(WriteError::Exists { path })) => Saved::Exists { options, path },
                    Ok(Err(error)) => Saved::Failed(error.to_string()),
                    Err(error) => Saved::Failed(error.to_string()),
                }
            });
            let saved = saved.unwrap_or_else(Saved::Failed);
            // The window may be gone; the picture is written all the same.
            let _ = proxy.send_event(AppEvent::Saved(saved));
        });
        self.saves.push((to, save));
        self.note("Saving the picture...".into());
    }

    /// `fox-walk-0012.png` in the folder of the last picture, else beside the model, else where pictures are kept; a view beside
    /// its model first. With a number behind it where that name is taken.
    pub(crate) fn default_place(&self, saving: Saving) -> Option<PathBuf> {
        let open = self.open.as_ref()?;
        let beside = || open.document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let pictures = || {
            let dirs = directories::UserDirs::new()?;
            Some(dirs.picture_dir().unwrap_or_else(|| dirs.home_dir()).to_owned())
        };
        let last = || self.settings.save_folder.clone().filter(|folder| folder.is_dir());
        let folder = match saving {
            Saving::View => beside().or_else(last),
            Saving::Picture(_) | Saving::Clip(_) => last().or_else(beside),
        };
        let folder = folder.or_else(pictures)?;
        let name = match saving {
            Saving::Clip(options) => clip_name(&open.document, &self.view, &options),
            Saving::Picture(_) | Saving::View => picture_name(&open.document, &self.view, self.transport.time()),
        };
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let ending = if saving.extension().is_empty() { String::new() } else { format!(".{}", saving.extension()) };
        let numbered = (2..10_000).map(|number| folder.join(format!("{stem}-{number}{ending}")));
        std::iter::once(folder.join(format!("{stem}{ending}")))
            .chain(numbered)
            .find(|path| !path.exists() && !self.saves.iter().any(|(to, _)| to == path))
    }
}
