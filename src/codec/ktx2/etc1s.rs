//! Decodes ETC1S slices. Each block of 4 x 4 pixels has an endpoint, which is predicted from neighbors or stored as a difference, and a
//! selector, which is stored or refers to a recent one.

use super::bits::Bits;
use super::codebook::{Codebooks, Endpoint, Tables};
use super::{Ktx2Error, Size};

/// The symbol that repeats the previous prediction.
const REPEAT: u32 = 256;
/// The symbol of a run whose length follows.
const LONG_RUN: u32 = 63;
/// The shortest run.
const MIN_RUN: u32 = 3;

/// Offsets of the four steps from a base color, for each contrast.
const STEPS: [[i16; 4]; 8] = [
    [-8, -2, 2, 8],
    [-17, -5, 5, 17],
    [-29, -9, 9, 29],
    [-42, -13, 13, 42],
    [-60, -18, 18, 60],
    [-80, -24, 24, 80],
    [-106, -33, 33, 106],
    [-183, -47, 47, 183],
];

/// A slice of a level, which holds its color or its alpha.
pub struct Slice<'a> {
    pub codebooks: &'a Codebooks,
    pub size: Size,
}

/// A decoded block. Its pixels are steps of brightness from a base color.
pub struct Etc1sBlock {
    /// The four colors, from dark to light.
    pub palette: [[u8; 3]; 4],
    pub endpoint: Endpoint,
    /// Palette indices row by row, one byte per row, two bits per pixel with the lowest first.
    pub selector: [u8; 4],
}

impl Etc1sBlock {
    /// Computes the palette.
    fn new(endpoint: Endpoint, selector: [u8; 4]) -> Self {
        let base = endpoint.color.map(|five| i16::from(five << 3 | five >> 2));
        let palette = STEPS[usize::from(endpoint.contrast & 7)].map(|step| base.map(|channel| (channel + step).clamp(0, 255) as u8));
        Self { palette, endpoint, selector }
    }

    /// Returns the palette index of each pixel, row by row.
    pub fn choices(&self) -> [usize; 16] {
        std::array::from_fn(|pixel| usize::from(self.selector[pixel / 4] >> (pixel % 4 * 2) & 3))
    }
}

impl Slice<'_> {
    /// Decodes all blocks, row by row.
    pub fn blocks(&self, bytes: &[u8]) -> Result<Vec<Etc1sBlock>, Ktx2Error> {
        let [columns, rows] = [self.size.width, self.size.height].map(|pixels| pixels.div_ceil(4) as usize);
        let mut bits = Bits::new(bytes);
        let mut predictions = Predictions { upper: vec![0; columns], lower_halves: vec![0; columns], ..Predictions::default() };
        let mut selectors = RecentSelectors::new(self.codebooks);
        let mut blocks = Vec::new();
        for row in 0..rows {
            let mut upper_left = 0;
            for column in 0..columns {
                let above = predictions.upper[column];
                let prediction = predictions.next(row, column, &self.codebooks.tables, &mut bits)?;
                // The endpoint index is that of a neighbor, or that of the left block plus a difference. The sum wraps around at the number
                // of endpoints.
                let index = match prediction {
                    0 if column > 0 => predictions.left,
                    1 if row > 0 => above,
                    2 if row > 0 && column > 0 => upper_left,
                    3 => {
                        let delta = self.codebooks.tables.endpoint_delta.symbol(&mut bits)? as usize;
                        let index = predictions.left + delta;
                        index.checked_sub(self.codebooks.endpoints.len()).unwrap_or(index)
                    }
                    _ => return Err(Ktx2Error::InvalidData),
                };
                (upper_left, predictions.left, predictions.upper[column]) = (above, index, index);
                let endpoint = self.codebooks.endpoints.get(index).ok_or(Ktx2Error::InvalidData)?;
                let selector = selectors.next(&self.codebooks.tables, &mut bits)?;
                let selector = self.codebooks.selectors.get(selector).ok_or(Ktx2Error::InvalidData)?;
                blocks.push(Etc1sBlock::new(*endpoint, *selector));
            }
        }
        Ok(blocks)
    }

    /// Writes channels of the blocks into channels of `rgba`. Each pair is a source and a destination channel.
    pub fn write(&self, blocks: &[Etc1sBlock], rgba: &mut [u8], channels: &[(usize, usize)]) {
        let width = self.size.width as usize;
        for (blocks, rows) in blocks.chunks_exact(width.div_ceil(4)).zip(rgba.chunks_mut(width * 16)) {
            for (column, block) in blocks.iter().enumerate() {
                for (row, choices) in rows.chunks_exact_mut(width * 4).zip(block.choices().as_chunks::<4>().0) {
                    for (pixel, &choice) in row.as_chunks_mut::<4>().0.iter_mut().skip(column * 4).zip(choices) {
                        for &(from, to) in channels {
                            pixel[to] = block.palette[choice][from];
                        }
                    }
                }
            }
        }
    }
}

