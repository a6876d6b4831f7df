//! Computes with eight `f32` at a time, to sample animations and to make the palette that is drawn.
//!
//! A [`Kernel`] is written once over [`Simd`] and compiled twice: for AVX2 with FMA, and as plain arrays of eight that every
//! target can run. [`run`] chooses between them with an [`InstructionSet`]. There is no AVX-512 kernel: in measurements it was never
//! faster per character. It poses skeletons seven to fifteen times as fast as straightforward scalar code (docs/benchmarks.md, Posing).
//!
//! The instructions are called through `pulp`, whose functions are safe and compile to the same code as the intrinsics. The only unsafe
//! code of the animation core is in [`lane_access`], which checks eight indices together instead of one by one.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod lane_access;
mod portable;
pub mod rotation;

use bytemuck::{Pod, Zeroable};
use glam::{Vec3A, Vec4};

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
use portable::Portable;

/// The processor instructions that kernels run with.
#[derive(Debug, Clone, Copy)]
pub struct InstructionSet {
    detected: Detected,
}

/// The kernels that are compiled for this target.
#[derive(Debug, Clone, Copy)]
enum Detected {
    /// Instructions that every processor of the target has.
    Portable,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl InstructionSet {
    /// Returns the fastest set of this machine. `SINEW_KERNEL=portable` in the environment forces the portable one.
    pub fn best() -> Self {
        let available = Self::available();
        let forced = std::env::var_os("SINEW_KERNEL").is_some_and(|name| name == "portable");
        if forced { available[available.len() - 1] } else { available[0] }
    }

    /// Returns all sets of this machine, fastest first, for tests and benchmarks. The last one is the portable one.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let avx2 = Avx2::detect().map(|avx2| Self { detected: Detected::Avx2(avx2) });
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = None;
        avx2.into_iter().chain([Self { detected: Detected::Portable }]).collect()
    }

    /// Returns the name that benchmarks print: "portable" or "AVX2".
    pub fn name(self) -> &'static str {
        match self.detected {
            Detected::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Detected::Avx2(_) => "AVX2",
        }
    }
}

/// A computation that is compiled once per instruction set.
///
/// `run`, and every function that it passes its `Simd` to, must be `#[inline(always)]`: only then is their code compiled for the
/// instruction set. Closures and `array::map` in between are not inlined and make it four times slower.
pub trait Kernel {
    /// Computes with the operations of `s`.
    fn run<S: Simd>(self, s: S);
}

/// Runs `kernel` with `instructions`.
#[inline]
pub fn run<K: Kernel>(instructions: InstructionSet, kernel: K) {
    match instructions.detected {
        Detected::Portable => run_portable(kernel),
        #[cfg(target_arch = "x86_64")]
        Detected::Avx2(avx2) => avx2.run(kernel),
    }
}

/// Runs `kernel` with the instructions of every processor. It is a function of its own, so that [`run`] needs no stack frame for it.
#[inline(never)]
fn run_portable<K: Kernel>(kernel: K) {
    kernel.run(Portable);
}

/// Eight `f32` in memory, aligned to 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct F32x8(pub [f32; 8]);

