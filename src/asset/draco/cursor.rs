//! Reads numbers off the front of the data, little-endian, and knows which part of it they belong to.

use super::error::DracoError;

/// The first version whose sizes and counts are variable-length numbers throughout.
pub const VERSION_2_2: u16 = 0x0202;
/// The first version that codes the seam of an edge once, and knows no holes.
pub const VERSION_2_1: u16 = 0x0201;

#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    /// Major version in the upper byte, minor in the lower.
    pub version: u16,
    /// What is being read, for errors.
    pub place: &'static str,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, version: 0, place: "the header" }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn damaged(&self, what: &'static str) -> DracoError {
        DracoError::Damaged { place: self.place, what }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], DracoError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(DracoError::End { place: self.place })?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DracoError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(DracoError::End { place: self.place })?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u8(&mut self) -> Result<u8, DracoError> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn i8(&mut self) -> Result<i8, DracoError> {
        self.array().map(i8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Result<u16, DracoError> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, DracoError> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, DracoError> {
        self.array().map(i32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Result<f32, DracoError> {
        self.array().map(f32::from_le_bytes)
    }

    /// A number in groups of seven bits, lowest first; the eighth bit says that another group follows.
    pub fn varint(&mut self) -> Result<u32, DracoError> {
        let mut value = 0;
        for group in 0..5 {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << (7 * group);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.damaged("a number does not end"))
    }

    /// A count or size of 32 bits before version 2.2, of variable length since.
    pub fn size32(&mut self) -> Result<u32, DracoError> {
        if self.version < VERSION_2_2 { self.u32() } else { self.varint() }
    }

    /// A size of 64 bits before version 2.2, of variable length since. No data is longer than 32 bits could say.
    pub fn size64(&mut self) -> Result<u32, DracoError> {
        if self.version >= VERSION_2_2 {
            return self.varint();
        }
        let size = self.array().map(u64::from_le_bytes)?;
        u32::try_from(size).map_err(|_| DracoError::End { place: self.place })
    }

    /// The bytes of a part that says its size first.
    pub fn sized(&mut self, size: u32) -> Result<&'a [u8], DracoError> {
        self.take(size as usize)
    }
}
