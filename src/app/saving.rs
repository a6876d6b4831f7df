//! Screenshots: drawn by the same function as `sinew render`, encoded and written on a thread of their own, and never over a
//! file that nobody asked to replace.

use std::path::{Path, PathBuf};

use crate::animation::playback;
use crate::export::png;
use crate::export::still::{self, StillOptions};
use crate::render::picture::Background;
use crate::session::transport;
use crate::ui::ScreenshotOptions;

use super::events::AppEvent;
use super::{App, dialogs, frame};

impl App {
    /// Asks where to save; the answer comes as an event.
    pub(super) fn ask_place(&mut self, options: ScreenshotOptions) {
        let Some(place) = self.default_place() else { return };
        let (Some(shell), Some(folder), Some(name)) = (&self.shell, place.parent(), place.file_name()) else { return };
        dialogs::save(&shell.window, folder, &name.to_string_lossy(), options, self.proxy.clone());
    }

    /// With the last settings, beside the last one.
    pub(super) fn save_picture_now(&mut self) {
        match self.default_place() {
            Some(path) => self.save_picture(self.ui.preferences.screenshot, path, false),
            None => self.note("There is no folder to save to: use Screenshot... once".into()),
        }
    }

    pub(super) fn save_picture(&mut self, options: ScreenshotOptions, path: PathBuf, overwrite: bool) {
        let (Some(shell), Some(open)) = (&mut self.shell, &self.open) else { return };
        let [width, height] =
            self.ui.statistics.viewport.map(|points| (points * self.ui.statistics.pixels_per_point).round().max(1.0) as u32);
        let [width, height] = match (options.width, options.height) {
            (0, _) | (_, 0) => [width, height],
            (width, height) => [width, height],
        };
        let theme = frame::picture_theme(&shell.egui).clone();
        let background = match options.transparent {
            true => Background::Transparent,
            false => Background::Color(self.view.display.background.unwrap_or(theme.background)),
        };
        let still_options = StillOptions {
            width,
            height,
            supersample: options.supersample,
            background,
            overlays: options.overlays,
            theme,
            pixels_per_point: self.ui.statistics.pixels_per_point.max(1.0),
            camera: None,
        };
        let time = self.transport.time();
        match still::still(&shell.gpu, &mut shell.renderer, &open.gpu_model, &open.document, &self.view, time, &still_options) {
            Ok(picture) => {
                let proxy = self.proxy.clone();
                std::thread::spawn(move || {
                    let saved = png::write_png(&picture, &path, overwrite).map(|()| path).map_err(|error| error.to_string());
                    let _ = proxy.send_event(AppEvent::Saved(saved));
                });
            }
            Err(error) => self.fail("Screenshot".into(), error.to_string()),
        }
    }

    /// `fox-walk-0012.png` in the folder of the last picture, else beside the model, else where pictures are kept; with a
    /// number behind it where that name is taken.
    pub(super) fn default_place(&self) -> Option<PathBuf> {
        let open = self.open.as_ref()?;
        let beside = || open.document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let pictures = || {
            let dirs = directories::UserDirs::new()?;
            Some(dirs.picture_dir().unwrap_or_else(|| dirs.home_dir()).to_owned())
        };
        let folder = self.settings.save_folder.clone().filter(|folder| folder.is_dir()).or_else(beside).or_else(pictures)?;
        let stem = Path::new(&open.document.name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut name = plain(&stem);
        if let Some(index) = self.view.animation
            && let Some(animation) = open.document.model.animations.get(index)
        {
            let fps = transport::rate(&open.document.model, &self.view).fps;
            let frame = playback::frame_of(self.transport.time(), fps).round() as i64;
            name = format!("{name}-{}-{frame:04}", plain(&animation.label(index)));
        }
        let free = |path: &PathBuf| !path.exists();
        let first = folder.join(format!("{name}.png"));
        Some(first).filter(free).or_else(|| (2..10_000).map(|number| folder.join(format!("{name}-{number}.png"))).find(free))
    }
}

/// Without what a file name cannot hold anywhere.
fn plain(name: &str) -> String {
    let kept: String = name.chars().map(|c| if c.is_alphanumeric() || "-_.()".contains(c) { c } else { '_' }).take(80).collect();
    if kept.trim_matches(['_', '.']).is_empty() { "picture".into() } else { kept }
}
