//! The light from all around that the window shows: read and prefiltered on a thread of its own, while the one before it goes on
//! shining. The view names the file; undo may, too, so every frame looks whether what shines is what the view names.

use std::path::{Path, PathBuf};

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;
use crate::app::{App, recent_files};
use crate::asset::file::panorama::Panorama;
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::environment::map::LightMap;
use crate::render::environment::studio_map::studio_map;

use super::load;

/// Panoramas that are remembered.
const MOST_RECENT: usize = 8;

#[derive(Debug, Default)]
pub struct Environments {
    /// The panorama that shines; none: the studio.
    shown: Option<PathBuf>,
    /// On its way, and whether a person asked for it: else the view names it already.
    reading: Option<(PathBuf, bool)>,
    /// What pictures beside the window's are lit by; none: the studio.
    pub around: Option<EnvironmentLight>,
}

/// A panorama was read, or why not.
pub struct ReadEnvironment {
    path: PathBuf,
    /// See [`crate::app::window::Shell::device`].
    device: u64,
    around: Result<EnvironmentLight, String>,
}

impl App {
    /// Where the view names another than what shines.
    pub(crate) fn follow_environment(&mut self) {
        if self.environments.reading.is_some() || self.view.display.environment.file == self.environments.shown {
            return;
        }
        match self.view.display.environment.file.clone() {
            Some(path) => self.begin_reading(path, false),
            None => {
                let Some(shell) = &mut self.shell else { return };
                shell.renderer.set_environment(EnvironmentLight::new(&shell.gpu, &studio_map()));
                self.environments = Environments::default();
                self.ask_frame();
            }
        }
    }

    /// None: the studio, whatever is on its way.
    pub(crate) fn choose_environment(&mut self, path: Option<PathBuf>) {
        match path {
            Some(path) => self.read_environment(path),
            None => {
                self.environments.reading = None;
                self.view.display.environment.file = None;
            }
        }
    }

    /// A person asks for it: the view names it when it is there.
    pub(crate) fn read_environment(&mut self, path: PathBuf) {
        self.begin_reading(std::path::absolute(&path).unwrap_or(path), true);
    }

    fn begin_reading(&mut self, path: PathBuf, asked: bool) {
        let Some(shell) = &self.shell else { return };
        start(shell.gpu.clone(), shell.device, path.clone(), self.proxy.clone());
        self.note(format!("Reading {}...", load::file_name(&path)));
        self.environments.reading = Some((path, asked));
    }

    pub(crate) fn environment_read(&mut self, read: ReadEnvironment) {
        let Some((_, asked)) = self.environments.reading.take_if(|(path, _)| *path == read.path) else { return };
        let Some(shell) = self.shell.as_mut().filter(|shell| shell.device == read.device) else { return };
        match read.around {
            Ok(around) => {
                shell.renderer.set_environment(around.clone());
                self.environments.around = Some(around);
                self.environments.shown = Some(read.path.clone());
                self.note(format!("{} gives the light", load::file_name(&read.path)));
                if !asked {
                    return;
                }
                let chosen = &mut self.ui.preferences.recent_environments;
                recent_files::remember(chosen, &read.path);
                chosen.truncate(MOST_RECENT);
                self.settings.environment_folder = read.path.parent().map(PathBuf::from);
                self.view.display.environment.file = Some(read.path);
            }
            Err(message) => {
                // What shines goes on shining.
                if self.view.display.environment.file.as_ref() == Some(&read.path) {
                    self.view.display.environment.file.clone_from(&self.environments.shown);
                }
                self.note_until = None;
                self.ui.status.note = None;
                self.fail(load::file_name(&read.path), message);
            }
        }
    }
}

fn start(gpu: Gpu, device: u64, path: PathBuf, proxy: EventLoopProxy<AppEvent>) {
    std::thread::spawn(move || {
        let around = load::caught(|| read(&gpu, &path)).and_then(|around| around);
        // The window may be gone by now; then nobody waits for it.
        let _ = proxy.send_event(AppEvent::EnvironmentRead(ReadEnvironment { path, device, around }));
    });
}

fn read(gpu: &Gpu, path: &Path) -> Result<EnvironmentLight, String> {
    let panorama = Panorama::read(path).map_err(|error| error.to_string())?;
    let map = LightMap::from_panorama(&panorama);
    drop(panorama);
    EnvironmentLight::checked(gpu, &map).map_err(|error| error.to_string())
}
