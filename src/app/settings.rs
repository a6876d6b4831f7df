//! Settings kept between runs: one versioned JSON file in the platform's folder for settings, or in `SINEW_CONFIG_DIR`. A file that
//! cannot be used is renamed and never stops the program. Of the view, only display settings are part of the settings.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use crate::export::atomic_file;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::ui::context::preferences::{MAX_RECENT_FILES, Preferences};

use super::system_folders;

/// Settings are written this long after the last change, so that a drag does not write many times.
const WRITE_DELAY: Duration = Duration::from_secs(1);
/// Settings that could not be written are written again after this time.
const RETRY_DELAY: Duration = Duration::from_secs(30);
/// Settings are written again this many times. Endless attempts would wake an idle window.
const MAX_RETRIES: u32 = 3;
/// Version of the file's format.
const VERSION: u32 = 1;
/// Maximum size of the settings file. Sinew itself writes much smaller ones.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The settings in use, written to disk shortly after they change.
pub struct SettingsStore {
    /// The current settings, which may not be written yet.
    pub current: Settings,
    /// When the settings are to be written. `None` if they have not changed, or if writing them has failed too often.
    due: Option<Instant>,
    /// Number of attempts that failed since the settings were written last.
    failures: u32,
    /// The settings file. `None` if the settings are never written.
    path: Option<PathBuf>,
    /// Whether recent files that another window added are kept when the settings are written.
    merge: bool,
    /// Whether the user was told that the settings cannot be written.
    has_reported_failure: bool,
    /// A message for the user.
    message: Option<String>,
}

impl SettingsStore {
    /// Reads the settings. Also returns a message for the user if the file cannot be used.
    pub fn load() -> (Self, Option<String>) {
        let path = path();
        if path.is_none() {
            log::warn!("settings: this system has no folder for them");
        }
        let (current, message) = path.as_deref().map_or_else(Default::default, load);
        (Self { current, path, ..Self::temporary() }, message)
    }

    /// The defaults, which are never written.
    pub fn temporary() -> Self {
        Self { current: Settings::default(), due: None, failures: 0, path: None, merge: true, has_reported_failure: false, message: None }
    }

    /// When the settings are to be written; `None` if they are not.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Writes the settings at the next update, even if nothing changes.
    pub fn write_soon(&mut self, now: Instant) {
        self.due = Some(now);
    }

    /// Takes over changed preferences and the window's place, and writes the settings when they are due. Without a window, `window` is
    /// `None`.
    pub fn update(&mut self, preferences: &Preferences, window: Option<WindowPlace>, now: Instant) {
        let window = match window {
            // While the window is maximized, the place to restore is the one before it was maximized.
            Some(WindowPlace { maximized: true, .. }) => WindowPlace { maximized: true, ..self.current.window },
            Some(place) => place,
            None => self.current.window,
        };
        if self.current.window != window || self.current.preferences != *preferences {
            self.current.window = window;
            self.current.preferences.clone_from(preferences);
            self.due = Some(now + WRITE_DELAY);
        }
        if self.due.is_some_and(|due| due <= now) {
            self.write(now);
        }
    }

    /// Writes changes that are not written yet, before the program ends.
    pub fn flush(&mut self) {
        if self.due.is_some() || self.failures > 0 {
            self.write(Instant::now());
        }
    }

    /// Writes the settings now, without the recent files that another window added.
    pub fn write_without_merging(&mut self) {
        self.merge = false;
        self.write(Instant::now());
    }

    /// Takes the message that the settings cannot be written. There is one at most.
    pub fn take_message(&mut self) -> Option<String> {
        self.message.take()
    }

    /// Writes the settings. If that fails, they are written again later, but not endlessly.
    fn write(&mut self, now: Instant) {
        let saved = self.path.as_deref().map_or(Ok(()), |path| save(path, &self.current, self.merge));
        let Err(error) = saved else {
            (self.due, self.merge, self.failures) = (None, true, 0);
            return;
        };
        log::warn!("settings: {error:#}");
        self.failures += 1;
        self.due = (self.failures <= MAX_RETRIES).then_some(now + RETRY_DELAY);
        if !std::mem::replace(&mut self.has_reported_failure, true) {
            self.message = Some(format!("The settings cannot be saved: {error:#}"));
        }
    }
}

