//! The layout of a GLB as the validator sees it: header, chunks, their order and lengths. A broken one is read as far as it
//! goes, so that something can be said of its JSON, too.

use crate::asset::file::glb::Parts;
use crate::asset::findings::Findings;
use crate::model::finding::Severity;

const MAGIC: &[u8] = b"glTF";
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// A chunk's header and where its data lie.
struct Chunk {
    at: usize,
    kind: u32,
    length: usize,
}

/// What is said of a GLB has no place in the JSON.
struct Container<'a> {
    bytes: &'a [u8],
    findings: &'a mut Findings,
}

/// Whether the bytes are a GLB, or would be one with the right first bytes.
pub fn is_glb(bytes: &[u8]) -> bool {
    let says_all = |header: &[u8; 12]| header[4..8] == [2, 0, 0, 0] && header[8..] == (bytes.len() as u32).to_le_bytes();
    bytes.starts_with(MAGIC) || bytes.first_chunk().is_some_and(says_all)
}

/// Looks at the whole container; where its parts lie, as far as they can be made out.
pub fn check(bytes: &[u8], findings: &mut Findings) -> Parts {
    let mut container = Container { bytes, findings };
    let mut parts = Parts { json: 0..0, bin: None };
    let Some(end) = container.header() else { return parts };
    let (mut at, mut number, mut seen_json, mut seen_bin) = (12, 0, false, false);
    while at < end {
        let Some(chunk) = container.chunk(at, end) else { break };
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
                    container.error("GLB_UNEXPECTED_BIN_CHUNK", format!("The binary chunk at byte {at} is not the second one."));
                }
                parts.bin = Some(data.clone());
            }
            _ => {
                let message = format!("The chunk at byte {at} is of an unknown kind and was ignored.");
                container.findings.add(Severity::Warning, "GLB_UNKNOWN_CHUNK_TYPE", "", message);
            }
        }
        if number == 0 && chunk.kind != JSON {
            container.error("GLB_UNEXPECTED_FIRST_CHUNK", "The first chunk is not the JSON.".into());
        }
        (at, number) = (data.end.max(at + 8), number + 1);
    }
    parts
}

impl Container<'_> {
    fn error(&mut self, code: &'static str, message: String) {
        self.findings.add(Severity::Error, code, "", message);
    }

    fn duplicate(&mut self, chunk: &Chunk) {
        self.error("GLB_DUPLICATE_CHUNK", format!("A second chunk of the same kind at byte {} was ignored.", chunk.at));
    }

    fn word(&self, at: usize) -> Option<u32> {
        self.bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Returns where the chunks end.
    fn header(&mut self) -> Option<usize> {
        if !self.bytes.starts_with(MAGIC) {
            self.error("GLB_INVALID_MAGIC", "The first bytes are not those of a GLB.".into());
        }
        let (Some(version), Some(said)) = (self.word(4), self.word(8)) else {
            self.error("GLB_UNEXPECTED_END_OF_HEADER", "The header is cut off.".into());
            return None;
        };
        if version != 2 {
            self.error("GLB_INVALID_VERSION", format!("The GLB is of version {version}; this program reads version 2."));
            return None;
        }
        let (said, found) = (said as usize, self.bytes.len());
        if said < 20 {
            self.error("GLB_LENGTH_TOO_SMALL", format!("The header says {said} bytes, in which no chunk has room."));
        } else if said > found {
            self.error("GLB_LENGTH_MISMATCH", format!("The header says {said} bytes, the file has {found}."));
        } else if said < found {
            let message = format!("{} bytes after the end of the GLB were ignored.", found - said);
            self.findings.add(Severity::Warning, "GLB_EXTRA_DATA", "", message);
        }
        Some(said.min(found))
    }

    fn chunk(&mut self, at: usize, end: usize) -> Option<Chunk> {
        let (true, Some(length), Some(kind)) = (at + 8 <= end, self.word(at), self.word(at + 4)) else {
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", format!("The file ends in the header of the chunk at byte {at}."));
            return None;
        };
        let chunk = Chunk { at, kind, length: length as usize };
        if !chunk.length.is_multiple_of(4) {
            let message = format!("The chunk at byte {at} has {length} bytes, which is no multiple of 4.");
            self.error("GLB_CHUNK_LENGTH_UNALIGNED", message);
        }
        if chunk.length > end - at - 8 {
            let message = format!("The chunk at byte {at} has {length} bytes by its header, which the file does not hold.");
            self.error("GLB_CHUNK_TOO_BIG", message);
            self.error("GLB_UNEXPECTED_END_OF_CHUNK_DATA", format!("The file ends in the chunk at byte {at}."));
        }
        match (chunk.length, kind) {
            (0, JSON) => self.error("GLB_EMPTY_CHUNK", "The JSON chunk is empty.".into()),
            (0, BIN) => {
                self.findings.add(Severity::Info, "GLB_EMPTY_BIN_CHUNK", "", "The binary chunk is empty; leave it out instead.".into());
            }
            _ => {}
        }
        Some(chunk)
    }
}
