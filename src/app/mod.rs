//! The window. winit's event loop, the frames, and the background work with its results.
//!
//! - `window` receives winit's events. They change state and request a frame; `frame` alone draws.
//! - `documents` loads files and replaces the open document. `comparison` shows another document beside it.
//! - `commands` performs the requests of the panels that need files, dialogs, the clipboard or the window.
//! - `workers` holds one value per kind of background job. Its threads send `worker_events`, which `window` passes to the module
//!   that they concern.
//! - `ids` are the numbers of load jobs and devices in these events.
//! - `environment` lights the model with a panorama.
//! - `settings` are kept between runs. `system_folders` knows the folder for pictures and the file manager.
//! - `crash_report` writes a report when the program panics, and `error_dialog` shows an error without a window.
//! - `startup_timings` measures the start for `--timings`. `simulated_faults` are faults that tests provoke.
//! - `interrupts` closes the window when a signal asks the process to end.
//! - `memory` keeps the memory of the process from growing over many models.

mod commands;
mod comparison;
mod crash_report;
mod documents;
mod environment;
pub mod error_dialog;
mod frame;
mod ids;
mod interrupts;
pub mod memory;
mod settings;
#[cfg(debug_assertions)]
mod simulated_faults;
mod startup_timings;
mod system_folders;
mod window;
mod worker_events;
mod workers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use winit::event_loop::{EventLoop, EventLoopProxy};

use crate::asset::error::LoadError;
use crate::paths;
use crate::session::file::file_list::FileList;
use crate::session::file::remap::LostAnimations;
use crate::session::time::transport::Transport;
use crate::session::view::View;
use crate::session::view::display::Display;
use crate::session::view::retarget::Retarget;
use crate::session::view::selector::Selector;
use crate::session::view::undo::Undo;
use crate::ui::context::app_status::{AppStatus, StatusMessage};
use crate::ui::state::UiState;

use comparison::open_comparison::{NextComparison, OpenComparison, OtherDocument};
use documents::load_job::Source;
use documents::open_document::OpenDocument;
use frame::pacing::{FrameClock, Pacing};
use interrupts::Interrupt;
use settings::SettingsStore;
use startup_timings::StartupTimings;
use window::AppWindow;
use window::adapter::WindowAdapter;
use window::device_loss::DeviceLosses;
use window::key_input::WindowInput;
use worker_events::AppEvent;
use workers::Workers;

/// How long a message stays in the status bar by default.
const MESSAGE_DURATION: Duration = Duration::from_secs(8);
/// How long the message about a saved file stays. It names the folder, so it takes longer to read.
const SAVED_MESSAGE_DURATION: Duration = Duration::from_secs(40);

/// Options for the start of the window, from the command line.
#[derive(Debug, Default)]
pub struct Options {
    /// Files to open; the sample model if empty.
    pub files: Vec<PathBuf>,
    /// Files whose animations the first model borrows.
    pub animations: Vec<PathBuf>,
    /// The animation to show first, by name or number.
    pub animation: Option<Selector>,
    /// The camera of the file to look through.
    pub camera: Option<Selector>,
    /// Start time in seconds, on the animation's time axis.
    pub time: Option<f64>,
    /// Whether playback is paused at first.
    pub paused: bool,
    /// The playback speed. Negative plays backward.
    pub speed: Option<f64>,
    /// A view file. The other options override it.
    pub view: Option<View>,
    /// A file to compare the first one with.
    pub compare: Option<PathBuf>,
    /// Limit on decoded pixels per file, in bytes; `None` is the default limit.
    pub image_limit: Option<u64>,
    /// A part of the graphics adapter's name. `None` uses the adapter that the settings name.
    pub adapter: Option<String>,
    /// Safe mode: settings are neither read nor written, and the driver of the graphics card is avoided.
    pub safe: bool,
    /// When the program started, if the steps of the start are to be printed.
    pub timed_since: Option<Instant>,
}

