//! Accesses eight elements of a slice, one per lane, with one bounds check for all of them. If each index is checked by itself, posing a
//! single character takes 5 % longer, and posing a crowd 10 %.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::Simd;

/// Eight indices, one per lane, that are checked against the length of a slice all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneIndices {
    indices: [u32; 8],
    /// The largest of `indices`.
    largest: u32,
}

impl LaneIndices {
    /// Stores the indices. [`Self::get`] and [`Self::get_mut`] check them.
    pub fn new(indices: [u32; 8]) -> Self {
        Self { indices, largest: indices.into_iter().fold(0, u32::max) }
    }

    /// The eight indices.
    pub fn indices(&self) -> &[u32; 8] {
        &self.indices
    }

    /// Returns the eight elements.
    ///
    /// # Panics
    ///
    /// Panics if any index is outside the slice.
    #[inline(always)]
    pub fn get<T>(self, slice: &[T]) -> [&T; 8] {
        assert!((self.largest as usize) < slice.len());
        let [a, b, c, d, e, f, g, h] = self.indices;
        // SAFETY: no index exceeds `largest` (both are private and set together), and the slice is longer than that.
        unsafe {
            [
                slice.get_unchecked(a as usize),
                slice.get_unchecked(b as usize),
                slice.get_unchecked(c as usize),
                slice.get_unchecked(d as usize),
                slice.get_unchecked(e as usize),
                slice.get_unchecked(f as usize),
                slice.get_unchecked(g as usize),
                slice.get_unchecked(h as usize),
            ]
        }
    }

    /// Returns the eight elements for writing, one at a time.
    ///
    /// # Panics
    ///
    /// Panics if any index is outside the slice.
    #[inline(always)]
    pub fn get_mut<T>(self, slice: &mut [T]) -> LaneElementsMut<'_, T> {
        assert!((self.largest as usize) < slice.len());
        LaneElementsMut { indices: self.indices, slice }
    }
}

/// Eight elements of a slice, one per lane.
pub struct LaneElementsMut<'a, T> {
    /// Each is below the length of the slice.
    indices: [u32; 8],
    slice: &'a mut [T],
}

impl<T> LaneElementsMut<'_, T> {
    /// The element of one lane (0 to 7).
    #[inline(always)]
    pub fn lane(&mut self, lane: usize) -> &mut T {
        // SAFETY: `LaneIndices::get_mut` created this and checked every index against the slice's length.
        unsafe { self.slice.get_unchecked_mut(self.indices[lane] as usize) }
    }
}

/// Up to eight consecutive chunks of a slice, of equal length, one per lane. The last chunk replaces missing ones.
pub struct LaneChunksMut<'a, T> {
    /// Pointers to the first elements of the chunks. Each chunk has `len` elements of the slice.
    starts: [*mut T; 8],
    len: usize,
    /// Distance in elements to the next eight chunks, which are prefetched; 0 if there are none.
    prefetch_distance: usize,
    slice: PhantomData<&'a mut [T]>,
}

impl<'a, T> LaneChunksMut<'a, T> {
    /// Takes the first `count` (1 to 8) chunks of `len` elements.
    ///
    /// # Panics
    ///
    /// Panics if `count` is out of range or the slice is shorter than the chunks.
    pub fn new(slice: &'a mut [T], len: usize, count: usize) -> Self {
        assert!(count > 0 && count <= 8 && len.checked_mul(count).is_some_and(|total| total <= slice.len()));
        let prefetch_distance = if slice.len() / 16 >= len { 8 * len } else { 0 };
        let start = slice.as_mut_ptr();
        // SAFETY: the chunk ends within the slice.
        let starts = std::array::from_fn(|chunk| unsafe { start.add(chunk.min(count - 1) * len) });
        Self { starts, len, prefetch_distance, slice: PhantomData }
    }

    /// Returns the element at `index` of every chunk, or `None` past their end.
    ///
    /// It also prefetches the same elements of the next eight chunks: if the slice does not fit into the processor's caches, loading them
    /// later would take longer than all other work.
    #[inline(always)]
    pub fn get<S: Simd>(&mut self, s: S, index: usize) -> Option<LaneChunkElements<'_, T>> {
        if index >= self.len {
            return None;
        }
        for chunk in 0..8 {
            s.prefetch(self.starts[chunk].wrapping_add(index + self.prefetch_distance));
        }
        Some(LaneChunkElements { starts: self.starts, index, slice: PhantomData })
    }
}

/// The element at one index of each of eight chunks.
pub struct LaneChunkElements<'a, T> {
    /// The chunks are longer than `index`.
    starts: [*mut T; 8],
    index: usize,
    slice: PhantomData<&'a mut [T]>,
}

impl<T> LaneChunkElements<'_, T> {
    /// The element of one lane (0 to 7).
    #[inline(always)]
    pub fn lane(&mut self, lane: usize) -> &mut T {
        // SAFETY: `LaneChunksMut::get` created this and checked the index against the chunks' length. The slice stays borrowed as
        // long as `self`, and `self` as long as the result.
        unsafe { &mut *self.starts[lane].add(self.index) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::simd::portable::Portable;

    #[test]
    #[should_panic(expected = "assertion")]
    fn an_index_beyond_the_slice_is_refused() {
        LaneIndices::new([0, 1, 2, 3, 4, 5, 6, 8]).get_mut(&mut [0; 8]);
    }

    #[test]
    fn eight_indices_reach_their_elements() {
        let mut numbers = [10, 11, 12, 13];
        let eight = LaneIndices::new([3, 1, 1, 0, 2, 2, 3, 3]);
        assert_eq!(eight.get(&numbers), [&13, &11, &11, &10, &12, &12, &13, &13]);
        *eight.get_mut(&mut numbers).lane(3) = 7;
        assert_eq!(numbers, [7, 11, 12, 13]);
    }

    #[test]
    fn the_last_chunk_replaces_missing_ones() {
        let mut numbers = [0; 7];
        let mut chunks = LaneChunksMut::new(&mut numbers, 2, 3);
        let mut elements = chunks.get(Portable, 1).expect("the chunks are that long");
        for lane in 0..8 {
            *elements.lane(lane) += 1;
        }
        assert!(chunks.get(Portable, 2).is_none());
        assert_eq!(numbers, [0, 1, 0, 1, 0, 6, 0]);
        assert!(LaneChunksMut::new(&mut numbers, 0, 1).get(Portable, 0).is_none());
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn chunks_beyond_the_slice_are_refused() {
        LaneChunksMut::new(&mut [0; 7], 2, 4);
    }
}
