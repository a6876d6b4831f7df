//! Colors that the window and its pictures share, for a dark and for a light background, and the conversion of sRGB to linear light.

use glam::Vec3;

/// An sRGB color: red, green, blue.
pub type Rgb = [u8; 3];

/// The colors of everything that is drawn with a model but is no part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colors {
    /// Behind the model.
    pub background: Rgb,
    /// A joint that is not selected.
    pub joint: Rgb,
    /// What is selected.
    pub accent: Rgb,
    /// The rim of lines: contrasts with `joint`, so that a line stands out from whatever is behind it.
    pub halo: Rgb,
    pub grid: Rgb,
    /// The edges of triangles.
    pub wire: Rgb,
    /// The speed ramp of a motion trail, from rest to the greatest speed, at even steps.
    pub speeds: [Rgb; 5],
    /// Onion skins: before, after, rest pose, bind pose.
    pub ghosts: [Rgb; 4],
    /// Foot contacts by severity of the slide: none, slight, severe.
    pub contacts: [Rgb; 3],
    /// X, Y and Z.
    pub axes: [Rgb; 3],
}

pub const DARK: Colors = Colors {
    background: rgb(0x2A2D33),
    joint: rgb(0xC8CDD5),
    accent: rgb(0x38D1CF),
    halo: rgb(0x131518),
    grid: rgb(0x737B87),
    wire: rgb(0x0B0C0E),
    speeds: [rgb(0x7C86F0), rgb(0x3FA4E0), rgb(0x41C2A2), rgb(0xF2D24B), rgb(0xFF5A43)],
    ghosts: [rgb(0xE58B4A), rgb(0x6AA8F0), rgb(0xC58AF9), rgb(0xFF6FA8)],
    contacts: [rgb(0x4CC38A), rgb(0xF2B84B), rgb(0xFF6B6B)],
    axes: [rgb(0xF0616D), rgb(0x7CC36A), rgb(0x5B9DF5)],
};

pub const LIGHT: Colors = Colors {
    background: rgb(0xD9DCE1),
    joint: rgb(0x3B4250),
    accent: rgb(0x00706E),
    halo: rgb(0xFFFFFF),
    grid: rgb(0x6F7783),
    wire: rgb(0x0B0C0E),
    speeds: [rgb(0x2B2F6B), rgb(0x1F6FB0), rgb(0x128778), rgb(0xC98A00), rgb(0xD02F1C)],
    ghosts: [rgb(0xD47800), rgb(0x0082E0), rgb(0x9834D0), rgb(0xE01070)],
    contacts: [rgb(0x17714A), rgb(0x8A5A00), rgb(0xB3261E)],
    axes: [rgb(0xC4283A), rgb(0x2F7A1E), rgb(0x1F5FC4)],
};

/// The heat map of skin weights, from 0 to 1 at even steps; the same on both backgrounds. Keep in sync with heat_map.wgsl.
pub const HEAT: [Rgb; 5] = [rgb(0x585E6C), rgb(0x683AA0), rgb(0xC83C70), rgb(0xF88A3C), rgb(0xFFF0A4)];
/// Vertices that no joint moves, where every joint has a color of its own.
pub const UNMOVED: Rgb = HEAT[0];

/// The color `0xRRGGBB`.
pub const fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

/// The linear light of an sRGB color, 0 to 1 per channel (IEC 61966-2-1).
pub fn linear(color: Rgb) -> Vec3 {
    Vec3::from(color.map(linear_channel))
}

/// The linear light of one sRGB channel, 0 to 1.
pub fn linear_channel(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}
