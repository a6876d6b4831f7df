//! The user's preferences, remembered between runs. Of the view, they include only the display settings. Fields that are missing in
//! the settings file have their default values.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};

use crate::check::profile::Profile;
use crate::session::camera::bookmarks::Bookmarks;
use crate::session::camera::view_preset::{self, ViewPreset};
use crate::session::contact_sheet::SheetOptions;
use crate::session::file::borrowed_memory::BorrowedMemory;
use crate::session::names::NameStyle;
use crate::session::saved_list::readable_entries;
use crate::session::time::clip::ClipOptions;
use crate::session::view::display::Display;
use crate::units::Units;

/// Minimum and maximum scale of the window, relative to the system's.
pub const SCALES: [f32; 2] = [0.5, 3.0];

// Minimum and maximum width of the side panels, in points.
pub const LEFT_WIDTHS: [f32; 2] = [220.0, 480.0];
pub const INSPECTOR_WIDTHS: [f32; 2] = [240.0, 480.0];
/// Minimum and maximum width of the names beside the timeline's rows, in points.
pub const NAMES_WIDTHS: [f32; 2] = [140.0, 360.0];
/// Minimum and maximum height of the timeline with its rows that a settings file may name, in points.
const TIMELINE_HEIGHTS: [f32; 2] = [140.0, 4096.0];
/// Maximum length of the list of recent files.
pub const MAX_RECENT_FILES: usize = 20;
/// Maximum length of the name of a graphics adapter.
const MAX_ADAPTER_NAME_BYTES: usize = 1024;

/// Default maximum height of a section of the left panel, as a fraction of the panel's height. The user changes it by dragging the divider.
pub const SECTION_SHARE: f32 = 0.35;

/// The user's preferences. They apply to every file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: ThemeChoice,
    /// Scale of the window, relative to the system's.
    pub scale: f32,
    pub navigation: Navigation,
    /// The display settings that the first file begins with.
    #[serde(deserialize_with = "readable_display")]
    pub display: Display,
    /// Units and axes in which lengths and directions are shown, except in keys and curves.
    pub units: Units,
    // Whether each panel is open.
    pub left_panel: bool,
    pub inspector: bool,
    pub timeline: bool,
    pub file_strip: bool,
    /// Whether the performance section is open.
    pub performance: bool,
    pub open_groups: OpenGroups,
    /// How the names of joints are shown: without the prefix of their skeleton, or in full.
    pub names: NameStyle,
    // Widths of the side panels, in points.
    pub left_width: f32,
    pub inspector_width: f32,
    // Maximum heights of the sections for animations and layers, as fractions of the left panel's height.
    pub animations_share: f32,
    pub layers_share: f32,
    /// Height of the timeline with its rows, in points.
    pub timeline_height: f32,
    /// Width of the names beside the timeline's rows, in points.
    pub names_width: f32,
    /// The content of the timeline's rows.
    pub timeline_rows: TimelineRows,
    pub ruler: RulerUnit,
    pub snap: Snap,
    /// Whether the curves of rotations show Euler angles instead of quaternions.
    pub euler_curves: bool,
    /// Whether pausing moves the playhead to the nearest whole frame.
    pub snap_on_pause: bool,
    pub screenshot: ScreenshotOptions,
    /// Folder of quick screenshots. `None` stands for the system's folder for pictures.
    pub screenshot_folder: Option<PathBuf>,
    pub clip: ClipOptions,
    pub sheet: SheetOptions,
    /// The engine that files are checked for.
    pub check_profile: Profile,
    /// Recent files, newest first, at most [`MAX_RECENT_FILES`].
    pub recent_files: Vec<PathBuf>,
    /// Recent panoramas, newest first.
    pub recent_environments: Vec<PathBuf>,
    /// Camera bookmarks of all files.
    pub bookmarks: Bookmarks,
    /// The files whose animations each model plays.
    pub borrowed: BorrowedMemory,
    #[serde(deserialize_with = "readable_entries")]
    pub view_presets: Vec<ViewPreset>,
    /// Whether the navigation hint is no longer needed, because the user has moved the camera or pressed Esc.
    pub hint_seen: bool,
    /// Whether a file that changes on disk is reloaded.
    pub reload_on_change: bool,
    /// Name of the graphics adapter to use from the next start on. `None` chooses the most powerful adapter.
    pub adapter: Option<String>,
    /// Whether a software rasterizer draws moving pictures with a lower quality if they are slow.
    pub lower_quality_while_moving: bool,
    /// Whether a dialog asks what to do with a file that is dropped while another file is open.
    pub ask_on_drop: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            scale: 1.0,
            navigation: Navigation::Sinew,
            display: Display::default(),
            units: Units::default(),
            left_panel: true,
            inspector: true,
            timeline: true,
            file_strip: false,
            performance: false,
            open_groups: OpenGroups::default(),
            names: NameStyle::Short,
            left_width: 300.0,
            inspector_width: 300.0,
            animations_share: SECTION_SHARE,
            layers_share: SECTION_SHARE,
            timeline_height: 260.0,
            names_width: 200.0,
            timeline_rows: TimelineRows::DopeSheet,
            ruler: RulerUnit::Frames,
            snap: Snap::Frames,
            euler_curves: true,
            snap_on_pause: false,
            screenshot: ScreenshotOptions::default(),
            screenshot_folder: None,
            clip: ClipOptions::default(),
            sheet: SheetOptions::default(),
            check_profile: Profile::default(),
            recent_files: Vec::new(),
            recent_environments: Vec::new(),
            bookmarks: Bookmarks::default(),
            borrowed: BorrowedMemory::default(),
            view_presets: Vec::new(),
            hint_seen: false,
            reload_on_change: true,
            adapter: None,
            lower_quality_while_moving: true,
            ask_on_drop: true,
        }
    }
}

