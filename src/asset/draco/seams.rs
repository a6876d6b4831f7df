//! Seams: edges at which an attribute has other values on one side than on the other. They cut the corner table open for
//! that attribute, and they say which corners of a vertex become one vertex ("point") of the decoded mesh.

use super::bits::RansBits;
use super::budget::Budget;
use super::corners::{CornerTable, NONE, next};
use super::error::DracoError;

/// Reads the seams of every attribute that has a stream of them; makes its table. `once`: an edge is coded with the first of
/// its two triangles only.
pub fn read(table: &CornerTable, streams: &mut [RansBits], once: bool, budget: &mut Budget) -> Result<Vec<CornerTable>, DracoError> {
    let mut all_opposites = budget.room(streams.len())?;
    for _ in 0..streams.len() {
        let mut opposites = budget.room(table.opposites.len())?;
        opposites.extend_from_slice(&table.opposites);
        all_opposites.push(opposites);
    }
    for (corner, &opposite) in table.opposites.iter().enumerate().filter(|&(_, &opposite)| opposite != NONE) {
        if once && opposite as usize / 3 < corner / 3 {
            continue;
        }
        for (opposites, stream) in all_opposites.iter_mut().zip(streams.iter_mut()) {
            if stream.next_bit() {
                opposites[corner] = NONE;
                opposites[opposite as usize] = NONE;
            }
        }
    }
    all_opposites.into_iter().map(|opposites| cut(table, opposites, budget)).collect()
}

/// Gives every stretch of corners between seams a vertex of its own.
fn cut(table: &CornerTable, opposites: Vec<u32>, budget: &mut Budget) -> Result<CornerTable, DracoError> {
    let mut vertices = budget.filled(table.vertices.len(), NONE)?;
    // There cannot be more vertices than corners.
    let mut left_mosts: Vec<u32> = budget.room(table.vertices.len())?;
    let is_seam = |corner: u32| opposites[corner as usize] == NONE;
    for &left_most in table.left_mosts.iter().filter(|&&corner| corner != NONE) {
        // The leftmost corner of its stretch, or any if no seam leads to the vertex.
        let mut first = left_most;
        while !is_seam(next(first)) {
            first = table.swing_left(first);
            if first == left_most {
                break;
            }
        }
        let mut corner = first;
        left_mosts.push(first);
        loop {
            vertices[corner as usize] = left_mosts.len() as u32 - 1;
            corner = table.swing_right(corner);
            if corner == NONE || corner == first {
                break;
            }
            if is_seam(next(corner)) {
                left_mosts.push(corner);
            }
        }
    }
    let cut = CornerTable { opposites, vertices, left_mosts };
    if cut.vertices.contains(&NONE) { Err(loose()) } else { Ok(cut) }
}

/// For each corner its point, and how many points there are. Corners of a vertex share one as long as no attribute changes
/// from one to the next, going right. `is_open`: for each vertex, whether the surface ends there.
pub fn points(table: &CornerTable, cuts: &[CornerTable], is_open: &[bool], budget: &mut Budget) -> Result<(Vec<u32>, usize), DracoError> {
    let mut points = budget.filled(table.vertices.len(), NONE)?;
    if cuts.is_empty() {
        points.copy_from_slice(&table.vertices);
        return Ok((points, table.left_mosts.len()));
    }
    let differ = |corner: u32, other: u32| cuts.iter().any(|cut| cut.vertices[corner as usize] != cut.vertices[other as usize]);
    let mut count = 0;
    for (&left_most, &is_open) in table.left_mosts.iter().zip(is_open).filter(|&(&corner, _)| corner != NONE) {
        let first = if is_open { left_most } else { first_changed(table, cuts, left_most) };
        let mut corner = first;
        loop {
            points[corner as usize] = count;
            let before = corner;
            corner = table.swing_right(corner);
            if corner == NONE || corner == first {
                break;
            }
            count += u32::from(differ(corner, before));
        }
        count += 1;
    }
    if points.contains(&NONE) { Err(loose()) } else { Ok((points, count as usize)) }
}

/// Right of `start`, the first corner at which the first attribute that changes at all about this vertex does.
fn first_changed(table: &CornerTable, cuts: &[CornerTable], start: u32) -> u32 {
    for cut in cuts {
        let mut corner = table.swing_right(start);
        while corner != start && corner != NONE {
            if cut.vertices[corner as usize] != cut.vertices[start as usize] {
                return corner;
            }
            corner = table.swing_right(corner);
        }
    }
    start
}

fn loose() -> DracoError {
    DracoError::Damaged { place: "the seams", what: "the triangles of a vertex do not hang together" }
}
