//! Lines on the GPU: one instance each, a quad as wide as line, halo and a pixel of smoothing.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

use super::line::Line;

/// Keep in sync with `LineInstance` in line.wgsl.
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
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4, 4 => Unorm8x4];
}

/// `pixels_per_point`: with supersampling, of the larger target.
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