impl Preferences {
    /// Limits values that would make the window unusable, since users can edit the settings file.
    pub fn checked(mut self) -> Self {
        let default = Self::default();
        let limit = |value: &mut f32, [low, high]: [f32; 2], default: f32| {
            *value = if value.is_finite() { value.clamp(low, high) } else { default };
        };
        limit(&mut self.scale, SCALES, default.scale);
        limit(&mut self.left_width, LEFT_WIDTHS, default.left_width);
        limit(&mut self.animations_share, [0.0, 1.0], default.animations_share);
        limit(&mut self.layers_share, [0.0, 1.0], default.layers_share);
        limit(&mut self.inspector_width, INSPECTOR_WIDTHS, default.inspector_width);
        limit(&mut self.timeline_height, TIMELINE_HEIGHTS, default.timeline_height);
        limit(&mut self.names_width, NAMES_WIDTHS, default.names_width);
        self.recent_files.truncate(MAX_RECENT_FILES);
        self.display = self.display.remembered();
        self.adapter = self.adapter.filter(|name| name.len() <= MAX_ADAPTER_NAME_BYTES);
        self.bookmarks.check();
        self.borrowed.check();
        view_preset::check(&mut self.view_presets);
        self
    }
}

/// Reads display settings. If they cannot be read, they have their defaults, so that the other preferences survive.
fn readable_display<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Display, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Whether each group of the inspector is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenGroups {
    // Groups of the display section.
    pub shading: bool,
    pub lighting: bool,
    pub skeleton: bool,
    pub overlays: bool,
    // Groups of the selection section. Those that every node has are closed at first, so that the display section stays visible.
    pub global: bool,
    pub rest: bool,
    pub matrix: bool,
    pub extras: bool,
}

impl Default for OpenGroups {
    fn default() -> Self {
        Self { shading: true, lighting: true, skeleton: true, overlays: true, global: false, rest: false, matrix: false, extras: true }
    }
}

/// The colors of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    #[default]
    /// The system's setting.
    System,
    Dark,
    Light,
}

/// The rows below the ruler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimelineRows {
    None,
    #[default]
    #[serde(rename = "sheet")]
    DopeSheet,
    Curves,
}

/// The unit of the ruler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulerUnit {
    #[default]
    Frames,
    Seconds,
}

