//! The open file changed on disk: what [`super::file_watcher`] asks for, and what a person is told of it.

use crate::app::App;
use crate::model::Model;
use crate::session::file::remap;
use crate::session::view::View;
use crate::ui::app_status::Failure;

use super::file_watcher::{Request, WatchMessage};
use super::load::{self, Job, LoadReason, Source};

impl App {
    /// The open model's files are watched, where a person wants that.
    pub(crate) fn follow_files(&mut self) {
        let wanted = self.ui.preferences.reload_on_change;
        let open = self.open.as_ref().filter(|open| wanted && open.source != Source::Sample);
        let id = open.map(|open| open.job);
        if id != self.watched {
            self.watched = id;
            self.watching.tell(match open {
                Some(open) => WatchMessage::Shown { id: open.job, files: open.files.clone() },
                None => WatchMessage::Nothing,
            });
        }
    }

    pub(crate) fn changed(&mut self, request: Request) {
        let (Request::Read { id, .. } | Request::SayFailed { id, .. } | Request::SayGone { id }) = request;
        let Some(name) = self.open.as_ref().filter(|open| open.job == id).map(|open| open.document.name.clone()) else { return };
        match request {
            // What a person asked for comes first.
            Request::Read { .. } if self.job.is_some() => self.watching.tell(WatchMessage::Later),
            Request::Read { last, .. } => self.read_again(LoadReason::Changed { last }),
            Request::SayFailed { message, .. } => {
                let what = "It changed on disk and cannot be read now";
                let message = format!("{what}: {message}. The model from before stays open; the file is read again when it changes.");
                self.drop_note();
                self.ui.status.failure = Some(Failure { name, message });
            }
            Request::SayGone { .. } => self.note(format!("{name} is gone from the disk; the model stays")),
        }
    }

    /// The view for the open model as it was read again, and the time where that is another than now: an animation that an export
    /// lacked is back.
    pub(crate) fn carried(&mut self, before: &Model, after: &Model) -> (View, Option<f64>) {
        let missed = self.missed.take();
        let time = missed.as_ref().map(|missed| missed.time);
        let (view, missed) = remap::carried_with(missed, &self.view, self.transport.time(), before, after);
        self.missed = missed;
        let is_back = self.view.animation.is_none() && view.animation.is_some();
        (view, time.filter(|_| is_back))
    }

    /// The file was read once more: a quiet word, and a message that it cannot be read is out of date.
    pub(crate) fn reloaded(&mut self, job: &Job) {
        let name = job.source.name();
        if self.ui.status.failure.as_ref().is_some_and(|failure| failure.name == name) {
            self.ui.status.failure = None;
        }
        if matches!(job.why, load::LoadReason::Changed { .. }) {
            self.note("Reloaded".into());
        }
    }
}
