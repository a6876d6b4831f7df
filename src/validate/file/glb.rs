//! The layout of a GLB (glTF 2.0, 4.4): header, chunks, their order and lengths. A faulty GLB is read as far as possible, so
//! that its JSON can be checked, too.

use std::ops::Range;

use crate::asset::file::glb::{CHUNK_HEADER_BYTES, HEADER_BYTES, MAGIC};
use crate::asset::findings::Findings;
use crate::model::finding::Severity;
use crate::numbers::{agreeing, counted, grouped};

// The types of the chunks.
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Byte ranges of the chunks whose content can be checked.
#[derive(Debug, Default)]
pub struct Chunks {
    /// `None` if the JSON chunk is missing or truncated.
    pub json: Option<Range<usize>>,
    pub bin: Option<Range<usize>>,
}

/// The header of a chunk, and its position.
struct Chunk {
    /// The byte at which the header of the chunk begins.
    offset: usize,
    kind: u32,
    /// Length of the data after the header, in bytes, as declared.
    length: usize,
}

/// The bytes of a GLB, and the findings about them. These findings have no JSON pointer, because they are not about the JSON.
struct Container<'a> {
    bytes: &'a [u8],
    findings: &'a mut Findings,
}

/// Returns whether the bytes are a GLB. The magic number may be wrong if version and length are right.
pub fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || has_version_and_length(bytes)
}

/// Returns whether the header has version 2 and the length of the file.
fn has_version_and_length(bytes: &[u8]) -> bool {
    let is_right = |header: &[u8; HEADER_BYTES]| header[4..8] == [2, 0, 0, 0] && header[8..] == (bytes.len() as u32).to_le_bytes();
    bytes.first_chunk().is_some_and(is_right)
}

/// Checks the whole container. Returns the chunks, as far as they can be read.
pub fn check(bytes: &[u8], findings: &mut Findings) -> Chunks {
    let mut container = Container { bytes, findings };
    let mut chunks = Chunks::default();
    let Some(declared) = container.header() else { return chunks };
    let (mut offset, mut number, mut seen_json, mut seen_bin) = (HEADER_BYTES, 0, false, false);
    while offset < bytes.len() && offset != declared {
        let Some(chunk) = container.chunk(offset, declared) else { return chunks };
        // The data begins after the header of 8 bytes. It may be cut off by the end of the file.
        let start = offset + CHUNK_HEADER_BYTES;
        let end = start.saturating_add(chunk.length);
        let data = start..end.min(bytes.len());
        match chunk.kind {
            JSON if seen_json => container.duplicate(&chunk),
            JSON => {
                seen_json = true;
                // If the file ends inside the chunk, or after an empty chunk, there is no JSON to check. Both faults are already reported.
                chunks.json = (end <= bytes.len() && (chunk.length > 0 || end < bytes.len())).then_some(data);
            }
            BIN if seen_bin => container.duplicate(&chunk),
            BIN => {
                seen_bin = true;
                if number > 1 {
                    container.error("GLB_UNEXPECTED_BIN_CHUNK", format!("The binary chunk at byte {offset} is not the second chunk."));
                }
                chunks.bin = Some(data);
            }
            _ => container.warning("GLB_UNKNOWN_CHUNK_TYPE", format!("The chunk of unknown kind at byte {offset} is ignored.")),
        }
        // The first chunk must be JSON, the second one binary, if there is one.
        if number == 0 && chunk.kind != JSON {
            container.error("GLB_UNEXPECTED_FIRST_CHUNK", "The first chunk is not JSON.".into());
        }
        (offset, number) = (end, number + 1);
    }
    container.check_length(offset, declared);
    chunks
}

impl Container<'_> {
    /// Reports an error.
    fn error(&mut self, code: &'static str, message: String) {
        self.findings.add(Severity::Error, code, "", message);
    }

    /// Reports a warning.
    fn warning(&mut self, code: &'static str, message: String) {
        self.findings.add(Severity::Warning, code, "", message);
    }

    /// Reports a chunk for which there is an earlier one of the same kind.
    fn duplicate(&mut self, chunk: &Chunk) {
        self.error(
            "GLB_DUPLICATE_CHUNK",
            format!("The chunk at byte {} is ignored, because there is an earlier one of its kind.", chunk.offset),
        );
    }

    /// Reads a little-endian number of 32 bits at an offset in bytes. `None` if the file ends before it.
    fn u32(&self, offset: usize) -> Option<u32> {
        self.bytes.get(offset..offset + 4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Checks the header. Returns the declared length of the file in bytes, or `None` if there is no header of version 2.
    fn header(&mut self) -> Option<usize> {
        let (Some(version), Some(declared)) = (self.u32(4), self.u32(8)) else {
            self.error("GLB_UNEXPECTED_END_OF_HEADER", "The header is truncated.".into());
            return None;
        };
        if !self.bytes.starts_with(MAGIC) {
            self.error("GLB_INVALID_MAGIC", "The file does not begin with \"glTF\".".into());
            if !has_version_and_length(self.bytes) {
                return None;
            }
        }
        if version != 2 {
            self.error("GLB_INVALID_VERSION", format!("GLB version {version} is not supported (expected 2)."));
            return None;
        }
        if declared as usize <= HEADER_BYTES {
            let declared = counted(declared as usize, "byte");
            self.error("GLB_LENGTH_TOO_SMALL", format!("The declared length of {declared} is too small for a chunk."));
        }
        Some(declared as usize)
    }

    /// Checks the declared length of the file against the end of the last chunk. Does nothing if that chunk is truncated, which is already
    /// reported.
    fn check_length(&mut self, end: usize, declared: usize) {
        let actual = self.bytes.len();
        if end == declared && end < actual {
            let extra = actual - declared;
            let message = format!("{} after the end of the GLB {} ignored.", counted(extra, "byte"), agreeing(extra, "is", "are"));
            self.warning("GLB_EXTRA_DATA", message);
        } else if end == actual && end != declared {
            let (actual, declared) = (grouped(actual), grouped(declared));
            self.error("GLB_LENGTH_MISMATCH", format!("The file has {actual} bytes, but declares {declared}."));
        }
    }

    /// Checks the header of the chunk at `offset`. `None` if it is truncated.
    fn chunk(&mut self, offset: usize, declared: usize) -> Option<Chunk> {
        let (Some(length), Some(kind)) = (self.u32(offset), self.u32(offset + 4)) else {
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", format!("The file ends in the header of the chunk at byte {offset}."));
            return None;
        };
        let chunk = Chunk { offset, kind, length: length as usize };
        let end = (offset + CHUNK_HEADER_BYTES).saturating_add(chunk.length);
        let length = counted(chunk.length, "byte");
        if !chunk.length.is_multiple_of(4) {
            let message = format!("The chunk at byte {offset} has {length}, which is not a multiple of 4.");
            self.error("GLB_CHUNK_LENGTH_UNALIGNED", message);
        }
        if end > declared {
            let message = format!("The chunk at byte {offset} has {length}, which is more than the file declares.");
            self.error("GLB_CHUNK_TOO_BIG", message);
        }
        if end > self.bytes.len() {
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_DATA", format!("The file ends in the chunk at byte {offset}."));
        }
        match (chunk.length, kind) {
            (0, JSON) => self.error("GLB_EMPTY_CHUNK", "The JSON chunk is empty.".into()),
            (0, BIN) => {
                self.findings.add(Severity::Info, "GLB_EMPTY_BIN_CHUNK", "", "The binary chunk is empty; omit it instead.".into());
            }
            _ => {}
        }
        Some(chunk)
    }
}
