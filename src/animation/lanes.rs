//! Eight `f32` at a time: what the kernels of this folder are written in, once, over [`Lanes`]. They are compiled for AVX2 with
//! FMA, for the same with the registers of AVX-512, and as plain arrays of eight, which every target makes of what it has. [`run`]
//! picks.
//!
//! Everything unsafe of the animation core is in this file: the intrinsics (a value of [`Avx2`] is proof that they exist), the
//! calls that enter code compiled for them, and [`Eight`] and [`EightParts`], whose indices are checked together instead of one by
//! one. All other indexing is ordinary, checked indexing.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use glam::{Vec3A, Vec4};

/// Which processor instructions a kernel is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// Private: only what detection found.
    instructions: Instructions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Instructions {
    /// Whatever every processor of the target has.
    Portable,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same with AVX-512's registers, which are twice as many: the lanes stay eight.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The fastest that this machine runs. `SINEW_KERNEL=portable` forces the one that every machine does.
    pub fn best() -> Self {
        let all = Self::all();
        let forced = std::env::var_os("SINEW_KERNEL").is_some_and(|name| name == "portable");
        if forced { all[all.len() - 1] } else { all[0] }
    }

    /// All that this machine runs, for tests and benchmarks: the fastest first.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self { instructions: Instructions::Portable }];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all.insert(0, Self { instructions: Instructions::Avx2 });
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                all.insert(0, Self { instructions: Instructions::Avx512 });
            }
        }
        all
    }

    pub fn name(self) -> &'static str {
        match self.instructions {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512",
        }
    }
}

/// Work that is compiled once for each kind of lanes. `run`, and every function it hands its lanes to, must be
/// `#[inline(always)]`: only so does the code end up inside the function that is compiled for the processor. Closures and
/// `array::map` between the two do not inline and cost a factor of four.
pub trait Work {
    /// Whether more than sixteen vectors are at hand at a time. Only such work gains from the registers of AVX-512; what goes to
    /// and fro between vectors and single numbers is slower with them.
    const MANY_VECTORS: bool = false;

    fn run<L: Lanes>(self, lanes: L);
}

