//! Texture coordinates predicted by the triangle's shape: where two corners are known, the third lies to their edge as it does
//! in space, on one side or the other.

use super::bits::RansBits;
use super::budget::Budget;
use super::corners::{next, previous};
use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;
use super::prediction::{Surroundings, Wrap};

/// On which side of the edge the third corner lies, for each prediction that asks; the last one comes first.
pub fn read_orientations(
    cursor: &mut Cursor,
    is_old: bool,
    surroundings: &Surroundings,
    budget: &mut Budget,
) -> Result<Vec<bool>, DracoError> {
    let count = if is_old && cursor.version >= VERSION_2_2 { cursor.varint()? } else { cursor.u32()? } as usize;
    if count > surroundings.table.vertices.len() {
        return Err(cursor.damaged("there are more orientations than corners"));
    }
    let mut bits = RansBits::read(cursor)?;
    let mut orientations = budget.room(count)?;
    let mut last = true;
    for _ in 0..count {
        // A zero: other than the one before.
        last ^= !bits.next_bit();
        orientations.push(last);
    }
    Ok(orientations)
}

/// Turns corrections of texture coordinates into texture coordinates.
pub fn revert(
    cursor: &Cursor,
    wrap: &Wrap,
    mut orientations: Vec<bool>,
    is_old: bool,
    numbers: &mut [i32],
    surroundings: &Surroundings,
    budget: &mut Budget,
) -> Result<(), DracoError> {
    let positions = surroundings.positions(cursor, budget)?;
    let values = numbers.as_chunks_mut::<2>().0;
    for (entry, &corner) in surroundings.sequence.corners.iter().enumerate() {
        let (a, b) = (surroundings.entry(next(corner)), surroundings.entry(previous(corner)));
        let expected = if a < entry && b < entry {
            let triangle = Triangle { known: [values[a], values[b]], corners: [positions[a], positions[b], positions[entry]] };
            let found = if is_old { triangle.third_in_floats(&mut orientations) } else { triangle.third(&mut orientations) };
            match found {
                Third::At(point) => point,
                Third::Unknown => values[a],
                Third::Impossible => return Err(cursor.damaged("texture coordinates cannot be predicted")),
            }
        } else if a < entry {
            values[a]
        } else if entry > 0 {
            // Not the corner before, even if it is known.
            values[entry - 1]
        } else {
            [0; 2]
        };
        let value = &mut values[entry];
        *value = [0, 1].map(|at| wrap.corrected(expected[at], value[at]));
    }
    Ok(())
}

/// A triangle of which two corners have texture coordinates.
struct Triangle {
    known: [[i32; 2]; 2],
    /// In space; the third one is that which is looked for.
    corners: [[i32; 3]; 3],
}

/// What is expected of the third corner.
enum Third {
    At([i32; 2]),
    /// The known corners are in the same place.
    Unknown,
    /// The numbers are too great, or no orientation is left.
    Impossible,
}

impl Triangle {
    /// In integers, so that it comes out the same everywhere.
    fn third(&self, orientations: &mut Vec<bool>) -> Third {
        let [n_uv, p_uv] = self.known.map(|point| point.map(i64::from));
        let [n, p, c] = self.corners.map(|corner| corner.map(i64::from));
        if n_uv == p_uv {
            return Third::At(self.known[1]);
        }
        let (pn, cn) = (difference(p, n), difference(c, n));
        let pn_square = dot(pn, pn);
        if pn_square == 0 {
            return Third::Unknown;
        }
        let cn_dot_pn = dot(pn, cn);
        let pn_uv = difference(p_uv, n_uv);
        let divides = |number: i64, by: u64| number.unsigned_abs() <= i64::MAX.unsigned_abs() / by.max(1);
        let greatest_of = |numbers: &[i64]| numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
        let is_possible = greatest_of(&n_uv) <= i64::MAX.unsigned_abs() / pn_square.cast_unsigned()
            && divides(cn_dot_pn, greatest_of(&pn_uv))
            && divides(cn_dot_pn, greatest_of(&pn));
        let Some(orientation) = orientations.last().copied().filter(|_| is_possible) else { return Third::Impossible };
        orientations.pop();
        // Where the third corner meets the edge: in texture coordinates times the edge's square, and in space.
        let foot_uv = [0, 1].map(|at| n_uv[at].wrapping_mul(pn_square).wrapping_add(cn_dot_pn.wrapping_mul(pn_uv[at])));
        let foot = [0, 1, 2].map(|at| n[at].wrapping_add(cn_dot_pn.wrapping_mul(pn[at]).wrapping_div(pn_square)));
        let to_foot = difference(c, foot);
        let height = dot(to_foot, to_foot).wrapping_mul(pn_square).cast_unsigned().isqrt().cast_signed();
        let side = [pn_uv[1].wrapping_mul(height), pn_uv[0].wrapping_neg().wrapping_mul(height)];
        Third::At([0, 1].map(|at| {
            let point = if orientation { foot_uv[at].wrapping_add(side[at]) } else { foot_uv[at].wrapping_sub(side[at]) };
            point.wrapping_div(pn_square) as i32
        }))
    }

    /// As encoders did it once.
    fn third_in_floats(&self, orientations: &mut Vec<bool>) -> Third {
        let [n_uv, p_uv] = self.known.map(|point| point.map(|number| number as f32));
        let [n, p, c] = self.corners.map(|corner| corner.map(|number| number as f32));
        if n_uv == p_uv {
            return Third::At(p_uv.map(|number| rounded(f64::from(number))));
        }
        let minus = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|at| a[at] - b[at]);
        let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (pn, cn) = (minus(p, n), minus(c, n));
        let pn_square = dot(pn, pn);
        let (mut s, mut t) = (0.0, 0.0);
        if pn_square > 0.0 {
            s = dot(pn, cn) / pn_square;
            let up = minus(cn, pn.map(|number| number * s));
            t = (dot(up, up) / pn_square).sqrt();
        }
        let pn_uv = [p_uv[0] - n_uv[0], p_uv[1] - n_uv[1]];
        let along = [pn_uv[0] * s + n_uv[0], pn_uv[1] * s + n_uv[1]];
        let up = [pn_uv[0] * t, pn_uv[1] * t];
        let point = match orientations.pop() {
            Some(true) => [along[0] - up[1], along[1] + up[0]],
            Some(false) => [along[0] + up[1], along[1] - up[0]],
            None => return Third::Impossible,
        };
        Third::At(point.map(|number| rounded((f64::from(number) + 0.5).floor())))
    }
}

/// What is no 32-bit integer becomes the least one.
fn rounded(number: f64) -> i32 {
    if number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX) { number as i32 } else { i32::MIN }
}

fn difference<const N: usize>(a: [i64; N], b: [i64; N]) -> [i64; N] {
    std::array::from_fn(|at| a[at].wrapping_sub(b[at]))
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    [0, 1, 2].into_iter().fold(0, |sum: i64, at| sum.wrapping_add(a[at].wrapping_mul(b[at])))
}
