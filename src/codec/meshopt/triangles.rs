//! Mode TRIANGLES: one byte per triangle tells how it is connected to recent edges and vertices; further data follows after all
//! of these bytes. Names are those of the specification: `next` is the lowest index not used yet, `last` the latest one stored
//! explicitly.

use super::cursor::{Cursor, unzigzag};
use super::{StreamProblem, Version};

const HEADER: u64 = 1;
/// The table of pairs of vertex references, in bytes. One code refers to a pair.
const TAIL: usize = 16;

/// The fewest bytes of `count` indices: one byte per triangle.
pub fn min_bytes(count: u64) -> u64 {
    (count / 3).saturating_add(HEADER + TAIL as u64)
}

pub fn decode(version: Version, stream: &[u8], count: usize) -> Result<Vec<u32>, StreamProblem> {
    let triangles = count / 3;
    let mut all = Cursor { rest: stream.get(HEADER as usize..).unwrap_or_default() };
    let codes = all.take(triangles)?;
    let (data, table) = all.rest.split_last_chunk::<TAIL>().ok_or(StreamProblem::EndsEarly)?;
    let mut decoder = Decoder {
        data: Cursor { rest: data },
        next: 0,
        last: 0,
        edges: Recent::default(),
        vertices: Recent::default(),
        // Version 0 has no codes for the neighbors of `last`.
        nearest: if version == Version::V0 { 15 } else { 13 },
        triangle: 0,
    };
    let mut indices = Vec::with_capacity(count);
    for (triangle, &code) in codes.iter().enumerate() {
        decoder.triangle = triangle;
        let corners = match (code >> 4, code & 15) {
            (15, 14..) => decoder.explicit(code == 0xff)?,
            (15, pair) => decoder.by_table(table[usize::from(pair)])?,
            (edge, third) => decoder.on_edge(edge, third)?,
        };
        indices.extend(corners);
    }
    decoder.data.finish(0)?;
    Ok(indices)
}

struct Decoder<'a> {
    data: Cursor<'a>,
    next: u32,
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The first third-corner code that is not a recent vertex.
    nearest: u8,
    triangle: usize,
}

impl Decoder<'_> {
    /// A triangle on a recent edge, with a third corner.
    fn on_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], StreamProblem> {
        let [a, b] = self.edges.get(edge).ok_or(self.unknown())?;
        let c = match third {
            0 => self.fresh(),
            // Recent vertices are counted from 0. The latest belongs to the edge and is never used.
            recent if recent < self.nearest => self.vertices.get(recent).ok_or(self.unknown())?,
            15 => self.written()?,
            before_or_after => {
                self.last = if before_or_after == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        if third == 0 || third >= self.nearest {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// A triangle of a new corner and a pair of references from the table.
    fn by_table(&mut self, pair: u8) -> Result<[u32; 3], StreamProblem> {
        let a = self.fresh();
        let b = self.corner(pair >> 4)?;
        let c = self.corner(pair & 15)?;
        Ok(self.free_standing([a, b, c], pair))
    }

    /// A triangle of a new or stored corner and its own pair of references.
    fn explicit(&mut self, first_is_written: bool) -> Result<[u32; 3], StreamProblem> {
        let pair = self.data.byte()?;
        // Concatenated streams restart.
        if pair == 0 {
            self.next = 0;
        }
        let a = if first_is_written { self.written()? } else { self.fresh() };
        let b = self.corner(pair >> 4)?;
        let c = self.corner(pair & 15)?;
        Ok(self.free_standing([a, b, c], pair))
    }

    fn free_standing(&mut self, [a, b, c]: [u32; 3], pair: u8) -> [u32; 3] {
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        for (corner, reference) in [(b, pair >> 4), (c, pair & 15)] {
            if matches!(reference, 0 | 15) {
                self.vertices.push(corner);
            }
        }
        [a, b, c]
    }

    fn corner(&mut self, reference: u8) -> Result<u32, StreamProblem> {
        match reference {
            0 => Ok(self.fresh()),
            15 => self.written(),
            recent => self.vertices.get(recent - 1).ok_or(self.unknown()),
        }
    }

    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    fn written(&mut self) -> Result<u32, StreamProblem> {
        let code = self.data.varint(self.triangle * 3)?;
        self.last = self.last.wrapping_add(unzigzag(code));
        Ok(self.last)
    }

    fn unknown(&self) -> StreamProblem {
        StreamProblem::Reference { triangle: self.triangle }
    }
}

/// The latest sixteen entries.
#[derive(Default)]
struct Recent<T> {
    entries: [T; 16],
    pushed: usize,
}

impl<T: Copy> Recent<T> {
    fn push(&mut self, entry: T) {
        self.entries[self.pushed % 16] = entry;
        self.pushed += 1;
    }

    /// The entry at this distance from the latest. `None` if there are fewer.
    fn get(&self, back: u8) -> Option<T> {
        let back = usize::from(back);
        (back < self.pushed.min(16)).then(|| self.entries[(self.pushed - 1 - back) % 16])
    }
}
