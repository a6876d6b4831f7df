//! Ranges of shared bytes. Buffers, views and images are ranges of a file's bytes, without a copy.

use std::ops::Range;
use std::sync::Arc;

/// A range of shared bytes. Cloning is cheap; the bytes live as long as any range of them.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    shared: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Bytes {
    /// The range of all these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { range: 0..bytes.len(), shared: Arc::new(bytes) }
    }

    /// The bytes of the range.
    pub fn as_slice(&self) -> &[u8] {
        &self.shared[self.range.clone()]
    }

    /// The range of `length` bytes at `offset` in this range. `None` if it reaches past the end.
    pub fn part(&self, offset: u64, length: u64) -> Option<Self> {
        let end = offset.checked_add(length).filter(|&end| end <= self.range.len() as u64)?;
        let range = self.range.start + offset as usize..self.range.start + end as usize;
        Some(Self { shared: self.shared.clone(), range })
    }

    /// The same bytes, without keeping the rest of the shared bytes in memory. They are copied, unless the range covers all shared bytes.
    pub fn detached(&self) -> Self {
        if self.is_part() { Self::new(self.as_slice().to_vec()) } else { self.clone() }
    }

    /// Returns whether the range does not cover all shared bytes.
    pub fn is_part(&self) -> bool {
        self.range.len() < self.shared.len()
    }

    /// Address and length of the bytes. Equal ranges of the same shared bytes have the same.
    pub fn location(&self) -> (usize, usize) {
        (self.as_slice().as_ptr().addr(), self.len())
    }

    /// Number of bytes in the range.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }
}

/// Number of bytes in some ranges together. A byte in several ranges counts once.
pub fn distinct_bytes<'a>(ranges: impl Iterator<Item = &'a Bytes>) -> u64 {
    let mut locations: Vec<(usize, usize)> = ranges.map(Bytes::location).collect();
    locations.sort_unstable();
    let (mut count, mut counted_end) = (0, 0);
    for (start, length) in locations {
        let end = start + length;
        count += end.saturating_sub(start.max(counted_end)) as u64;
        counted_end = end.max(counted_end);
    }
    count
}
