//! The symbols that an edgebreaker mesh is made of, one for each triangle but some first ones, and how they are coded.

use super::bits::{DirectBits, RansBits};
use super::budget::Budget;
use super::corners::{next, previous};
use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;
use super::symbols;

/// How a triangle lies to the border of those before it (in the encoder's order, which decoding turns around).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// Its tip is inside: the triangle closes the fan about a vertex.
    Center,
    /// It joins two borders.
    Split,
    Left,
    Right,
    /// It begins a border.
    End,
}

/// As the valence coding numbers them.
const BY_NUMBER: [Symbol; 5] = [Symbol::Center, Symbol::Split, Symbol::Left, Symbol::Right, Symbol::End];
/// Valences below the first and above the last count as these.
const VALENCES: (u32, u32) = (2, 7);

/// The stream of symbols. Two ways of coding follow how many edges each vertex has so far.
pub struct Symbols<'a> {
    coding: Coding<'a>,
    last: Symbol,
    /// Empty where the coding does not need them.
    valences: Vec<u32>,
}

enum Coding<'a> {
    Standard(DirectBits<'a>),
    /// A bit says whether a guess from the valence is right.
    Predictive {
        bits: DirectBits<'a>,
        hits: RansBits<'a>,
        guess: Option<Symbol>,
    },
    /// A stack of symbols for each valence of the vertex to which the border leads.
    Valence {
        bits: Option<DirectBits<'a>>,
        stacks: [Vec<u32>; 6],
        stack: Option<usize>,
    },
}

/// What of the traversal does not depend on how its symbols are coded.
pub struct Traversal<'a> {
    pub symbols: Symbols<'a>,
    pub starts: Starts<'a>,
    /// One stream for each attribute that has seams of its own: which edges are seams.
    pub seams: Vec<RansBits<'a>>,
}

/// For each border left in the end, whether a triangle closes it.
pub enum Starts<'a> {
    Direct(DirectBits<'a>),
    Rans(RansBits<'a>),
}

/// What the header says that the traversal needs.
pub struct TraversalCounts {
    pub kind: u8,
    pub faces: usize,
    pub most_vertices: usize,
    pub seam_streams: usize,
}

impl<'a> Traversal<'a> {
    pub fn read(cursor: &mut Cursor<'a>, counts: &TraversalCounts, budget: &mut Budget) -> Result<Self, DracoError> {
        cursor.place = "the triangles";
        let is_old = cursor.version < VERSION_2_2;
        let bits = if counts.kind != 2 || is_old { Some(direct_bits(cursor)?) } else { None };
        let starts = if is_old { Starts::Direct(direct_bits(cursor)?) } else { Starts::Rans(RansBits::read(cursor)?) };
        let mut seams = budget.room(counts.seam_streams)?;
        for _ in 0..counts.seam_streams {
            seams.push(RansBits::read(cursor)?);
        }
        let coding = match (counts.kind, bits) {
            (0, Some(bits)) => Coding::Standard(bits),
            (1, Some(bits)) => {
                // How many symbols are splits, which nothing depends on.
                cursor.u32()?;
                Coding::Predictive { bits, hits: RansBits::read(cursor)?, guess: None }
            }
            (2, bits) => Coding::Valence { stacks: read_stacks(cursor, counts.faces, budget)?, bits, stack: None },
            (kind, _) => return Err(DracoError::Unknown { what: "the coding of triangles", number: kind.into() }),
        };
        let valences = if counts.kind == 0 { Vec::new() } else { budget.filled(counts.most_vertices, 0)? };
        Ok(Self { symbols: Symbols { coding, last: Symbol::End, valences }, starts, seams })
    }
}

fn direct_bits<'a>(cursor: &mut Cursor<'a>) -> Result<DirectBits<'a>, DracoError> {
    let size = cursor.size64()?;
    Ok(DirectBits::new(cursor.sized(size)?, cursor.place))
}

