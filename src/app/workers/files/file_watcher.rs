//! Watches the files of a model on a background thread. It checks them when the system reports a change, or at regular intervals if the
//! system cannot report changes. It lets [`Reload`] decide what to do, and sends requests to the window. While nothing changes, the thread
//! sleeps.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use winit::event_loop::EventLoopProxy;

use crate::app::ids::LoadJobId;
use crate::app::worker_events::{AppEvent, ReloadRequest};
use crate::asset::file::stamp::{self, SourceFile, Stamp};
use crate::session::document::DocumentId;
use crate::session::file::reload_policy::{Reload, Step};

/// Interval between checks where the system does not report changes.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Writing a file causes many events. All events within this time are handled by one check.
const EVENT_BATCH_DURATION: Duration = Duration::from_millis(20);
/// Maximum number of files to watch. A hostile model may refer to a million files.
const MAX_WATCHED_FILES: usize = 1000;

/// A message from the window to the thread.
pub enum WatchMessage {
    /// The window shows another model, read from these files by this load job.
    Shown { job: LoadJobId, files: Vec<SourceFile> },
    /// Stop watching.
    Stop,
    /// The requested read failed.
    Failed(String),
    /// The window cannot read now, because another file is being opened.
    Later,
    /// The user canceled the requested read.
    Canceled,
    /// Check whether the files have changed.
    Check,
}

/// The window's handle of the thread. The thread runs until the program ends.
pub struct FileWatcher {
    sender: Sender<WatchMessage>,
    /// Load job and document whose files are watched.
    watched: Option<(LoadJobId, DocumentId)>,
}

impl FileWatcher {
    /// Starts the thread, which watches nothing at first. `event` makes the event of a request.
    pub fn start(proxy: EventLoopProxy<AppEvent>, event: fn(ReloadRequest) -> AppEvent) -> Self {
        let (sender, receiver) = mpsc::channel();
        let on_event = sender.clone();
        std::thread::spawn(move || watch(&receiver, &on_event, &|request| proxy.send_event(event(request)).is_ok()));
        Self { sender, watched: None }
    }

    /// Sends a message to the thread. If the thread has ended, there is nothing to do.
    pub fn send(&self, message: WatchMessage) {
        let _ = self.sender.send(message);
    }

    /// Watches the files of a document that a load job read, if they are not watched already. `None` watches nothing.
    pub fn update(&mut self, shown: Option<(LoadJobId, DocumentId)>, files: impl FnOnce() -> Vec<SourceFile>) {
        if shown != self.watched {
            self.watched = shown;
            self.send(match shown {
                Some((job, _)) => WatchMessage::Shown { job, files: files() },
                None => WatchMessage::Stop,
            });
        }
    }
}

/// The files that the thread watches.
struct Watched {
    /// The load job that has read the model.
    job: LoadJobId,
    paths: Vec<PathBuf>,
    /// The folders of the files and of all links to them.
    folders: Vec<PathBuf>,
    /// Decides when to read the files again.
    reload: Reload,
    /// `None` if the system cannot report changes.
    watcher: Option<RecommendedWatcher>,
}

/// Runs the thread: waits for messages and checks the files. `send` sends a request; it returns false if the window is closed.
fn watch(receiver: &Receiver<WatchMessage>, on_event: &Sender<WatchMessage>, send: &dyn Fn(ReloadRequest) -> bool) {
    let mut watched: Option<Watched> = None;
    loop {
        // If nothing is due, only a message wakes the thread.
        let message = match watched.as_mut().and_then(|watched| send_due_requests(watched, send)) {
            None => receiver.recv().ok(),
            Some(wait) => match receiver.recv_timeout(wait) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => Some(WatchMessage::Check),
                Err(RecvTimeoutError::Disconnected) => None,
            },
        };
        let Some(message) = message else { return };
        if matches!(message, WatchMessage::Check) {
            std::thread::sleep(EVENT_BATCH_DURATION);
        }
        // Check the files before and after the messages, which may replace them by other files.
        check(&mut watched);
        for message in std::iter::once(message).chain(receiver.try_iter()) {
            handle(message, &mut watched, on_event, send);
        }
        check(&mut watched);
    }
}

