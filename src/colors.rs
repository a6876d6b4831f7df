//! Defines the colors that the window and exported pictures share, for dark and light backgrounds, and converts sRGB to linear light.

use glam::Vec3;

/// An sRGB color: red, green and blue.
pub type Rgb = [u8; 3];

/// The colors of all that is drawn besides the model: background, skeleton, overlays, text and panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colors {
    /// Whether the background is light.
    pub is_light: bool,
    /// The background behind the model.
    pub background: Rgb,
    /// Joints that are not selected.
    pub joint: Rgb,
    /// The selection.
    pub accent: Rgb,
    /// The rim of lines. It contrasts with `joint`, so that a line stands out from anything behind it.
    pub halo: Rgb,
    /// The ground grid.
    pub grid: Rgb,
    /// The edges of triangles.
    pub wire: Rgb,
    /// Evenly spaced stops of a motion trail's speed colors, from 0 to the largest speed.
    pub speeds: [Rgb; 5],
    /// The ghosts of the onion skin: earlier times, later times, rest pose, bind pose.
    pub ghosts: [Rgb; 4],
    /// The ghost of the other model in a comparison.
    pub compared: Rgb,
    /// Foot contacts by severity of their slide: none, slight, severe.
    pub contacts: [Rgb; 3],
    /// The X, Y and Z axes.
    pub axes: [Rgb; 3],
    /// Text on a panel or in a frame.
    pub text: Rgb,
    /// Secondary text, which is less prominent.
    pub secondary: Rgb,
    /// The fill of panels and frames.
    pub panel: Rgb,
    /// The outline of frames.
    pub divider: Rgb,
}

/// The colors for a dark background.
pub const DARK: Colors = Colors {
    is_light: false,
    background: rgb(0x2A2D33),
    joint: rgb(0xC8CDD5),
    accent: rgb(0x38D1CF),
    halo: rgb(0x131518),
    grid: rgb(0x737B87),
    wire: rgb(0x0B0C0E),
    speeds: [rgb(0x7C86F0), rgb(0x3FA4E0), rgb(0x41C2A2), rgb(0xF2D24B), rgb(0xFF5A43)],
    ghosts: [rgb(0xE58B4A), rgb(0x6AA8F0), rgb(0xC58AF9), rgb(0xFF6FA8)],
    compared: rgb(0xB7E34B),
    contacts: [rgb(0x4CC38A), rgb(0xF2B84B), rgb(0xFF6B6B)],
    axes: [rgb(0xF0616D), rgb(0x7CC36A), rgb(0x5B9DF5)],
    text: rgb(0xE6E8EB),
    secondary: rgb(0xA9B0BA),
    panel: rgb(0x1B1D21),
    divider: rgb(0x3A3F47),
};

/// The colors for a light background.
pub const LIGHT: Colors = Colors {
    is_light: true,
    background: rgb(0xD9DCE1),
    joint: rgb(0x3B4250),
    accent: rgb(0x00706E),
    halo: rgb(0xFFFFFF),
    grid: rgb(0x6F7783),
    wire: rgb(0x0B0C0E),
    speeds: [rgb(0x2B2F6B), rgb(0x1F6FB0), rgb(0x128778), rgb(0xC98A00), rgb(0xD02F1C)],
    ghosts: [rgb(0xD47800), rgb(0x0082E0), rgb(0x9834D0), rgb(0xE01070)],
    compared: rgb(0x4C8A00),
    contacts: [rgb(0x17714A), rgb(0x8A5A00), rgb(0xB3261E)],
    axes: [rgb(0xC4283A), rgb(0x2F7A1E), rgb(0x1F5FC4)],
    text: rgb(0x1A1D21),
    secondary: rgb(0x545C68),
    panel: rgb(0xF5F6F8),
    divider: rgb(0xC9CED6),
};

/// The heat map, from 0 to 1 at even steps; the same on both backgrounds. Keep in sync with heat_map.wgsl.
pub const HEAT: [Rgb; 5] = [rgb(0x2B2F6B), rgb(0x2C7FB8), rgb(0x41B6A6), rgb(0xF2D24B), rgb(0xE8432E)];
/// The color of weights that are exactly zero and, if every joint has its own color, of vertices that no joint moves. Keep in sync with
/// heat_map.wgsl.
pub const UNMOVED: Rgb = rgb(0x6B6F76);

/// The color `0xRRGGBB`.
pub const fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

/// Converts an sRGB color to linear light, from 0 to 1 per channel (IEC 61966-2-1).
pub fn linear(color: Rgb) -> Vec3 {
    Vec3::from(color.map(linear_channel))
}

/// Converts one sRGB channel to linear light, from 0 to 1.
pub fn linear_channel(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}
