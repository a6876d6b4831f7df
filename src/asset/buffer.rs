//! Buffers and buffer views: which bytes of the file (or of a file beside it) are meant. Bytes are shared, never copied.

use std::ops::Range;
use std::sync::Arc;

use gltf::json;

use super::error::{At, LoadError, Place, Problem, ViewProblem};
use super::findings::Findings;
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
        Ok(Self { buffers })
    }

    /// The bytes of a buffer view, and its stride.
    pub fn view(&self, root: &json::Root, view: usize) -> Result<(Bytes, Option<usize>), ViewProblem> {
        let json = root.buffer_views.get(view).ok_or(ViewProblem::Missing { view, count: root.buffer_views.len() })?;
        let buffer = json.buffer.value();
        let bytes = self.buffers.get(buffer).ok_or(ViewProblem::NoBuffer { view, buffer })?;
        let bytes = bytes.as_ref().ok_or(ViewProblem::NoData { view, buffer })?;
        let offset = json.byte_offset.map_or(0, |offset| offset.0);
        let part = bytes.part(offset, json.byte_length.0).ok_or(ViewProblem::PastBuffer { view, buffer })?;
        Ok((part, json.byte_stride.map(|stride| stride.0)))
    }

    pub fn total_bytes(&self) -> u64 {
        self.buffers.iter().flatten().map(|bytes| bytes.range.len() as u64).sum()
    }
}
