//! Shared by the tests of the window: a display with the program, input and screenshots, small models, and places in the window.

pub mod board;
pub mod colors;
pub mod commands;
pub mod desktop;
pub mod dialogs;
pub mod drag;
pub mod fixture;
pub mod picture_parts;

use std::path::{Path, PathBuf};

use image::RgbaImage;
use serde_json::json;

use colors::red;
use desktop::{App, HEIGHT, WIDTH};

/// Positions in the window, in points: the right edge of the left panel, the left edge of the inspector, the right edge of the names of the
/// timeline's rows, the top of the timeline above the status bar, and the middle of its ruler.
pub const LEFT: i32 = 300;
pub const RIGHT: i32 = WIDTH as i32 - 300;
pub const TRACKS: i32 = LEFT + 200;
pub const TIMELINE: i32 = HEIGHT as i32 - 24 - 260;
pub const RULER: i32 = TIMELINE + 36 + 10 + 12;
/// The node list, in points: the first row, the height of a row, and the influence column.
pub const FIRST_ROW: i32 = 251;
pub const ROW: i32 = 22;
pub const INFLUENCE_COLUMN: i32 = 262;

/// Writes the metronome to a file.
pub fn metronome(folder: &Path) -> PathBuf {
    let path = folder.join("metronome.gltf");
    std::fs::write(&path, fixture::metronome()).unwrap();
    path
}

pub fn open_metronome(paused: bool) -> Option<(App, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let paused: &[&Path] = if paused { &[Path::new("--paused")] } else { &[] };
    let app = App::start(&[&[file.as_path()], paused].concat(), "metronome.gltf")?;
    app.wait_until("the red square", |picture| red(picture).is_some());
    // Seen from the front and without perspective, positions in the picture are proportional to positions in the world.
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    Some((app, folder))
}

/// Reads the time from the position of the red square. `start` and `end` are its x coordinates at both ends of the animation.
pub struct Clock {
    pub start: f64,
    pub end: f64,
}

impl Clock {
    /// Reads the positions at both ends of the animation. The window must be paused.
    pub fn read_off(app: &App) -> Self {
        app.key(&["Home"]);
        let start = red(&app.wait_until_still()).expect("the red square at the start").0;
        app.key(&["End"]);
        let at_end = app.wait_until("the red square at the end", |picture| red(picture).is_some_and(|at| at.0 - start > 100.0));
        let end = red(&at_end).expect("the red square at the end").0;
        let clock = Self { start, end };
        app.key(&["Home"]);
        clock.shows(app, 0.0, "the start again");
        clock
    }

    pub fn time(&self, picture: &RgbaImage) -> f64 {
        (red(picture).expect("the red square").0 - self.start) / (self.end - self.start)
    }

    pub fn shows(&self, app: &App, time: f64, what: &str) {
        app.wait_until(what, |picture| red(picture).is_some() && (self.time(picture) - time).abs() < 0.02);
    }
}

/// Opens the metronome with these preferences in its settings, and a view without overlays.
pub fn open_with_preferences(preferences: serde_json::Value) -> Option<(App, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let state = folder.path().join("view.json");
    std::fs::write(&state, json!({"animation": 0, "display": {"grid": false, "shadow": "off"}}).to_string()).unwrap();
    let args = [file.as_path(), Path::new("--paused"), Path::new("--state"), state.as_path()];
    let app = App::with_settings(&json!({"preferences": preferences}).to_string(), &args, "metronome.gltf")?;
    app.wait_until("the red square", |picture| red(picture).is_some());
    Some((app, folder))
}
