//! Lines of constant screen width, and their GPU instances.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

use crate::camera::bounds::Bounds;
use crate::colors::Colors;
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

/// Width of the path on the ground and of a trail, in points.
pub(crate) const PATH_WIDTH: f32 = 2.5;
/// Width of their halo on each side, in points.
pub(crate) const PATH_HALO: f32 = 1.0;
/// Diameter of the dot at the present position on them, and width of its halo, in points.
const PRESENT_DOT: [f32; 2] = [9.0, 1.5];

impl Line {
    /// Returns a halo of a path's line, as a wider line of its own. Halos of a path are drawn before its lines, so that none covers a line.
    pub(crate) fn path_halo(&self) -> Self {
        Self { width: self.width + 2.0 * PATH_HALO, halo_width: 0.0, color: self.halo, ..*self }
    }

    /// Returns the dot at the present position on a path, in the line's color.
    pub(crate) fn present_dot(&self, position: DVec3) -> Self {
        let [width, halo_width] = PRESENT_DOT;
        Self { start: position, end: position, width, halo_width, ..*self }
    }
}

/// Adds full alpha to a color.
pub(crate) fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 0xFF]
}

/// Returns the world axes at the origin. Their length is 0.6 times the radius of the bounds.
pub(crate) fn axes(bounds: &Bounds, theme: &Colors) -> [Line; 3] {
    let length = if bounds.is_empty() { 1.0 } else { bounds.radius().max(1e-6) * 0.6 };
    [0, 1, 2].map(|axis| {
        let end = DVec3::AXES[axis] * length;
        Line { start: DVec3::ZERO, end, width: 2.0, halo_width: 0.0, color: opaque(theme.axes[axis]), halo: [0; 4], depth: Depth::Occluded }
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

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_fed, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_fed(
            &Program::Line.source(false),
            "LineInstance",
            &layout!(GpuLine { start, end, widths, color, halo }),
            &GpuLine::ATTRIBUTES,
        );
    }
}