/// The contents of the settings file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The version of the format. A file of a later version is not used, because writing it would drop its new fields.
    pub version: u32,
    pub preferences: Preferences,
    /// The place that the window had last.
    pub window: WindowPlace,
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
            window: WindowPlace::default(),
            open_folder: None,
            save_folder: None,
            environment_folder: None,
        }
    }
}

/// Size and position of the window. The size is in points, so it stays valid on a screen with another scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlace {
    pub width: f64,
    pub height: f64,
    /// Left and top of the window with its frame, in pixels of the desktop. `None` on systems that do not tell (Wayland).
    pub position: Option<[i32; 2]>,
    /// Whether the window is maximized. Then the other values are those to restore.
    pub maximized: bool,
}

impl Default for WindowPlace {
    fn default() -> Self {
        Self { width: 1280.0, height: 800.0, position: None, maximized: false }
    }
}

/// Reads the settings. Without a file, the defaults are used. A file that cannot be used is renamed; then there is also a message for the
/// user.
fn load(path: &Path) -> (Settings, Option<String>) {
    let later = |settings: &Settings| format!("was written by a later version of Sinew (version {})", settings.version);
    let (problem, extension) = match read(path).map(|text| serde_json::from_str::<Settings>(&text)) {
        Ok(Ok(settings)) if settings.version <= VERSION => return (settings.checked(), None),
        Ok(Ok(settings)) => (later(&settings), "json.later"),
        Ok(Err(error)) => (format!("is invalid ({error})"), "json.broken"),
        Err(error) if error.kind() == ErrorKind::NotFound => return Default::default(),
        Err(error) => (format!("cannot be read ({error})"), "json.broken"),
    };
    let problem = terminal::escape(&problem, MAX_MESSAGE_CHARS);
    log::warn!("{} {problem}", path.display());
    let backup = free_path(&path.with_extension(extension));
    let message = if std::fs::rename(path, &backup).is_ok() {
        format!("The settings file {problem}. Defaults are used; the old file is kept as {}", backup.display())
    } else {
        format!("The settings file {problem}. Defaults are used.")
    };
    (Settings::default(), Some(message))
}

/// Reads the text of a settings file. Errors if it is too large, or if it is a pipe or a device, which may never end.
fn read(path: &Path) -> std::io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(std::io::Error::other(format!("it has {} bytes, more than {MAX_FILE_BYTES}", metadata.len())));
    }
    std::fs::read_to_string(path)
}

/// The path, or one with a number behind it, that no file has.
fn free_path(path: &Path) -> PathBuf {
    let with_number = |number| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let numbered = (2..).map(with_number);
    std::iter::once(path.to_owned()).chain(numbered).find(|path| !path.exists()).unwrap_or_default()
}