/// Predicts which neighbor a block takes its endpoint from: 0 left, 1 above, 2 above left, 3 none. One symbol holds the predictions of a
/// square of four blocks, two bits each.
#[derive(Default)]
struct Predictions {
    /// Endpoints of the row above, replaced by those of this row as they are decoded.
    upper: Vec<usize>,
    /// Endpoint of the block to the left.
    left: usize,
    /// Predictions for the lower half of each square.
    lower_halves: Vec<u32>,
    /// Predictions for the blocks that remain in the current row of the current square.
    current: u32,
    /// The last symbol, for repeats.
    symbol: u32,
    /// Number of squares that still repeat the last symbol.
    repeats: u32,
}

impl Predictions {
    /// Returns the prediction for the next block.
    fn next(&mut self, row: usize, column: usize, tables: &Tables, bits: &mut Bits) -> Result<u32, Ktx2Error> {
        if column.is_multiple_of(2) {
            if !row.is_multiple_of(2) {
                // Odd rows are the lower halves of squares, whose predictions are known.
                self.current = self.lower_halves[column];
            } else {
                if self.repeats > 0 {
                    self.repeats -= 1;
                } else {
                    match tables.prediction.symbol(bits)? {
                        REPEAT => self.repeats = bits.grouped(4)?.saturating_add(MIN_RUN - 1),
                        symbol => self.symbol = symbol,
                    }
                }
                self.current = self.symbol;
                self.lower_halves[column] = self.symbol >> 4;
            }
        }
        let prediction = self.current & 3;
        self.current >>= 2;
        Ok(prediction)
    }
}

/// Recently used selectors. A selector that is used again moves towards the front.
struct RecentSelectors {
    /// The first symbol that refers to a recent selector. Smaller symbols are selectors.
    first_recent: usize,
    recent: Vec<usize>,
    /// Position of the next new selector, in the rear half.
    position: usize,
    /// Number of further blocks that repeat the most recent selector.
    run: u32,
}

impl RecentSelectors {
    /// Starts with all entries referring to the first selector.
    fn new(codebooks: &Codebooks) -> Self {
        let size = codebooks.tables.history;
        Self { first_recent: codebooks.selectors.len(), recent: vec![0; size], position: size / 2, run: 0 }
    }

    /// Returns the index of the next block's selector.
    fn next(&mut self, tables: &Tables, bits: &mut Bits) -> Result<usize, Ktx2Error> {
        let mut symbol = self.first_recent;
        if self.run > 0 {
            self.run -= 1;
        } else {
            symbol = tables.selector.symbol(bits)? as usize;
            if symbol == self.first_recent + self.recent.len() {
                let run = tables.selector_run.symbol(bits)?;
                let run = if run == LONG_RUN { bits.grouped(7)? } else { run };
                self.run = run.saturating_add(MIN_RUN - 1);
                symbol = self.first_recent;
            }
        }
        let Some(recent) = symbol.checked_sub(self.first_recent) else {
            self.add(symbol);
            return Ok(symbol);
        };
        let selector = *self.recent.get(recent).ok_or(Ktx2Error::InvalidData)?;
        self.recent.swap(recent, recent / 2);
        Ok(selector)
    }

    /// Adds a new selector. New selectors replace the entries of the rear half in turn.
    fn add(&mut self, selector: usize) {
        if let Some(position) = self.recent.get_mut(self.position) {
            *position = selector;
            self.position += 1;
            if self.position == self.recent.len() {
                self.position /= 2;
            }
        }
    }
}
