//! Eight `f32` at a time: what the kernels of this folder are written in, once, over [`Lanes`]. They are compiled for AVX2 with
//! FMA, for the same with the registers of AVX-512, and as plain arrays of eight, which every target makes of what it has. [`run`]
//! picks.
//!
//! Everything unsafe of the animation core is in this folder: the intrinsics (a value of [`avx2::Avx2`] is proof that they exist),
//! the calls that enter code compiled for them, and [`eight`], whose indices are checked together instead of one by one. All other
//! indexing is ordinary, checked indexing.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod eight;
mod portable;

use bytemuck::{Pod, Zeroable};
use glam::{Vec3A, Vec4};

use portable::Portable;

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
        Instructions::Portable => work.run(Portable),
        // SAFETY: a kernel has only what detection found.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { avx2::run(work) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 if W::MANY_VECTORS => unsafe { avx2::run_with_avx512(work) },
        // SAFETY: where AVX-512 was found, AVX2 and FMA were too.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { avx2::run(work) },
    }
}

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct F32x8(pub [f32; 8]);

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
