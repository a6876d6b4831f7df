//! Accesses eight elements, one per lane, with one bounds check for all of them: elements of a slice at any indices, elements at the same
//! index of eight slices, or of eight consecutive chunks of a slice. If each index is checked by itself, posing a single character takes
//! 5 % longer, and posing a crowd 10 %.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use bytemuck::Pod;

use super::Simd;

/// The indices of eight elements of a slice, one per lane, that are checked against the length of the slice all at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaneIndices<T> {
    /// Distances of the elements from the start of the slice, in units of 8 bytes: processors multiply an offset by 8 without an
    /// instruction for it, but not by the size of most elements.
    offsets: [u32; 8],
    /// The largest of the eight indices.
    largest: u32,
    elements: PhantomData<T>,
}

impl<T> LaneIndices<T> {
    /// The size of an element, in units of 8 bytes.
    const UNITS: u32 = {
        assert!(size_of::<T>() > 0 && size_of::<T>().is_multiple_of(8));
        (size_of::<T>() / 8) as u32
    };

    /// Stores the indices. [`Self::get`] and the other methods check them.
    ///
    /// # Panics
    ///
    /// Panics if an element at one of the indices would be more than 32 GiB from the start of its slice.
    #[inline(always)]
    pub fn new(indices: [u32; 8]) -> Self {
        let largest = indices.into_iter().fold(0, u32::max);
        assert!(largest <= u32::MAX / Self::UNITS);
        Self { offsets: indices.map(|index| index * Self::UNITS), largest, elements: PhantomData }
    }

    /// Returns the eight elements.
    ///
    /// # Panics
    ///
    /// Panics if any index is outside the slice.
    #[inline(always)]
    pub fn get(self, slice: &[T]) -> [&T; 8] {
        assert!((self.largest as usize) < slice.len());
        let [a, b, c, d, e, f, g, h] = self.offsets;
        let start = slice.as_ptr();
        // SAFETY: no index exceeds `largest` (offsets and `largest` are private and set together), and the slice is longer than that.
        unsafe {
            [
                &*start.byte_add(8 * a as usize),
                &*start.byte_add(8 * b as usize),
                &*start.byte_add(8 * c as usize),
                &*start.byte_add(8 * d as usize),
                &*start.byte_add(8 * e as usize),
                &*start.byte_add(8 * f as usize),
                &*start.byte_add(8 * g as usize),
                &*start.byte_add(8 * h as usize),
            ]
        }
    }

    /// Returns the eight elements for writing, one at a time.
    ///
    /// # Panics
    ///
    /// Panics if any index is outside the slice.
    #[inline(always)]
    pub fn get_mut(self, slice: &mut [T]) -> LaneElementsMut<'_, T> {
        assert!((self.largest as usize) < slice.len());
        LaneElementsMut { offsets: self.offsets, slice }
    }

    /// Views a slice as elements of type `T`, and returns `N` of them from each index on, one lane at a time.
    ///
    /// # Panics
    ///
    /// Panics if any of these elements is outside the slice.
    #[inline(always)]
    pub fn windows<U: Pod, const N: usize>(self, slice: &mut [U]) -> LaneWindows<'_, T, U, N>
    where
        T: Pod,
    {
        const { assert!(align_of::<U>() >= align_of::<T>()) };
        assert!(self.largest as usize + N <= size_of_val(slice) / size_of::<T>());
        LaneWindows { offsets: self.offsets, slice, elements: PhantomData }
    }
}

/// Eight elements of a slice, one per lane.
pub struct LaneElementsMut<'a, T> {
    /// In units of 8 bytes. Each is the offset of an element of the slice.
    offsets: [u32; 8],
    slice: &'a mut [T],
}

impl<T> LaneElementsMut<'_, T> {
    /// The element of one lane (0 to 7).
    #[inline(always)]
    pub fn lane(&mut self, lane: usize) -> &mut T {
        // SAFETY: `LaneIndices::get_mut` created this and checked every index against the slice's length.
        unsafe { &mut *self.slice.as_mut_ptr().byte_add(8 * self.offsets[lane] as usize) }
    }
}

/// `N` consecutive elements of type `T` per lane, in a slice of another type. Lanes may overlap.
pub struct LaneWindows<'a, T, U, const N: usize> {
    /// In units of 8 bytes. Each is a multiple of the size of `T`, and the slice has `N` elements of this type from there on.
    offsets: [u32; 8],
    slice: &'a mut [U],
    elements: PhantomData<T>,
}