/// Reads the stamps of the files and passes them to the reload policy.
fn check(watched: &mut Option<Watched>) {
    if let Some(Watched { reload, paths, folders, .. }) = watched {
        reload.record_stamps(Instant::now(), stamps(paths), stamps(folders));
    }
}

/// Handles a message. Most messages have no effect if no files are watched.
fn handle(message: WatchMessage, watched: &mut Option<Watched>, on_event: &Sender<WatchMessage>, send: &dyn Fn(ReloadRequest) -> bool) {
    let now = Instant::now();
    match (message, watched) {
        (WatchMessage::Shown { job, files }, watched) => *watched = Some(Watched::new(job, files, on_event.clone())),
        (WatchMessage::Stop, watched) => *watched = None,
        (WatchMessage::Failed(message), Some(watched)) => {
            if watched.reload.failed(now) {
                send(ReloadRequest::ReportFailed { job: watched.job, message });
            }
        }
        (WatchMessage::Later, Some(watched)) => watched.reload.postpone(now),
        (WatchMessage::Canceled, Some(watched)) => watched.reload.drop_attempt(),
        (WatchMessage::Check, Some(_)) | (_, None) => {}
    }
}

/// Sends the requests that are due. Returns how long to wait for a message; `None` to wait without limit.
fn send_due_requests(watched: &mut Watched, send: &dyn Fn(ReloadRequest) -> bool) -> Option<Duration> {
    let job = watched.job;
    let next = loop {
        match watched.reload.step(Instant::now()) {
            Step::Wait(next) => break next,
            Step::Read { last } => send(ReloadRequest::Read { job, last }),
            Step::Gone => send(ReloadRequest::ReportGone { job }),
        };
    };
    let poll_interval = (watched.watcher.is_none() || watched.reload.needs_polling()).then_some(POLL_INTERVAL);
    let until_next = next.map(|next| next.saturating_duration_since(Instant::now()));
    [poll_interval, until_next].into_iter().flatten().min()
}

impl Watched {
    /// Starts watching these files. If the system cannot report their changes, they are checked regularly.
    fn new(job: LoadJobId, mut files: Vec<SourceFile>, on_event: Sender<WatchMessage>) -> Self {
        let mut unique = HashSet::new();
        files.retain(|file| unique.insert(file.path.clone()));
        files.truncate(MAX_WATCHED_FILES);
        let reload = Reload::new(files.iter().map(|file| file.stamp).collect());
        let paths: Vec<_> = files.into_iter().map(|file| file.path).collect();
        let names = stamp::follow_links(&paths);
        let folders = folders(&names);
        let watcher = watcher(&names, &folders, on_event).inspect_err(|error| log::info!("polling the files instead: {error}")).ok();
        Self { job, paths, folders, reload, watcher }
    }
}

/// The folders of these files. Folders are watched instead of files: many programs write a new file and rename it to the old name, and
/// the new file would not be watched.
fn folders(names: &[PathBuf]) -> Vec<PathBuf> {
    let all = names.iter().filter_map(|path| path.parent());
    let mut folders: Vec<_> = all.map(|folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.into() }).collect();
    folders.sort();
    folders.dedup();
    folders
}

/// Makes the system report changes of files with these names. Errors if it cannot.
fn watcher(names: &[PathBuf], folders: &[PathBuf], on_event: Sender<WatchMessage>) -> notify::Result<RecommendedWatcher> {
    let names: HashSet<OsString> = names.iter().filter_map(|path| path.file_name().map(Into::into)).collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| may_change_files(&event, &names)) {
            // The thread has ended if the window is closed.
            let _ = on_event.send(WatchMessage::Check);
        }
    })?;
    for folder in folders.iter().filter(|folder| folder.exists()) {
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

/// Returns whether the event may mean that one of the files changed. Reading a file changes nothing.
fn may_change_files(event: &notify::Event, names: &HashSet<OsString>) -> bool {
    let is_read = matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write));
    let is_watched = |path: &PathBuf| path.file_name().is_some_and(|name| names.contains(name));
    event.need_rescan() || !is_read && event.paths.iter().any(is_watched)
}

/// The current stamps of all files.
fn stamps(paths: &[PathBuf]) -> Vec<Option<Stamp>> {
    paths.iter().map(|path| Stamp::at(path)).collect()
}
