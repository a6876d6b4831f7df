//! Settings kept between runs: one versioned JSON file in the platform's folder for settings, or in `SINEW_CONFIG_DIR`. A broken
//! file is renamed and never stops the program. The view is not part of the settings.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::export::atomic_file;
use crate::session::camera::view_preset;
use crate::ui::context::preferences::{Preferences, SECTION_SHARE};

/// Maximum length of the list of recent files.
pub const MAX_RECENT_FILES: usize = 20;
/// Settings are written this long after the last change, so that a drag does not write many times.
const WRITE_DELAY: Duration = Duration::from_secs(1);
/// Version of the file's format.
const VERSION: u32 = 1;

/// The settings in use, written to disk shortly after they change.
pub struct SettingsStore {
    /// The current settings, which may not be written yet.
    pub current: Settings,
    /// When the settings are to be written; `None` if they have not changed.
    due: Option<Instant>,
    /// Whether the settings are never written.
    is_temporary: bool,
}

impl SettingsStore {
    /// Reads the settings. Also returns a message for the user if the file was broken.
    pub fn load() -> (Self, Option<String>) {
        let (current, message) = load();
        (Self { current, due: None, is_temporary: false }, message)
    }

    /// The defaults, which are never written.
    pub fn temporary() -> Self {
        Self { current: Settings::default(), due: None, is_temporary: true }
    }

    /// When the settings are to be written; `None` if they have not changed.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Writes the settings at the next update, even if nothing changes.
    pub fn write_soon(&mut self, now: Instant) {
        self.due = Some(now);
    }

    /// Takes over changed preferences and window size, and writes the settings when they are due. Without a window, `window` is `None`.
    pub fn update(&mut self, preferences: &Preferences, window: Option<WindowSize>, now: Instant) {
        let mut changed = self.current.clone();
        changed.preferences.clone_from(preferences);
        if let Some(size) = window {
            // While the window is maximized, the size to restore is the size before it was maximized.
            changed.window = if size.maximized { WindowSize { maximized: true, ..changed.window } } else { size };
        }
        if changed != self.current {
            self.current = changed;
            self.due = Some(now + WRITE_DELAY);
        }
        if self.due.is_some_and(|due| due <= now) {
            self.write(true);
        }
    }

    /// Writes changes that are not written yet, before the program ends.
    pub fn flush(&mut self) {
        if self.due.is_some() {
            self.write(true);
        }
    }

    /// Writes the settings now. `merge` keeps recent files that another window added. A failure is only logged.
    pub fn write(&mut self, merge: bool) {
        self.due = None;
        if self.is_temporary {
            return;
        }
        if let Err(error) = save(&self.current, merge) {
            log::warn!("settings: {error:#}");
        }
    }
}

/// The contents of the settings file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The version of the format, for later versions of the program.
    pub version: u32,
    pub preferences: Preferences,
    /// The size that the window had last.
    pub window: WindowSize,
    /// Folder of the last opened file.
    pub open_folder: Option<PathBuf>,
    /// Folder of the last saved picture, clip or view.
    pub save_folder: Option<PathBuf>,
    /// Folder of the last environment.
    pub environment_folder: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            preferences: Preferences::default(),
            window: WindowSize::default(),
            open_folder: None,
            save_folder: None,
            environment_folder: None,
        }
    }
}

/// Size of the window in points, which stays valid on a screen with another scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSize {
    pub width: f64,
    pub height: f64,
    /// Whether the window is maximized. Then width and height are the size to restore.
    pub maximized: bool,
}

impl Default for WindowSize {
    fn default() -> Self {
        Self { width: 1280.0, height: 800.0, maximized: false }
    }
}

/// Reads the settings. Also returns a message for the user if the file was broken. Without a file, the defaults are used.
fn load() -> (Settings, Option<String>) {
    let Some(path) = path() else { return (Settings::default(), None) };
    let Ok(text) = std::fs::read_to_string(&path) else { return (Settings::default(), None) };
    match serde_json::from_str::<Settings>(&text) {
        Ok(settings) => (settings.checked(), None),
        Err(error) => {
            log::warn!("{}: {error}", path.display());
            let backup = path.with_extension("json.broken");
            let is_renamed = std::fs::rename(&path, &backup).is_ok();
            let message = if is_renamed {
                format!("The settings file is invalid. Defaults are used; the old file is kept as {}", backup.display())
            } else {
                "The settings file is invalid. Defaults are used.".into()
            };
            (Settings::default(), Some(message))
        }
    }
}

/// Writes the settings. Another window may have written them in the meantime. With `merge`, its recent files are kept; all other settings
/// are overwritten.
fn save(settings: &Settings, merge: bool) -> anyhow::Result<()> {
    let path = path().context("this system has no settings folder")?;
    let mut settings = settings.clone();
    if let Some(other) = std::fs::read_to_string(&path).ok().filter(|_| merge).and_then(|text| serde_json::from_str::<Settings>(&text).ok())
    {
        for file in other.preferences.recent_files {
            if !settings.preferences.recent_files.contains(&file) {
                settings.preferences.recent_files.push(file);
            }
        }
        settings.preferences.recent_files.truncate(MAX_RECENT_FILES);
    }
    let folder = path.parent().context("the settings file has no folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let text = serde_json::to_string_pretty(&settings).context("cannot encode the settings")?;
    Ok(atomic_file::write(&path, text.as_bytes(), true)?)
}

/// The settings file. `None` if the system names no folder for settings.
fn path() -> Option<PathBuf> {
    let folder = match std::env::var_os("SINEW_CONFIG_DIR") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => directories::ProjectDirs::from("", "", "sinew")?.config_dir().to_owned(),
    };
    Some(folder.join("settings.json"))
}

impl Settings {
    /// Limits values that would make the window unusable, since users can edit the file.
    fn checked(mut self) -> Self {
        let number = |value: f64, low: f64, high: f64, default: f64| if value.is_finite() { value.clamp(low, high) } else { default };
        self.window.width = number(self.window.width, 400.0, 16384.0, 1280.0);
        self.window.height = number(self.window.height, 300.0, 16384.0, 800.0);
        let preferences = &mut self.preferences;
        preferences.scale = number(preferences.scale.into(), 0.5, 3.0, 1.0) as f32;
        preferences.left_width = number(preferences.left_width.into(), 220.0, 480.0, 300.0) as f32;
        for share in [&mut preferences.animations_share, &mut preferences.layers_share] {
            *share = number((*share).into(), 0.0, 1.0, SECTION_SHARE.into()) as f32;
        }
        preferences.inspector_width = number(preferences.inspector_width.into(), 240.0, 480.0, 300.0) as f32;
        preferences.timeline_height = number(preferences.timeline_height.into(), 140.0, 4096.0, 260.0) as f32;
        preferences.names_width = number(preferences.names_width.into(), 140.0, 360.0, 200.0) as f32;
        preferences.recent_files.truncate(MAX_RECENT_FILES);
        preferences.bookmarks.check();
        preferences.borrowed.check();
        view_preset::check(&mut preferences.view_presets);
        self
    }
}
