//! The files of the open model are watched on a thread of its own: it looks at them when the system says that one has changed
//! (or every so often where the system cannot say), asks [`Reload`] what to do, and tells the window. While nothing changes it
//! sleeps, and the window with it.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;
use crate::asset::file::stamp::{self, SourceFile, Stamp};
use crate::session::file::reload_policy::{Reload, Step};

/// From one look to the next where nobody tells that a file has changed.
const POLL: Duration = Duration::from_millis(200);
/// A file that is being written makes a stream of events: one look serves all of so long.
const BREATH: Duration = Duration::from_millis(20);
/// A file may name a million others.
const MOST_FILES: usize = 1000;

/// What the watching thread is told.
pub enum WatchMessage {
    /// These are the files of what the window shows from now on; `id` comes back with every request.
    Shown { id: u64, files: Vec<SourceFile> },
    /// Nothing is to be watched.
    Nothing,
    /// The files that were to be read cannot be.
    Failed(String),
    /// They cannot be read now, for another file is being opened.
    Later,
    /// A person does not want them read.
    Dropped,
    /// A file may have changed.
    Look,
}

/// What the window is asked to do about the model with this id.
pub enum Request {
    Read { id: u64, last: bool },
    SayFailed { id: u64, message: String },
    SayGone { id: u64 },
}

/// The other end of the thread; it ends when this goes.
pub struct Watching(Sender<WatchMessage>);

impl Watching {
    pub fn start(proxy: EventLoopProxy<AppEvent>) -> Self {
        let (sender, receiver) = mpsc::channel();
        let touched = sender.clone();
        std::thread::spawn(move || watch(&receiver, &touched, &|request| proxy.send_event(AppEvent::Changed(request)).is_ok()));
        Self(sender)
    }

    pub fn tell(&self, word: WatchMessage) {
        // A thread that is gone has nothing to do any more.
        let _ = self.0.send(word);
    }
}

struct Watched {
    id: u64,
    paths: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    reload: Reload,
    /// None: the system cannot tell.
    watcher: Option<RecommendedWatcher>,
}

/// `ask`: false when nobody listens any more.
fn watch(receiver: &Receiver<WatchMessage>, touched: &Sender<WatchMessage>, ask: &dyn Fn(Request) -> bool) {
    let mut watched: Option<Watched> = None;
    loop {
        let word = match watched.as_mut().and_then(|watched| due(watched, ask)) {
            None => receiver.recv().ok(),
            Some(wait) => match receiver.recv_timeout(wait) {
                Ok(word) => Some(word),
                Err(RecvTimeoutError::Timeout) => Some(WatchMessage::Look),
                Err(RecvTimeoutError::Disconnected) => None,
            },
        };
        let Some(word) = word else { return };
        if matches!(word, WatchMessage::Look) {
            std::thread::sleep(BREATH);
        }
        look(&mut watched);
        for word in std::iter::once(word).chain(receiver.try_iter()) {
            take(word, &mut watched, touched, ask);
        }
        look(&mut watched);
    }
}

fn look(watched: &mut Option<Watched>) {
    if let Some(Watched { reload, paths, folders, .. }) = watched {
        reload.see(Instant::now(), stamps(paths), stamps(folders));
    }
}

fn take(word: WatchMessage, watched: &mut Option<Watched>, touched: &Sender<WatchMessage>, ask: &dyn Fn(Request) -> bool) {
    let now = Instant::now();
    match (word, watched) {
        (WatchMessage::Shown { id, files }, watched) => *watched = Some(Watched::new(id, files, touched.clone())),
        (WatchMessage::Nothing, watched) => *watched = None,
        (WatchMessage::Failed(message), Some(watched)) => {
            if watched.reload.failed(now) {
                ask(Request::SayFailed { id: watched.id, message });
            }
        }
        (WatchMessage::Later, Some(watched)) => watched.reload.later(now),
        (WatchMessage::Dropped, Some(watched)) => watched.reload.dropped(),
        (WatchMessage::Look, Some(_)) | (_, None) => {}
    }
}

/// Does what is to be done now; tells how long to wait for a word, none: for ever.
fn due(watched: &mut Watched, ask: &dyn Fn(Request) -> bool) -> Option<Duration> {
    let id = watched.id;
    let next = loop {
        match watched.reload.step(Instant::now()) {
            Step::Wait(next) => break next,
            Step::Read { last } => ask(Request::Read { id, last }),
            Step::Gone => ask(Request::SayGone { id }),
        };
    };
    let poll = (watched.watcher.is_none() || watched.reload.is_anxious()).then_some(POLL);
    let until = next.map(|next| next.saturating_duration_since(Instant::now()));
    [poll, until].into_iter().flatten().min()
}

impl Watched {
    fn new(id: u64, mut files: Vec<SourceFile>, touched: Sender<WatchMessage>) -> Self {
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.path.clone()));
        files.truncate(MOST_FILES);
        let reload = Reload::new(files.iter().map(|file| file.stamp).collect());
        let paths: Vec<_> = files.into_iter().map(|file| file.path).collect();
        let names = stamp::follow_links(&paths);
        let folders = folders(&names);
        let watcher = watcher(&names, &folders, touched).inspect_err(|error| log::info!("files are looked at instead: {error}")).ok();
        Self { id, paths, folders, reload, watcher }
    }
}

/// Where these lie. A folder is watched instead of its files: a file that is renamed over another is one that nobody watches yet.
fn folders(names: &[PathBuf]) -> Vec<PathBuf> {
    let all = names.iter().filter_map(|path| path.parent());
    let mut folders: Vec<_> = all.map(|folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.into() }).collect();
    folders.sort();
    folders.dedup();
    folders
}

fn watcher(names: &[PathBuf], folders: &[PathBuf], touched: Sender<WatchMessage>) -> notify::Result<RecommendedWatcher> {
    let names: HashSet<OsString> = names.iter().filter_map(|path| path.file_name().map(Into::into)).collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| concerns(&event, &names)) {
            // Nobody listens when the window is closed.
            let _ = touched.send(WatchMessage::Look);
        }
    })?;
    for folder in folders.iter().filter(|folder| folder.exists()) {
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

/// Whether the event may mean that one of the files is another now. Who only reads changes nothing.
fn concerns(event: &notify::Event, names: &HashSet<OsString>) -> bool {
    let reads = matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write));
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| names.contains(name));
    event.need_rescan() || !reads && event.paths.iter().any(named)
}

fn stamps(paths: &[PathBuf]) -> Vec<Option<Stamp>> {
    paths.iter().map(|path| Stamp::at(path)).collect()
}
