//! Reads ranges of bytes, bits (lowest first) and Huffman codes of up to 16 bits, and writes the bits of a block.

use super::Ktx2Error;

/// Reads bits from a slice. Reading past the end is an error.
pub struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of bits that have been read.
    position: usize,
}

impl<'a> Bits<'a> {
    /// Starts at the first bit.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Reads a bit.
    fn bit(&mut self) -> Result<u32, Ktx2Error> {
        let byte = self.bytes.get(self.position / 8).ok_or(Ktx2Error::EndsEarly)?;
        let bit = u32::from(byte >> (self.position % 8) & 1);
        self.position += 1;
        Ok(bit)
    }

    /// Reads a number of `count` bits, at most 32, the lowest first.
    pub fn number(&mut self, count: u32) -> Result<u32, Ktx2Error> {
        (0..count).try_fold(0, |number, shift| Ok(number | self.bit()? << shift))
    }

    /// Reads a number that is stored in groups of `size` bits, the lowest group first. The bit after each group is 1 if another group
    /// follows. Returns an error if the groups have more than 32 bits.
    pub fn grouped(&mut self, size: u32) -> Result<u32, Ktx2Error> {
        let mut number = 0;
        for shift in (0..32).step_by(size as usize) {
            let group = self.number(size + 1)?;
            number |= (group & ((1 << size) - 1)) << shift;
            if group >> size == 0 {
                return Ok(number);
            }
        }
        Err(Ktx2Error::InvalidData)
    }
}

/// A table of canonical Huffman codes. Codes are assigned in order of their length, then of their symbol, so their lengths define them.
#[derive(Debug, Default)]
pub struct HuffmanTable {
    /// Number of codes of each length, 0 to 16 bits. There are no codes of length 0.
    counts: [u32; 17],
    /// Symbols in the order of their codes.
    symbols: Vec<u16>,
}

impl HuffmanTable {
    /// Reads a table from a stream. The stream holds the length of each symbol's code, from symbol 0. These lengths are Huffman coded, too;
    /// the table of that inner code precedes them. A table of no symbols is empty.
    pub fn read(bits: &mut Bits) -> Result<Self, Ktx2Error> {
        // The order in which the lengths of the inner code are stored.
        const ORDER: [usize; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
        let total = bits.number(14)? as usize;
        if total == 0 {
            return Ok(Self::default());
        }
        let mut lengths = [0; 21];
        let known = bits.number(5)? as usize;
        for &code in ORDER.get(..known).ok_or(Ktx2Error::InvalidData)? {
            lengths[code] = bits.number(3)? as u8;
        }
        let table = Self::new(&lengths)?;
        let mut lengths: Vec<u8> = Vec::with_capacity(total);
        while lengths.len() < total {
            let (length, count) = match table.symbol(bits)? {
                // 17 and 18 are runs of zeros; 19 and 20 repeat the previous length.
                17 => (0, bits.number(3)? + 3),
                18 => (0, bits.number(7)? + 11),
                code @ (19 | 20) => {
                    let previous = lengths.last().copied().filter(|&length| length > 0).ok_or(Ktx2Error::InvalidData)?;
                    (previous, if code == 19 { bits.number(2)? + 3 } else { bits.number(7)? + 7 })
                }
                length => (length as u8, 1),
            };
            lengths.resize(lengths.len() + count as usize, length);
        }
        if lengths.len() > total { Err(Ktx2Error::InvalidData) } else { Self::new(&lengths) }
    }

    /// Makes a table from the length of each symbol's code, in bits. A length of 0 means that the symbol has no code. Returns an error if
    /// there are too many short codes for all to differ.
    fn new(lengths: &[u8]) -> Result<Self, Ktx2Error> {
        let mut table = Self::default();
        for length in 1..=16u8 {
            let symbols = lengths.iter().enumerate().filter(|&(_, &other)| other == length).map(|(symbol, _)| symbol as u16);
            table.symbols.extend(symbols);
            table.counts[usize::from(length)] = table.symbols.len() as u32;
        }
        for length in (1..=16).rev() {
            table.counts[length] -= table.counts[length - 1];
        }
        // Count the codes that are free at each length. Each free code of a length is the start of two free codes of the next length.
        let free = (1..=16).fold(1i64, |free, length| if free < 0 { free } else { free * 2 - i64::from(table.counts[length]) });
        if free < 0 { Err(Ktx2Error::InvalidData) } else { Ok(table) }
    }

    /// Reads a code and returns its symbol. Returns an error if the stream ends or the table has no such code.
    pub fn symbol(&self, bits: &mut Bits) -> Result<u32, Ktx2Error> {
        // The first code of each length follows the last of the previous length, with one more bit.
        let (mut code, mut first, mut index) = (0, 0, 0);
        for &count in &self.counts[1..] {
            code |= bits.bit()?;
            if code < first + count {
                return self.symbols.get((index + code - first) as usize).map(|&symbol| symbol.into()).ok_or(Ktx2Error::InvalidData);
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(Ktx2Error::InvalidData)
    }
}

/// Writes the bits of a block of 16 bytes, the lowest first.
#[derive(Default)]
pub struct BlockWriter {
    /// The bits that have been written. The others are 0.
    pub bits: u128,
    /// Number of bits that have been written.
    position: u32,
}

impl BlockWriter {
    /// Appends the lowest `count` bits of a value, whose other bits must be 0.
    pub fn put(&mut self, value: u32, count: u32) {
        self.bits |= u128::from(value) << self.position;
        self.position += count;
    }
}

/// Returns a range of bytes, or an error if the range reaches past their end.
pub fn slice(bytes: &[u8], offset: u64, length: u64) -> Result<&[u8], Ktx2Error> {
    let end = offset.checked_add(length).filter(|&end| end <= bytes.len() as u64).ok_or(Ktx2Error::EndsEarly)?;
    bytes.get(offset as usize..end as usize).ok_or(Ktx2Error::EndsEarly)
}

/// Reads `N` consecutive 32-bit numbers, little-endian. `offset` is in bytes.
pub fn read_u32s<const N: usize>(bytes: &[u8], offset: u64) -> Result<[u32; N], Ktx2Error> {
    let bytes = slice(bytes, offset, 4 * N as u64)?;
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u32::from_le_bytes(*bytes);
    }
    Ok(numbers)
}
