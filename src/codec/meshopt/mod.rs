//! The meshopt codec (EXT_meshopt_compression and KHR_meshopt_compression, appendices A and B): compressed streams to the
//! bytes of a buffer view. Pure functions from bytes to bytes; what a file says about its streams is read by `compressed`.
//!
//! Three bitstreams: vertex attributes and everything like them (`attributes`), triangle lists (`triangles`), other
//! sequences of indices (`indices`); then, for attributes, a filter over the decoded elements (`filter`). The two
//! extensions share the streams: each says its version in its first byte, so either name is read with either version.
//!
//! A stream does not say how much it decodes to; the file does, outside of it. So before anything is allocated, the least
//! bytes that so many elements could be packed into are computed: no stream grows more than 1024 times.

mod attributes;
mod cursor;
mod filter;
mod indices;
mod triangles;

use thiserror::Error;

/// Which of the three bitstreams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// What is done with the decoded elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// What a stream decodes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub mode: Mode,
    pub filter: Filter,
    /// How many elements; of triangles three times their number.
    pub count: u64,
    /// Bytes of an element.
    pub stride: u64,
}

/// Completes "buffer view 3 cannot be decompressed: ...".
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum StreamProblem {
    #[error("{mode:?} with the filter {filter:?} do not go with elements of {stride} bytes")]
    Stride { mode: Mode, filter: Filter, stride: u64 },
    #[error("{count} indices are no whole triangles")]
    Triangles { count: u64 },
    #[error("its first byte {found:#04x} is none of a stream of {mode:?}")]
    Header { mode: Mode, found: u8 },
    #[error("{bytes} bytes cannot hold {count} elements of {stride} bytes")]
    TooShort { bytes: u64, count: u64, stride: u64 },
    #[error("its stream ends before its last element")]
    EndsEarly,
    #[error("its stream has {bytes} bytes after its last element")]
    Rest { bytes: usize },
    #[error("its channel {channel} has the unknown mode {found:#04x}")]
    Channel { channel: usize, found: u8 },
    #[error("its triangle {triangle} refers to an edge or a vertex before the first")]
    Reference { triangle: usize },
    #[error("its element {index} is an index of more than 32 bits")]
    Varint { index: usize },
}

/// The bytes of a buffer view: `count` elements of `stride` bytes.
pub fn decode(layout: Layout, stream: &[u8]) -> Result<Vec<u8>, StreamProblem> {
    let Layout { mode, filter, count, stride } = layout;
    let fits = match (mode, filter) {
        (Mode::Attributes, Filter::None | Filter::Exponential) => stride.is_multiple_of(4) && (4..=256).contains(&stride),
        (Mode::Attributes, Filter::Octahedral | Filter::Color) => stride == 4 || stride == 8,
        (Mode::Attributes, Filter::Quaternion) => stride == 8,
        (Mode::Triangles | Mode::Indices, Filter::None) => stride == 2 || stride == 4,
        (Mode::Triangles | Mode::Indices, _) => false,
    };
    if !fits {
        return Err(StreamProblem::Stride { mode, filter, stride });
    }
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(StreamProblem::Triangles { count });
    }
    let Some(&first) = stream.first() else { return Err(StreamProblem::EndsEarly) };
    // The high half says which stream it is, the low half its version.
    let version = match (mode, first) {
        (Mode::Attributes, 0xa0) | (Mode::Triangles, 0xe0) | (Mode::Indices, 0xd0) => Version::V0,
        (Mode::Attributes, 0xa1) | (Mode::Triangles, 0xe1) | (Mode::Indices, 0xd1) => Version::V1,
        _ => return Err(StreamProblem::Header { mode, found: first }),
    };
    let least = match mode {
        Mode::Attributes => attributes::least_bytes(version, count, stride),
        Mode::Triangles => triangles::least_bytes(count),
        Mode::Indices => indices::least_bytes(count),
    };
    if (stream.len() as u64) < least {
        return Err(StreamProblem::TooShort { bytes: stream.len() as u64, count, stride });
    }
    // The stream is at least a thousandth of that, so it fits in memory's addresses.
    let (count, stride) = (count as usize, stride as usize);
    match mode {
        Mode::Attributes => {
            let mut elements = attributes::decode(version, stream, count, stride)?;
            filter::apply(filter, stride, &mut elements);
            Ok(elements)
        }
        Mode::Triangles => triangles::decode(version, stream, count).map(|indices| index_bytes(&indices, stride)),
        Mode::Indices => indices::decode(stream, count).map(|indices| index_bytes(&indices, stride)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V0,
    V1,
}

/// In four bytes each, or in the lower two of them.
fn index_bytes(indices: &[u32], stride: usize) -> Vec<u8> {
    if stride == 2 {
        indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect()
    } else {
        indices.iter().flat_map(|index| index.to_le_bytes()).collect()
    }
}
