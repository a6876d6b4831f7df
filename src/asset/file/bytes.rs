//! Ranges of shared bytes. Buffers, views and images are cut from a file's bytes without copying.

use std::ops::Range;
use std::sync::Arc;

/// A range of shared bytes. Cloning is cheap; the bytes live as long as any range of them.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    shared: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Bytes {
    /// All of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), shared: Arc::new(bytes) }
    }

    /// The bytes of the range.
    pub fn as_slice(&self) -> &[u8] {
        &self.shared[self.range.clone()]
    }

    /// `length` bytes from `offset`, relative to this range. `None` if there are fewer.
    pub fn part(&self, offset: u64, length: u64) -> Option<Self> {
        let end = offset.checked_add(length).filter(|&end| end <= self.range.len() as u64)?;
        let range = self.range.start + offset as usize..self.range.start + end as usize;
        Some(Self { shared: self.shared.clone(), range })
    }

    /// The bytes of the range apart from the shared ones, which are copied unless they are all of these.
    pub fn detached(&self) -> Self {
        if self.is_part() { Self::new(self.as_slice().to_vec()) } else { self.clone() }
    }

    /// Returns whether the shared bytes are more than the range.
    pub fn is_part(&self) -> bool {
        self.range.len() < self.shared.len()
    }

    /// Number of bytes in the range.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}
