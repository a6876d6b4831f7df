//! The recent files: those that a person opened, and of a list that is stepped through those where a person stayed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::App;
use super::settings::MOST_RECENT;
use super::workers::load::Job;

/// What is shown for so long was not only stepped over.
const STAY: Duration = Duration::from_secs(10);

impl App {
    /// Another file takes the open one's place.
    pub(super) fn remember(&mut self, job: &Job) {
        self.remember_stay();
        let Some(path) = job.source.path() else { return };
        if !job.stepped {
            remember(&mut self.ui.preferences.recent_files, path);
        }
        self.settings.open_folder = path.parent().map(PathBuf::from);
    }

    /// The open file, if it was stepped to and is still there.
    pub(super) fn remember_stay(&mut self) {
        let stayed = self.open.as_mut().filter(|open| open.stepped.is_some_and(|since| since.elapsed() >= STAY));
        if let Some(path) = stayed.and_then(|open| open.stepped.take().and(open.source.path())) {
            remember(&mut self.ui.preferences.recent_files, path);
        }
    }
}

/// Puts a file at the head.
pub(super) fn remember(recent: &mut Vec<PathBuf>, file: &Path) {
    recent.retain(|other| other != file);
    recent.insert(0, file.to_owned());
    recent.truncate(MOST_RECENT);
}
