//! Normals predicted by the surface: the sum of the normals of all triangles about the vertex, by their area.

use super::bits::RansBits;
use super::budget::Budget;
use super::corners::{next, previous};
use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;
use super::octahedron::{Corrections, Octahedron};
use super::prediction::Surroundings;

/// Sums of coordinates are brought below this.
const MOST: i64 = 1 << 29;

/// Turns corrections of normals into normals. A bit for each says whether it points the other way.
pub fn revert(
    cursor: &mut Cursor,
    octahedron: &Octahedron,
    corrections: Corrections,
    numbers: &mut [i32],
    surroundings: &Surroundings,
    budget: &mut Budget,
) -> Result<(), DracoError> {
    let only_one = cursor.version < VERSION_2_2
        && match cursor.u8()? {
            0 => true,
            1 => false,
            other => return Err(DracoError::Unknown { what: "the prediction of normals", number: other.into() }),
        };
    let mut flips = RansBits::read(cursor)?;
    let positions = surroundings.positions(cursor, budget)?;
    for (value, &corner) in numbers.as_chunks_mut::<2>().0.iter_mut().zip(&surroundings.sequence.corners) {
        let normal = shortened(area_normal(surroundings, &positions, corner, only_one), only_one);
        *value = octahedron.corrected(octahedron.point(normal, flips.next_bit()), *value, corrections);
    }
    Ok(())
}

/// `only_one`: by one triangle alone, as often as there are triangles.
fn area_normal(surroundings: &Surroundings, positions: &[[i32; 3]], start: u32, only_one: bool) -> [i64; 3] {
    let position = |corner: u32| positions[surroundings.entry(corner)].map(i64::from);
    let center = position(start);
    let mut normal = [0i64; 3];
    for corner in surroundings.table.around(start) {
        let corner = if only_one { start } else { corner };
        let a = difference(position(next(corner)), center);
        let b = difference(position(previous(corner)), center);
        for (at, sum) in normal.iter_mut().enumerate() {
            let (i, j) = ((at + 1) % 3, (at + 2) % 3);
            let cross = a[i].wrapping_mul(b[j]).wrapping_sub(a[j].wrapping_mul(b[i]));
            *sum = sum.wrapping_add(cross);
        }
    }
    normal
}

fn difference(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [0, 1, 2].map(|at| a[at] - b[at])
}

fn shortened(normal: [i64; 3], only_one: bool) -> [i64; 3] {
    let sum = normal.iter().fold(0u64, |sum, number| sum.saturating_add(number.unsigned_abs()));
    let sum = i64::try_from(sum).unwrap_or(i64::MAX);
    // The older way kept 32 bits of the sum.
    let sum = if only_one { i64::from(sum as i32) } else { sum };
    let quotient = if sum > MOST { sum / MOST } else { 1 };
    normal.map(|number| i64::from((number / quotient) as i32))
}
