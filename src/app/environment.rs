//! Lights the model with the panorama that the user chooses, or that the view names. A worker reads it.

use std::path::PathBuf;

use crate::paths::{self, file_name};
use crate::session::view::View;
use crate::ui::context::app_status::Failure;
use crate::ui::context::preferences::push_recent;

use super::App;
use super::worker_events::ReadEnvironment;
use super::workers::pictures::environment::{EnvironmentOutcome, EnvironmentUpdate, reading_message};

/// Maximum length of the list of recent environments.
const MAX_RECENT_ENVIRONMENTS: usize = 8;

impl App {
    /// Starts reading an environment that the user chose. The view refers to it only after it was read.
    pub(super) fn read_environment(&mut self, path: PathBuf) {
        let path = paths::absolute(&path);
        let Some(window) = &self.window else { return };
        self.workers.environment.start(path.clone(), true, window, self.proxy.clone());
        self.show_message(reading_message(&path));
    }

    /// Starts reading the environment that the view names, if another one is in use.
    pub(super) fn update_environment(&mut self) {
        let Some(window) = &mut self.window else { return };
        match self.workers.environment.update(&self.view, window, &self.proxy) {
            EnvironmentUpdate::Unchanged => {}
            EnvironmentUpdate::Started(path) => self.show_message(reading_message(&path)),
            EnvironmentUpdate::Studio => self.request_frame(),
        }
    }

    /// Receives an environment that was read, or its error.
    pub(super) fn environment_read(&mut self, read: ReadEnvironment) {
        match self.workers.environment.receive(read, self.window.as_mut()) {
            EnvironmentOutcome::Ignored => {}
            EnvironmentOutcome::Lit { path, is_chosen } => {
                self.show_message(format!("Lighting from {}", file_name(&path)));
                if is_chosen {
                    push_recent(&mut self.ui.preferences.recent_environments, path.clone(), MAX_RECENT_ENVIRONMENTS);
                    self.settings.current.environment_folder = path.parent().map(PathBuf::from);
                    self.view.display.environment.file = Some(path);
                }
            }
            EnvironmentOutcome::Failed { path, message, current } => {
                // Where the view and its history name the failed file, they get the name of the environment in use.
                let replace = |view: &mut View| {
                    let file = &mut view.display.environment.file;
                    if file.as_ref() == Some(&path) {
                        file.clone_from(&current);
                    }
                };
                replace(&mut self.view);
                self.undo.amend(replace);
                self.show_failure(Failure::new(file_name(&path), message));
            }
        }
    }
}
