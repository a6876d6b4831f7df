//! Joints as solids on the GPU: one instance for each joint, made in the vertex stage (joint.wgsl).

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

/// Keep in sync with the constants in joint.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solid {
    Octahedron,
    /// With a spike to where it points.
    Sphere,
    Box,
}

/// A joint as a solid, from where it is to where it points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidJoint {
    /// World space, apart from each other.
    pub start: DVec3,
    pub end: DVec3,
    pub solid: Solid,
    /// Across: from the axis to a corner of the square where it is thickest; as long as the radius of a sphere.
    pub side: DVec3,
    /// sRGB and alpha.
    pub color: [u8; 4],
    pub edge: [u8; 4],
}

/// Keep in sync with `Joint` in joint.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuSolidJoint {
    start: Vec3,
    end: Vec3,
    side: Vec3,
    color: [u8; 4],
    edge: [u8; 4],
    solid: u32,
}

impl GpuSolidJoint {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 6] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Unorm8x4, 4 => Unorm8x4, 5 => Uint32];
    /// As many as a box has: those that a solid does not need all lie at one place.
    pub const VERTICES: u32 = 36;
}

pub(crate) fn gpu_solids(solids: &[SolidJoint], anchor: DVec3) -> Vec<GpuSolidJoint> {
    let finite = solids.iter().filter(|joint| joint.start.is_finite() && joint.end.is_finite() && joint.side.is_finite());
    finite
        .map(|joint| GpuSolidJoint {
            start: (joint.start - anchor).as_vec3(),
            end: (joint.end - anchor).as_vec3(),
            side: joint.side.as_vec3(),
            color: joint.color,
            edge: joint.edge,
            solid: joint.solid as u32,
        })
        .collect()
}
