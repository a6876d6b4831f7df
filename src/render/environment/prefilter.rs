//! Prefilters image-based light for each roughness. Each level of the map holds the light gathered through the GGX lobe of a surface that
//! is viewed along its normal (Karis 2013). A fixed set of directions samples the lobe. Each lookup is as blurred as its share of the lobe
//! is wide (Krivanek and Colbert 2008), so that a small sun leaves no bright spots.
//!
//! Per texel there are only sums, products and square roots, so the same light gives the same bytes on every machine.

use std::f64::consts::{PI, TAU};

use glam::{Vec2, Vec3, vec2, vec3};

use super::octahedral::{self, LAST_LEVEL_SIZE, Square};
use super::sun::Sun;

/// A mip chain down to [`LAST_LEVEL_SIZE`]. Texels are averaged by solid angle.
#[derive(Debug)]
pub struct Pyramid {
    /// The largest level first.
    pub levels: Vec<Square>,
}

impl Pyramid {
    /// Makes the chain of a map.
    pub fn new(sharpest: Square) -> Self {
        let mut levels = vec![sharpest];
        while let Some(last) = levels.last().filter(|last| last.size > LAST_LEVEL_SIZE) {
            let half = last.size / 2;
            let texels = rows(half, |y| (0..half).map(|x| four(last, x, y)).collect());
            levels.push(Square { size: half, texels });
        }
        Self { levels }
    }

    /// Interpolates between levels and texels.
    fn lookup(&self, place: Vec2, level: f32) -> Vec3 {
        let last = (self.levels.len() - 1) as f32;
        let level = level.clamp(0.0, last);
        let (below, between) = (level as usize, level.fract());
        let sharper = self.levels[below].lookup(place);
        match self.levels.get(below + 1).filter(|_| between > 0.0) {
            Some(next) => sharper + (next.lookup(place) - sharper) * between,
            None => sharper,
        }
    }

    /// Prefilters one level of the map for a roughness (0 to 1), with `size` texels per side. A `sun` is added analytically.
    pub fn seen_through(&self, roughness: f64, size: usize, sun: Option<&Sun>) -> Square {
        let lobe = Lobe::new(roughness, samples(size), self.levels[0].size);
        let texels = rows(size, |y| (0..size).map(|x| self.gathered(&lobe, sun, octahedral::texel(x, y, size))).collect());
        Square { size, texels }
    }

    /// Returns the light that the lobe gathers about the direction of a place.
    fn gathered(&self, lobe: &Lobe, sun: Option<&Sun>, place: Vec2) -> Vec3 {
        let normal = octahedral::direction(place).normalize();
        let [right, up] = beside(normal);
        let sum = lobe.samples.iter().fold(Vec3::ZERO, |sum, sample| {
            let d = right * sample.direction.x + up * sample.direction.y + normal * sample.direction.z;
            sum + self.lookup(octahedral::place(d), sample.level) * sample.weight
        });
        sum.max(Vec3::ZERO) + sun.map_or(Vec3::ZERO, |sun| sun.seen(normal, lobe.alpha, lobe.whole))
    }
}

/// Returns the mean of the four texels below one texel of the next level, weighted by solid angle.
fn four(square: &Square, x: usize, y: usize) -> Vec3 {
    let (mut sum, mut whole) = (Vec3::ZERO, 0.0);
    for (x, y) in [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)] {
        let part = octahedral::solid_angle(octahedral::direction(octahedral::texel(x, y, square.size)));
        sum += square.texels[y * square.size + x] * part;
        whole += part;
    }
    sum / whole
}

/// Returns the number of samples per texel. Small levels have wide lobes, which need many.
fn samples(size: usize) -> usize {
    match size {
        0..=32 => 4096,
        33..=64 => 2048,
        65..=128 => 512,
        129..=256 => 128,
        257..=512 => 32,
        _ => 16,
    }
}

