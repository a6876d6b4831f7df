//! Reads bits (lowest first) and Huffman codes of up to 16 bits, and writes the bits of a block.

use super::Ktx2Error;

/// Reads bits from a slice. Reading past the end is an error.
pub struct Bits<'a> {
    bytes: &'a [u8],
    /// Position, in bits.
    at: usize,
}

impl<'a> Bits<'a> {
    /// Starts at the first bit.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Reads a bit.
    fn bit(&mut self) -> Result<u32, Ktx2Error> {
        let byte = self.bytes.get(self.at / 8).ok_or(Ktx2Error::EndsEarly)?;
        let bit = u32::from(byte >> (self.at % 8) & 1);
        self.at += 1;
        Ok(bit)
    }

    /// Reads a number of `count` bits, the lowest first.
    pub fn number(&mut self, count: u32) -> Result<u32, Ktx2Error> {
        (0..count).try_fold(0, |number, shift| Ok(number | self.bit()? << shift))
    }

    /// Reads a number in groups of `size` bits, the lowest first. After each group a bit tells whether there are more.
    pub fn grouped(&mut self, size: u32) -> Result<u32, Ktx2Error> {
        let mut number = 0;
        for shift in (0..32).step_by(size as usize) {
            let group = self.number(size + 1)?;
            number |= (group & ((1 << size) - 1)) << shift;
            if group >> size == 0 {
                return Ok(number);
            }
        }
        Err(Ktx2Error::Codes)
    }
}

/// A canonical Huffman code. Symbols are ordered by the length of their codes, then by value.
#[derive(Debug, Default)]
pub struct Huffman {
    /// Number of codes of each length.
    counts: [u32; 17],
    /// Symbols in the order of their codes.
    symbols: Vec<u16>,
}

impl Huffman {
    /// Reads a table from a stream. The stream holds the lengths of the table's codes, and these lengths are Huffman coded, too.
    pub fn read(bits: &mut Bits) -> Result<Self, Ktx2Error> {
        // The order in which the lengths of the inner code are stored.
        const ORDER: [usize; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
        let total = bits.number(14)? as usize;
        if total == 0 {
            return Ok(Self::default());
        }
        let mut lengths = [0; 21];
        let known = bits.number(5)? as usize;
        for &code in ORDER.get(..known).ok_or(Ktx2Error::Codes)? {
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
                    let before = lengths.last().copied().filter(|&length| length > 0).ok_or(Ktx2Error::Codes)?;
                    (before, if code == 19 { bits.number(2)? + 3 } else { bits.number(7)? + 7 })
                }
                length => (length as u8, 1),
            };
            lengths.resize(lengths.len() + count as usize, length);
        }
        if lengths.len() > total { Err(Ktx2Error::Codes) } else { Self::new(&lengths) }
    }

    /// Makes a table from the length of each symbol's code. A length of 0 means that the symbol has no code.
    fn new(lengths: &[u8]) -> Result<Self, Ktx2Error> {
        let mut table = Self::default();
        for length in 1..=16u8 {
            let symbols = lengths.iter().enumerate().filter(|&(_, &of)| of == length).map(|(symbol, _)| symbol as u16);
            table.symbols.extend(symbols);
            table.counts[usize::from(length)] = table.symbols.len() as u32;
        }
        for length in (1..=16).rev() {
            table.counts[length] -= table.counts[length - 1];
        }
        // More codes than the lengths allow would be ambiguous.
        let room = (1..=16).fold(1i64, |room, length| if room < 0 { room } else { room * 2 - i64::from(table.counts[length]) });
        if room < 0 { Err(Ktx2Error::Codes) } else { Ok(table) }
    }

    /// Reads a symbol. Returns an error if the table has no such code.
    pub fn symbol(&self, bits: &mut Bits) -> Result<u32, Ktx2Error> {
        // The first code of each length follows the last of the previous length, with one more bit.
        let (mut code, mut first, mut index) = (0, 0, 0);
        for &count in &self.counts[1..] {
            code |= bits.bit()?;
            if code < first + count {
                return self.symbols.get((index + code - first) as usize).map(|&symbol| symbol.into()).ok_or(Ktx2Error::Codes);
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(Ktx2Error::Codes)
    }
}

/// Builds a block of 16 bytes, lowest bits first.
#[derive(Default)]
pub struct BlockWriter {
    pub bits: u128,
    at: u32,
}

impl BlockWriter {
    /// Appends the lowest `count` bits of a value, whose other bits must be 0.
    pub fn put(&mut self, value: u32, count: u32) {
        self.bits |= u128::from(value) << self.at;
        self.at += count;
    }
}
