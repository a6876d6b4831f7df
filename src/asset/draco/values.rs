//! The values of an attribute: read as they lie in the data, mostly as integers, then brought back to their own kind, one
//! for each vertex.

use super::attributes::Description;
use super::budget::Budget;
use super::cursor::Cursor;
use super::error::DracoError;
use super::octahedron::Octahedron;
use super::prediction::{self, Surroundings};
use super::symbols;

/// What kind of number a component is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Bool,
}

impl Kind {
    pub fn from_number(number: u8) -> Option<Self> {
        use Kind::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        let kinds = [I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, Bool];
        kinds.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// How values are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Byte by byte.
    Plain,
    Integer,
    /// Floats as integers between the smallest and the largest.
    Quantized,
    /// Directions as points of an unfolded octahedron.
    Normal,
}

impl Coding {
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Plain, Self::Integer, Self::Quantized, Self::Normal].get(usize::from(number)).copied()
    }
}

/// Values as they lie in the data, by entry.
#[derive(Debug)]
pub enum Values {
    Bytes(Vec<u8>),
    Integers { components: usize, numbers: Vec<i32> },
}

/// Reads the values of `count` entries.
pub fn read(
    cursor: &mut Cursor,
    description: &Description,
    count: usize,
    surroundings: Option<&Surroundings>,
    budget: &mut Budget,
) -> Result<Values, DracoError> {
    if description.coding == Coding::Plain {
        let bytes = cursor.take(count.saturating_mul(description.components * description.kind.size()))?;
        let mut values = budget.room(bytes.len())?;
        values.extend_from_slice(bytes);
        return Ok(Values::Bytes(values));
    }
    let components = if description.coding == Coding::Normal { 2 } else { description.components };
    let scheme = prediction::read_scheme(cursor, description.coding)?;
    let mut numbers = read_numbers(cursor, count, components, budget)?;
    match scheme {
        None => numbers.iter_mut().for_each(unfold),
        Some(scheme) => {
            if !scheme.corrections_are_positive() {
                numbers.iter_mut().for_each(unfold);
            }
            prediction::revert(cursor, scheme, &mut numbers, components, surroundings, budget)?;
        }
    }
    Ok(Values::Integers { components, numbers })
}

/// Signed numbers are coded with their sign in the lowest bit.
fn unfold(number: &mut i32) {
    let code = number.cast_unsigned();
    *number = (code >> 1).cast_signed() ^ -(code & 1).cast_signed();
}

fn read_numbers(cursor: &mut Cursor, count: usize, components: usize, budget: &mut Budget) -> Result<Vec<i32>, DracoError> {
    let count = count.saturating_mul(components);
    if cursor.u8()? != 0 {
        let symbols = symbols::read(cursor, count, components, budget)?;
        return Ok(symbols.into_iter().map(u32::cast_signed).collect());
    }
    let size = usize::from(cursor.u8()?);
    if !(1..=4).contains(&size) {
        return Err(cursor.damaged("a number has no or too many bytes"));
    }
    let bytes = cursor.take(count.saturating_mul(size))?;
    let mut numbers = budget.room(count)?;
    numbers.extend(bytes.chunks_exact(size).map(|bytes| bytes.iter().rev().fold(0, |high, &byte| high << 8 | i32::from(byte))));
    Ok(numbers)
}

/// Reads what turns integers back into the attribute's own kind, and does so: its bytes, by vertex of the decoded mesh.
/// `entry_of_point`: which entry each vertex has, where they are not the same.
pub fn finish(
    cursor: &mut Cursor,
    description: &Description,
    values: &Values,
    entry_of_point: Option<&[u32]>,
    budget: &mut Budget,
) -> Result<Vec<u8>, DracoError> {
    cursor.place = "the range of an attribute";
    let size = description.components * description.kind.size();
    let bytes = match values {
        Values::Bytes(bytes) => {
            let mut copy = budget.room(bytes.len())?;
            copy.extend_from_slice(bytes);
            copy
        }
        Values::Integers { components, numbers } => {
            let mut bytes = budget.room((numbers.len() / components).saturating_mul(size))?;
            match description.coding {
                Coding::Quantized => dequantize(cursor, numbers, *components, &mut bytes)?,
                Coding::Normal => directions(cursor, numbers, &mut bytes)?,
                Coding::Integer | Coding::Plain => {
                    let number_size = description.kind.size();
                    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(number_size)));
                }
            }
            bytes
        }
    };
    let Some(entry_of_point) = entry_of_point else { return Ok(bytes) };
    let mut spread = budget.room(entry_of_point.len().saturating_mul(size))?;
    for &entry in entry_of_point {
        spread.extend_from_slice(&bytes[entry as usize * size..][..size]);
    }
    Ok(spread)
}

fn dequantize(cursor: &mut Cursor, numbers: &[i32], components: usize, bytes: &mut Vec<u8>) -> Result<(), DracoError> {
    let mut least = Vec::with_capacity(components);
    for _ in 0..components {
        least.push(cursor.f32()?);
    }
    let range = cursor.f32()?;
    let bits = cursor.u8()?;
    if !(1..=30).contains(&bits) {
        return Err(cursor.damaged("numbers are quantized to no or too many bits"));
    }
    let step = range / ((1u32 << bits) - 1) as f32;
    for numbers in numbers.chunks_exact(components) {
        for (&number, least) in numbers.iter().zip(&least) {
            bytes.extend_from_slice(&(number as f32 * step + least).to_le_bytes());
        }
    }
    Ok(())
}

fn directions(cursor: &mut Cursor, numbers: &[i32], bytes: &mut Vec<u8>) -> Result<(), DracoError> {
    let octahedron = Octahedron::with_bits(u32::from(cursor.u8()?));
    let Some(octahedron) = octahedron else { return Err(cursor.damaged("directions are quantized to too few or too many bits")) };
    for &[s, t] in numbers.as_chunks().0 {
        for number in octahedron.direction([s, t]) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    Ok(())
}
