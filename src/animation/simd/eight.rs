//! Eight places of a slice, and one place in each of eight parts of it: held against its length together.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as x86;
use std::marker::PhantomData;

/// Eight indices. They are held against the length of a slice all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneIndices {
    indices: [u32; 8],
    largest: u32,
}

impl LaneIndices {
    pub fn new(indices: [u32; 8]) -> Self {
        Self { indices, largest: indices.into_iter().fold(0, u32::max) }
    }

    pub fn indices(&self) -> &[u32; 8] {
        &self.indices
    }

    /// What they stand for.
    #[inline(always)]
    pub fn of<T>(self, slice: &[T]) -> [&T; 8] {
        assert!((self.largest as usize) < slice.len());
        let [a, b, c, d, e, f, g, h] = self.indices;
        // SAFETY: none is above `largest` (both are private and set together), which the slice has.
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

    /// The same to be written to, one at a time.
    #[inline(always)]
    pub fn of_mut<T>(self, slice: &mut [T]) -> EightMut<'_, T> {
        assert!((self.largest as usize) < slice.len());
        EightMut { indices: self.indices, slice }
    }
}

/// Eight places of a slice.
pub struct EightMut<'a, T> {
    /// All within the slice.
    indices: [u32; 8],
    slice: &'a mut [T],
}

impl<T> EightMut<'_, T> {
    #[inline(always)]
    pub fn at(&mut self, lane: usize) -> &mut T {
        // SAFETY: `LaneIndices::of_mut` made this and held every index against the slice's length.
        unsafe { self.slice.get_unchecked_mut(self.indices[lane] as usize) }
    }
}

/// Up to eight parts of a slice one after the other, equally long, each to be written to at one place at a time. The last one
/// stands for those that are missing.
pub struct EightParts<'a, T> {
    /// `len` elements from each on are within the slice.
    starts: [*mut T; 8],
    len: usize,
    /// How far behind them other eight parts begin that will be written to next; 0 for none.
    next: usize,
    slice: PhantomData<&'a mut [T]>,
}

impl<'a, T> EightParts<'a, T> {
    /// The first `count` parts of `len` elements.
    pub fn new(slice: &'a mut [T], len: usize, count: usize) -> Self {
        assert!(count > 0 && count <= 8 && len.checked_mul(count).is_some_and(|all| all <= slice.len()));
        let next = if slice.len() / 16 >= len { 8 * len } else { 0 };
        let start = slice.as_mut_ptr();
        // SAFETY: the part ends within the slice.
        let starts = std::array::from_fn(|part| unsafe { start.add(part.min(count - 1) * len) });
        Self { starts, len, next, slice: PhantomData }
    }

    /// The same place in all, if they are that long. The next ones' is fetched meanwhile: where the slice is larger than the
    /// processor's caches, waiting for it when the time has come would take longer than all else.
    #[inline(always)]
    pub fn at(&mut self, place: usize) -> Option<EightPlaces<'_, T>> {
        if place >= self.len {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        for part in 0..8 {
            let next = self.starts[part].wrapping_add(place + self.next);
            // SAFETY: a prefetch neither reads nor writes.
            unsafe { x86::_mm_prefetch::<{ x86::_MM_HINT_ET0 }>(next.cast()) };
        }
        Some(EightPlaces { starts: &self.starts, place, slice: PhantomData })
    }
}

/// One place in each of eight parts.
pub struct EightPlaces<'a, T> {
    /// Longer than `place`.
    starts: &'a [*mut T; 8],
    place: usize,
    slice: PhantomData<&'a mut [T]>,
}

impl<T> EightPlaces<'_, T> {
    #[inline(always)]
    pub fn of(&mut self, part: usize) -> &mut T {
        // SAFETY: `EightParts::at` made this and held the place against their length; the slice is borrowed as long as this is,
        // and this while what it gives is.
        unsafe { &mut *self.starts[part].add(self.place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "assertion")]
    fn an_index_beyond_the_slice_is_refused() {
        LaneIndices::new([0, 1, 2, 3, 4, 5, 6, 8]).of_mut(&mut [0; 8]);
    }

    #[test]
    fn eight_indices_reach_their_places() {
        let mut numbers = [10, 11, 12, 13];
        let eight = LaneIndices::new([3, 1, 1, 0, 2, 2, 3, 3]);
        assert_eq!(eight.of(&numbers), [&13, &11, &11, &10, &12, &12, &13, &13]);
        *eight.of_mut(&mut numbers).at(3) = 7;
        assert_eq!(numbers, [7, 11, 12, 13]);
    }

    #[test]
    fn eight_parts_are_written_to_and_the_last_one_stands_for_those_that_are_missing() {
        let mut numbers = [0; 7];
        let mut parts = EightParts::new(&mut numbers, 2, 3);
        let mut places = parts.at(1).expect("they are that long");
        for part in 0..8 {
            *places.of(part) += 1;
        }
        assert!(parts.at(2).is_none());
        assert_eq!(numbers, [0, 1, 0, 1, 0, 6, 0]);
        assert!(EightParts::new(&mut numbers, 0, 1).at(0).is_none());
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn parts_beyond_the_slice_are_refused() {
        EightParts::new(&mut [0; 7], 2, 4);
    }
}
