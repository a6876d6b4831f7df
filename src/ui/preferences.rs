//! What a person prefers, whatever is open: remembered between runs. Never the view.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::session::time::clip::ClipOptions;

use super::style::units::Units;

/// Smallest and largest scale of the window, relative to the system's.
pub const SCALES: [f32; 2] = [0.5, 3.0];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: ThemeChoice,
    /// Times the system's own.
    pub scale: f32,
    pub navigation: Navigation,
    /// Of lengths and axes that are read.
    pub units: Units,
    pub left_panel: bool,
    pub inspector: bool,
    pub timeline: bool,
    /// A section of the inspector.
    pub performance: bool,
    pub left_width: f32,
    pub inspector_width: f32,
    /// Of the timeline with its rows.
    pub timeline_height: f32,
    /// Of the names beside the rows.
    pub names_width: f32,
    pub timeline_rows: TimelineRows,
    pub ruler: RulerUnit,
    pub snap: Snap,
    /// Rotations as angles, else as quaternions.
    pub euler_curves: bool,
    pub screenshot: ScreenshotOptions,
    pub clip: ClipOptions,
    /// Newest first, at most 20.
    pub recent_files: Vec<PathBuf>,
    /// Panoramas, newest first.
    pub recent_environments: Vec<PathBuf>,
    /// The navigation hint was seen.
    pub hint_seen: bool,
    /// A file that changes on disk is read again.
    pub reload_on_change: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            scale: 1.0,
            navigation: Navigation::Sinew,
            units: Units::default(),
            left_panel: true,
            inspector: true,
            timeline: true,
            performance: false,
            left_width: 240.0,
            inspector_width: 300.0,
            timeline_height: 260.0,
            names_width: 200.0,
            timeline_rows: TimelineRows::Sheet,
            ruler: RulerUnit::Frames,
            snap: Snap::Frames,
            euler_curves: true,
            screenshot: ScreenshotOptions::default(),
            clip: ClipOptions::default(),
            recent_files: Vec::new(),
            recent_environments: Vec::new(),
            hint_seen: false,
            reload_on_change: true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}

/// What stands under the ruler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimelineRows {
    None,
    #[default]
    Sheet,
    Curves,
}

/// What the ruler counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulerUnit {
    #[default]
    Frames,
    Seconds,
}

impl RulerUnit {
    pub const ALL: [Self; 2] = [Self::Frames, Self::Seconds];

    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "Count frames",
            Self::Seconds => "Count seconds",
        }
    }
}

/// What a dragged playhead, in or out point snaps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Snap {
    #[default]
    Frames,
    Keys,
    Nothing,
}

impl Snap {
    pub const ALL: [Self; 3] = [Self::Frames, Self::Keys, Self::Nothing];

    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "Snap to frames",
            Self::Keys => "Snap to keys of the selection",
            Self::Nothing => "Snap to nothing",
        }
    }
}

/// Which mouse buttons steer the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Navigation {
    #[default]
    Sinew,
    Blender,
    Maya,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScreenshotOptions {
    /// Pixels; 0: the viewport's.
    pub width: u32,
    pub height: u32,
    /// Samples a side, 1 to 4, beyond the 4x MSAA.
    pub supersample: u32,
    pub transparent: bool,
    /// Skeleton, names, grid and axes as the view shows them.
    pub overlays: bool,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        Self { width: 0, height: 0, supersample: 1, transparent: false, overlays: true }
    }
}
