//! Decodes the mode TRIANGLES: one byte per triangle tells how it connects to recent edges and vertices. More data follows these bytes. The
//! names are those of the specification: `next` is the lowest index that is not used yet, and `last` is the latest index that was stored
//! explicitly, or derived from the previous `last`.

use super::cursor::{Cursor, unzigzag};
use super::{MeshoptError, Version};

/// Bytes before the first code.
const HEADER_BYTES: u64 = 1;
/// Size of the table at the end, in bytes. Each entry is a pair of vertex references, and codes refer to the entries.
const TAIL_BYTES: usize = 16;

/// Returns the fewest bytes that `count` indices can take: one byte per triangle.
pub fn min_bytes(count: u64) -> u64 {
    (count / 3).saturating_add(HEADER_BYTES + TAIL_BYTES as u64)
}

/// Decodes `count` indices, three per triangle.
pub fn decode(version: Version, stream: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let triangles = count / 3;
    let mut all = Cursor { rest: stream.get(HEADER_BYTES as usize..).unwrap_or_default() };
    let codes = all.take(triangles)?;
    let (data, table) = all.rest.split_last_chunk::<TAIL_BYTES>().ok_or(MeshoptError::EndsEarly)?;
    let mut decoder = Decoder {
        data: Cursor { rest: data },
        next: 0,
        last: 0,
        edges: Recent::default(),
        vertices: Recent::default(),
        // Version 0 has no codes for the neighbors of `last`.
        first_special: if version == Version::V0 { 15 } else { 13 },
        triangle: 0,
    };
    let mut indices = Vec::with_capacity(count);
    for (triangle, &code) in codes.iter().enumerate() {
        decoder.triangle = triangle;
        let corners = match (code >> 4, code & 15) {
            (15, 14..) => decoder.explicit_triangle(code == 0xff)?,
            (15, pair) => decoder.triangle_from_table(table[usize::from(pair)])?,
            (edge, third) => decoder.triangle_on_edge(edge, third)?,
        };
        indices.extend(corners);
    }
    decoder.data.check_rest(0)?;
    Ok(indices)
}

/// The state while triangles are decoded one after the other.
struct Decoder<'a> {
    /// The data after the codes.
    data: Cursor<'a>,
    next: u32,
    last: u32,
    /// Recent edges, each in the direction in which a neighbor uses it.
    edges: Recent<[u32; 2]>,
    /// Recent vertices.
    vertices: Recent<u32>,
    /// If the code for a third corner is at least this number, it does not choose a recent vertex: 13 and 14 are the neighbors of `last`,
    /// and 15 is an explicit index.
    first_special: u8,
    /// Number of the current triangle, for errors.
    triangle: usize,
}

impl Decoder<'_> {
    /// Makes a triangle from a recent edge and a third corner.
    fn triangle_on_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], MeshoptError> {
        let [a, b] = self.edges.get(edge).ok_or(self.unknown_reference())?;
        let c = match third {
            0 => self.take_next(),
            // Code 1 chooses the second latest vertex, because the latest belongs to the edge.
            recent if recent < self.first_special => self.vertices.get(recent).ok_or(self.unknown_reference())?,
            15 => self.read_explicit()?,
            before_or_after => {
                self.last = if before_or_after == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        if third == 0 || third >= self.first_special {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// Makes a triangle from a new corner and a pair of references in the table.
    fn triangle_from_table(&mut self, pair: u8) -> Result<[u32; 3], MeshoptError> {
        let a = self.take_next();
        let b = self.vertex(pair >> 4)?;
        let c = self.vertex(pair & 15)?;
        Ok(self.push_separate_triangle([a, b, c], pair))
    }

    /// Makes a triangle from a new or explicit corner and a pair of references in the data.
    fn explicit_triangle(&mut self, first_is_explicit: bool) -> Result<[u32; 3], MeshoptError> {
        let pair = self.data.byte()?;
        // A pair of 0 restarts the indices, which allows streams to be concatenated.
        if pair == 0 {
            self.next = 0;
        }
        let a = if first_is_explicit { self.read_explicit()? } else { self.take_next() };
        let b = self.vertex(pair >> 4)?;
        let c = self.vertex(pair & 15)?;
        Ok(self.push_separate_triangle([a, b, c], pair))
    }

    /// Records the edges and the new vertices of a triangle that does not share a recent edge.
    fn push_separate_triangle(&mut self, [a, b, c]: [u32; 3], pair: u8) -> [u32; 3] {
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

    /// Returns the vertex of a reference: 0 is a new one, 15 an explicit one, and others are recent ones.
    fn vertex(&mut self, reference: u8) -> Result<u32, MeshoptError> {
        match reference {
            0 => Ok(self.take_next()),
            15 => self.read_explicit(),
            recent => self.vertices.get(recent - 1).ok_or(self.unknown_reference()),
        }
    }

    /// Returns the lowest index that is not used yet, and marks it as used.
    fn take_next(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    /// Reads an explicit index, stored as the difference from the last one.
    fn read_explicit(&mut self) -> Result<u32, MeshoptError> {
        let code = self.data.varint(self.triangle * 3)?;
        self.last = self.last.wrapping_add(unzigzag(code));
        Ok(self.last)
    }

    /// Returns the error for a reference to an edge or vertex that does not exist.
    fn unknown_reference(&self) -> MeshoptError {
        MeshoptError::Reference { triangle: self.triangle }
    }
}

/// The latest sixteen entries.
#[derive(Default)]
struct Recent<T> {
    entries: [T; 16],
    /// Number of entries that were ever added.
    count: usize,
}

impl<T: Copy> Recent<T> {
    /// Adds an entry, which replaces the oldest one.
    fn push(&mut self, entry: T) {
        self.entries[self.count % 16] = entry;
        self.count += 1;
    }

    /// Returns the entry at a distance from the latest. `None` if there are fewer entries.
    fn get(&self, back: u8) -> Option<T> {
        let back = usize::from(back);
        (back < self.count.min(16)).then(|| self.entries[(self.count - 1 - back) % 16])
    }
}
