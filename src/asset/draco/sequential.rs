//! Triangles that are said plainly: three vertices each.

use super::budget::Budget;
use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;
use super::symbols;

/// The indices of all triangles, and how many vertices there are.
pub fn read(cursor: &mut Cursor, budget: &mut Budget) -> Result<(Vec<u32>, usize), DracoError> {
    cursor.place = "the triangles";
    let faces = cursor.size32()? as usize;
    let points = cursor.size32()?;
    let count = faces.saturating_mul(3);
    let indices = match cursor.u8()? {
        0 => read_compressed(cursor, count, budget)?,
        _ => read_plain(cursor, count, points, budget)?,
    };
    if indices.iter().any(|&index| index >= points) {
        return Err(cursor.damaged("a triangle names a vertex that is not there"));
    }
    Ok((indices, points as usize))
}

/// Each as the difference to the one before, its sign in the lowest bit.
fn read_compressed(cursor: &mut Cursor, count: usize, budget: &mut Budget) -> Result<Vec<u32>, DracoError> {
    let mut indices = symbols::read(cursor, count, 1, budget)?;
    let mut last = 0u32;
    for index in &mut indices {
        let (by, is_back) = (*index >> 1, *index & 1 == 1);
        last = if is_back { last.wrapping_sub(by) } else { last.wrapping_add(by) };
        *index = last;
    }
    Ok(indices)
}

/// Each in as many bytes as the number of vertices asks for.
fn read_plain(cursor: &mut Cursor, count: usize, points: u32, budget: &mut Budget) -> Result<Vec<u32>, DracoError> {
    let size: usize = match points {
        ..0x100 => 1,
        0x100..0x1_0000 => 2,
        // Of variable length: one byte at least.
        0x1_0000..0x20_0000 if cursor.version >= VERSION_2_2 => 1,
        _ => 4,
    };
    let is_variable = size == 1 && points >= 0x100;
    if count.saturating_mul(size) > cursor.rest().len() {
        return Err(DracoError::End { place: cursor.place });
    }
    let mut indices = budget.room(count)?;
    if is_variable {
        for _ in 0..count {
            indices.push(cursor.varint()?);
        }
    } else {
        let bytes = cursor.take(count * size)?;
        indices.extend(bytes.chunks_exact(size).map(|bytes| bytes.iter().rev().fold(0, |high, &byte| high << 8 | u32::from(byte))));
    }
    Ok(indices)
}
