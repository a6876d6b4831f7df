//! Computes the BRDF table of the split-sum approximation (Karis 2013). Each entry has two numbers. Under uniform light of radiance 1, a
//! rough surface reflects f0 times the first number, plus the second number. Rows are indexed by roughness, and columns by the cosine
//! between normal and view direction.

use std::f64::consts::TAU;

use super::prefilter::golden;

/// Entries per side. The first stands for 0 and the last for 1.
pub const SIDE: usize = 32;

/// Computes the table, one row per roughness. Columns are spaced by the square root of the cosine, so that grazing angles, where the curve
/// bends most, get more entries.
pub fn table() -> Vec<[f32; 2]> {
    let coordinate = |index: usize| index as f64 / (SIDE - 1) as f64;
    (0..SIDE * SIDE).map(|i| scale_and_bias(coordinate(i / SIDE), coordinate(i % SIDE).powi(2).max(1e-4))).collect()
}

/// Integrates over the half vectors of GGX, with the height-correlated visibility of glTF 2.0, appendix B. Returns scale and bias of f0.
fn scale_and_bias(roughness: f64, n_dot_v: f64) -> [f32; 2] {
    const SAMPLES: usize = 8192;
    let alpha = (roughness * roughness).max(1e-3);
    let a2 = alpha * alpha;
    let view = [(1.0 - n_dot_v * n_dot_v).sqrt(), n_dot_v];
    let (mut scale, mut bias) = (0.0, 0.0);
    for i in 0..SAMPLES {
        let (first, second) = ((i as f64 + 0.5) / SAMPLES as f64, golden(i));
        // Sample the half vector from the normal distribution, relative to the normal.
        let cosine = ((1.0 - first) / (1.0 + (a2 - 1.0) * first)).sqrt();
        let sine = (1.0 - cosine * cosine).sqrt();
        let v_dot_h = view[0] * sine * (TAU * second).cos() + view[1] * cosine;
        let n_dot_l = 2.0 * v_dot_h * cosine - n_dot_v;
        if n_dot_l <= 0.0 || v_dot_h <= 0.0 {
            continue;
        }
        // The distribution term cancels out with the density of the samples. The visibility and Fresnel terms remain.
        let masking = |n_dot_a: f64, n_dot_b: f64| n_dot_a * (n_dot_b * n_dot_b * (1.0 - a2) + a2).sqrt();
        let visibility = 0.5 / (masking(n_dot_l, n_dot_v) + masking(n_dot_v, n_dot_l));
        let weight = visibility * 4.0 * n_dot_l * v_dot_h / cosine;
        let fresnel = (1.0 - v_dot_h).powi(5);
        scale += weight * (1.0 - fresnel);
        bias += weight * fresnel;
    }
    [scale, bias].map(|sum| (sum / SAMPLES as f64) as f32)
}
