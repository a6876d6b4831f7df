//! Buffers and buffer views: which bytes of the file (or of a file beside it) are meant. Bytes are shared, never copied.
//! Compressed views are decoded when they are first asked for, and once.

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::sync::Arc;

use gltf::json;

use crate::asset::accessor::compressed_view::{self, Compressed};
use crate::asset::error::{At, LoadError, Place, Problem, ViewProblem};
use crate::asset::findings::Findings;
use crate::codec::meshopt;

use super::progress::{Progress, Stage};
use super::uri::{Extent, Files};

/// A part of shared bytes.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    shared: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Bytes {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), shared: Arc::new(bytes) }
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.shared[self.range.clone()]
    }

    /// `length` bytes from `offset`, if there are so many.
    pub fn part(&self, offset: u64, length: u64) -> Option<Self> {
        let end = offset.checked_add(length).filter(|&end| end <= self.range.len() as u64)?;
        let range = self.range.start + offset as usize..self.range.start + end as usize;
        Some(Self { shared: self.shared.clone(), range })
    }
}

#[derive(Debug, Default)]
pub struct Buffers {
    /// In the file's order; none where a buffer has no data of its own (the fallback of a compressed one).
    buffers: Vec<Option<Bytes>>,
    /// For each view, what a compressed one was decoded to.
    decoded: Vec<OnceCell<Result<Bytes, ViewProblem>>>,
    /// All of these together.
    decoded_bytes: Cell<u64>,
}

impl Buffers {
    /// Reads every buffer: the GLB's chunk, `data:` URIs, files beside this one.
    pub fn read(
        root: &json::Root,
        bin: Option<Bytes>,
        files: &mut Files,
        progress: &Progress,
        findings: &mut Findings,
    ) -> Result<Self, LoadError> {
        progress.begin(Stage::Buffers)?;
        let mut buffers = Vec::with_capacity(root.buffers.len());
        let most = root.buffers.iter().map(|buffer| buffer.byte_length.0).max().unwrap_or(0);
        for (index, buffer) in root.buffers.iter().enumerate() {
            let place = Place::new("buffer", "buffers", index, buffer.name.as_deref());
            let wanted = buffer.byte_length.0;
            let whole = match &buffer.uri {
                _ if compressed_view::is_fallback(buffer) => None,
                Some(uri) => Some(files.read(uri, Extent::Beginning { now: wanted, most }).map_err(Problem::Uri).at(&place)?),
                None if index == 0 => bin.clone(),
                None => None,
            };
            let Some(whole) = whole else {
                buffers.push(None);
                continue;
            };
            let found = whole.range.len() as u64;
            let part = whole.part(0, wanted).ok_or(Problem::BufferTooShort { found, wanted }).at(&place)?;
            // A GLB's chunk is padded to a multiple of four.
            if found > wanted.saturating_add(3) && buffer.uri.is_none() {
                let message = format!("The binary chunk has {found} bytes, the buffer {wanted}; the rest was ignored.");
                findings.warning("BUFFER_GLB_CHUNK_TOO_BIG", &place.pointer, message);
            }
            buffers.push(Some(part));
            progress.step(index + 1, root.buffers.len())?;
        }
        if bin.is_some() && root.buffers.first().is_none_or(|first| first.uri.is_some()) {
            findings.warning("GLB_UNEXPECTED_BIN_CHUNK", "", "No buffer uses the binary chunk.");
        }
        let decoded = vec![OnceCell::new(); root.buffer_views.len()];
        Ok(Self { buffers, decoded, decoded_bytes: Cell::new(0) })
    }

    /// The bytes of a buffer view, decompressed, and its stride.
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

    fn part(&self, view: usize, buffer: usize, offset: u64, length: u64) -> Result<Bytes, ViewProblem> {
        let bytes = self.buffers.get(buffer).ok_or(ViewProblem::NoBuffer { view, buffer })?;
        let bytes = bytes.as_ref().ok_or(ViewProblem::NoData { view, buffer })?;
        bytes.part(offset, length).ok_or(ViewProblem::PastBuffer { view, buffer })
    }

    /// What comes out is the view, however long the view says that it is: accessors are checked against it.
    fn decompress(&self, view: usize, compressed: Compressed) -> Result<Bytes, ViewProblem> {
        let stream = self.part(view, compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
        let decoded = compressed_view::charge(compressed.layout, self.decoded_bytes.get(), self.total_bytes()).and_then(|charged| {
            self.decoded_bytes.set(charged);
            Ok(meshopt::decode(compressed.layout, stream.as_slice())?)
        });
        decoded.map(Bytes::new).map_err(|problem| ViewProblem::Compressed { view, problem })
    }

    pub fn total_bytes(&self) -> u64 {
        self.buffers.iter().flatten().map(|bytes| bytes.range.len() as u64).sum()
    }
}