/// Operations on vectors of eight `f32` lanes. Some see a vector as two halves of four lanes.
pub trait Simd: Copy {
    /// Eight `f32` in a register, or an array of them.
    type V: Copy;
    /// Returns `x` in all lanes.
    fn splat(self, x: f32) -> Self::V;
    /// Loads eight lanes from memory.
    fn load(self, from: &[f32; 8]) -> Self::V;
    /// Stores eight lanes to memory.
    fn store(self, v: Self::V, to: &mut [f32; 8]);
    /// `a + b`
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b`
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a / b`
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The square root of each lane.
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `a * b + c`
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `c - a * b`
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b - c`
    fn fms(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Returns the larger of `a` and `b` in each lane, and `b` where either is NaN.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns `-a` in lanes where `sign` is negative (or negative zero), and `a` in the others.
    fn flip_sign(self, a: Self::V, sign: Self::V) -> Self::V;
    /// Returns whether `start <= a < end` in all lanes.
    fn all_within(self, a: Self::V, start: Self::V, end: Self::V) -> bool;
    /// Returns whether any lane is not greater than `bound`. NaN is not greater.
    fn any_not_above(self, a: Self::V, bound: f32) -> bool;

    /// Returns `four` in both halves.
    #[inline(always)]
    fn both(self, four: Vec4) -> Self::V {
        self.join_halves(four, four)
    }
    /// Returns a vector with these halves.
    fn join_halves(self, low: Vec4, high: Vec4) -> Self::V;
    /// Returns a vector with these halves. The last lane of each half is undefined.
    fn join_halves3(self, low: Vec3A, high: Vec3A) -> Self::V;
    /// Returns the lower half.
    fn low(self, v: Self::V) -> Vec4;
    /// Returns the upper half.
    fn high(self, v: Self::V) -> Vec4;
    /// Copies lane `I` of each half to all lanes of that half.
    fn broadcast<const I: i32>(self, v: Self::V) -> Self::V;
    /// Keeps the last lane of each half, and sets the others to 0.
    fn keep_last(self, v: Self::V) -> Self::V;
    /// Starts loading the memory at `address` into the processor's caches, for writing, or does nothing. The address need not be valid.
    fn prefetch<T>(self, address: *const T);
    /// Transposes, in each half, the 4x4 matrix with the given rows.
    fn transpose(self, rows: [Self::V; 4]) -> [Self::V; 4];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the results of every operation except `join_halves3`, whose result is undefined in part.
    struct AllOperations<'a>(&'a mut Vec<f32>);

    impl Kernel for AllOperations<'_> {
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let a = s.load(&[1.0, -2.0, 3.0, 4.5, 5.0, 6.0, -7.0, 8.0]);
            let b = s.load(&[0.5, 0.25, 2.0, 1.0, -1.0, 3.0, 9.0, 4.0]);
            let (c, d) = (s.add(a, b), s.sub(a, b));
            let mut collect = |v: S::V| {
                let mut out = [0.0; 8];
                s.store(v, &mut out);
                self.0.extend(out);
            };
            let [t0, t1, t2, t3] = s.transpose([a, b, c, d]);
            let (p, q) = (Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0));
            let all =
                [c, d, s.mul(a, b), s.div(a, b), s.sqrt(s.mul(a, a)), s.fma(a, b, c), s.fnma(a, b, c), s.fms(a, b, c), t0, t1, t2, t3];
            for v in all {
                collect(v);
            }
            for v in [
                s.max(a, b),
                s.flip_sign(a, b),
                s.both(p),
                s.join_halves(p, q),
                s.broadcast::<0>(a),
                s.broadcast::<1>(a),
                s.broadcast::<2>(a),
                s.broadcast::<3>(a),
                s.keep_last(a),
            ] {
                collect(v);
            }
            self.0.extend(s.low(a).to_array());
            self.0.extend(s.high(a).to_array());
            self.0.push(f32::from(u8::from(s.all_within(a, a, s.add(a, s.splat(1.0))))));
            self.0.push(f32::from(u8::from(s.all_within(a, s.splat(-7.0), s.splat(8.0)))));
            self.0.push(f32::from(u8::from(s.any_not_above(a, -8.0))));
            self.0.push(f32::from(u8::from(s.any_not_above(a, -7.0))));
            self.0.push(f32::from(u8::from(s.any_not_above(s.splat(f32::NAN), 0.0))));
        }
    }

    #[test]
    fn all_instruction_sets_compute_the_same() {
        let results: Vec<Vec<f32>> = InstructionSet::available()
            .into_iter()
            .map(|instructions| {
                let mut out = Vec::new();
                run(instructions, AllOperations(&mut out));
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