/// Writes the settings. Another window may have written them in the meantime. With `merge`, its recent files are kept; all other settings
/// are overwritten.
fn save(path: &Path, settings: &Settings, merge: bool) -> anyhow::Result<()> {
    let mut settings = settings.clone();
    let other = read(path).ok().and_then(|text| serde_json::from_str::<Settings>(&text).ok());
    if let Some(other) = &other {
        ensure!(other.version <= VERSION, "{} was written by a later version of Sinew and is kept", path.display());
    }
    if let Some(other) = other.filter(|_| merge) {
        // Only an edited file has more of them.
        for file in other.preferences.recent_files.into_iter().take(MAX_RECENT_FILES) {
            if !settings.preferences.recent_files.contains(&file) {
                settings.preferences.recent_files.push(file);
            }
        }
        settings.preferences.recent_files.truncate(MAX_RECENT_FILES);
    }
    let folder = path.parent().context("the settings file has no folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // JSON cannot hold a path that is not UTF-8. A single one would keep all settings from being written.
    settings.omit_paths_outside_unicode();
    let text = serde_json::to_string_pretty(&settings).context("cannot encode the settings")?;
    Ok(atomic_file::write(path, text.as_bytes(), true)?)
}

/// The settings file. `None` if the system names no folder for settings.
fn path() -> Option<PathBuf> {
    Some(system_folders::config()?.join("settings.json"))
}

impl Settings {
    /// Removes all paths that are not UTF-8.
    fn omit_paths_outside_unicode(&mut self) {
        let is_text = |path: &PathBuf| path.to_str().is_some();
        let preferences = &mut self.preferences;
        preferences.recent_files.retain(is_text);
        preferences.recent_environments.retain(is_text);
        let folders = [&mut self.open_folder, &mut self.save_folder, &mut self.environment_folder, &mut preferences.screenshot_folder];
        let displays =
            std::iter::once(&mut preferences.display).chain(preferences.view_presets.iter_mut().map(|preset| &mut preset.display));
        for path in folders.into_iter().chain(displays.map(|display| &mut display.environment.file)) {
            path.take_if(|path| !is_text(path));
        }
    }

    /// Limits values that would make the window unusable, since users can edit the file.
    fn checked(mut self) -> Self {
        let number = |value: f64, low: f64, high: f64, default: f64| if value.is_finite() { value.clamp(low, high) } else { default };
        let default = WindowPlace::default();
        self.window.width = number(self.window.width, 400.0, 16384.0, default.width);
        self.window.height = number(self.window.height, 300.0, 16384.0, default.height);
        self.preferences = self.preferences.checked();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_file_the_defaults_are_used_silently() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(load(&folder.path().join("settings.json")), (Settings::default(), None));
    }

    #[test]
    #[cfg(unix)]
    fn a_device_instead_of_a_file_is_set_aside_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        // Reading this device would never end.
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let (settings, message) = load(&path);
        assert_eq!(settings, Settings::default());
        assert!(message.is_some_and(|message| message.contains("it is not a regular file")));
        save(&path, &Settings::default(), true).unwrap();
        assert_eq!(load(&path), (Settings::default(), None));
    }

    #[test]
    fn a_very_large_file_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::File::create(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        assert!(load(&path).1.is_some_and(|message| message.contains("it has 16777217 bytes")));
    }

    #[test]
    fn a_file_that_cannot_be_used_is_kept_under_another_name() {
        let later = format!("{{ \"version\": {}, \"new\": 1 }}", VERSION + 1);
        let files = [
            (&b"{ \"version\": 7"[..], "is invalid", "settings.json.broken"),
            (b"{ \"open_folder\": \"\xff\" }", "cannot be read", "settings.json.broken"),
            (later.as_bytes(), "was written by a later version", "settings.json.later"),
        ];
        for (bytes, problem, backup) in files {
            let folder = tempfile::tempdir().unwrap();
            let (path, backup) = (folder.path().join("settings.json"), folder.path().join(backup));
            std::fs::write(&path, bytes).unwrap();
            let (settings, message) = load(&path);
            assert_eq!(settings, Settings::default());
            let message = message.expect(problem);
            assert!(message.contains(problem) && message.contains(&*backup.to_string_lossy()), "{message}");
            assert_eq!(std::fs::read(&backup).unwrap(), bytes, "{problem}");
            assert!(!path.exists(), "{problem}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_and_each_broken_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let files = [("drak", "settings.json.broken"), ("lihgt", "settings.json.broken.2"), ("dim", "settings.json.broken.3")];
        let broken = |theme: &str| format!("{{\n  \"preferences\": {{ \"theme\": \"{theme}\" }}\n}}");
        for (theme, backup) in files {
            std::fs::write(&path, broken(theme)).unwrap();
            let message = load(&path).1.unwrap();
            let reason = format!("is invalid (unknown variant `{theme}`, expected");
            assert!(message.contains(&reason) && message.contains("at line 2 column ") && message.ends_with(backup), "{message}");
        }
        for (theme, backup) in files {
            assert_eq!(std::fs::read_to_string(folder.path().join(backup)).unwrap(), broken(theme));
        }
    }

    #[test]
    fn of_a_very_long_list_of_recent_files_only_the_first_are_merged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let names: Vec<String> = (0..40_000).map(|number| format!("/home/user/models/{number}.glb")).collect();
        std::fs::write(&path, serde_json::json!({ "preferences": { "recent_files": names } }).to_string()).unwrap();
        let mut settings = Settings::default();
        settings.preferences.recent_files = vec!["new.glb".into(), names[0].clone().into()];
        let start = Instant::now();
        save(&path, &settings, true).unwrap();
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let written = load(&path).0.preferences.recent_files;
        let expected: Vec<PathBuf> = std::iter::once("new.glb").chain(names[..19].iter().map(String::as_str)).map(PathBuf::from).collect();
        assert_eq!(written, expected);
    }

    #[test]
    fn settings_are_written_a_while_after_a_change_only() {
        let (mut store, start) = (SettingsStore::temporary(), Instant::now());
        let mut preferences = Preferences::default();
        store.update(&preferences, None, start);
        assert_eq!(store.due(), None);
        preferences.scale = 2.0;
        store.update(&preferences, None, start);
        assert_eq!((store.due(), store.current.preferences.scale), (Some(start + WRITE_DELAY), 2.0));
        store.update(&preferences, None, start + WRITE_DELAY);
        assert_eq!(store.due(), None);
    }

    #[test]
    fn settings_that_cannot_be_written_are_reported_once_and_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let (obstacle, now) = (folder.path().join("config"), Instant::now());
        // A file in the place of the folder.
        std::fs::write(&obstacle, "").unwrap();
        let path = obstacle.join("settings.json");
        let mut store = SettingsStore { path: Some(path.clone()), ..SettingsStore::temporary() };
        let mut preferences = Preferences { scale: 2.0, ..Preferences::default() };
        store.update(&preferences, None, now);
        store.update(&preferences, None, now + WRITE_DELAY);
        let message = store.take_message().unwrap();
        assert!(message.contains("cannot be saved") && message.contains(&*obstacle.to_string_lossy()), "{message}");
        let mut last = now + WRITE_DELAY;
        for _ in 0..MAX_RETRIES {
            assert_eq!(store.due(), Some(last + RETRY_DELAY));
            last += RETRY_DELAY;
            store.update(&preferences, None, last);
            assert_eq!(store.take_message(), None);
        }
        assert_eq!(store.due(), None, "an idle window is not woken for ever");
        preferences.scale = 1.5;
        store.update(&preferences, None, last);
        assert_eq!(store.due(), Some(last + WRITE_DELAY), "a change is written nevertheless");
        store.update(&preferences, None, last + WRITE_DELAY);
        assert_eq!(store.due(), None);
        std::fs::remove_file(&obstacle).unwrap();
        store.flush();
        assert_eq!((load(&path).0.preferences.scale, store.due()), (1.5, None));
        std::fs::remove_file(&path).unwrap();
        store.flush();
        assert!(!path.exists(), "nothing has changed since");
    }

    #[test]
    fn a_cleared_list_of_recent_files_stays_cleared_if_it_is_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut store = SettingsStore { path: Some(folder.path().to_owned()), ..SettingsStore::temporary() };
        store.write_without_merging();
        store.path = Some(path.clone());
        std::fs::write(&path, r#"{ "preferences": { "recent_files": ["fox.glb"] } }"#).unwrap();
        store.flush();
        assert_eq!(load(&path).0.preferences.recent_files, [""; 0].map(PathBuf::from));
    }

    #[test]
    fn a_maximized_window_keeps_the_place_to_restore() {
        let mut store = SettingsStore::temporary();
        let maximized = WindowPlace { width: 1920.0, height: 1080.0, position: Some([0, 0]), maximized: true };
        store.update(&Preferences::default(), Some(maximized), Instant::now());
        assert_eq!(store.current.window, WindowPlace { maximized: true, ..WindowPlace::default() });
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_unicode_is_left_out_wherever_it_is() {
        use std::os::unix::ffi::OsStringExt;

        use crate::session::camera::view_preset::ViewPreset;

        let path = PathBuf::from(std::ffi::OsString::from_vec(b"hall\xff.hdr".to_vec()));
        let mut settings = Settings { open_folder: Some(path.clone()), save_folder: Some(path.clone()), ..Settings::default() };
        settings.environment_folder = Some(path.clone());
        let preferences = &mut settings.preferences;
        preferences.view_presets = vec![ViewPreset { name: "Hall".into(), ..ViewPreset::default() }];
        preferences.view_presets[0].display.environment.file = Some(path.clone());
        preferences.display.environment.file = Some(path.clone());
        preferences.screenshot_folder = Some(path.clone());
        (preferences.recent_files, preferences.recent_environments) = (vec![path.clone(), "fox.glb".into()], vec![path]);
        settings.omit_paths_outside_unicode();
        let text = serde_json::to_string(&settings).unwrap();
        let written: Settings = serde_json::from_str(&text).unwrap();
        assert!(!text.contains("hall"));
        assert_eq!(written.preferences.recent_files, [PathBuf::from("fox.glb")]);
        assert_eq!(written.preferences.view_presets[0].name, "Hall");
    }
}
