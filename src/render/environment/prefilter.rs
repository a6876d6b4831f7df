//! Prefilters image-based light for each roughness. Each level of the map after the first holds the light that the GGX lobe of a surface
//! gathers if the surface is viewed along its normal (Karis 2013). A fixed set of directions samples the lobe. Each sample reads the level
//! whose texels are about as wide as the part of the lobe that the sample stands for (Krivanek and Colbert 2008), so that small lights
//! cause no bright spots.
//!
//! The work per texel consists of sums, products and square roots only. Sines, cosines and logarithms, whose last bits differ between
//! systems, are computed once for each sample of a lobe.

use std::f64::consts::{PI, TAU};
use std::panic::resume_unwind;

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
    /// Makes the mip chain from its first level.
    pub fn new(first_level: Square) -> Self {
        let mut levels = vec![first_level];
        while let Some(last) = levels.last().filter(|last| last.size > LAST_LEVEL_SIZE) {
            let half = last.size / 2;
            let texels = rows(half, |y| (0..half).map(|x| downsample(last, x, y)).collect());
            levels.push(Square { size: half, texels });
        }
        Self { levels }
    }

    /// Interpolates between levels and texels. `position` is 0 to 1 across the image.
    fn lookup(&self, position: Vec2, level: f32) -> Vec3 {
        let last = (self.levels.len() - 1) as f32;
        let level = level.clamp(0.0, last);
        let (index, fraction) = (level as usize, level.fract());
        let sharper = self.levels[index].lookup(position);
        match self.levels.get(index + 1).filter(|_| fraction > 0.0) {
            Some(next) => sharper + (next.lookup(position) - sharper) * fraction,
            None => sharper,
        }
    }

    /// Prefilters one level of the map for a roughness (0 to 1), with `size` texels per side. If there is a `sun`, its light is added
    /// analytically.
    pub fn prefilter(&self, roughness: f64, size: usize, sun: Option<&Sun>) -> Square {
        let lobe = Lobe::new(roughness, sample_count(size), self.levels[0].size);
        let texels = rows(size, |y| (0..size).map(|x| self.gather(&lobe, sun, octahedral::texel(x, y, size))).collect());
        Square { size, texels }
    }

    /// Returns the light that the lobe gathers about the direction of a position in the image, 0 to 1 along each side.
    fn gather(&self, lobe: &Lobe, sun: Option<&Sun>, position: Vec2) -> Vec3 {
        let normal = octahedral::direction(position).normalize();
        let [right, up] = tangents(normal);
        let sum = lobe.samples.iter().fold(Vec3::ZERO, |sum, sample| {
            let d = right * sample.direction.x + up * sample.direction.y + normal * sample.direction.z;
            sum + self.lookup(octahedral::position(d), sample.level) * sample.weight
        });
        sum.max(Vec3::ZERO) + sun.map_or(Vec3::ZERO, |sun| sun.lobe_radiance(normal, lobe.alpha, lobe.integral))
    }
}

/// Returns texel (`x`, `y`) of the next level: the mean of the four texels that it covers, weighted by solid angle.
fn downsample(square: &Square, x: usize, y: usize) -> Vec3 {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for (x, y) in [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)] {
        let solid_angle = octahedral::solid_angle(octahedral::direction(octahedral::texel(x, y, square.size)));
        sum += square.texels[y * square.size + x] * solid_angle;
        total += solid_angle;
    }
    sum / total
}

/// Returns the number of samples per texel of a level with `size` texels per side. Small levels stand for wide lobes, which need many
/// samples.
fn sample_count(size: usize) -> usize {
    match size {
        0..=32 => 4096,
        33..=64 => 2048,
        65..=128 => 512,
        129..=256 => 128,
        257..=512 => 32,
        _ => 16,
    }
}

/// A GGX lobe as samples.
struct Lobe {
    /// Directions above the surface, whose normal and view direction are +Z. Their weights add up to 1.
    samples: Vec<Sample>,
    /// Roughness squared.
    alpha: f32,
    /// Integral of the normal distribution times the cosine between normal and light, over all directions of light.
    integral: f32,
}

/// A direction of light about +Z, its weight, and the level of the pyramid to look up.
struct Sample {
    direction: Vec3,
    weight: f32,
    level: f32,
}

impl Lobe {
    /// Samples the lobe of a roughness (0 to 1) with `count` half vectors. Half vectors that mirror light from below the surface are
    /// dropped. `size` is the side of the first level, in texels.
    fn new(roughness: f64, count: usize, size: usize) -> Self {
        let alpha = (roughness * roughness).max(1e-4);
        let a2 = alpha * alpha;
        // Mean solid angle of a texel of the first level. Texels of the rim do not count.
        let texel_solid_angle = 4.0 * PI / (size as f64 * f64::from(octahedral::SQUARE_FRACTION)).powi(2);
        let mut samples: Vec<_> = (0..count)
            .filter_map(|i| {
                let (first, second) = ((i as f64 + 0.5) / count as f64, golden(i));
                // Sample the half vector from the normal distribution. The light direction is the view direction +Z, mirrored about the
                // half vector.
                let cosine = ((1.0 - first) / (1.0 + (a2 - 1.0) * first)).sqrt();
                let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
                let z = 2.0 * cosine * cosine - 1.0;
                let xy = 2.0 * cosine * sine;
                let d = cosine * cosine * (a2 - 1.0) + 1.0;
                let density = a2 / (PI * d * d) / 4.0;
                // Each lookup covers four times the solid angle of the sample, so that neighboring samples overlap.
                let level = 0.5 * (4.0 / (count as f64 * density) / texel_solid_angle).log2();
                let direction = vec3((xy * (TAU * second).cos()) as f32, (xy * (TAU * second).sin()) as f32, z as f32);
                (z > 0.0).then_some(Sample { direction, weight: z as f32, level: level as f32 })
            })
            .collect();
        let total: f32 = samples.iter().map(|sample| sample.weight).sum();
        samples.iter_mut().for_each(|sample| sample.weight /= total);
        Self { samples, alpha: alpha as f32, integral: 4.0 * total / count as f32 }
    }
}

/// Returns the `i`-th number of a low-discrepancy sequence in 0 to 1: the fractional part of `i` times the golden ratio.
pub(crate) fn golden(i: usize) -> f64 {
    (i as f64 * 0.618_033_988_749_894_9).fract()
}

/// Returns two unit vectors that form an orthonormal basis with `n` (Duff and others 2017).
fn tangents(n: Vec3) -> [Vec3; 2] {
    let sign = 1f32.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), vec3(b, sign + n.y * n.y * a, -n.y)]
}

/// Computes the rows of a square image on all cores and concatenates them. `row` returns the texels of one row. Panics if `row` does.
pub fn rows(size: usize, row: impl Fn(usize) -> Vec<Vec3> + Sync) -> Vec<Vec3> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(size);
    let bands: Vec<Vec<Vec3>> = std::thread::scope(|scope| {
        let row = &row;
        let workers: Vec<_> = (0..threads)
            .map(|i| {
                let band = i * size / threads..(i + 1) * size / threads;
                scope.spawn(move || band.flat_map(row).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    bands.concat()
}

/// Makes the first level, with `size` texels per side. Each texel is the mean of `steps` x `steps` samples of `radiance`, which receives
/// directions that are not of unit length.
pub fn sample_first_level(size: usize, steps: usize, radiance: impl Fn(Vec3) -> Vec3 + Sync) -> Square {
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
