//! The outermost layer: what kind of file the bytes are, and where the JSON and the binary chunk of a GLB lie in it
//! (glTF 2.0, 4.4).

use std::ops::Range;

use thiserror::Error;

use crate::asset::error::LoadError;
use crate::asset::findings::Findings;

use super::foreign;

/// Where the parts of a file lie in its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts {
    pub json: Range<usize>,
    /// The GLB's own buffer.
    pub bin: Option<Range<usize>>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum ContainerProblem {
    #[error("the header is cut off")]
    Header,
    #[error("version {0}; this program reads version 2")]
    Version(u32),
    #[error("the header says {said} bytes, the file has {found}")]
    Length { said: u32, found: usize },
    #[error("the first chunk is not the JSON")]
    FirstChunk,
    #[error("the JSON chunk is empty")]
    EmptyJson,
    #[error("the chunk at byte {at} reaches past the end of the file")]
    Chunk { at: usize },
}

const MAGIC: &[u8] = b"glTF";
const JSON: &[u8] = b"JSON";
const BIN: &[u8] = b"BIN\0";

/// Finds the JSON and the binary chunk. What is neither JSON nor GLB is refused by its name.
pub fn split(bytes: &[u8], findings: &mut Findings) -> Result<Parts, LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    if bytes.starts_with(MAGIC) {
        return match split_glb(bytes, findings) {
            Err(ContainerProblem::Version(1)) => Err(foreign::glb_1()),
            parts => parts.map_err(LoadError::Container),
        };
    }
    let start = if bytes.starts_with(b"\xef\xbb\xbf") {
        findings.error("INVALID_JSON", "", "The JSON begins with a byte order mark, which glTF forbids; it was skipped.");
        3
    } else {
        0
    };
    let json = &bytes[start..];
    if let Some(error) = foreign::recognise(json) {
        return Err(error);
    }
    match json.trim_ascii_start() {
        [] | [b'{' | b'[' | b'"', ..] => Ok(Parts { json: start..bytes.len(), bin: None }),
        other => Err(LoadError::Unknown { beginning: beginning(other) }),
    }
}

fn split_glb(bytes: &[u8], findings: &mut Findings) -> Result<Parts, ContainerProblem> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    let version = word(4).ok_or(ContainerProblem::Header)?;
    if version != 2 {
        return Err(ContainerProblem::Version(version));
    }
    let said = word(8).ok_or(ContainerProblem::Header)?;
    let end = said as usize;
    if end > bytes.len() {
        return Err(ContainerProblem::Length { said, found: bytes.len() });
    }
    if end < bytes.len() {
        let message = format!("{} bytes after the end of the GLB were ignored.", bytes.len() - end);
        findings.warning("GLB_EXTRA_DATA", "", message);
    }

    let mut parts = Parts { json: 0..0, bin: None };
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
            BIN | JSON => findings.error("GLB_DUPLICATE_CHUNK", "", format!("A second chunk of the same kind at byte {at} was ignored.")),
            _ => findings.warning("GLB_UNKNOWN_CHUNK_TYPE", "", format!("The chunk at byte {at} is of an unknown kind and was ignored.")),
        }
        at = chunk.end;
    }
    match parts.json.is_empty() {
        true if at == 12 => Err(ContainerProblem::FirstChunk),
        true => Err(ContainerProblem::EmptyJson),
        false => Ok(parts),
    }
}

/// The first few bytes, for a message.
fn beginning(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(12)].escape_ascii().to_string()
}
