//! The layout of a GLB (glTF 2.0, 4.4): header, chunks, their order and lengths. A faulty GLB is read as far as possible, so
//! that its JSON can be checked, too.

use crate::asset::error::grouped;
use crate::asset::file::glb::GlbParts;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

// The magic number of the header, and the types of the chunks.
const MAGIC: &[u8] = b"glTF";
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The header of a chunk, and its position.
struct Chunk {
    /// The byte at which the header of the chunk begins.
    at: usize,
    kind: u32,
    /// Length of the data after the header, in bytes, as declared.
    length: usize,
}

/// The bytes of a GLB, and findings about it. These have no JSON pointer, because they are about bytes.
struct Container<'a> {
    bytes: &'a [u8],
    findings: &'a mut Findings,
}

/// Returns whether the bytes are a GLB. The magic number may be wrong if version and length are right.
pub fn is_glb(bytes: &[u8]) -> bool {
    let says_all = |header: &[u8; 12]| header[4..8] == [2, 0, 0, 0] && header[8..] == (bytes.len() as u32).to_le_bytes();
    bytes.starts_with(MAGIC) || bytes.first_chunk().is_some_and(says_all)
}

/// Checks the whole container. Returns the ranges of its chunks, as far as they can be read.
pub fn check(bytes: &[u8], findings: &mut Findings) -> GlbParts {
    let mut container = Container { bytes, findings };
    let mut parts = GlbParts { json: 0..0, bin: None };
    let Some(end) = container.header() else { return parts };
    let (mut at, mut number, mut seen_json, mut seen_bin) = (12, 0, false, false);
    while at < end {
        let Some(chunk) = container.chunk(at, end) else { break };
        // The data begins after the header of 8 bytes. It may be cut off by the end of the file.
        let data = at + 8..(at + 8).saturating_add(chunk.length).min(bytes.len());
        match chunk.kind {
            JSON if seen_json => container.duplicate(&chunk),
            JSON => {
                seen_json = true;
                parts.json = data.clone();
            }
            BIN if seen_bin => container.duplicate(&chunk),
            BIN => {
                seen_bin = true;
                if number > 1 {
                    container.error("GLB_UNEXPECTED_BIN_CHUNK", format!("The binary chunk at byte {at} is not the second chunk."));
                }
                parts.bin = Some(data.clone());
            }
            _ => {
                let message = format!("The chunk of unknown kind at byte {at} is ignored.");
                container.findings.add(Severity::Warning, "GLB_UNKNOWN_CHUNK_TYPE", "", message);
            }
        }
        // The first chunk must be JSON, the second one binary, if there is one.
        if number == 0 && chunk.kind != JSON {
            container.error("GLB_UNEXPECTED_FIRST_CHUNK", "The first chunk is not JSON.".into());
        }
        (at, number) = (data.end.max(at + 8), number + 1);
    }
    parts
}

impl Container<'_> {
    fn error(&mut self, code: &'static str, message: String) {
        self.findings.add(Severity::Error, code, "", message);
    }

    /// Reports a chunk of a kind that was there already.
    fn duplicate(&mut self, chunk: &Chunk) {
        self.error("GLB_DUPLICATE_CHUNK", format!("The second chunk of its kind at byte {} is ignored.", chunk.at));
    }

    /// A little-endian number.
    fn word(&self, at: usize) -> Option<u32> {
        self.bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Checks the header. Returns the end of the chunks, or `None` if there is no header of version 2.
    fn header(&mut self) -> Option<usize> {
        if !self.bytes.starts_with(MAGIC) {
            self.error("GLB_INVALID_MAGIC", "The file does not begin with \"glTF\".".into());
        }
        let (Some(version), Some(declared)) = (self.word(4), self.word(8)) else {
            self.error("GLB_UNEXPECTED_END_OF_HEADER", "The header is truncated.".into());
            return None;
        };
        if version != 2 {
            self.error("GLB_INVALID_VERSION", format!("GLB version {version} is not supported (expected 2)."));
            return None;
        }
        let (declared, found) = (declared as usize, self.bytes.len());
        if declared < 20 {
            self.error("GLB_LENGTH_TOO_SMALL", format!("The declared length of {declared} bytes is too small for a chunk."));
        } else if declared > found {
            self.error(
                "GLB_LENGTH_MISMATCH",
                format!("The file is truncated: {} of {} bytes.", grouped(found as u64), grouped(declared as u64)),
            );
        } else if declared < found {
            let message = format!("{} bytes after the end of the GLB are ignored.", found - declared);
            self.findings.add(Severity::Warning, "GLB_EXTRA_DATA", "", message);
        }
        Some(declared.min(found))
    }

    /// Checks the header of the chunk at `at`. `None` if it is truncated.
    fn chunk(&mut self, at: usize, end: usize) -> Option<Chunk> {
        let (true, Some(length), Some(kind)) = (at + 8 <= end, self.word(at), self.word(at + 4)) else {
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", format!("The file ends in the header of the chunk at byte {at}."));
            return None;
        };
        let chunk = Chunk { at, kind, length: length as usize };
        if !chunk.length.is_multiple_of(4) {
            let message = format!("The chunk at byte {at} has {length} bytes, which is not a multiple of 4.");
            self.error("GLB_CHUNK_LENGTH_UNALIGNED", message);
        }
        if chunk.length > end - at - 8 {
            let message = format!("The chunk at byte {at} declares {length} bytes, more than the file has.");
            self.error("GLB_CHUNK_TOO_BIG", message);
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_DATA", format!("The file ends in the chunk at byte {at}."));
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
