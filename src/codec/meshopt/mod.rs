//! The meshopt codec (EXT_meshopt_compression and KHR_meshopt_compression, appendices A and B): decodes streams to the bytes of
//! buffer views. `asset::accessor::compressed_view` reads the properties of streams from the file.
//!
//! There are three bitstreams: vertex attributes and similar data (`attributes`), triangle lists (`triangles`), and other
//! sequences of indices (`indices`). Decoded attributes then pass through a filter (`filter`). Both extensions use the same streams. A
//! stream stores its version in its first byte, so either version is accepted for both extensions.
//!
//! A stream does not store its decoded size; the file declares it. Before anything is allocated, the size of the stream is compared
//! with the minimum size of its elements. So no stream expands to more than 1024 times its size.

mod attributes;
mod cursor;
mod filter;
mod indices;
mod triangles;

use thiserror::Error;

/// The three bitstreams, named as in the extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// A filter of decoded elements, named as in the extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// The decoded elements of a stream, as the file declares them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamLayout {
    pub mode: Mode,
    pub filter: Filter,
    /// Number of elements. For triangles, the number of indices.
    pub count: u64,
    /// Size of an element, in bytes.
    pub stride: u64,
}

/// Why a stream cannot be decoded. Each message completes "buffer view 3 cannot be decompressed: ...".
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum MeshoptError {
    #[error("mode {mode:?} with filter {filter:?} does not support elements of {stride} bytes")]
    UnsupportedStride { mode: Mode, filter: Filter, stride: u64 },
    #[error("the number of indices, {count}, is not a multiple of 3")]
    PartialTriangle { count: u64 },
    #[error("its first byte {found:#04x} does not begin a stream of mode {mode:?}")]
    Header { mode: Mode, found: u8 },
    #[error("{bytes} bytes cannot hold {count} elements of {stride} bytes")]
    TooShort { bytes: u64, count: u64, stride: u64 },
    #[error("its stream ends before its last element")]
    EndsEarly,
    #[error("its stream has {bytes} bytes after its last element")]
    TrailingBytes { bytes: usize },
    #[error("its channel {channel} has the unknown mode {found:#04x}")]
    Channel { channel: usize, found: u8 },
    #[error("its triangle {triangle} refers to an edge or a vertex before the first")]
    Reference { triangle: usize },
    #[error("the number of its element {index} has more than 5 bytes")]
    Varint { index: usize },
}

/// Decodes a stream to `count` elements of `stride` bytes. Returns an error if the stream is invalid or the layout is not allowed.
pub fn decode(layout: StreamLayout, stream: &[u8]) -> Result<Vec<u8>, MeshoptError> {
    let StreamLayout { mode, filter, count, stride } = layout;
    let is_supported = match (mode, filter) {
        (Mode::Attributes, Filter::None | Filter::Exponential) => stride.is_multiple_of(4) && (4..=256).contains(&stride),
        (Mode::Attributes, Filter::Octahedral | Filter::Color) => stride == 4 || stride == 8,
        (Mode::Attributes, Filter::Quaternion) => stride == 8,
        (Mode::Triangles | Mode::Indices, Filter::None) => stride == 2 || stride == 4,
        (Mode::Triangles | Mode::Indices, _) => false,
    };
    if !is_supported {
        return Err(MeshoptError::UnsupportedStride { mode, filter, stride });
    }
    if mode == Mode::Triangles && !count.is_multiple_of(3) {
        return Err(MeshoptError::PartialTriangle { count });
    }
    let Some(&first) = stream.first() else { return Err(MeshoptError::EndsEarly) };
    // The upper half of the first byte is the kind of stream, the lower half its version.
    let version = match (mode, first) {
        (Mode::Attributes, 0xa0) | (Mode::Triangles, 0xe0) | (Mode::Indices, 0xd0) => Version::V0,
        (Mode::Attributes, 0xa1) | (Mode::Triangles, 0xe1) | (Mode::Indices, 0xd1) => Version::V1,
        _ => return Err(MeshoptError::Header { mode, found: first }),
    };
    let min = match mode {
        Mode::Attributes => attributes::min_bytes(version, count, stride),
        Mode::Triangles => triangles::min_bytes(count),
        Mode::Indices => indices::min_bytes(count),
    };
    if (stream.len() as u64) < min {
        return Err(MeshoptError::TooShort { bytes: stream.len() as u64, count, stride });
    }
    // The check above bounds the result to about a thousand times the stream, so it fits into usize.
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

/// The version of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V0,
    V1,
}

/// Writes indices as little-endian integers of `stride` bytes, 2 or 4. With 2 bytes, the upper half of each index is dropped.
fn index_bytes(indices: &[u32], stride: usize) -> Vec<u8> {
    if stride == 2 {
        indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect()
    } else {
        indices.iter().flat_map(|index| index.to_le_bytes()).collect()
    }
}
