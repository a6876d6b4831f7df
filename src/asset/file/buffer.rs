//! Buffers and buffer views (glTF 2.0, 3.6.1): ranges of shared bytes, never copied. A compressed view is decoded once, when
//! it is first read.

use std::cell::{Cell, OnceCell};

use gltf::json;

use crate::asset::accessor::compressed_view::{self, CompressedView};
use crate::asset::error::{At, LoadError, Location, Problem, ViewProblem};
use crate::asset::findings::Findings;
use crate::codec::meshopt;
use crate::numbers::grouped;

use super::bytes::{Bytes, distinct_bytes};
use super::progress::{Progress, Stage};
use super::uri::{self, Extent, Files};

/// The buffers of a file.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The data of each buffer, in the file's order. `None` for a buffer without data: the fallback of a compressed buffer, or a buffer
    /// with neither a URI nor a binary chunk.
    buffers: Vec<Option<Bytes>>,
    /// The decoded data of each compressed view, one cell per buffer view. Cells are used because accessors read views through a
    /// shared reference.
    decoded: Vec<OnceCell<Result<Bytes, ViewProblem>>>,
    /// Size of all decoded views together, in bytes.
    decoded_bytes: Cell<u64>,
    /// The result of [`stored_bytes`] for these buffers.
    stored_bytes: u64,
}

impl Buffers {
    /// Reads every buffer: the binary chunk of a GLB, `data:` URIs and external files. Returns an error if a buffer cannot be read or is
    /// shorter than it declares.
    pub fn read(
        root: &json::Root,
        bin: Option<Bytes>,
        files: &mut Files,
        progress: &Progress,
        findings: &mut Findings,
    ) -> Result<Self, LoadError> {
        progress.start(Stage::Buffers)?;
        let mut buffers = Vec::with_capacity(root.buffers.len());
        // Several buffers may be parts of one file. It is read once, up to the end of the longest buffer.
        let longest = root.buffers.iter().map(|buffer| buffer.byte_length.0).max().unwrap_or(0);
        for (index, buffer) in root.buffers.iter().enumerate() {
            let location = Location::new("buffer", "buffers", index, buffer.name.as_deref());
            let wanted = buffer.byte_length.0;
            let whole = match &buffer.uri {
                _ if compressed_view::is_fallback(buffer) => None,
                Some(uri) => Some(files.read(uri, Extent::Beginning { min: wanted, max: longest }).map_err(Problem::Uri).at(&location)?),
                // Only the first buffer can be the binary chunk (glTF 2.0, 3.6.1.2).
                None if index == 0 => bin.clone(),
                None => None,
            };
            let Some(whole) = whole else {
                buffers.push(None);
                continue;
            };
            let found = whole.len() as u64;
            let part = whole.part(0, wanted).ok_or(Problem::BufferTooShort { found, wanted }).at(&location)?;
            // The chunk of a GLB is padded to a multiple of four bytes.
            if found > wanted.saturating_add(3) && buffer.uri.is_none() {
                let (actual, declared) = (grouped(found), grouped(wanted));
                let message = format!("The binary chunk has {actual} bytes, but the buffer has {declared}; the rest is ignored.");
                findings.warning("BUFFER_GLB_CHUNK_TOO_BIG", &location.pointer, message);
            }
            if let Some(uri) = &buffer.uri {
                uri::report_backslashes(findings, uri, &location);
            }
            buffers.push(Some(part));
            progress.step(index + 1, root.buffers.len())?;
        }
        if bin.is_some() && root.buffers.first().is_none_or(|buffer| buffer.uri.is_some()) {
            findings.warning("GLB_UNEXPECTED_BIN_CHUNK", "", "No buffer uses the binary chunk.");
        }
        let decoded = vec![OnceCell::new(); root.buffer_views.len()];
        let stored_bytes = stored_bytes(&buffers, files);
        Ok(Self { buffers, decoded, decoded_bytes: Cell::new(0), stored_bytes })
    }

    /// The decompressed data of a buffer view, and its stride in bytes (`None` if elements are tightly packed). Returns an error if
    /// the view or its buffer does not exist, the view reaches past the buffer, or it cannot be decompressed.
    pub fn view(&self, root: &json::Root, view: usize) -> Result<(Bytes, Option<usize>), ViewProblem> {
        let count = root.buffer_views.len();
        let (Some(json), Some(decoded)) = (root.buffer_views.get(view), self.decoded.get(view)) else {
            return Err(ViewProblem::Missing { view, count });
        };
        let bytes = match compressed_view::read(json) {
            None => self.part(view, json.buffer.value(), json.byte_offset.map_or(0, |offset| offset.0), json.byte_length.0)?,
            Some(compressed) => decoded
                .get_or_init(|| {
                    let compressed = compressed.map_err(|problem| ViewProblem::Compressed { view, problem })?;
                    self.decompress(view, compressed)
                })
                .clone()?,
        };
        Ok((bytes, json.byte_stride.map(|stride| stride.0)))
    }

    /// A range of a buffer's bytes.
    fn part(&self, view: usize, buffer: usize, offset: u64, length: u64) -> Result<Bytes, ViewProblem> {
        let bytes = self.buffers.get(buffer).ok_or(ViewProblem::NoBuffer { view, buffer })?;
        let bytes = bytes.as_ref().ok_or(ViewProblem::NoData { view, buffer })?;
        bytes.part(offset, length).ok_or(ViewProblem::PastBuffer { view, buffer })
    }

    /// Decompresses a view. The view may declare a length that differs from the length of the result: accessors are checked against the
    /// result.
    fn decompress(&self, view: usize, compressed: CompressedView) -> Result<Bytes, ViewProblem> {
        let stream = self.part(view, compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
        let decoded = compressed_view::charge(compressed.layout, self.decoded_bytes.get(), self.stored_bytes).and_then(|decoded_bytes| {
            self.decoded_bytes.set(decoded_bytes);
            Ok(meshopt::decode(compressed.layout, stream.as_slice())?)
        });
        decoded.map(Bytes::new).map_err(|problem| ViewProblem::Compressed { view, problem })
    }

    /// The result of [`stored_bytes`] for these buffers.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }
}

/// Number of bytes that buffers take where they are stored, which limits what may be unpacked from them. Bytes that buffers share count
/// once, and in an archive, at most the bytes of the archive count.
pub fn stored_bytes(buffers: &[Option<Bytes>], files: &Files) -> u64 {
    distinct_bytes(buffers.iter().flatten()).min(files.archive_bytes().unwrap_or(u64::MAX))
}