impl<T: Pod, U: Pod, const N: usize> LaneWindows<'_, T, U, N> {
    /// The elements of one lane (0 to 7).
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> &[T; N] {
        // SAFETY: `LaneIndices::windows` created this and checked the alignment of `U`, and every index against the slice's length, which
        // cannot change. Both types are `Pod`, so all bytes of the slice are initialized, and any bytes are a `T`.
        unsafe { &*self.slice.as_ptr().byte_add(8 * self.offsets[lane] as usize).cast() }
    }

    /// The whole slice, whose elements may be changed between two calls of [`Self::lane`].
    #[inline(always)]
    pub fn slice_mut(&mut self) -> &mut [U] {
        self.slice
    }
}

/// Eight slices of equal length, one per lane.
pub struct LaneSlices<'a, T> {
    /// Pointers to the first elements of the slices. Each slice has at least `len` elements.
    starts: [*const T; 8],
    len: usize,
    slices: PhantomData<&'a [T]>,
}

impl<'a, T> LaneSlices<'a, T> {
    /// Takes the slices. If their lengths differ, only the length of the shortest is used of each.
    #[inline(always)]
    pub fn new(slices: [&'a [T]; 8]) -> Self {
        let len = slices.iter().fold(usize::MAX, |len, slice| len.min(slice.len()));
        Self { starts: slices.map(<[T]>::as_ptr), len, slices: PhantomData }
    }

    /// Returns `N` elements of each slice, from `start` on.
    ///
    /// # Panics
    ///
    /// Panics if the slices have fewer than `N` elements from `start` on.
    #[inline(always)]
    pub fn chunks<const N: usize>(&self, start: usize) -> [&'a [T; N]; 8] {
        assert!(start <= self.len && N <= self.len - start);
        let [a, b, c, d, e, f, g, h] = self.starts;
        // SAFETY: each slice has `len` elements, so it has `N` elements from `start` on.
        unsafe {
            [
                &*a.add(start).cast(),
                &*b.add(start).cast(),
                &*c.add(start).cast(),
                &*d.add(start).cast(),
                &*e.add(start).cast(),
                &*f.add(start).cast(),
                &*g.add(start).cast(),
                &*h.add(start).cast(),
            ]
        }
    }
}

/// Up to eight consecutive chunks of a slice, of equal length, one per lane. If `FULL`, there are eight chunks; else the last one replaces
/// missing ones. The addresses of eight chunks take fewer instructions.
pub struct LaneChunksMut<'a, T, const FULL: bool> {
    /// Pointers to the first elements of the first chunk and, if there are eight chunks, of the fifth.
    starts: [*mut T; 2],
    /// Elements per chunk.
    len: usize,
    distances: ChunkDistances,
    /// Distance in bytes to the next eight chunks, which are prefetched; 0 if there are none.
    prefetch_distance: usize,
    slice: PhantomData<&'a mut [T]>,
}

/// Distances in bytes between elements of the same index in two chunks.
#[derive(Clone, Copy)]
struct ChunkDistances {
    /// From a chunk to the next.
    one: usize,
    /// From a chunk to the third after it.
    three: usize,
    /// Number of chunks.
    count: usize,
}

impl<'a, T, const FULL: bool> LaneChunksMut<'a, T, FULL> {
    /// Takes the first `count` (1 to 8) chunks of `len` elements.
    ///
    /// # Panics
    ///
    /// Panics if `count` is out of range or not 8 although `FULL` is set, or if the slice is shorter than the chunks.
    pub fn new(slice: &'a mut [T], len: usize, count: usize) -> Self {
        assert!(if FULL { count == 8 } else { count > 0 && count <= 8 });
        assert!(len.checked_mul(count).is_some_and(|total| total <= slice.len()));
        let one = len * size_of::<T>();
        let prefetch_distance = if slice.len() / 16 >= len { 8 * one } else { 0 };
        let start = slice.as_mut_ptr();
        // SAFETY: the fifth chunk begins within the slice.
        let fifth = if FULL { unsafe { start.add(4 * len) } } else { start };
        let distances = ChunkDistances { one, three: 3 * one, count };
        Self { starts: [start, fifth], len, distances, prefetch_distance, slice: PhantomData }
    }

    /// Returns the element at `index` of every chunk, or `None` past their end.
    ///
    /// It also prefetches the same elements of the next eight chunks: if the slice does not fit into the processor's caches, loading them
    /// later would take longer than all other work.
    #[inline(always)]
    pub fn get<S: Simd>(&mut self, s: S, index: usize) -> Option<LaneChunkElements<'_, T, FULL>> {
        if index >= self.len {
            return None;
        }
        let [first, fifth] = self.starts;
        // SAFETY: the first chunk and, if there are eight, the fifth are longer than `index`. Otherwise `fifth` equals `first`.
        let elements = unsafe { [first.add(index), fifth.add(index)] };
        if FULL {
            for element in elements {
                let element = element.wrapping_byte_add(self.prefetch_distance);
                for chunk in 0..4 {
                    s.prefetch(element.wrapping_byte_add(self.distances.of(chunk)));
                }
            }
        }
        Some(LaneChunkElements { elements, distances: self.distances, slice: PhantomData })
    }
}

