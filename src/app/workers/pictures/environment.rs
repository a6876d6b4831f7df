//! Reads and prefilters the panorama that lights the window's model, on a background thread. Until it is done, the previous light stays.
//! The view stores the path of the panorama. It can change at any time, for example by undo, so every frame compares that path with the
//! panorama in use.

use std::path::{Path, PathBuf};

use winit::event_loop::EventLoopProxy;

use crate::app::window::AppWindow;
use crate::app::worker_events::{AppEvent, ReadEnvironment};
use crate::asset::file::panorama::Panorama;
use crate::cancel::Cancel;
use crate::paths::file_name;
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::environment::map::EnvironmentMap;
use crate::render::environment::studio_map::studio_map;
use crate::session::view::View;

use crate::app::workers::{DeviceThreads, catch_panic};

/// The image-based light of the window.
#[derive(Debug, Default)]
pub struct EnvironmentWorker {
    /// The panorama in use; `None` for the studio.
    current: Option<PathBuf>,
    /// The panorama that is being read.
    reading: Option<Reading>,
    /// The threads that read panoramas, also canceled ones.
    threads: DeviceThreads,
    /// Light of the current panorama, for pictures that are drawn in the background; `None` for the studio.
    light: Option<EnvironmentLight>,
}

/// A panorama that is being read.
#[derive(Debug)]
struct Reading {
    path: PathBuf,
    /// Whether the user has just chosen the panorama. If so, the view refers to it only after it was read. Otherwise, the view refers to it
    /// already.
    is_chosen: bool,
    cancel: Cancel,
}

/// The result of [`EnvironmentWorker::update`].
pub enum EnvironmentUpdate {
    Unchanged,
    /// Reading this panorama was started.
    Started(PathBuf),
    /// The studio lights the model again.
    Studio,
}

/// The result of [`EnvironmentWorker::receive`].
pub enum EnvironmentOutcome {
    /// The answer is out of date.
    Ignored,
    /// The panorama lights the model. If `is_chosen` is set, the user has chosen it, and the view does not refer to it yet.
    Lit { path: PathBuf, is_chosen: bool },
    /// The panorama could not be read. `current` still lights the model; `None` is the studio.
    Failed { path: PathBuf, message: String, current: Option<PathBuf> },
}

impl EnvironmentWorker {
    /// Light for pictures that are drawn in the background; `None` for the studio.
    pub fn light(&self) -> Option<&EnvironmentLight> {
        self.light.as_ref()
    }

    /// Returns whether the light comes from a panorama in which no light source is bright enough to cast a shadow.
    pub fn is_sunless(&self) -> bool {
        self.light.as_ref().is_some_and(|light| light.key.is_none())
    }

    /// Starts reading the environment that the view names, if another one is in use and none is being read.
    pub fn update(&mut self, view: &View, window: &mut AppWindow, proxy: &EventLoopProxy<AppEvent>) -> EnvironmentUpdate {
        let file = &view.display.environment.file;
        if self.reading.is_some() || *file == self.current {
            return EnvironmentUpdate::Unchanged;
        }
        match file {
            Some(path) => {
                self.start(path.clone(), false, window, proxy.clone());
                EnvironmentUpdate::Started(path.clone())
            }
            None => {
                window.renderer.set_environment(EnvironmentLight::new(&window.gpu, &studio_map()));
                (self.current, self.light) = (None, None);
                EnvironmentUpdate::Studio
            }
        }
    }

    /// Starts reading a panorama, in place of one that is being read. `is_chosen` is true if the view does not name it yet.
    pub fn start(&mut self, path: PathBuf, is_chosen: bool, window: &AppWindow, proxy: EventLoopProxy<AppEvent>) {
        self.stop();
        let (gpu, device, file) = (window.gpu.clone(), window.device, path.clone());
        let cancel = Cancel::default();
        let shared = cancel.clone();
        let thread = std::thread::spawn(move || {
            let light = catch_panic(|| read(&gpu, &file, &shared)).and_then(|light| light).transpose();
            if let Some(light) = light {
                AppEvent::EnvironmentRead(ReadEnvironment { path: file, cancel: shared, device, light }).send(&proxy);
            }
        });
        self.threads.add(thread);
        self.reading = Some(Reading { path, is_chosen, cancel });
    }

    /// Cancels the panorama that is being read. A result that is on its way is ignored.
    pub fn stop(&mut self) {
        if let Some(reading) = self.reading.take() {
            reading.cancel.cancel();
        }
    }

    /// Cancels the panorama that is being read, and waits until nothing of it uses the device.
    pub fn join(&mut self) {
        self.stop();
        self.threads.join();
    }

    /// Cancels the panorama that is being read, and returns its path if the user has just chosen it.
    pub fn into_chosen(mut self) -> Option<PathBuf> {
        let chosen = self.reading.as_ref().filter(|reading| reading.is_chosen).map(|reading| reading.path.clone());
        self.stop();
        chosen
    }

    /// Lights the window with a panorama that was read. A canceled result, or one for a lost device, is ignored.
    pub fn receive(&mut self, read: ReadEnvironment, window: Option<&mut AppWindow>) -> EnvironmentOutcome {
        let ReadEnvironment { path, cancel, device, light } = read;
        let window = window.filter(|window| window.device == device && !cancel.is_canceled());
        // Only one panorama is read at a time, and those before it were canceled.
        let (Some(window), Some(reading)) = (window, self.reading.take()) else { return EnvironmentOutcome::Ignored };
        match light {
            Ok(light) => {
                window.renderer.set_environment(light.clone());
                (self.light, self.current) = (Some(light), Some(path.clone()));
                EnvironmentOutcome::Lit { path, is_chosen: reading.is_chosen }
            }
            Err(message) => EnvironmentOutcome::Failed { path, message, current: self.current.clone() },
        }
    }
}

/// Message for the status bar while a panorama is read.
pub fn reading_message(path: &Path) -> String {
    format!("Reading {}...", file_name(path))
}

/// Reads a panorama and prefilters it on the GPU. `None` if it was canceled. Errors become messages for the user.
fn read(gpu: &Gpu, path: &Path, cancel: &Cancel) -> Result<Option<EnvironmentLight>, String> {
    let panorama = Panorama::read(path).map_err(|error| error.to_string())?;
    if cancel.is_canceled() {
        return Ok(None);
    }
    let map = EnvironmentMap::from_panorama(&panorama);
    // Free the panorama before memory is allocated for its light.
    drop(panorama);
    if cancel.is_canceled() {
        return Ok(None);
    }
    EnvironmentLight::checked(gpu, &map).map(Some).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panorama_that_the_user_chose_is_known_until_it_is_read() {
        let reading = |is_chosen| Some(Reading { path: "hall.hdr".into(), is_chosen, cancel: Cancel::default() });
        let chosen = |reading| EnvironmentWorker { reading, ..EnvironmentWorker::default() }.into_chosen();
        assert_eq!(chosen(reading(true)), Some("hall.hdr".into()));
        assert_eq!(chosen(reading(false)), None, "the view names it");
        assert_eq!(chosen(None), None);
    }
}
