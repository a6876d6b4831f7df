//! Single bits: as they are ([`DirectBits`]), or entropy-coded with one probability for all ([`RansBits`]).

use super::cursor::Cursor;
use super::error::DracoError;

/// Bits from the lowest of each byte to its highest.
#[derive(Debug)]
pub struct DirectBits<'a> {
    bytes: &'a [u8],
    /// Bits read so far.
    position: usize,
    place: &'static str,
}

impl<'a> DirectBits<'a> {
    pub fn new(bytes: &'a [u8], place: &'static str) -> Self {
        Self { bytes, position: 0, place }
    }

    /// The next `count` bits, at most 32, the first one lowest.
    pub fn read(&mut self, count: u32) -> Result<u32, DracoError> {
        let (byte, shift) = (self.position / 8, self.position % 8);
        self.position += count as usize;
        if self.position > self.bytes.len() * 8 {
            return Err(DracoError::End { place: self.place });
        }
        let ahead = self.bytes.get(byte..).unwrap_or_default();
        let word = match ahead.first_chunk() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => ahead.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        Ok((word >> shift & ((1 << count) - 1)) as u32)
    }

    /// How many bytes have been begun.
    pub fn bytes_read(&self) -> usize {
        self.position.div_ceil(8)
    }
}

/// Below this the decoder's state takes in another byte.
const BASE: u32 = 4096;

/// Bits under an asymmetric numeral system; the bytes are read from the back.
#[derive(Debug, Default)]
pub struct RansBits<'a> {
    bytes: &'a [u8],
    state: u32,
    /// How many of 256 states mean a one.
    ones: u8,
}

impl<'a> RansBits<'a> {
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Self, DracoError> {
        let zeros = cursor.u8()?;
        let size = cursor.size32()?;
        let bytes = cursor.sized(size)?;
        match initial_state(bytes, 3) {
            Some((bytes, state)) if state < BASE * 255 => Ok(Self { bytes, state: state + BASE, ones: 0u8.wrapping_sub(zeros) }),
            _ => Err(cursor.damaged("a run of bits has no beginning")),
        }
    }

    /// The next bit. Past the end of damaged data it is something or other.
    pub fn next_bit(&mut self) -> bool {
        if self.state < BASE
            && let Some((&last, rest)) = self.bytes.split_last()
        {
            self.state = self.state << 8 | u32::from(last);
            self.bytes = rest;
        }
        let ones = u32::from(self.ones);
        let (quotient, remainder) = (self.state >> 8, self.state & 0xff);
        let bit = remainder < ones;
        self.state = if bit { quotient * ones + remainder } else { self.state - quotient * ones - ones };
        bit
    }
}

/// The state that an encoder left in the last bytes, less the base: the two highest bits say in how many of at most `most`
/// bytes it lies. Also the bytes before them.
pub fn initial_state(bytes: &[u8], most: usize) -> Option<(&[u8], u32)> {
    let length = usize::from(bytes.last()? >> 6) + 1;
    if length > most {
        return None;
    }
    let (before, state) = bytes.split_at_checked(bytes.len().checked_sub(length)?)?;
    let state = state.iter().rev().fold(0, |state, &byte| state << 8 | u32::from(byte));
    Some((before, state & ((1 << (8 * length - 2)) - 1)))
}
