//! Compressed buffer views: what EXT_meshopt_compression and KHR_meshopt_compression say of a view, checked, and the
//! decoded bytes, which stand for the view's own.

use gltf::json;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::codec::meshopt::{Filter, Layout, Mode, StreamProblem};

/// The same streams under two names; the later one first.
const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];
/// What all views of a file together may be decoded to, whatever its size, and beyond that for each byte of its buffers:
/// a small stream can be named by a million views.
const FREE_BYTES: u64 = 256 << 20;
const MOST_TIMES: u64 = 32;

/// Where the stream of a view lies, and what it decodes to.
#[derive(Debug, Clone, Copy)]
pub struct Compressed {
    pub buffer: usize,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub layout: Layout,
}

/// Completes "buffer view 3 cannot be decompressed: ...".
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum CompressionProblem {
    #[error("its {0} is missing or no number")]
    Number(&'static str),
    #[error("its mode is none of ATTRIBUTES, TRIANGLES and INDICES")]
    Mode,
    #[error("its filter is unknown")]
    Filter,
    #[error("the file unpacks to more than {most} bytes")]
    Budget { most: u64 },
    #[error(transparent)]
    Stream(#[from] StreamProblem),
}

/// What a view says of its compression; none where it lies in its buffer as it is.
pub fn read(view: &json::buffer::View) -> Option<Result<Compressed, CompressionProblem>> {
    named(&view.extensions.as_ref()?.others).map(|extension| properties(extension.as_object().unwrap_or(&Map::new())))
}

/// Whether a buffer only stands in for those who cannot decompress.
pub fn is_fallback(buffer: &json::Buffer) -> bool {
    let extension = buffer.extensions.as_ref().and_then(|extensions| named(&extensions.others));
    extension.and_then(|extension| extension.get("fallback")) == Some(&Value::Bool(true))
}

fn named(extensions: &Map<String, Value>) -> Option<&Value> {
    NAMES.iter().find_map(|&name| extensions.get(name))
}

fn properties(extension: &Map<String, Value>) -> Result<Compressed, CompressionProblem> {
    let number = |name| extension.get(name).and_then(Value::as_u64).ok_or(CompressionProblem::Number(name));
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
    Ok(Compressed {
        buffer: number("buffer")? as usize,
        byte_offset: if extension.contains_key("byteOffset") { number("byteOffset")? } else { 0 },
        byte_length: number("byteLength")?,
        layout: Layout { mode, filter, count: number("count")?, stride: number("byteStride")? },
    })
}

/// Charges a view to what the file may decode to: `decoded` bytes up to now, `available` bytes in its buffers.
pub fn charge(layout: Layout, decoded: u64, available: u64) -> Result<u64, CompressionProblem> {
    let most = FREE_BYTES.saturating_add(available.saturating_mul(MOST_TIMES));
    let decoded = decoded.saturating_add(layout.count.saturating_mul(layout.stride));
    if decoded > most { Err(CompressionProblem::Budget { most }) } else { Ok(decoded) }
}
