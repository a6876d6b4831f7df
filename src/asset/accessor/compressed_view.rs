//! Compressed buffer views (EXT_meshopt_compression, KHR_meshopt_compression): reads and checks their properties. The decoded bytes replace
//! the bytes of the view. `codec::meshopt` decodes the stream.

use gltf::json;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::asset::json::integer;
use crate::codec::meshopt::{Filter, MeshoptError, Mode, StreamLayout};
use crate::numbers::grouped;

/// The two names of the extension. If a view has both, the first name in this list is used.
const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];
/// All views of a file together may decode to this many bytes, plus `MAX_EXPANSION` bytes per byte of its buffers. A limit is
/// needed because a million views can refer to one small stream.
const MIN_DECODED_LIMIT_BYTES: u64 = 256 << 20;
/// Decoded bytes allowed for each byte of the buffers.
const MAX_EXPANSION: u64 = 32;

/// The location of a view's compressed stream, and the layout of the decoded data.
#[derive(Debug, Clone, Copy)]
pub struct CompressedView {
    /// The buffer with the compressed stream.
    pub buffer: usize,
    /// The range of the stream in the buffer, in bytes.
    pub byte_offset: u64,
    pub byte_length: u64,
    /// Mode, filter, and the number and size of the decoded elements.
    pub layout: StreamLayout,
}

/// A fault of a compressed view. The message completes "buffer view 3 cannot be decompressed: ...".
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum CompressionProblem {
    #[error("its {0} is missing or not a number")]
    Number(&'static str),
    #[error("its mode is unknown (expected ATTRIBUTES, TRIANGLES or INDICES)")]
    Mode,
    #[error("its filter is unknown")]
    Filter,
    #[error("the file unpacks to more than {} bytes", grouped(*max))]
    Budget { max: u64 },
    #[error(transparent)]
    Stream(#[from] MeshoptError),
}

/// The compression of a view. `None` if it is not compressed; an error if its properties are invalid.
pub fn read(view: &json::buffer::View) -> Option<Result<CompressedView, CompressionProblem>> {
    find_extension(&view.extensions.as_ref()?.others).map(|extension| read_properties(extension.as_object().unwrap_or(&Map::new())))
}

/// Returns whether a buffer is only a fallback for readers without decompression. Sinew needs no data from such a buffer.
pub fn is_fallback(buffer: &json::Buffer) -> bool {
    let extension = buffer.extensions.as_ref().and_then(|extensions| find_extension(&extensions.others));
    extension.and_then(|extension| extension.get("fallback")) == Some(&Value::Bool(true))
}

/// The object of the extension, under either name.
fn find_extension(extensions: &Map<String, Value>) -> Option<&Value> {
    NAMES.iter().find_map(|&name| extensions.get(name))
}

/// Reads the properties of the extension. `byteOffset` and `filter` have defaults, the others are required.
fn read_properties(extension: &Map<String, Value>) -> Result<CompressedView, CompressionProblem> {
    let number = |name| extension.get(name).and_then(integer).ok_or(CompressionProblem::Number(name));
    let mode = match extension.get("mode").and_then(Value::as_str) {
        Some("ATTRIBUTES") => Mode::Attributes,
        Some("TRIANGLES") => Mode::Triangles,
        Some("INDICES") => Mode::Indices,
        _ => return Err(CompressionProblem::Mode),
    };
    let filter = match extension.get("filter").map_or(Some("NONE"), Value::as_str) {
        Some("NONE") => Filter::None,
        Some("OCTAHEDRAL") => Filter::Octahedral,
        Some("QUATERNION") => Filter::Quaternion,
        Some("EXPONENTIAL") => Filter::Exponential,
        Some("COLOR") => Filter::Color,
        _ => return Err(CompressionProblem::Filter),
    };
    Ok(CompressedView {
        buffer: number("buffer")? as usize,
        byte_offset: if extension.contains_key("byteOffset") { number("byteOffset")? } else { 0 },
        byte_length: number("byteLength")?,
        layout: StreamLayout { mode, filter, count: number("count")?, stride: number("byteStride")? },
    })
}

/// Adds the size of a decoded view to `decoded_bytes`, the size of all views decoded so far. Returns an error if the sum exceeds
/// the limit, which grows with `buffer_bytes`, the size of all buffers.
pub fn charge(layout: StreamLayout, decoded_bytes: u64, buffer_bytes: u64) -> Result<u64, CompressionProblem> {
    let max = MIN_DECODED_LIMIT_BYTES.saturating_add(buffer_bytes.saturating_mul(MAX_EXPANSION));
    let decoded_bytes = decoded_bytes.saturating_add(layout.count.saturating_mul(layout.stride));
    if decoded_bytes > max { Err(CompressionProblem::Budget { max }) } else { Ok(decoded_bytes) }
}