impl RulerUnit {
    /// All units, in the order of the menus.
    pub const ALL: [Self; 2] = [Self::Frames, Self::Seconds];

    /// The label in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "Ruler: frames",
            Self::Seconds => "Ruler: seconds",
        }
    }
}

/// The times to which the playhead, the in point and the out point snap while they are dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Snap {
    #[default]
    Frames,
    Keys,
    Nothing,
}

impl Snap {
    /// All snap modes, in the order of the menus.
    pub const ALL: [Self; 3] = [Self::Frames, Self::Keys, Self::Nothing];

    /// The label in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "Snap to frames",
            Self::Keys => "Snap to keys of selection",
            Self::Nothing => "No snapping",
        }
    }
}

/// The mouse buttons that move the camera: as in Sinew or as in another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Navigation {
    #[default]
    Sinew,
    Blender,
    Maya,
}

/// How screenshots are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScreenshotOptions {
    /// Size in pixels. 0 stands for the viewport's size.
    pub width: u32,
    pub height: u32,
    /// Samples along each side of a pixel, 1 to 4, in addition to 4x MSAA.
    pub supersample: u32,
    /// Whether the background is transparent.
    pub transparent: bool,
    /// Whether the screenshot includes the overlays that the view shows, such as skeleton, names, trails and grid.
    pub overlays: bool,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        Self { width: 0, height: 0, supersample: 1, transparent: false, overlays: true }
    }
}

impl ThemeChoice {
    pub const ALL: [Self; 3] = [Self::System, Self::Dark, Self::Light];

    pub fn label(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Dark => "Dark",
            Self::Light => "Light",
        }
    }
}

impl Navigation {
    pub const ALL: [Self; 3] = [Self::Sinew, Self::Blender, Self::Maya];

    pub fn label(self) -> &'static str {
        match self {
            Self::Sinew => "Sinew",
            Self::Blender => "Blender",
            Self::Maya => "Maya",
        }
    }
}

/// Puts an item at the front of a list of recent items, once, and drops the oldest ones beyond the maximum.
pub fn push_recent<T: PartialEq>(list: &mut Vec<T>, item: T, max: usize) {
    list.retain(|other| *other != item);
    list.insert(0, item);
    list.truncate(max);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_settings_that_cannot_be_read_leave_the_other_preferences() {
        let text = r#"{ "scale": 2.0, "display": { "shading": "of a later version" } }"#;
        let read: Preferences = serde_json::from_str(text).unwrap();
        assert_eq!(read, Preferences { scale: 2.0, ..Preferences::default() });
    }

    #[test]
    fn sizes_of_an_edited_file_are_limited_and_infinite_ones_are_replaced() {
        let text = r#"{ "scale": 100, "left_width": -5, "names_width": 1e300, "layers_share": 2 }"#;
        let read: Preferences = serde_json::from_str(text).unwrap();
        let limited = Preferences { scale: SCALES[1], left_width: LEFT_WIDTHS[0], layers_share: 1.0, ..Preferences::default() };
        assert_eq!(read.checked(), limited);
    }

    #[test]
    fn display_settings_that_are_not_remembered_are_not_read_either() {
        let text = r#"{ "display": { "crowd": 100000, "wireframe": true }, "adapter": "llvmpipe" }"#;
        let read = serde_json::from_str::<Preferences>(text).unwrap().checked();
        assert_eq!((read.display.crowd, read.display.wireframe, read.adapter.as_deref()), (1, true, Some("llvmpipe")));
        let long = Preferences { adapter: Some("x".repeat(1 << 20)), ..Preferences::default() };
        assert_eq!(long.checked().adapter, None, "no adapter has such a name");
    }

    #[test]
    fn a_recent_item_moves_to_the_front_and_the_oldest_one_is_dropped() {
        let mut list = vec!["a", "b", "c"];
        push_recent(&mut list, "b", 3);
        assert_eq!(list, ["b", "a", "c"]);
        push_recent(&mut list, "d", 3);
        assert_eq!(list, ["d", "b", "a"]);
    }
}
