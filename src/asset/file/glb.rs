//! Finds the JSON and the binary chunk in the bytes of a file (GLB container: glTF 2.0, 4.4), without copying them.

use std::ops::Range;

use crate::asset::error::{ContainerProblem, LoadError};
use crate::asset::findings::Findings;
use crate::numbers::{agreeing, counted};

use super::foreign;

/// Byte ranges of a file's JSON and binary chunk.
#[derive(Debug, PartialEq, Eq)]
pub struct GlbParts {
    /// The JSON: the JSON chunk of a GLB, or the whole .gltf file.
    pub json: Range<usize>,
    /// The binary chunk of a GLB. `None` for a .gltf file, or a GLB without one.
    pub bin: Option<Range<usize>>,
}

/// The magic number of the header (glTF 2.0, 4.4.2).
pub const MAGIC: &[u8] = b"glTF";
// The types of the chunks (glTF 2.0, 4.4.3).
const JSON: &[u8] = b"JSON";
const BIN: &[u8] = b"BIN\0";
/// The byte order mark of UTF-8. glTF forbids it (glTF 2.0, 2.7).
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Length of the header, where the first chunk begins.
pub const HEADER_BYTES: usize = 12;
/// Length of the header of a chunk.
pub const CHUNK_HEADER_BYTES: usize = 8;

/// Finds the JSON and the binary chunk. A file that does not begin like a GLB is taken for JSON. Returns an error if the bytes are
/// neither. The error names the format if it is known.
pub fn split(bytes: &[u8], findings: &mut Findings) -> Result<GlbParts, LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    if bytes.starts_with(MAGIC) {
        let mut parts = split_glb(bytes, findings).map_err(|problem| match problem {
            ContainerProblem::Version(1) => foreign::glb_1(),
            problem => LoadError::Container(problem),
        })?;
        let text = json_text(&bytes[parts.json.clone()], findings);
        parts.json = parts.json.start + text.start..parts.json.start + text.end;
        return Ok(parts);
    }
    let text = json_text(bytes, findings);
    // Other formats may end with NUL bytes.
    if let Some(error) = foreign::recognize(&bytes[text.start..]) {
        return Err(error);
    }
    // Bytes that may begin JSON go to the JSON parser, which has better messages.
    match bytes[text.clone()].trim_ascii_start() {
        [] | [b'{' | b'[' | b'"', ..] => Ok(GlbParts { json: text, bin: None }),
        other => Err(LoadError::Unknown { beginning: beginning(other) }),
    }
}

/// Returns the range of the JSON without a byte order mark before it and without NUL bytes after it, with which some exporters pad the
/// chunk. Reports both.
pub fn json_text(json: &[u8], findings: &mut Findings) -> Range<usize> {
    let start = if json.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    if start > 0 {
        findings.error("INVALID_JSON", "", "The JSON begins with a byte order mark, which glTF forbids; it is skipped.");
    }
    let end = json.iter().rposition(|&byte| byte != 0).map_or(start, |last| last + 1);
    if end < json.len() {
        findings.error("INVALID_JSON", "", "The JSON ends with NUL bytes instead of spaces; they are ignored.");
    }
    start..end
}

/// Splits a GLB: a header of 12 bytes (magic, version, length), then chunks of length, type and data. All numbers are
/// little-endian `u32`. A declared length that ends inside a chunk, or at most 7 bytes after the file, is reported and ignored.
fn split_glb(bytes: &[u8], findings: &mut Findings) -> Result<GlbParts, ContainerProblem> {
    let number_at = |offset: usize| bytes.get(offset..offset + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let version = number_at(4).ok_or(ContainerProblem::Header)?;
    if version != 2 {
        return Err(ContainerProblem::Version(version));
    }
    let declared = number_at(8).ok_or(ContainerProblem::Header)?;
    let end = declared as usize;
    let truncated = || ContainerProblem::Length { declared, found: bytes.len() };
    // The missing bytes could be a chunk.
    if end >= bytes.len() + CHUNK_HEADER_BYTES {
        return Err(truncated());
    }

    let mut parts = GlbParts { json: 0..0, bin: None };
    let mut offset = HEADER_BYTES;
    // Fewer bytes than a chunk's header has are no chunk. A declared length that ends inside a chunk or its header is wrong, so a binary
    // chunk behind it is read.
    let is_bin = |offset: usize| bytes.get(offset + 4..offset + CHUNK_HEADER_BYTES) == Some(BIN);
    while offset == HEADER_BYTES && offset < end
        || offset + CHUNK_HEADER_BYTES <= end.min(bytes.len())
        || end != offset && parts.bin.is_none() && is_bin(offset)
    {
        let (Some(length), Some(kind)) = (number_at(offset), bytes.get(offset + 4..offset + 8)) else {
            return Err(ContainerProblem::Chunk { offset });
        };
        let chunk = offset + CHUNK_HEADER_BYTES..(offset + CHUNK_HEADER_BYTES).saturating_add(length as usize);
        if chunk.end > bytes.len() {
            return Err(if end > bytes.len() { truncated() } else { ContainerProblem::Chunk { offset } });
        }
        match kind {
            _ if offset == HEADER_BYTES && kind != JSON => return Err(ContainerProblem::FirstChunk),
            _ if offset == HEADER_BYTES => parts.json = chunk.clone(),
            BIN if parts.bin.is_none() => parts.bin = Some(chunk.clone()),
            BIN | JSON => findings.error(
                "GLB_DUPLICATE_CHUNK",
                "",
                format!("The chunk at byte {offset} is ignored, because there is an earlier one of its kind."),
            ),
            _ => findings.warning("GLB_UNKNOWN_CHUNK_TYPE", "", format!("The chunk of unknown kind at byte {offset} is ignored.")),
        }
        offset = chunk.end;
    }
    if end > bytes.len() || end < offset {
        let message = format!("The header declares {}, but the chunks are complete and end at byte {offset}.", counted(end, "byte"));
        findings.error("GLB_LENGTH_MISMATCH", "", message);
    }
    if offset < bytes.len() {
        let extra = bytes.len() - offset;
        let message = format!("{} after the end of the GLB {} ignored.", counted(extra, "byte"), agreeing(extra, "is", "are"));
        findings.warning("GLB_EXTRA_DATA", "", message);
    }
    // If there is no chunk at all, the JSON chunk is missing. Otherwise, the first chunk is an empty JSON chunk.
    match parts.json.is_empty() {
        true if offset == HEADER_BYTES => Err(ContainerProblem::FirstChunk),
        true => Err(ContainerProblem::EmptyJson),
        false => Ok(parts),
    }
}

/// The first few bytes, escaped for a message.
fn beginning(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(12)].escape_ascii().to_string()
}