/// Opens the window, and returns when it is closed. Returns an error if there is no display or no graphics device, or if the device is lost
/// repeatedly.
pub fn run(options: Options) -> anyhow::Result<()> {
    crash_report::install();
    let mut startup_timings = options.timed_since.map(StartupTimings::new);
    let mut lap = |step| startup_timings.iter_mut().for_each(|timings| timings.lap(step));
    lap("process");
    let (event_loop, can_drop) = event_loop().map_err(|error| missing_file(&options).unwrap_or(error))?;
    lap("display");
    #[cfg(target_os = "macos")]
    window::opened_files::receive(event_loop.create_proxy());
    let mut app = App::new(options, event_loop.create_proxy(), can_drop);
    lap("settings");
    app.startup_timings = startup_timings;
    let interrupt = Interrupt::handle(app.proxy.clone());
    event_loop.run_app(&mut app).context("the window failed")?;
    match app.fatal.take() {
        Some(error) => return Err(error),
        None if app.is_interrupted => interrupt.end_process(),
        None => {}
    }
    Ok(())
}

/// The error about the first file of the command line that does not exist. A window would show it, but there is none.
fn missing_file(options: &Options) -> Option<anyhow::Error> {
    let files = options.files.iter().chain(&options.animations).chain(&options.compare);
    let error = |path: &PathBuf| Some(LoadError::Read { path: path.clone(), reason: std::fs::metadata(path).err()? });
    files.filter_map(error).next().map(anyhow::Error::from)
}

/// The event loop, and whether files can be dropped on its windows. winit does not support drops on native Wayland, so X11 is
/// preferred if its server answers.
fn event_loop() -> anyhow::Result<(EventLoop<AppEvent>, bool)> {
    let mut builder = EventLoop::with_user_event();
    #[cfg(target_os = "linux")]
    let (can_drop, display) = {
        let setting = |name: &str| Some(format!("{name}={}", std::env::var(name).ok().filter(|value| !value.is_empty())?));
        let [x11, wayland] = ["DISPLAY", "WAYLAND_DISPLAY"].map(setting);
        let uses_x11 = x11.is_some() && (wayland.is_none() || x11rb::connect(None).is_ok());
        if uses_x11 {
            winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
        }
        (uses_x11, if uses_x11 { x11 } else { wayland })
    };
    #[cfg(not(target_os = "linux"))]
    let (can_drop, display) = (true, None::<String>);
    #[cfg(target_os = "linux")]
    if let Some(library) = missing_library(can_drop) {
        return Err(no_window(display.as_deref(), &format!("{library} cannot be loaded")));
    }
    let event_loop = builder.build().map_err(|error| {
        // winit begins its message with the line of its source code.
        let message = error.to_string();
        no_window(display.as_deref(), message.split_once(": ").map_or(&message, |(_, reason)| reason))
    })?;
    Ok((event_loop, can_drop))
}

/// The error about a display that no window can be opened on. Without a display, the reason is only logged.
fn no_window(display: Option<&str>, reason: &str) -> anyhow::Error {
    log::warn!("{reason}");
    let problem = display.map(|display| format!("cannot open a window on {display}: {reason}"));
    let problem = problem.as_deref().unwrap_or("no display to open a window on");
    anyhow!("{problem}; the commands that sinew --help lists work without one")
}

/// A library for the keyboard that cannot be loaded. winit panics without it.
#[cfg(target_os = "linux")]
fn missing_library(uses_x11: bool) -> Option<&'static str> {
    if xkbcommon_dl::xkbcommon_option().is_none() {
        return Some("libxkbcommon");
    }
    (uses_x11 && xkbcommon_dl::x11::xkbcommon_x11_option().is_none()).then_some("libxkbcommon-x11")
}

