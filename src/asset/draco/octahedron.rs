//! Directions as points of an octahedron's surface, unfolded to a square: the half that faces +X is the diamond in the
//! middle, the other half the four corners about it.

use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;

/// How corrections of a direction are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrections {
    Plain,
    /// Turned as if the expected direction lay in the lower left.
    Canonicalized,
}

/// A square of points; both coordinates go from 0 to twice the centre.
#[derive(Debug)]
pub struct Octahedron {
    center: i32,
}

impl Octahedron {
    pub fn with_bits(bits: u32) -> Option<Self> {
        (2..=30).contains(&bits).then(|| Self { center: (1 << (bits - 1)) - 1 })
    }

    /// From the transform of corrections, which says the largest number that the bits allow.
    pub fn read(cursor: &mut Cursor, corrections: Corrections) -> Result<Self, DracoError> {
        let most = cursor.i32()?.cast_unsigned();
        if corrections == Corrections::Canonicalized || cursor.version < VERSION_2_2 {
            // The centre, which follows from it.
            cursor.i32()?;
        }
        let octahedron = if most % 2 == 1 { Self::with_bits(32 - most.leading_zeros()) } else { None };
        octahedron.ok_or(cursor.damaged("directions are quantized to too few or too many bits"))
    }

    fn most(&self) -> i32 {
        2 * self.center
    }

    /// The unit vector of a point.
    pub fn direction(&self, [s, t]: [i32; 2]) -> [f32; 3] {
        let scale = 2.0 / self.most() as f32;
        let (mut y, mut z) = (s as f32 * scale - 1.0, t as f32 * scale - 1.0);
        let x = 1.0 - y.abs() - z.abs();
        // Folds the corners of the square back.
        let beyond = if x < 0.0 { -x } else { 0.0 };
        y += if y < 0.0 { beyond } else { -beyond };
        z += if z < 0.0 { beyond } else { -beyond };
        let square = x * x + y * y + z * z;
        if f64::from(square) < 1e-6 {
            return [0.0; 3];
        }
        let shorten = 1.0 / square.sqrt();
        [x * shorten, y * shorten, z * shorten]
    }

    /// The point of a vector, which need not be of any length, or of the opposite direction.
    pub fn point(&self, vector: [i64; 3], is_flipped: bool) -> [i32; 2] {
        let center = i64::from(self.center);
        let sum = vector.iter().fold(0u64, |sum, number| sum + number.unsigned_abs()).cast_signed();
        let [x, y, _] = if sum == 0 { [center, 0, 0] } else { vector.map(|number| number * center / sum) };
        // So that it lies on the octahedron exactly.
        let up = center - x.abs() - y.abs();
        let z = if vector[2] < 0 { -up } else { up };
        let sign = if is_flipped { -1 } else { 1 };
        self.unfold([x, y, z].map(|number| sign * number as i32))
    }

    fn unfold(&self, [x, y, z]: [i32; 3]) -> [i32; 2] {
        let most = self.most();
        if x >= 0 {
            return self.canonical([y + self.center, z + self.center]);
        }
        let s = if y < 0 { z.abs() } else { most - z.abs() };
        let t = if z < 0 { y.abs() } else { most - y.abs() };
        self.canonical([s, t])
    }

    /// Each point of the square's border is there twice (its corners four times): one of them.
    fn canonical(&self, [s, t]: [i32; 2]) -> [i32; 2] {
        let (center, most) = (self.center, self.most());
        if (s == 0 && (t == 0 || t == most)) || (s == most && t == 0) {
            [most, most]
        } else if (s == 0 && t > center) || (s == most && t < center) {
            [s, most - t]
        } else if (t == most && s < center) || (t == 0 && s > center) {
            [most - s, t]
        } else {
            [s, t]
        }
    }

    /// A point that was expected, corrected.
    pub fn corrected(&self, expected: [i32; 2], correction: [i32; 2], corrections: Corrections) -> [i32; 2] {
        let mut point = expected.map(|number| number.wrapping_sub(self.center));
        let is_inside = point[0].unsigned_abs().wrapping_add(point[1].unsigned_abs()) <= self.center.cast_unsigned();
        if !is_inside {
            point = self.inverted(point);
        }
        let turns = if corrections == Corrections::Canonicalized { turns(point) } else { 0 };
        point = turned(point, turns);
        point = [0, 1].map(|at| self.modulo(point[at].wrapping_add(correction[at])));
        point = turned(point, (4 - turns) % 4);
        if !is_inside {
            point = self.inverted(point);
        }
        point.map(|number| number.wrapping_add(self.center))
    }

    /// Swaps the diamond in the middle with the corners about it. The origin is the centre.
    fn inverted(&self, [s, t]: [i32; 2]) -> [i32; 2] {
        let (sign_s, sign_t) = match (s.signum(), t.signum()) {
            (0 | 1, 0 | 1) => (1, 1),
            (-1 | 0, -1 | 0) => (-1, -1),
            signs => signs,
        };
        let (corner_s, corner_t) = (sign_s * self.center, sign_t * self.center);
        let s = s.wrapping_add(s).wrapping_sub(corner_s);
        let t = t.wrapping_add(t).wrapping_sub(corner_t);
        let [s, t] = if sign_s * sign_t >= 0 { [t.wrapping_neg(), s.wrapping_neg()] } else { [t, s] };
        [s.wrapping_add(corner_s) / 2, t.wrapping_add(corner_t) / 2]
    }

    fn modulo(&self, number: i32) -> i32 {
        let count = self.most() + 1;
        if number > self.center {
            number.wrapping_sub(count)
        } else if number < -self.center {
            number.wrapping_add(count)
        } else {
            number
        }
    }
}

/// How many quarter turns bring a point to the lower left.
fn turns(point: [i32; 2]) -> u32 {
    match (point[0].signum(), point[1].signum()) {
        (0, 0) | (-1, -1 | 0) => 0,
        (0, -1) | (1, -1) => 1,
        (1, _) => 2,
        _ => 3,
    }
}

fn turned([s, t]: [i32; 2], turns: u32) -> [i32; 2] {
    match turns {
        1 => [t, s.wrapping_neg()],
        2 => [s.wrapping_neg(), t.wrapping_neg()],
        3 => [t.wrapping_neg(), s],
        _ => [s, t],
    }
}