/// The samples of the lobe of a roughness.
struct Lobe {
    /// Directions about +Z. Their weights add up to 1.
    samples: Vec<Sample>,
    /// Roughness squared.
    alpha: f32,
    /// Integral of the normal distribution times the cosine, over all directions of light.
    whole: f32,
}

/// A direction of light about +Z, its weight, and the level of the pyramid to look up.
struct Sample {
    direction: Vec3,
    weight: f32,
    level: f32,
}

impl Lobe {
    /// Samples the lobe with `count` directions. `size` is the side of the sharpest level.
    fn new(roughness: f64, count: usize, size: usize) -> Self {
        let alpha = (roughness * roughness).max(1e-4);
        let a2 = alpha * alpha;
        // Mean solid angle of a texel of the sharpest level; the rim takes some of the texture.
        let texel = 4.0 * PI / (size * size) as f64 * (16.0 / 15.0) * (16.0 / 15.0);
        let mut samples: Vec<_> = (0..count)
            .filter_map(|i| {
                let (first, second) = ((i as f64 + 0.5) / count as f64, golden(i));
                // Sample the half vector from the normal distribution. The light direction mirrors the view direction +Z about it.
                let cosine = ((1.0 - first) / (1.0 + (a2 - 1.0) * first)).sqrt();
                let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
                let z = 2.0 * cosine * cosine - 1.0;
                let xy = 2.0 * cosine * sine;
                let d = cosine * cosine * (a2 - 1.0) + 1.0;
                let density = a2 / (PI * d * d) / 4.0;
                // Each sample covers four times its solid angle, so that neighbors overlap.
                let level = 0.5 * (4.0 / (count as f64 * density) / texel).log2();
                let direction = vec3((xy * (TAU * second).cos()) as f32, (xy * (TAU * second).sin()) as f32, z as f32);
                (z > 0.0).then_some(Sample { direction, weight: z as f32, level: level as f32 })
            })
            .collect();
        let whole: f32 = samples.iter().map(|sample| sample.weight).sum();
        samples.iter_mut().for_each(|sample| sample.weight /= whole);
        Self { samples, alpha: alpha as f32, whole: 4.0 * whole / count as f32 }
    }
}

/// Returns a number of a low-discrepancy sequence in 0 to 1: multiples of the golden ratio.
pub(crate) fn golden(i: usize) -> f64 {
    (i as f64 * 0.618_033_988_749_894_9).fract()
}

/// Returns two unit vectors that form an orthonormal basis with `n` (Duff and others 2017).
fn beside(n: Vec3) -> [Vec3; 2] {
    let sign = 1f32.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), vec3(b, sign + n.y * n.y * a, -n.y)]
}

/// Computes the rows of a square image on all cores and concatenates them.
pub fn rows(size: usize, row: impl Fn(usize) -> Vec<Vec3> + Sync) -> Vec<Vec3> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(size);
    let parts: Vec<Vec<Vec3>> = std::thread::scope(|scope| {
        let row = &row;
        let workers: Vec<_> = (0..threads)
            .map(|i| {
                let part = i * size / threads..(i + 1) * size / threads;
                scope.spawn(move || part.flat_map(row).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_default()).collect()
    });
    parts.concat()
}

/// Samples the first level. Each texel is the mean of `steps` x `steps` samples of the radiance.
pub fn sharpest(size: usize, steps: usize, radiance: impl Fn(Vec3) -> Vec3 + Sync) -> Square {
    let texel = |x: usize, y: usize| {
        let mut sum = Vec3::ZERO;
        for i in 0..steps * steps {
            let inside = vec2((i % steps) as f32 + 0.5, (i / steps) as f32 + 0.5) / steps as f32;
            sum += radiance(octahedral::direction((vec2(x as f32, y as f32) + inside) / size as f32));
        }
        sum / (steps * steps) as f32
    };
    Square { size, texels: rows(size, |y| (0..size).map(|x| texel(x, y)).collect()) }
}