fn read_stacks(cursor: &mut Cursor, faces: usize, budget: &mut Budget) -> Result<[Vec<u32>; 6], DracoError> {
    if cursor.version < VERSION_2_2 {
        // How many symbols are splits, which nothing depends on, and the range of valences: there is but one.
        cursor.varint()?;
        let mode = cursor.u8()?;
        if mode != 0 {
            return Err(DracoError::Unknown { what: "the range of valences", number: mode.into() });
        }
    }
    let mut stacks: [Vec<u32>; 6] = Default::default();
    for stack in &mut stacks {
        let count = cursor.varint()? as usize;
        if count > faces {
            return Err(cursor.damaged("there are more symbols than triangles"));
        }
        *stack = symbols::read(cursor, count, 1, budget)?;
    }
    Ok(stacks)
}

impl Starts<'_> {
    pub fn is_closed(&mut self) -> Result<bool, DracoError> {
        match self {
            Self::Direct(bits) => Ok(bits.read(1)? == 1),
            Self::Rans(bits) => Ok(bits.next_bit()),
        }
    }
}

impl Symbols<'_> {
    pub fn next_symbol(&mut self) -> Result<Symbol, DracoError> {
        self.last = match &mut self.coding {
            Coding::Standard(bits) => standard(bits)?,
            Coding::Predictive { bits, hits, guess } => match guess {
                Some(guess) if hits.next_bit() => *guess,
                _ => standard(bits)?,
            },
            Coding::Valence { stacks, stack: Some(stack), .. } => {
                let number = stacks.get_mut(*stack).and_then(Vec::pop);
                let symbol = number.and_then(|number| BY_NUMBER.get(number as usize));
                *symbol.ok_or(DracoError::Damaged { place: "the triangles", what: "a symbol is missing" })?
            }
            Coding::Valence { bits: Some(bits), .. } => standard(bits)?,
            Coding::Valence { bits: None, .. } => Symbol::End,
        };
        Ok(self.last)
    }

    /// Takes note of the border's active corner after a symbol. `vertex` is the vertex of a corner.
    pub fn reached(&mut self, corner: u32, mut vertex: impl FnMut(u32) -> u32) {
        if self.valences.is_empty() {
            return;
        }
        let [tip, ahead, behind] = [corner, next(corner), previous(corner)].map(|corner| vertex(corner) as usize);
        let more = match self.last {
            Symbol::Center | Symbol::Split => [0, 1, 1],
            Symbol::Right => [1, 1, 2],
            Symbol::Left => [1, 2, 1],
            Symbol::End => [2, 2, 2],
        };
        for (vertex, more) in [tip, ahead, behind].into_iter().zip(more) {
            self.valences[vertex] = self.valences[vertex].wrapping_add(more);
        }
        let valence = self.valences[ahead];
        match &mut self.coding {
            Coding::Standard(_) => {}
            Coding::Predictive { guess, .. } => {
                *guess = match self.last {
                    Symbol::Center | Symbol::Right if valence < 6 => Some(Symbol::Right),
                    Symbol::Center | Symbol::Right => Some(Symbol::Center),
                    _ => None,
                };
            }
            Coding::Valence { stack, .. } => *stack = Some((valence.clamp(VALENCES.0, VALENCES.1) - VALENCES.0) as usize),
        }
    }

    /// Takes note that two vertices are one.
    pub fn merged(&mut self, kept: u32, gone: u32) {
        if !self.valences.is_empty() {
            self.valences[kept as usize] = self.valences[kept as usize].wrapping_add(self.valences[gone as usize]);
        }
    }
}

fn standard(bits: &mut DirectBits) -> Result<Symbol, DracoError> {
    if bits.read(1)? == 0 {
        return Ok(Symbol::Center);
    }
    Ok([Symbol::Split, Symbol::Left, Symbol::Right, Symbol::End][bits.read(2)? as usize])
}
