//! What is remembered between runs: one versioned JSON file in the platform's folder, or in `SINEW_CONFIG_DIR`.
//! Written whole and then renamed; a broken file is set aside, never fatal. The view is not in it.

use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::ui::preferences::Preferences;

use super::files;

/// Of the recent files.
pub const MOST_RECENT: usize = 20;
const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub version: u32,
    pub preferences: Preferences,
    pub window: WindowPlace,
    /// Where the last file was opened and the last picture was saved.
    pub open_folder: Option<PathBuf>,
    pub save_folder: Option<PathBuf>,
    /// Where the last environment was.
    pub environment_folder: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            preferences: Preferences::default(),
            window: WindowPlace::default(),
            open_folder: None,
            save_folder: None,
            environment_folder: None,
        }
    }
}

/// In points, so that it means the same on another screen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlace {
    pub width: f64,
    pub height: f64,
    pub maximized: bool,
}

impl Default for WindowPlace {
    fn default() -> Self {
        Self { width: 1280.0, height: 800.0, maximized: false }
    }
}

/// The settings, and a word for the person if the file was broken.
pub fn load() -> (Settings, Option<String>) {
    let Some(path) = path() else { return (Settings::default(), None) };
    let Ok(text) = std::fs::read_to_string(&path) else { return (Settings::default(), None) };
    match serde_json::from_str::<Settings>(&text) {
        Ok(settings) => (settings.checked(), None),
        Err(error) => {
            log::warn!("{}: {error}", path.display());
            let aside = path.with_extension("json.broken");
            let kept = std::fs::rename(&path, &aside).is_ok();
            let word = if kept {
                format!("The settings could not be read; they are kept as {}", aside.display())
            } else {
                "The settings could not be read".into()
            };
            (Settings::default(), Some(word))
        }
    }
}

/// Writes the settings. Another window may have written meanwhile: with `merge` its recent files are kept; for the rest this
/// one wins.
pub fn save(settings: &Settings, merge: bool) -> anyhow::Result<()> {
    let path = path().context("this system names no folder for settings")?;
    let mut settings = settings.clone();
    if let Some(other) = std::fs::read_to_string(&path).ok().filter(|_| merge).and_then(|text| serde_json::from_str::<Settings>(&text).ok())
    {
        for file in other.preferences.recent_files {
            if !settings.preferences.recent_files.contains(&file) {
                settings.preferences.recent_files.push(file);
            }
        }
        settings.preferences.recent_files.truncate(MOST_RECENT);
    }
    let folder = path.parent().context("the settings have no folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let text = serde_json::to_string_pretty(&settings).context("settings")?;
    files::write_whole(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

fn path() -> Option<PathBuf> {
    let folder = match std::env::var_os("SINEW_CONFIG_DIR") {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => directories::ProjectDirs::from("", "", "sinew")?.config_dir().to_owned(),
    };
    Some(folder.join("settings.json"))
}

impl Settings {
    /// Numbers that would make the window unusable are put right.
    fn checked(mut self) -> Self {
        let number = |value: f64, low: f64, high: f64, default: f64| if value.is_finite() { value.clamp(low, high) } else { default };
        self.window.width = number(self.window.width, 400.0, 16384.0, 1280.0);
        self.window.height = number(self.window.height, 300.0, 16384.0, 800.0);
        let preferences = &mut self.preferences;
        preferences.scale = number(preferences.scale.into(), 0.5, 3.0, 1.0) as f32;
        preferences.left_width = number(preferences.left_width.into(), 180.0, 420.0, 240.0) as f32;
        preferences.inspector_width = number(preferences.inspector_width.into(), 240.0, 480.0, 300.0) as f32;
        preferences.timeline_height = number(preferences.timeline_height.into(), 140.0, 4096.0, 260.0) as f32;
        preferences.names_width = number(preferences.names_width.into(), 140.0, 360.0, 200.0) as f32;
        preferences.recent_files.truncate(MOST_RECENT);
        self
    }
}