/// The window's state. Only the main thread changes it.
struct App {
    /// Background threads send events through copies of this proxy.
    proxy: EventLoopProxy<AppEvent>,
    settings: SettingsStore,
    /// `None` until the event loop starts.
    window: Option<AppWindow>,
    /// The open document. `None` until the first one is ready.
    open: Option<OpenDocument>,
    /// The comparison of the open document with another one.
    comparison: Option<OpenComparison>,
    /// The file to compare with the document that opens next.
    compare_next: Option<NextComparison>,
    /// The open document as it was before the last reload.
    previous_version: Option<OtherDocument>,
    view: View,
    /// The display settings of the last frame, as far as they are remembered. `None` before the first file.
    last_display: Option<Display>,
    /// The playback time, and whether playback is running. It is not part of the view.
    transport: Transport,
    undo: Undo,
    /// The animations that the view used, but that were missing after the last reload.
    lost_animations: Option<LostAnimations>,
    /// How animations of removed files were carried over, by the paths of the model and of the file. Pairs made by hand return if the user
    /// adds the file again. The path of the embedded model is `None`.
    removed_choices: BTreeMap<(Option<PathBuf>, PathBuf), Retarget>,
    /// The list of files to step through.
    file_list: FileList,
    /// The list with the open file, while the first file of another list is being opened.
    previous_list: Option<FileList>,
    /// The direction of the last step, 1 or -1. `None` before the first.
    step_direction: Option<isize>,
    ui: UiState,
    /// The graphics adapter to draw with.
    adapter: WindowAdapter,
    input: WindowInput,
    /// Whether the system's dialog for the path of a screenshot is open.
    is_choosing_picture_path: bool,
    pacing: Pacing,
    clock: FrameClock,
    workers: Workers,
    device_losses: DeviceLosses,
    /// The steps of the start, if they are to be printed. `None` once they are.
    startup_timings: Option<StartupTimings>,
    /// Whether a signal asked the process to end.
    is_interrupted: bool,
    /// Why the program has to end. `run` returns it.
    fatal: Option<anyhow::Error>,
}

impl App {
    /// Reads the settings, starts the workers, and starts loading the first file.
    fn new(options: Options, proxy: EventLoopProxy<AppEvent>, can_drop: bool) -> Self {
        let (settings, message) = if options.safe { (SettingsStore::temporary(), None) } else { SettingsStore::load() };
        let adapter = WindowAdapter::new(options.adapter.clone(), settings.current.preferences.adapter.clone(), options.safe);
        let ui = UiState {
            preferences: settings.current.preferences.clone(),
            status: AppStatus {
                can_drop,
                pictures_folder: system_folders::pictures(),
                system: crash_report::system_facts(),
                crash_report: crash_report::take(),
                ..AppStatus::default()
            },
            ..UiState::default()
        };
        let mut app = Self {
            workers: Workers::start(&proxy, options.image_limit),
            proxy,
            settings,
            window: None,
            open: None,
            comparison: None,
            compare_next: options.compare.as_deref().map(|path| NextComparison::new(Source::alone(paths::absolute(path)))),
            previous_version: None,
            view: View { display: ui.preferences.display.clone(), ..View::default() },
            last_display: None,
            transport: Transport::default(),
            undo: Undo::default(),
            lost_animations: None,
            removed_choices: BTreeMap::new(),
            file_list: FileList::default(),
            previous_list: None,
            step_direction: None,
            ui,
            adapter,
            input: WindowInput::default(),
            is_choosing_picture_path: false,
            pacing: Pacing::new(None),
            clock: FrameClock::new(),
            device_losses: DeviceLosses::default(),
            startup_timings: None,
            is_interrupted: false,
            fatal: None,
        };
        if let Some(message) = message {
            app.show_message(message);
        }
        // Reading starts before there is a window to show the file in.
        app.open_first(options);
        app
    }

    /// Shows a message in the status bar for a while.
    fn show_message(&mut self, text: String) {
        self.show_status_message(StatusMessage { text, saved: None, until: Instant::now() + MESSAGE_DURATION });
    }

    /// Shows a message in place of the previous one.
    fn show_status_message(&mut self, message: StatusMessage) {
        self.ui.status.message = Some(message);
        self.request_frame();
    }

    /// Requests a frame as soon as the display's rate allows.
    fn request_frame(&mut self) {
        self.pacing.request(Instant::now(), Duration::ZERO);
    }

    /// Copies the preferences and the place of the window to the settings, which are written a short time after the last change.
    fn update_settings(&mut self, now: Instant) {
        self.remember_display();
        let place = self.window.as_ref().and_then(AppWindow::place);
        self.settings.update(&self.ui.preferences, place, now);
        if let Some(message) = self.settings.take_message() {
            self.show_message(message);
        }
    }

    /// Remembers the display settings when they change. Those of a view from the command line are not remembered.
    fn remember_display(&mut self) {
        let display = self.view.display.remembered();
        if self.open.is_some()
            && self.last_display.as_ref() != Some(&display)
            && let Some(last) = self.last_display.replace(display.clone())
        {
            self.ui.preferences.display.merge_changes(&last, &display);
        }
    }
}
