//! The options of a still: its size, its background, and what it shows beside the model.

use crate::camera::Camera;
use crate::colors::{self, Colors};
use crate::render::picture::Background;
use crate::session::names::NameStyle;
use crate::units::Units;

/// Options for drawing a still.
#[derive(Debug, Clone)]
pub struct StillOptions {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Factor from 1 to 4 by which the picture is drawn larger and then averaged down, in addition to the renderer's MSAA.
    pub supersample: u32,
    pub background: Background,
    /// Whether overlays are drawn as the view shows them: skeleton, names, trails, ghosts, path, contacts, wireframe, x-ray, outline,
    /// grid and axes.
    pub overlays: bool,
    /// The colors of overlays.
    pub theme: Colors,
    /// How joints are named: with or without the prefix of their skeleton.
    pub names: NameStyle,
    /// The units of legends.
    pub units: Units,
    /// Scale of lines and names, in pixels per point.
    pub pixels_per_point: f32,
    /// A camera that replaces the camera of the view. `None` for no replacement.
    pub camera: Option<Camera>,
}

impl StillOptions {
    /// Options for a picture of this width and height in pixels: with overlays, on the background of the dark theme.
    pub fn new([width, height]: [u32; 2]) -> Self {
        let theme = colors::DARK;
        Self {
            width,
            height,
            supersample: 1,
            background: Background::Color(theme.background),
            overlays: true,
            theme,
            names: NameStyle::Short,
            units: Units::default(),
            pixels_per_point: 1.0,
            camera: None,
        }
    }
}