pub fn run<W: Work>(kernel: Kernel, work: W) {
    match kernel.instructions {
        Instructions::Portable => work.run(Portable(())),
        // SAFETY: a kernel has only what detection found.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { run_avx2(work) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 if W::MANY_VECTORS => unsafe { run_avx512(work) },
        // SAFETY: where AVX-512 was found, AVX2 and FMA were too.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { run_avx2(work) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(work: impl Work) {
    work.run(Avx2(()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
fn run_avx512(work: impl Work) {
    work.run(Avx2(()));
}

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Oct(pub [f32; 8]);

/// Eight indices. They are held against the length of a slice all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eight {
    indices: [u32; 8],
    largest: u32,
}

impl Eight {
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
        // SAFETY: `Eight::of_mut` made this and held every index against the slice's length.
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

/// Operations on eight `f32` (`V`), some of which see them as two halves of four.
pub trait Lanes: Copy {
    type V: Copy;
    fn splat(self, x: f32) -> Self::V;
    fn load(self, from: &[f32; 8]) -> Self::V;
    fn store(self, v: Self::V, to: &mut [f32; 8]);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `a * b + c`
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `c - a * b`
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b - c`
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// Whether for all of the eight `start <= a < end`.
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool;
    /// Whether any of the eight is not above `least` (NaN is not).
    fn any_not_above(self, a: Self::V, least: f32) -> bool;

    /// The same four in both halves.
    #[inline(always)]
    fn both(self, four: Vec4) -> Self::V {
        self.halves(four, four)
    }
    fn halves(self, low: Vec4, high: Vec4) -> Self::V;
    /// The last of each half is anything.
    fn halves3(self, low: Vec3A, high: Vec3A) -> Self::V;
    fn low(self, v: Self::V) -> Vec4;
    fn high(self, v: Self::V) -> Vec4;
    /// In each half, its component `I` four times.
    fn dup<const I: i32>(self, v: Self::V) -> Self::V;
    /// In each half, only its last component; the others 0.
    fn only_last(self, v: Self::V) -> Self::V;
    /// In each half, the 4x4 matrix of rows a, b, c, d transposed.
    fn transpose(self, rows: [Self::V; 4]) -> [Self::V; 4];
}

/// Proof that AVX2 and FMA are there: only [`run_avx2`] and [`run_avx512`] make it.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as x86;

// SAFETY, of every block below: the intrinsics need AVX2 or FMA, which a value of `Avx2` proves; those that read or write
// memory do so through a reference to an array of just the size they touch, without asking for alignment.
#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    type V = x86::__m256;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { x86::_mm256_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::V {
        unsafe { x86::_mm256_loadu_ps(from.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, v: Self::V, to: &mut [f32; 8]) {
        unsafe { x86::_mm256_storeu_ps(to.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_div_ps(a, b) }
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        unsafe { x86::_mm256_sqrt_ps(a) }
    }
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fnmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { x86::_mm256_fmsub_ps(a, b, c) }
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { x86::_mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool {
        unsafe {
            let (from, to) = (x86::_mm256_cmp_ps::<{ x86::_CMP_LE_OQ }>(start, a), x86::_mm256_cmp_ps::<{ x86::_CMP_LT_OQ }>(a, end));
            x86::_mm256_movemask_ps(x86::_mm256_and_ps(from, to)) == 0xff
        }
    }
    #[inline(always)]
    fn any_not_above(self, a: Self::V, least: f32) -> bool {
        unsafe { x86::_mm256_movemask_ps(x86::_mm256_cmp_ps::<{ x86::_CMP_NGT_UQ }>(a, x86::_mm256_set1_ps(least))) != 0 }
    }
    #[inline(always)]
    fn halves(self, low: Vec4, high: Vec4) -> Self::V {
        unsafe { x86::_mm256_insertf128_ps::<1>(x86::_mm256_castps128_ps256(low.into()), high.into()) }
    }
    #[inline(always)]
    fn halves3(self, low: Vec3A, high: Vec3A) -> Self::V {
        unsafe { x86::_mm256_insertf128_ps::<1>(x86::_mm256_castps128_ps256(low.into()), high.into()) }
    }
    #[inline(always)]
    fn low(self, v: Self::V) -> Vec4 {
        unsafe { x86::_mm256_castps256_ps128(v).into() }
    }
    #[inline(always)]
    fn high(self, v: Self::V) -> Vec4 {
        unsafe { x86::_mm256_extractf128_ps::<1>(v).into() }
    }
    #[inline(always)]
    fn dup<const I: i32>(self, v: Self::V) -> Self::V {
        // The immediate of a permutation cannot be computed from a constant parameter.
        unsafe {
            match I {
                0 => x86::_mm256_permute_ps::<0b00_00_00_00>(v),
                1 => x86::_mm256_permute_ps::<0b01_01_01_01>(v),
                2 => x86::_mm256_permute_ps::<0b10_10_10_10>(v),
                _ => x86::_mm256_permute_ps::<0b11_11_11_11>(v),
            }
        }
    }
    #[inline(always)]
    fn only_last(self, v: Self::V) -> Self::V {
        unsafe { x86::_mm256_blend_ps::<0b1000_1000>(x86::_mm256_setzero_ps(), v) }
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::V; 4]) -> [Self::V; 4] {
        unsafe {
            let (ab_low, ab_high) = (x86::_mm256_unpacklo_ps(a, b), x86::_mm256_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (x86::_mm256_unpacklo_ps(c, d), x86::_mm256_unpackhi_ps(c, d));
            [
                x86::_mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
                x86::_mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
                x86::_mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                x86::_mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ]
        }
    }
}

/// Arrays of eight, which the compiler turns into what the target has.
#[derive(Debug, Clone, Copy)]
pub struct Portable(());

impl Portable {
    #[inline(always)]
    fn zip(a: [f32; 8], b: [f32; 8], op: impl Fn(f32, f32) -> f32) -> [f32; 8] {
        let mut out = a;
        for i in 0..8 {
            out[i] = op(a[i], b[i]);
        }
        out
    }
}

impl Lanes for Portable {
    type V = [f32; 8];

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        [x; 8]
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::V {
        *from
    }
    #[inline(always)]
    fn store(self, v: Self::V, to: &mut [f32; 8]) {
        *to = v;
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        Self::zip(a, a, |a, _| a.sqrt())
    }
    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        // Not `mul_add`: without the instruction that is a slow call.
        self.add(self.mul(a, b), c)
    }
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(c, self.mul(a, b))
    }
    #[inline(always)]
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(self.mul(a, b), c)
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool {
        let mut all = true;
        for i in 0..8 {
            all &= start[i] <= a[i] && a[i] < end[i];
        }
        all
    }
    #[inline(always)]
    fn any_not_above(self, a: Self::V, least: f32) -> bool {
        let mut any = false;
        for x in a {
            any |= x.is_nan() || x <= least;
        }
        any
    }
    #[inline(always)]
    fn halves(self, low: Vec4, high: Vec4) -> Self::V {
        let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn halves3(self, low: Vec3A, high: Vec3A) -> Self::V {
        self.halves(low.extend(0.0), high.extend(0.0))
    }
    #[inline(always)]
    fn low(self, [a, b, c, d, ..]: Self::V) -> Vec4 {
        Vec4::new(a, b, c, d)
    }
    #[inline(always)]
    fn high(self, [.., a, b, c, d]: Self::V) -> Vec4 {
        Vec4::new(a, b, c, d)
    }
    #[inline(always)]
    fn dup<const I: i32>(self, v: Self::V) -> Self::V {
        let (low, high) = (v[I as usize & 3], v[4 + (I as usize & 3)]);
        [low, low, low, low, high, high, high, high]
    }
    #[inline(always)]
    fn only_last(self, v: Self::V) -> Self::V {
        [0.0, 0.0, 0.0, v[3], 0.0, 0.0, 0.0, v[7]]
    }
    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [Self::V; 4]) -> [Self::V; 4] {
        let mut out = [[0.0; 8]; 4];
        for i in 0..4 {
            out[i] = [a[i], b[i], c[i], d[i], a[4 + i], b[4 + i], c[4 + i], d[4 + i]];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation once, into a list of numbers.
    struct All<'a>(&'a mut Vec<f32>);

    impl Work for All<'_> {
        const MANY_VECTORS: bool = true;

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) {
            let a = l.load(&[1.0, -2.0, 3.0, 4.5, 5.0, 6.0, -7.0, 8.0]);
            let b = l.load(&[0.5, 0.25, 2.0, 1.0, -1.0, 3.0, 9.0, 4.0]);
            let (c, d) = (l.add(a, b), l.sub(a, b));
            let mut keep = |v: L::V| {
                let mut out = [0.0; 8];
                l.store(v, &mut out);
                self.0.extend(out);
            };
            let [t0, t1, t2, t3] = l.transpose([a, b, c, d]);
            let (p, q) = (Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0));
            let all =
                [c, d, l.mul(a, b), l.div(a, b), l.sqrt(l.mul(a, a)), l.fma(a, b, c), l.fnma(a, b, c), l.fms(a, b, c), t0, t1, t2, t3];
            for v in all {
                keep(v);
            }
            for v in [l.max(a, b), l.both(p), l.halves(p, q), l.dup::<0>(a), l.dup::<1>(a), l.dup::<2>(a), l.dup::<3>(a), l.only_last(a)] {
                keep(v);
            }
            self.0.extend(l.low(a).to_array());
            self.0.extend(l.high(a).to_array());
            self.0.push(f32::from(u8::from(l.all_within(a, a, l.add(a, l.splat(1.0))))));
            self.0.push(f32::from(u8::from(l.all_within(a, l.splat(-7.0), l.splat(8.0)))));
            self.0.push(f32::from(u8::from(l.any_not_above(a, -8.0))));
            self.0.push(f32::from(u8::from(l.any_not_above(a, -7.0))));
            self.0.push(f32::from(u8::from(l.any_not_above(l.splat(f32::NAN), 0.0))));
        }
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn an_index_beyond_the_slice_is_refused() {
        Eight::new([0, 1, 2, 3, 4, 5, 6, 8]).of_mut(&mut [0; 8]);
    }

    #[test]
    fn eight_indices_reach_their_places() {
        let mut numbers = [10, 11, 12, 13];
        let eight = Eight::new([3, 1, 1, 0, 2, 2, 3, 3]);
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

    #[test]
    fn all_kinds_of_lanes_compute_the_same() {
        let results: Vec<Vec<f32>> = Kernel::all()
            .into_iter()
            .map(|kernel| {
                let mut out = Vec::new();
                run(kernel, All(&mut out));
                out
            })
            .collect();
        for result in &results {
            assert_eq!(results[0], *result);
        }
        assert_eq!(results[0][..8], [1.5, -1.75, 5.0, 5.5, 4.0, 9.0, 2.0, 12.0]);
        assert_eq!(results[0][64..72], [1.0, 0.5, 1.5, 0.5, 5.0, -1.0, 4.0, 6.0], "the first columns of both halves");
        let end = results[0].len() - 5;
        assert_eq!(results[0][end..], [1.0, 0.0, 0.0, 1.0, 1.0]);
    }
}
