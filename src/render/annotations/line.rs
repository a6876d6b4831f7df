//! Lines of constant screen width, the colors of all drawings around the model, and the GPU instances of the lines.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3, Vec4};

use crate::camera::Bounds;
use crate::colors;
use crate::session::view::display::Depth;

/// A line of constant screen width with round ends. A line with equal ends is a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// First end, in world space, in meters.
    pub start: DVec3,
    /// Second end, in world space, in meters.
    pub end: DVec3,
    /// Width without the halo, in points.
    pub width: f32,
    /// Width of the halo on each side, in points.
    pub halo_width: f32,
    /// sRGB and alpha.
    pub color: [u8; 4],
    /// Color of the halo, sRGB and alpha.
    pub halo: [u8; 4],
    /// Whether surfaces hide the line.
    pub depth: Depth,
}

/// The colors of all drawings over or around the model, as sRGB bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Background of the picture unless the user chose one.
    pub background: [u8; 3],
    /// Joints that are not selected.
    pub joint: [u8; 3],
    /// Selected joints, the outline and the path.
    pub accent: [u8; 3],
    /// Halos. The color contrasts with `joint`, so that lines stand out from any background.
    pub halo: [u8; 3],
    /// Lines of the grid.
    pub grid: [u8; 3],
    /// Lines of the wireframe.
    pub wire: [u8; 3],
    /// Trail colors from speed zero to the greatest speed.
    pub speeds: [[u8; 3]; 5],
    /// Ghost colors in the order of [`crate::session::pose::onion_skin::GhostKind`].
    pub ghosts: [[u8; 3]; 4],
    /// Foot contacts without sliding, with slight sliding and with clear sliding.
    pub contacts: [[u8; 3]; 3],
    /// The x, y and z axis.
    pub axes: [[u8; 3]; 3],
}

impl Theme {
    /// Colors for the dark interface.
    pub const DARK: Self = Self {
        background: [0x2A, 0x2D, 0x33],
        joint: [0xC8, 0xCD, 0xD5],
        accent: [0x38, 0xD1, 0xCF],
        halo: [0x13, 0x15, 0x18],
        grid: [0x73, 0x7B, 0x87],
        wire: [0x0B, 0x0C, 0x0E],
        speeds: colors::DARK.speeds,
        ghosts: colors::DARK.ghosts,
        contacts: [[0x4C, 0xC3, 0x8A], [0xF2, 0xB8, 0x4B], [0xFF, 0x6B, 0x6B]],
        axes: [[0xF0, 0x61, 0x6D], [0x7C, 0xC3, 0x6A], [0x5B, 0x9D, 0xF5]],
    };

    /// Colors for the light interface.
    pub const LIGHT: Self = Self {
        background: [0xD9, 0xDC, 0xE1],
        joint: [0x3B, 0x42, 0x50],
        accent: [0x00, 0x70, 0x6E],
        halo: [0xFF, 0xFF, 0xFF],
        grid: [0x6F, 0x77, 0x83],
        wire: [0x0B, 0x0C, 0x0E],
        speeds: colors::LIGHT.speeds,
        ghosts: colors::LIGHT.ghosts,
        contacts: [[0x17, 0x71, 0x4A], [0x8A, 0x5A, 0x00], [0xB3, 0x26, 0x1E]],
        axes: [[0xC4, 0x28, 0x3A], [0x2F, 0x7A, 0x1E], [0x1F, 0x5F, 0xC4]],
    };

    /// Returns the color of the grid as linear RGB, with its opacity.
    pub(crate) fn grid_color(&self) -> Vec4 {
        linear(self.grid).extend(0.42)
    }

    /// Returns the color of the wireframe as linear RGB, with its opacity.
    pub(crate) fn wire_color(&self) -> Vec4 {
        linear(self.wire).extend(0.8)
    }

    /// Returns the color of the outline as sRGB, 0 to 1, with its opacity.
    pub(crate) fn outline_color(&self) -> Vec4 {
        let [r, g, b] = self.accent.map(|byte| f32::from(byte) / 255.0);
        Vec4::new(r, g, b, 1.0)
    }
}

/// Converts an sRGB color to linear light, 0 to 1 (IEC 61966-2-1).
pub(crate) fn linear(color: [u8; 3]) -> Vec3 {
    Vec3::from(color.map(|byte| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }))
}

/// Adds full alpha to a color.
pub(crate) fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 0xFF]
}

/// Returns the world axes at the origin. Their length is 0.6 times the radius of the bounds.
pub(crate) fn axes(bounds: &Bounds, theme: &Theme) -> [Line; 3] {
    let length = if bounds.is_empty() { 1.0 } else { bounds.radius().max(1e-6) * 0.6 };
    [0, 1, 2].map(|axis| {
        let end = DVec3::AXES[axis] * length;
        Line { start: DVec3::ZERO, end, width: 2.0, halo_width: 0.0, color: opaque(theme.axes[axis]), halo: [0; 4], depth: Depth::Hidden }
    })
}

/// A line as shaders read it: ends relative to the anchor in meters, widths in pixels. Keep in sync with `LineInstance` in line.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuLine {
    start: Vec3,
    end: Vec3,
    widths: [f32; 2],
    color: [u8; 4],
    halo: [u8; 4],
}

impl GpuLine {
    /// Vertex attributes, stepped per instance.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4, 4 => Unorm8x4];
}

/// Converts lines to GPU instances, without those whose ends are not finite. `pixels_per_point` includes supersampling.
pub(crate) fn gpu_lines(lines: &[Line], anchor: DVec3, pixels_per_point: f32) -> Vec<GpuLine> {
    let finite = lines.iter().filter(|line| line.start.is_finite() && line.end.is_finite());
    finite
        .map(|line| GpuLine {
            start: (line.start - anchor).as_vec3(),
            end: (line.end - anchor).as_vec3(),
            widths: [line.width * pixels_per_point, line.halo_width * pixels_per_point],
            color: line.color,
            halo: line.halo,
        })
        .collect()
}
