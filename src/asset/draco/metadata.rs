//! Metadata: names and values that tell people something. It is passed over.

use super::cursor::Cursor;
use super::error::DracoError;

pub fn skip(cursor: &mut Cursor) -> Result<(), DracoError> {
    cursor.place = "the metadata";
    for _ in 0..cursor.varint()? {
        // Which attribute it is about.
        cursor.varint()?;
        skip_tree(cursor)?;
    }
    skip_tree(cursor)
}

/// Entries, then named trees of the same kind.
fn skip_tree(cursor: &mut Cursor) -> Result<(), DracoError> {
    let mut below = skip_entries(cursor)?;
    while below > 0 {
        skip_name(cursor)?;
        below = below - 1 + skip_entries(cursor)?;
    }
    Ok(())
}

/// How many trees follow.
fn skip_entries(cursor: &mut Cursor) -> Result<u64, DracoError> {
    for _ in 0..cursor.varint()? {
        skip_name(cursor)?;
        let size = cursor.varint()?;
        cursor.sized(size)?;
    }
    Ok(cursor.varint()?.into())
}

fn skip_name(cursor: &mut Cursor) -> Result<(), DracoError> {
    let length = cursor.u8()?;
    cursor.take(length.into())?;
    Ok(())
}
