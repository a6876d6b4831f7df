//! Watches the files of a model on a background thread. It checks them when the system reports a change (or regularly,
//! where the system cannot), asks [`Reload`] what to do, and sends requests to the window. While nothing changes, the thread
//! sleeps.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, ReloadRequest};
use crate::asset::file::stamp::{self, SourceFile, Stamp};
use crate::session::document::DocumentId;
use crate::session::file::reload_policy::{Reload, Step};

/// Interval between checks where the system does not report changes.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Writing a file makes a stream of events. One check serves all events of this time.
const EVENT_BATCH: Duration = Duration::from_millis(20);
/// Maximum number of files to watch. A model may name a million others.
const MAX_FILES: usize = 1000;

/// A message from the window to the thread.
pub enum WatchMessage {
    /// The window shows another model, read from these files; `id` is its load job.
    Shown { id: u64, files: Vec<SourceFile> },
    /// Stop watching.
    Nothing,
    /// The requested read failed.
    Failed(String),
    /// The window cannot read now, because another file is being opened.
    Later,
    /// The user cancelled the requested read.
    Dropped,
    /// Check the files: one may have changed.
    Check,
}

/// The window's side of the thread. The thread ends when this is dropped.
pub struct FileWatcher {
    sender: Sender<WatchMessage>,
    /// Load job and document whose files are watched.
    watched: Option<(u64, DocumentId)>,
}

impl FileWatcher {
    /// Starts the thread, which watches nothing at first. Its requests are sent as `event`.
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
    pub fn update(&mut self, shown: Option<(u64, DocumentId)>, files: impl FnOnce() -> Vec<SourceFile>) {
        if shown != self.watched {
            self.watched = shown;
            self.send(match shown {
                Some((id, _)) => WatchMessage::Shown { id, files: files() },
                None => WatchMessage::Nothing,
            });
        }
    }
}

/// The thread's side: the files that it watches.
struct Watched {
    /// Load job of the model.
    id: u64,
    paths: Vec<PathBuf>,
    /// The folders of the files and of all links to them.
    folders: Vec<PathBuf>,
    /// Decides when to read the files again.
    reload: Reload,
    /// `None` if the system cannot report changes.
    watcher: Option<RecommendedWatcher>,
}

/// The thread: waits for messages and checks the files. `ask` sends a request; it returns false if the window is closed.
fn watch(receiver: &Receiver<WatchMessage>, on_event: &Sender<WatchMessage>, ask: &dyn Fn(ReloadRequest) -> bool) {
    let mut watched: Option<Watched> = None;
    loop {
        // Without anything due, only a message wakes the thread.
        let message = match watched.as_mut().and_then(|watched| due(watched, ask)) {
            None => receiver.recv().ok(),
            Some(wait) => match receiver.recv_timeout(wait) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => Some(WatchMessage::Check),
                Err(RecvTimeoutError::Disconnected) => None,
            },
        };
        let Some(message) = message else { return };
        if matches!(message, WatchMessage::Check) {
            std::thread::sleep(EVENT_BATCH);
        }
        // Look at the files before and after: the messages may name other files.
        check(&mut watched);
        for message in std::iter::once(message).chain(receiver.try_iter()) {
            handle(message, &mut watched, on_event, ask);
        }
        check(&mut watched);
    }
}

/// Takes a look at the files and tells the policy what it saw.
fn check(watched: &mut Option<Watched>) {
    if let Some(Watched { reload, paths, folders, .. }) = watched {
        reload.record_stamps(Instant::now(), stamps(paths), stamps(folders));
    }
}

/// Applies a message of the window. Without watched files, most have nothing to do.
fn handle(message: WatchMessage, watched: &mut Option<Watched>, on_event: &Sender<WatchMessage>, ask: &dyn Fn(ReloadRequest) -> bool) {
    let now = Instant::now();
    match (message, watched) {
        (WatchMessage::Shown { id, files }, watched) => *watched = Some(Watched::new(id, files, on_event.clone())),
        (WatchMessage::Nothing, watched) => *watched = None,
        (WatchMessage::Failed(message), Some(watched)) => {
            if watched.reload.failed(now) {
                ask(ReloadRequest::ReportFailed { id: watched.id, message });
            }
        }
        (WatchMessage::Later, Some(watched)) => watched.reload.postpone(now),
        (WatchMessage::Dropped, Some(watched)) => watched.reload.drop_attempt(),
        (WatchMessage::Check, Some(_)) | (_, None) => {}
    }
}

/// Sends the requests that are due. Returns how long to wait for a message; `None` to wait without limit.
fn due(watched: &mut Watched, ask: &dyn Fn(ReloadRequest) -> bool) -> Option<Duration> {
    let id = watched.id;
    let next = loop {
        match watched.reload.step(Instant::now()) {
            Step::Wait(next) => break next,
            Step::Read { last } => ask(ReloadRequest::Read { id, last }),
            Step::Gone => ask(ReloadRequest::ReportGone { id }),
        };
    };
    let poll = (watched.watcher.is_none() || watched.reload.needs_polling()).then_some(POLL_INTERVAL);
    let until = next.map(|next| next.saturating_duration_since(Instant::now()));
    [poll, until].into_iter().flatten().min()
}

impl Watched {
    /// Starts watching these files. If the system cannot report their changes, they are checked regularly.
    fn new(id: u64, mut files: Vec<SourceFile>, on_event: Sender<WatchMessage>) -> Self {
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.path.clone()));
        files.truncate(MAX_FILES);
        let reload = Reload::new(files.iter().map(|file| file.stamp).collect());
        let paths: Vec<_> = files.into_iter().map(|file| file.path).collect();
        let names = stamp::follow_links(&paths);
        let folders = folders(&names);
        let watcher = watcher(&names, &folders, on_event).inspect_err(|error| log::info!("polling the files instead: {error}")).ok();
        Self { id, paths, folders, reload, watcher }
    }
}

/// The folders of these files. Folders are watched rather than files, because a new file that is renamed over a watched one would
/// not be watched.
fn folders(names: &[PathBuf]) -> Vec<PathBuf> {
    let all = names.iter().filter_map(|path| path.parent());
    let mut folders: Vec<_> = all.map(|folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.into() }).collect();
    folders.sort();
    folders.dedup();
    folders
}

/// Asks the system to report changes of these names. Errors if it cannot.
fn watcher(names: &[PathBuf], folders: &[PathBuf], on_event: Sender<WatchMessage>) -> notify::Result<RecommendedWatcher> {
    let names: HashSet<OsString> = names.iter().filter_map(|path| path.file_name().map(Into::into)).collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| concerns(&event, &names)) {
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
fn concerns(event: &notify::Event, names: &HashSet<OsString>) -> bool {
    let reads = matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write));
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| names.contains(name));
    event.need_rescan() || !reads && event.paths.iter().any(named)
}

/// The stamps of all files now.
fn stamps(paths: &[PathBuf]) -> Vec<Option<Stamp>> {
    paths.iter().map(|path| Stamp::at(path)).collect()
}
