//! Floor 6: the window. winit's event loop, the clock, the threads and what they bring back.
//!
//! Events change state and ask for a frame ([`handler`]); [`frame`] alone draws. Files come in through [`jobs`], and once more when
//! they change on disk ([`watching`], [`reloading`]); pictures go out through [`saving`], clips through [`exporting`]; what the panels
//! cannot do themselves is done in [`commands`]; and what happens when the graphics device is lost, in [`recovering`].

mod commands;
mod device_loss;
mod dialogs;
mod draw_frame;
mod files;
mod frame;
mod key_input;
mod open_document;
mod pacing;
mod progressive_ghosts;
mod recent_files;
mod settings;
mod window;
mod winit_events;
mod worker_events;
pub mod workers;

use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use winit::event_loop::{EventLoop, EventLoopProxy};
use winit::keyboard::ModifiersState;

use crate::session::file::file_list::FileList;
use crate::session::file::remap::LostAnimations;
use crate::session::time::transport::Transport;
use crate::session::view::View;
use crate::session::view::selector::Selector;
use crate::session::view::undo::Undo;
use crate::system_fonts::SystemFont;
use crate::ui::actions::action::Action;
use crate::ui::state::UiState;

use device_loss::Losses;
use open_document::OpenDocument;
use pacing::Pacing;
use settings::Settings;
use window::Shell;
use worker_events::AppEvent;
use workers::clip_export::Export;
use workers::environment::Environments;
use workers::file_watcher::Watching;
use workers::load::{self, Job};
use workers::motions::Sampling;

/// Settings are written this long after the last change.
const SETTLE: Duration = Duration::from_secs(1);
/// How long a word stays in the status bar.
const NOTE: Duration = Duration::from_secs(8);
/// The same where it tells a place that somebody will look for.
const LONG_NOTE: Duration = Duration::from_secs(40);

/// How the window begins.
#[derive(Debug, Default)]
pub struct Options {
    /// None: the sample model.
    pub files: Vec<PathBuf>,
    pub animation: Option<Selector>,
    pub camera: Option<Selector>,
    pub time: Option<f64>,
    pub paused: bool,
    pub speed: Option<f64>,
    /// A view that was saved; the others win over it.
    pub view: Option<View>,
    /// Bytes of decoded pixels a file, whichever is opened; none: the usual.
    pub image_limit: Option<u64>,
}

/// Opens the window and returns when it is closed.
pub fn run(options: Options) -> anyhow::Result<()> {
    let (event_loop, can_drop) = event_loop()?;
    let mut app = App::new(options, event_loop.create_proxy(), can_drop);
    event_loop.run_app(&mut app).context("the window")?;
    match app.fatal.take() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The event loop, and whether files can be dropped on its windows: winit has no drops on native Wayland, so X11 is preferred
/// where there is one.
fn event_loop() -> anyhow::Result<(EventLoop<AppEvent>, bool)> {
    let mut builder = EventLoop::with_user_event();
    let given = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    #[cfg(target_os = "linux")]
    if given("DISPLAY") {
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    let can_drop = !cfg!(target_os = "linux") || given("DISPLAY");
    let event_loop = builder.build().map_err(|error| {
        log::warn!("{error}");
        anyhow!("there is no display to open a window on (sinew render, sinew pose and sinew inspect need none)")
    })?;
    Ok((event_loop, can_drop))
}

struct App {
    options: Options,
    image_limit: Option<u64>,
    proxy: EventLoopProxy<AppEvent>,
    settings: Settings,
    settings_due: Option<Instant>,
    /// Made when the event loop starts.
    shell: Option<Shell>,
    open: Option<OpenDocument>,
    view: View,
    transport: Transport,
    undo: Undo,
    /// What a reload could not carry over.
    missed: Option<LostAnimations>,
    ui: UiState,
    job: Option<Job>,
    jobs_started: u64,
    watching: Watching,
    /// Whose files are watched.
    watched: Option<u64>,
    losses: Losses,
    environments: Environments,
    /// Read before there was a GPU to upload to.
    waiting: Option<Box<load::Read>>,
    dropped: Vec<PathBuf>,
    /// What was given together with the file that was asked for last.
    list: FileList,
    /// Pictures on their way to the disk: where to, and who draws them.
    saves: Vec<(PathBuf, JoinHandle<()>)>,
    /// One at a time.
    export: Option<Export>,
    sampling: Option<Sampling>,
    /// Bounds are on their way.
    measuring: bool,
    /// Of the system, found for what names and typed text need.
    fonts: Vec<SystemFont>,
    /// Pressed since the last frame, in order.
    actions: Vec<Action>,
    modifiers: ModifiersState,
    pacing: Pacing,
    /// The beginning of the performance panel's clock.
    started: Instant,
    /// When the last frame began; the clock runs from frame to frame while something plays.
    last_frame: Option<Instant>,
    note_until: Option<Instant>,
    occluded: bool,
    /// Why the program has to end.
    fatal: Option<anyhow::Error>,
}

impl App {
    fn new(options: Options, proxy: EventLoopProxy<AppEvent>, can_drop: bool) -> Self {
        let (settings, word) = settings::load();
        let watching = Watching::start(proxy.clone());
        let mut ui = UiState { preferences: settings.preferences.clone(), ..UiState::default() };
        ui.status.can_drop = can_drop;
        let mut app = Self {
            image_limit: options.image_limit,
            options,
            proxy,
            settings,
            settings_due: None,
            shell: None,
            open: None,
            view: View::default(),
            transport: Transport::default(),
            undo: Undo::default(),
            missed: None,
            ui,
            job: None,
            jobs_started: 0,
            watching,
            watched: None,
            losses: Losses::default(),
            environments: Environments::default(),
            waiting: None,
            dropped: Vec::new(),
            list: FileList::default(),
            saves: Vec::new(),
            export: None,
            sampling: None,
            measuring: false,
            fonts: Vec::new(),
            actions: Vec::new(),
            modifiers: ModifiersState::empty(),
            pacing: Pacing::new(None),
            started: Instant::now(),
            last_frame: None,
            note_until: None,
            occluded: false,
            fatal: None,
        };
        if let Some(word) = word {
            app.note(word);
        }
        // Reading begins before there is a window to show it in.
        app.open_first();
        app
    }

    fn note(&mut self, text: String) {
        self.note_for(NOTE, text);
    }

    fn note_for(&mut self, time: Duration, text: String) {
        self.ui.status.note = Some(text);
        self.note_until = Some(Instant::now() + time);
        self.ask_frame();
    }

    fn drop_note(&mut self) {
        self.note_until = None;
        self.ui.status.note = None;
    }

    fn ask_frame(&mut self) {
        self.pacing.ask(Instant::now(), Duration::ZERO);
    }

    /// Writes the settings when they have been still for a moment.
    fn keep_settings(&mut self, now: Instant) {
        let mut current = self.settings.clone();
        current.preferences.clone_from(&self.ui.preferences);
        if let Some(shell) = &self.shell {
            let place = shell.place();
            current.window = if place.maximized { settings::WindowPlace { maximized: true, ..current.window } } else { place };
        }
        if current != self.settings {
            self.settings = current;
            self.settings_due = Some(now + SETTLE);
        }
        if self.settings_due.is_some_and(|due| due <= now) {
            self.write_settings(true);
        }
    }

    fn write_settings(&mut self, merge: bool) {
        self.settings_due = None;
        if let Err(error) = settings::save(&self.settings, merge) {
            log::warn!("settings: {error:#}");
        }
    }
}