impl ChunkDistances {
    /// Returns the distance from a chunk to the one that is 0 to 3 chunks after it. Processors multiply by 2 without an instruction for it,
    /// but not by 3.
    #[inline(always)]
    fn of(self, chunks: usize) -> usize {
        if chunks == 3 { self.three } else { chunks * self.one }
    }
}

/// The element at one index of each of eight chunks.
pub struct LaneChunkElements<'a, T, const FULL: bool> {
    /// The elements of the first chunk and, if there are eight chunks, of the fifth.
    elements: [*mut T; 2],
    distances: ChunkDistances,
    slice: PhantomData<&'a mut [T]>,
}

impl<T, const FULL: bool> LaneChunkElements<'_, T, FULL> {
    /// The element of one lane (0 to 7).
    #[inline(always)]
    pub fn lane(&mut self, lane: usize) -> &mut T {
        let (element, distance) = if FULL {
            (self.elements[lane / 4], self.distances.of(lane % 4))
        } else {
            (self.elements[0], lane.min(self.distances.count - 1) * self.distances.one)
        };
        // SAFETY: `LaneChunksMut::get` created this and checked the index against the chunks' length, so every chunk has an element at this
        // distance from the first or the fifth. The slice stays borrowed as long as `self`, and `self` as long as the result.
        unsafe { &mut *element.byte_add(distance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::simd::portable::Portable;

    #[test]
    #[should_panic(expected = "assertion")]
    fn an_index_beyond_the_slice_is_refused() {
        LaneIndices::new([0, 1, 2, 3, 4, 5, 6, 8]).get_mut(&mut [0u64; 8]);
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn an_index_whose_offset_is_too_large_is_refused() {
        LaneIndices::<[u64; 2]>::new([0, 1, 2, 3, 4, 5, 6, 1 << 31]);
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn a_window_beyond_the_slice_is_refused() {
        LaneIndices::<u64>::new([0, 1, 2, 3, 4, 5, 6, 7]).windows::<u64, 2>(&mut [0; 8]);
    }

    #[test]
    fn eight_indices_reach_their_elements() {
        let mut numbers = [10u64, 11, 12, 13];
        let eight = LaneIndices::new([3, 1, 1, 0, 2, 2, 3, 3]);
        assert_eq!(eight.get(&numbers), [&13, &11, &11, &10, &12, &12, &13, &13]);
        *eight.get_mut(&mut numbers).lane(3) = 7;
        assert_eq!(numbers, [7, 11, 12, 13]);
    }

    #[test]
    fn windows_show_changes_of_their_slice() {
        let mut pairs = [[0u64, 1], [2, 3], [4, 5]];
        let mut windows = LaneIndices::<u64>::new([3, 0, 0, 0, 0, 0, 0, 1]).windows::<_, 3>(&mut pairs);
        windows.slice_mut()[1][1] = 7;
        assert_eq!(windows.lane(0), &[7, 4, 5]);
        assert_eq!(windows.lane(7), &[1, 2, 7]);
    }

    #[test]
    fn eight_slices_are_read_up_to_the_end_of_the_shortest() {
        let numbers: Vec<u32> = (0..20).collect();
        let slices = LaneSlices::new(std::array::from_fn(|lane| &numbers[lane..lane + 4]));
        assert_eq!(slices.chunks::<2>(2)[7], &[9, 10]);
        let short = std::panic::catch_unwind(|| slices.chunks::<2>(3).len());
        assert!(short.is_err());
    }

    #[test]
    fn eight_chunks_reach_their_elements() {
        let mut numbers = [0; 17];
        let mut chunks = LaneChunksMut::<_, true>::new(&mut numbers, 2, 8);
        let mut elements = chunks.get(Portable, 1).expect("the chunks are that long");
        for lane in 0..8 {
            *elements.lane(lane) = lane + 1;
        }
        assert_eq!(numbers, [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0]);
    }

    #[test]
    fn the_last_chunk_replaces_missing_ones() {
        let mut numbers = [0; 7];
        let mut chunks = LaneChunksMut::<_, false>::new(&mut numbers, 2, 3);
        let mut elements = chunks.get(Portable, 1).expect("the chunks are that long");
        for lane in 0..8 {
            *elements.lane(lane) += 1;
        }
        assert!(chunks.get(Portable, 2).is_none());
        assert_eq!(numbers, [0, 1, 0, 1, 0, 6, 0]);
        assert!(LaneChunksMut::<_, false>::new(&mut numbers, 0, 1).get(Portable, 0).is_none());
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn chunks_beyond_the_slice_are_refused() {
        LaneChunksMut::<_, false>::new(&mut [0; 7], 2, 4);
    }
}
