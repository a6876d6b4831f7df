//! The GLB container (glTF 2.0, 4.4): finds the JSON and the binary chunk in the bytes of a file, without copying.

use std::ops::Range;

use crate::asset::error::{ContainerProblem, LoadError};
use crate::asset::findings::Findings;

use super::foreign;

/// Byte ranges of a file's JSON and binary chunk.
#[derive(Debug, PartialEq, Eq)]
pub struct GlbParts {
    /// The JSON: the JSON chunk of a GLB, or the whole .gltf file.
    pub json: Range<usize>,
    /// The binary chunk of a GLB. `None` for a .gltf file, or a GLB without one.
    pub bin: Option<Range<usize>>,
}

// The magic number of the header, and the types of the chunks (glTF 2.0, 4.4.2 and 4.4.3).
const MAGIC: &[u8] = b"glTF";
const JSON: &[u8] = b"JSON";
const BIN: &[u8] = b"BIN\0";

/// Finds the JSON and the binary chunk. A file that does not begin like a GLB is taken for JSON. Errors if the bytes are
/// neither, naming the format if it is known.
pub fn split(bytes: &[u8], findings: &mut Findings) -> Result<GlbParts, LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    if bytes.starts_with(MAGIC) {
        return match split_glb(bytes, findings) {
            Err(ContainerProblem::Version(1)) => Err(foreign::glb_1()),
            parts => parts.map_err(LoadError::Container),
        };
    }
    // The byte order mark of UTF-8.
    let start = if bytes.starts_with(b"\xef\xbb\xbf") {
        findings.error("INVALID_JSON", "", "The JSON begins with a byte order mark, which glTF forbids; it is skipped.");
        3
    } else {
        0
    };
    let json = &bytes[start..];
    if let Some(error) = foreign::recognize(json) {
        return Err(error);
    }
    // Whatever may begin JSON goes to the JSON parser, which has the better message.
    match json.trim_ascii_start() {
        [] | [b'{' | b'[' | b'"', ..] => Ok(GlbParts { json: start..bytes.len(), bin: None }),
        other => Err(LoadError::Unknown { beginning: beginning(other) }),
    }
}

/// Splits a GLB: a header of 12 bytes (magic, version, length), then chunks of length, type and data. All numbers are
/// little-endian `u32`.
fn split_glb(bytes: &[u8], findings: &mut Findings) -> Result<GlbParts, ContainerProblem> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let version = word(4).ok_or(ContainerProblem::Header)?;
    if version != 2 {
        return Err(ContainerProblem::Version(version));
    }
    let declared = word(8).ok_or(ContainerProblem::Header)?;
    let end = declared as usize;
    if end > bytes.len() {
        return Err(ContainerProblem::Length { declared, found: bytes.len() });
    }
    if end < bytes.len() {
        let message = format!("{} bytes after the end of the GLB are ignored.", bytes.len() - end);
        findings.warning("GLB_EXTRA_DATA", "", message);
    }

    let mut parts = GlbParts { json: 0..0, bin: None };
    let mut at = 12;
    while at < end {
        let (Some(length), Some(kind)) = (word(at), bytes.get(at + 4..at + 8)) else { return Err(ContainerProblem::Chunk { at }) };
        let chunk = at + 8..(at + 8).saturating_add(length as usize);
        if chunk.end > end {
            return Err(ContainerProblem::Chunk { at });
        }
        match kind {
            _ if at == 12 && kind != JSON => return Err(ContainerProblem::FirstChunk),
            _ if at == 12 => parts.json = chunk.clone(),
            BIN if parts.bin.is_none() => parts.bin = Some(chunk.clone()),
            BIN | JSON => findings.error("GLB_DUPLICATE_CHUNK", "", format!("The second chunk of its kind at byte {at} is ignored.")),
            _ => findings.warning("GLB_UNKNOWN_CHUNK_TYPE", "", format!("The chunk of unknown kind at byte {at} is ignored.")),
        }
        at = chunk.end;
    }
    // A JSON chunk is missing if there is no chunk at all, and empty if it was read.
    match parts.json.is_empty() {
        true if at == 12 => Err(ContainerProblem::FirstChunk),
        true => Err(ContainerProblem::EmptyJson),
        false => Ok(parts),
    }
}

/// The first few bytes, escaped for a message.
fn beginning(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(12)].escape_ascii().to_string()
}
