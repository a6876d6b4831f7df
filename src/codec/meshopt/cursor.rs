//! A place in a compressed stream. Reading past the end is an error, never a panic.

use super::StreamProblem;

pub struct Cursor<'a> {
    /// What has not been read yet.
    pub rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], StreamProblem> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(StreamProblem::EndsEarly)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, StreamProblem> {
        let (&byte, rest) = self.rest.split_first().ok_or(StreamProblem::EndsEarly)?;
        self.rest = rest;
        Ok(byte)
    }

    /// A number in one to five bytes of seven bits, the lowest first; all but the last byte have their highest bit set.
    /// `index` says which, for the error.
    pub fn varint(&mut self, index: usize) -> Result<u32, StreamProblem> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(StreamProblem::Varint { index })
    }

    /// All has been read but the `tail` bytes that end the stream.
    pub fn finish(&self, tail: usize) -> Result<(), StreamProblem> {
        match self.rest.len().checked_sub(tail) {
            None => Err(StreamProblem::EndsEarly),
            Some(0) => Ok(()),
            Some(bytes) => Err(StreamProblem::Rest { bytes }),
        }
    }
}

/// The signed difference that an unsigned code stands for: 0, -1, 1, -2, 2 and so on, as wrapping 32 bits.
pub fn unzigzag(code: u32) -> u32 {
    (code >> 1) ^ (code & 1).wrapping_neg()
}
