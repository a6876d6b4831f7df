//! The irradiance of image-based light as a function of the surface normal n: spherical harmonics up to the second band (Ramamoorthi and
//! Hanrahan 2001), stored as the polynomial n' Q n + b n. This form is easy to rotate.

use glam::{Mat3, Vec3};

use super::sun::Sun;

/// Irradiance divided by pi, as a function of the normal. The coefficients are xx, yy, zz, xy, yz, xz of Q, then x, y, z of b, each in RGB.
/// Keep in sync with `diffuse_environment` in environment.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Irradiance {
    /// Coefficients in the order above.
    pub polynomial: [Vec3; 9],
    /// A sun that is not part of the polynomial. Its light is black if there is no such sun.
    pub sun: Sun,
}

impl Irradiance {
    /// Projects light onto the harmonics. `light` yields unit directions, their solid angles (in any unit) and their radiance.
    pub fn new(light: impl Iterator<Item = (Vec3, f32, Vec3)>) -> Self {
        let (mut bands, mut total) = ([Vec3::ZERO; 9], 0.0);
        for (direction, solid_angle, radiance) in light {
            total += solid_angle;
            for (sum, value) in bands.iter_mut().zip(harmonics(direction)) {
                *sum += radiance * (solid_angle * value);
            }
        }
        // Each factor is the squared normalization constant of a harmonic, times the fraction of its band that remains after convolution
        // with the cosine lobe.
        let factors = [1.0, 2.0, 2.0, 2.0, 3.75, 3.75, 0.3125, 3.75, 0.9375];
        for (band, factor) in bands.iter_mut().zip(factors) {
            *band *= factor / total;
        }
        Self::windowed(bands)
    }

    /// Damps the bands until no direction has negative irradiance. Without damping, a small bright light makes the irradiance negative on
    /// the far side (Sloan 2008, windowing by least Laplacian).
    fn windowed(bands: [Vec3; 9]) -> Self {
        let damped = |strength: f32| {
            let window = |band: f32| 1.0 / (1.0 + strength * band * band * (band + 1.0) * (band + 1.0));
            let by = [0, 1, 1, 1, 2, 2, 2, 2, 2].map(|band: u8| window(band.into()));
            Self::from_bands(std::array::from_fn(|i| bands[i] * by[i]))
        };
        let (mut low, mut high) = (0.0, 1.0);
        if damped(low).min_channel() >= 0.0 {
            return damped(low);
        }
        // Find the weakest sufficient damping by bisection.
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            *(if damped(middle).min_channel() >= 0.0 { &mut high } else { &mut low }) = middle;
        }
        damped(high)
    }

    /// Converts bands to the polynomial. The bands are the factors of 1, y, z, x, xy, yz, 3zz - 1, xz and xx - yy. The constants become
    /// part of Q, because xx + yy + zz = 1.
    fn from_bands(l: [Vec3; 9]) -> Self {
        let constant = l[0] - l[6];
        let polynomial = [constant + l[8], constant - l[8], constant + l[6] * 3.0, l[4], l[5], l[7], l[3], l[1], l[2]];
        Self { polynomial, sun: Sun::default() }
    }

    /// Returns the irradiance, divided by pi, of a surface with the unit normal `n`.
    pub fn towards(&self, n: Vec3) -> Vec3 {
        let q = &self.polynomial;
        self.sun.light * n.dot(self.sun.direction).max(0.0)
            + q[0] * (n.x * n.x)
            + q[1] * (n.y * n.y)
            + q[2] * (n.z * n.z)
            + q[3] * (n.x * n.y)
            + q[4] * (n.y * n.z)
            + q[5] * (n.x * n.z)
            + q[6] * n.x
            + q[7] * n.y
            + q[8] * n.z
    }

    /// Returns the irradiance of the environment after a rotation.
    pub fn rotated(&self, rotation: Mat3) -> Self {
        let q = &self.polynomial;
        let sun = Sun { direction: rotation * self.sun.direction, ..self.sun };
        let mut rotated = Self { sun, ..Self::default() };
        for color in 0..3 {
            let [xx, yy, zz, xy, yz, xz, x, y, z] = q.map(|value| value[color]);
            let half = Mat3::from_cols_array(&[xx, xy / 2.0, xz / 2.0, xy / 2.0, yy, yz / 2.0, xz / 2.0, yz / 2.0, zz]);
            let m = rotation * half * rotation.transpose();
            let b = rotation * Vec3::new(x, y, z);
            let all = [m.x_axis.x, m.y_axis.y, m.z_axis.z, 2.0 * m.x_axis.y, 2.0 * m.y_axis.z, 2.0 * m.x_axis.z, b.x, b.y, b.z];
            for (to, value) in rotated.polynomial.iter_mut().zip(all) {
                to[color] = value;
            }
        }
        rotated
    }

    /// Returns the smallest channel of the irradiance over a grid of directions.
    fn min_channel(&self) -> f32 {
        const STEPS: usize = 8;
        let coordinate = |index: usize| (index as f32 + 0.5) / STEPS as f32 * 2.0 - 1.0;
        let all = (0..STEPS * STEPS * STEPS)
            .map(|i| Vec3::new(coordinate(i % STEPS), coordinate(i / STEPS % STEPS), coordinate(i / STEPS / STEPS)));
        all.map(|d| self.towards(d.normalize()).min_element()).fold(f32::MAX, f32::min)
    }
}

/// Returns the harmonics of a unit direction without their normalization constants.
fn harmonics(d: Vec3) -> [f32; 9] {
    [1.0, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3.0 * d.z * d.z - 1.0, d.x * d.z, d.x * d.x - d.y * d.y]
}
