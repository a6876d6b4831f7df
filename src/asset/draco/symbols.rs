//! Entropy-coded symbols: small numbers, under an asymmetric numeral system (rANS) with a table of their probabilities.

use super::bits::{DirectBits, initial_state};
use super::budget::Budget;
use super::cursor::Cursor;
use super::error::DracoError;

/// Each group of `components` symbols under a tag that says how many bits each of them has.
const TAGGED: u8 = 0;
/// Each symbol by itself.
const RAW: u8 = 1;

/// Reads `count` symbols, which is a multiple of `components`.
pub fn read(cursor: &mut Cursor, count: usize, components: usize, budget: &mut Budget) -> Result<Vec<u32>, DracoError> {
    let mut symbols = budget.room(count)?;
    if count == 0 {
        return Ok(symbols);
    }
    match cursor.u8()? {
        TAGGED => {
            let mut tags = Rans::read(cursor, 12, budget)?;
            let mut bits = DirectBits::new(cursor.rest(), cursor.place);
            for _ in 0..count / components {
                let length = tags.next_symbol();
                if length > 32 {
                    return Err(cursor.damaged("a symbol has more than 32 bits"));
                }
                for _ in 0..components {
                    symbols.push(bits.read(length)?);
                }
            }
            cursor.take(bits.bytes_read())?;
        }
        RAW => {
            let bit_length = u32::from(cursor.u8()?);
            if !(1..=18).contains(&bit_length) {
                return Err(cursor.damaged("symbols cannot have so many bits"));
            }
            let mut rans = Rans::read(cursor, (3 * bit_length / 2).clamp(12, 20), budget)?;
            symbols.extend((0..count).map(|_| rans.next_symbol()));
        }
        other => return Err(DracoError::Unknown { what: "how symbols are coded", number: other.into() }),
    }
    Ok(symbols)
}

/// How likely a symbol is, and all before it together, of `1 << precision`.
#[derive(Debug, Clone, Copy)]
struct Probability {
    own: u32,
    before: u32,
}

struct Rans<'a> {
    /// Read from the back.
    bytes: &'a [u8],
    state: u32,
    /// The logarithm of the sum of all probabilities.
    precision: u32,
    /// For each part of the whole, the symbol that it belongs to.
    symbol_at: Vec<u32>,
    probabilities: Vec<Probability>,
}

impl<'a> Rans<'a> {
    fn read(cursor: &mut Cursor<'a>, precision: u32, budget: &mut Budget) -> Result<Self, DracoError> {
        let probabilities = read_probabilities(cursor, budget)?;
        let whole = 1 << precision;
        let mut symbol_at = budget.room(whole)?;
        for (symbol, probability) in probabilities.iter().enumerate() {
            let end = probability.before as usize + probability.own as usize;
            if end > whole {
                return Err(cursor.damaged("probabilities make up more than the whole"));
            }
            symbol_at.resize(end, symbol as u32);
        }
        if symbol_at.len() != whole {
            return Err(cursor.damaged("probabilities make up less than the whole"));
        }
        let size = cursor.varint()?;
        let bytes = cursor.sized(size)?;
        let base = 4 << precision;
        match initial_state(bytes, 4) {
            Some((bytes, state)) if state < base * 255 => Ok(Self { bytes, state: state + base, precision, symbol_at, probabilities }),
            _ => Err(cursor.damaged("a run of symbols has no beginning")),
        }
    }

    /// The next symbol. Past the end of damaged data it is something or other.
    fn next_symbol(&mut self) -> u32 {
        while self.state < 4 << self.precision
            && let Some((&last, rest)) = self.bytes.split_last()
        {
            self.state = self.state << 8 | u32::from(last);
            self.bytes = rest;
        }
        let (quotient, remainder) = (self.state >> self.precision, self.state & ((1 << self.precision) - 1));
        // The remainder is below the table's length, and the table names only symbols that have a probability.
        let symbol = self.symbol_at[remainder as usize];
        let probability = self.probabilities[symbol as usize];
        self.state = quotient * probability.own + remainder - probability.before;
        symbol
    }
}

fn read_probabilities(cursor: &mut Cursor, budget: &mut Budget) -> Result<Vec<Probability>, DracoError> {
    let count = cursor.varint()? as usize;
    // A byte can stand for 64 symbols that do not occur.
    if count / 64 > cursor.rest().len() {
        return Err(cursor.damaged("it has more kinds of symbols than bytes could name"));
    }
    let mut probabilities: Vec<Probability> = budget.room(count)?;
    let mut before = 0u32;
    while probabilities.len() < count {
        let byte = cursor.u8()?;
        let (token, value) = (byte & 3, u32::from(byte >> 2));
        if token == 3 {
            let end = probabilities.len() + value as usize + 1;
            if end > count {
                return Err(cursor.damaged("more symbols are left out than there are"));
            }
            probabilities.resize(end, Probability { own: 0, before });
            continue;
        }
        let more = cursor.take(token.into())?;
        let own = more.iter().rev().fold(0, |high, &byte| high << 8 | u32::from(byte)) << 6 | value;
        probabilities.push(Probability { own, before });
        before = before.saturating_add(own);
    }
    Ok(probabilities)
}
