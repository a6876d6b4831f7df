//! Maps all directions onto a square: the sphere is an octahedron, unfolded with +Y in the middle and -Y in the corners. Environment
//! maps are stored so, in one plain texture: cheaper to look up than a cube, on software rasterizers above all.
//!
//! The square takes fifteen sixteenths of the texture each way; what is beside it repeats what lies across the edge, so that
//! filtering knows no seam. The share is the same on every level, down to [`LAST_LEVEL_SIZE`], where the rim is a texel wide.

use glam::{Vec2, Vec3, vec2, vec3};

/// Side of the last level, in texels.
pub const LAST_LEVEL_SIZE: usize = 32;
/// Share of the texture's width that the square of all directions takes. Keep in sync with environment.wgsl.
const SHARE: f32 = 15.0 / 16.0;

/// A square image, its texels in rows.
#[derive(Debug, Clone)]
pub struct Square {
    pub size: usize,
    pub texels: Vec<Vec3>,
}

impl Square {
    /// Interpolates between the four nearest texels.
    pub fn lookup(&self, place: Vec2) -> Vec3 {
        let most = (self.size - 1) as f32;
        let at = (place * self.size as f32 - 0.5).clamp(Vec2::ZERO, Vec2::splat(most));
        let (x, y) = ((at.x as usize).min(self.size - 2), (at.y as usize).min(self.size - 2));
        let (fx, fy) = (at.x - x as f32, at.y - y as f32);
        let row = |y: usize| {
            let pair = &self.texels[y * self.size + x..][..2];
            pair[0] + (pair[1] - pair[0]) * fx
        };
        let (above, below) = (row(y), row(y + 1));
        above + (below - above) * fy
    }
}

/// The direction of a place in the texture (0 to 1 each way), not of unit length: on the octahedron |x| + |y| + |z| = 1.
pub fn direction(place: Vec2) -> Vec3 {
    let mut p = (place * 2.0 - 1.0) / SHARE;
    // Beyond an edge the border repeats the other half of that edge, mirrored.
    if p.x.abs() > 1.0 {
        p = vec2(2f32.copysign(p.x) - p.x, -p.y);
    }
    if p.y.abs() > 1.0 {
        p = vec2(-p.x, 2f32.copysign(p.y) - p.y);
    }
    let y = 1.0 - p.x.abs() - p.y.abs();
    if y >= 0.0 {
        return vec3(p.x, y, p.y);
    }
    vec3((1.0 - p.y.abs()).copysign(p.x), y, (1.0 - p.x.abs()).copysign(p.y))
}

/// The texture coordinates of a direction of any length. Keep in sync with `octahedral_uv` in environment.wgsl.
pub fn place(direction: Vec3) -> Vec2 {
    let d = direction.abs();
    let p = vec2(direction.x, direction.z) / (d.x + d.y + d.z);
    let p = if direction.y >= 0.0 { p } else { vec2((1.0 - p.y.abs()).copysign(p.x), (1.0 - p.x.abs()).copysign(p.y)) };
    p * (0.5 * SHARE) + 0.5
}

/// Relative solid angle of a patch around a point on the octahedron.
pub fn solid_angle(on_octahedron: Vec3) -> f32 {
    let square = on_octahedron.length_squared();
    1.0 / (square * square.sqrt())
}

/// The center of a texel, 0 to 1.
pub fn texel(x: usize, y: usize, size: usize) -> Vec2 {
    vec2(x as f32 + 0.5, y as f32 + 0.5) / size as f32
}
