//! Maps all directions onto a square. The sphere becomes an octahedron that is unfolded, with +Y in the middle and -Y in the corners.
//! This mapping stores an environment map in one plain texture, which is cheaper to look up than a cube map, especially on software
//! rasterizers.
//!
//! The square covers fifteen sixteenths of the texture along each side. The rim around it repeats texels from across the edge, so that
//! filtering shows no seam. The fraction is the same on every level down to [`LAST_LEVEL_SIZE`], where the rim is one texel wide.

use glam::{Vec2, Vec3, vec2, vec3};

/// Side of the last level, in texels.
pub const LAST_LEVEL_SIZE: usize = 32;
/// Side of the square of directions, as a fraction of the texture's side. Keep in sync with environment.wgsl and background.wgsl.
pub const SQUARE_FRACTION: f32 = 15.0 / 16.0;

/// Returns the width of the rim of a level with this side, both in texels.
pub fn rim(size: usize) -> usize {
    size / LAST_LEVEL_SIZE
}

/// A square image with linear RGB texels, row by row.
#[derive(Debug, Clone)]
pub struct Square {
    /// Side in texels.
    pub size: usize,
    pub texels: Vec<Vec3>,
}

impl Square {
    /// Interpolates between the four nearest texels. `position` is 0 to 1 across the image.
    pub fn lookup(&self, position: Vec2) -> Vec3 {
        let last = (self.size - 1) as f32;
        let texel = (position * self.size as f32 - 0.5).clamp(Vec2::ZERO, Vec2::splat(last));
        let (x, y) = ((texel.x as usize).min(self.size - 2), (texel.y as usize).min(self.size - 2));
        let (fx, fy) = (texel.x - x as f32, texel.y - y as f32);
        let row = |y: usize| {
            let pair = &self.texels[y * self.size + x..][..2];
            pair[0] + (pair[1] - pair[0]) * fx
        };
        let (above, below) = (row(y), row(y + 1));
        above + (below - above) * fy
    }
}

/// Returns the direction of a position in the texture, 0 to 1 along each side. The result is not of unit length, but lies on the octahedron
/// |x| + |y| + |z| = 1.
pub fn direction(position: Vec2) -> Vec3 {
    let mut p = (position * 2.0 - 1.0) / SQUARE_FRACTION;
    // Beyond an edge the rim repeats the other half of that edge, mirrored.
    if p.x.abs() > 1.0 {
        p = vec2(2f32.copysign(p.x) - p.x, -p.y);
    }
    if p.y.abs() > 1.0 {
        p = vec2(-p.x, 2f32.copysign(p.y) - p.y);
    }
    let y = 1.0 - p.x.abs() - p.y.abs();
    // Positions outside the inner diamond belong to the lower half, folded outwards.
    if y >= 0.0 {
        return vec3(p.x, y, p.y);
    }
    vec3((1.0 - p.y.abs()).copysign(p.x), y, (1.0 - p.x.abs()).copysign(p.y))
}

/// Returns the position in the texture, 0 to 1 along each side, of a direction of any length. Keep in sync with `octahedral_uv` in
/// environment.wgsl.
pub fn position(direction: Vec3) -> Vec2 {
    let d = direction.abs();
    let p = vec2(direction.x, direction.z) / (d.x + d.y + d.z);
    let p = if direction.y >= 0.0 { p } else { vec2((1.0 - p.y.abs()).copysign(p.x), (1.0 - p.x.abs()).copysign(p.y)) };
    p * (0.5 * SQUARE_FRACTION) + 0.5
}

/// Returns the solid angle of a small patch around a point on the octahedron, in steradians per unit of area. The square of directions has
/// sides of length 2, so its area is 4.
pub fn solid_angle(on_octahedron: Vec3) -> f32 {
    let length_squared = on_octahedron.length_squared();
    1.0 / (length_squared * length_squared.sqrt())
}

/// Returns the position of a texel's center, 0 to 1 along each side.
pub fn texel(x: usize, y: usize, size: usize) -> Vec2 {
    vec2(x as f32 + 0.5, y as f32 + 0.5) / size as f32
}
