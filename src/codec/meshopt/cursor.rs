//! A position in a compressed stream. Reading past the end is an error and never panics.

use super::MeshoptError;

/// Reads bytes from the front of a slice.
pub struct Cursor<'a> {
    /// The bytes that are not read yet.
    pub rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// Reads `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], MeshoptError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(MeshoptError::EndsEarly)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> Result<u8, MeshoptError> {
        let (&byte, rest) = self.rest.split_first().ok_or(MeshoptError::EndsEarly)?;
        self.rest = rest;
        Ok(byte)
    }

    /// Reads a number of 32 bits, stored as one to five bytes with seven bits each, the lowest first. All bytes but the last have their
    /// highest bit set. Bits beyond the 32nd are dropped. `index` is the number of the element, for errors.
    pub fn varint(&mut self, index: usize) -> Result<u32, MeshoptError> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(MeshoptError::Varint { index })
    }

    /// Returns an error unless exactly `tail` bytes are left. `tail` is the size of the data at the end of the stream.
    pub fn check_rest(&self, tail: usize) -> Result<(), MeshoptError> {
        match self.rest.len().checked_sub(tail) {
            None => Err(MeshoptError::EndsEarly),
            Some(0) => Ok(()),
            Some(bytes) => Err(MeshoptError::TrailingBytes { bytes }),
        }
    }
}

/// Decodes a zigzag code: the codes 0, 1, 2, 3, 4 stand for 0, -1, 1, -2, 2. Negative values are returned in two's complement.
pub fn unzigzag(code: u32) -> u32 {
    (code >> 1) ^ (code & 1).wrapping_neg()
}
