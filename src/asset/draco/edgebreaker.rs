//! Edgebreaker connectivity: from the header and the topology splits, by way of [`super::builder`], to a corner table, to
//! tables cut open at seams, to the triangles of the decoded mesh.

use super::bits::DirectBits;
use super::budget::Budget;
use super::builder::{Builder, Split};
use super::corners::{CornerTable, NONE};
use super::cursor::{Cursor, VERSION_2_1, VERSION_2_2};
use super::error::DracoError;
use super::seams;
use super::topology::{Traversal, TraversalCounts};

/// The decoded triangles, and what attributes need to find their values.
#[derive(Debug)]
pub struct Connectivity {
    pub table: CornerTable,
    /// The same table cut open along the seams of an attribute, for each that may have some.
    pub cuts: Vec<CornerTable>,
    /// The decoded mesh's own vertices ("points"), by corner.
    pub points: Vec<u32>,
    pub point_count: usize,
}

pub fn read(cursor: &mut Cursor, budget: &mut Budget) -> Result<Connectivity, DracoError> {
    cursor.place = "the header of the triangles";
    let kind = cursor.u8()?;
    if cursor.version < VERSION_2_2 {
        // How many vertices were made on the way, which nothing depends on.
        cursor.varint()?;
    }
    let vertices = cursor.varint()? as usize;
    let faces = cursor.varint()? as usize;
    let seam_streams = usize::from(cursor.u8()?);
    let symbols = cursor.varint()? as usize;
    let splits = cursor.varint()? as usize;
    // Only the first triangle of a part of the mesh can lack a symbol, and every such part has three more.
    let is_sound = vertices <= 3 * faces && symbols <= faces && faces <= symbols + symbols / 3 && splits <= symbols;
    if !is_sound || faces > NONE as usize / 3 {
        return Err(cursor.damaged("the numbers of vertices and triangles do not fit together"));
    }
    let counts = TraversalCounts { kind, faces, most_vertices: vertices + splits, seam_streams };
    let (events, mut traversal) = if cursor.version < VERSION_2_2 {
        read_old(cursor, &counts, budget)?
    } else {
        let events = read_splits(cursor, faces, budget)?;
        (events, Traversal::read(cursor, &counts, budget)?)
    };
    cursor.place = "the triangles";
    let mut builder = Builder::new(faces, counts.most_vertices, events, budget)?;
    builder.grow(symbols, &mut traversal.symbols)?;
    builder.close(&mut traversal.starts)?;
    let (table, is_open) = builder.finish(seam_streams == 0, budget)?;
    let cuts = seams::read(&table, &mut traversal.seams, cursor.version >= VERSION_2_1, budget)?;
    let (points, point_count) = seams::points(&table, &cuts, &is_open, budget)?;
    Ok(Connectivity { table, cuts, points, point_count })
}

/// Before version 2.2 the splits came behind the traversal.
fn read_old<'a>(cursor: &mut Cursor<'a>, counts: &TraversalCounts, budget: &mut Budget) -> Result<(Vec<Split>, Traversal<'a>), DracoError> {
    // The size of the traversal, which says itself where it ends.
    cursor.varint()?;
    let traversal = Traversal::read(cursor, counts, budget)?;
    let splits = read_splits(cursor, counts.faces, budget)?;
    if cursor.version < VERSION_2_1 {
        // Holes, which nothing depends on.
        for _ in 0..cursor.varint()? {
            cursor.varint()?;
        }
    }
    Ok((splits, traversal))
}

/// Where a border splits and comes together again later (handles of the surface), in the encoder's order of symbols.
fn read_splits(cursor: &mut Cursor, faces: usize, budget: &mut Budget) -> Result<Vec<Split>, DracoError> {
    cursor.place = "the topology splits";
    let count = cursor.varint()? as usize;
    if count > faces {
        return Err(cursor.damaged("there are more splits than triangles"));
    }
    // Each has two bytes at least.
    if count > cursor.rest().len() / 2 {
        return Err(DracoError::End { place: cursor.place });
    }
    let mut splits: Vec<Split> = budget.room(count)?;
    let mut source = 0u32;
    for _ in 0..count {
        source = source.wrapping_add(cursor.varint()?);
        let Some(split) = source.checked_sub(cursor.varint()?) else { return Err(cursor.damaged("a split is before the first symbol")) };
        splits.push(Split { source, split, is_right: false });
    }
    let mut bits = DirectBits::new(cursor.rest(), cursor.place);
    let width = if cursor.version < VERSION_2_2 { 2 } else { 1 };
    for split in &mut splits {
        split.is_right = bits.read(width)? & 1 == 1;
    }
    cursor.take(bits.bytes_read())?;
    Ok(splits)
}
