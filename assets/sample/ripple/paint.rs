//! Paints the textures: a function of the position on the body, sampled at each texel of the atlas.

use glam::{DVec2, DVec3};
use image::{ExtendedColorType, ImageEncoder, codecs::png};

use super::atlas::Unwrapped;
use super::body::Body;
use super::face;
use super::mesh::{Part, on_surface};
use super::shape::smoothstep;

/// A point of the skin to paint.
struct Spot {
    position: DVec3,
    normal: DVec3,
    part: Part,
    along: f64,
    openness: f64,
}

/// Linear color, roughness and ambient occlusion.
#[derive(Clone, Copy)]
struct Paint {
    color: DVec3,
    roughness: f64,
    openness: f64,
}

const MAIN: u32 = 0x2cbdb9;
const BACK: u32 = 0x0c6474;
const FRECKLE: u32 = 0x0a4c5c;
const BELLY: u32 = 0xffe9cf;
const CORAL: u32 = 0xff7a62;
const PEACH: u32 = 0xffb295;
const MOUTH: u32 = 0x6e1530;
const TONGUE: u32 = 0xff7f86;
const NOSTRIL: u32 = 0x0b3f4c;

/// Returns two PNG files. The base color is `texels` wide and high. The other is half as wide and high and contains occlusion (red),
/// roughness (green) and zero metalness (blue).
pub fn textures(unwrapped: &Unwrapped, body: &Body, openness: &[f64], texels: usize) -> [Vec<u8>; 2] {
    let paint = painted(unwrapped, body, openness, texels);
    let color: Vec<u8> = paint.iter().flat_map(|p| p.color.to_array()).map(srgb).collect();
    let half = texels / 2;
    let mut surface = Vec::with_capacity(half * half * 3);
    for (y, x) in (0..half).flat_map(|y| (0..half).map(move |x| (y, x))) {
        let four = [0, 1, texels, texels + 1].map(|i| paint[2 * y * texels + 2 * x + i]);
        let mean = |of: fn(&Paint) -> f64| (four.iter().map(of).sum::<f64>() / 4.0 * 255.0).round() as u8;
        surface.extend([mean(|p| p.openness), mean(|p| p.roughness), 0]);
    }
    [png(&color, texels), png(&surface, half)]
}

fn png(rgb: &[u8], side: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = png::PngEncoder::new_with_quality(&mut bytes, png::CompressionType::Best, png::FilterType::Adaptive);
    let written = encoder.write_image(rgb, side as u32, side as u32, ExtendedColorType::Rgb8);
    written.expect("writing into memory does not fail");
    bytes
}

/// Returns the paint of every texel. Texels that are neither in a chart nor less than `BORDER` away from one get the main color.
fn painted(unwrapped: &Unwrapped, body: &Body, openness: &[f64], texels: usize) -> Vec<Paint> {
    let empty = Paint { color: linear(MAIN), roughness: 0.5, openness: 1.0 };
    let places = places(unwrapped, texels);
    let painted = places.iter().map(|place| {
        let Some(Place { triangle, shares: [a, b, c], .. }) = *place else { return empty };
        let corners = unwrapped.mesh.triangles[triangle].map(|i| i as usize);
        let vertices = corners.map(|i| &unwrapped.mesh.vertices[i]);
        let mix = |of: [DVec3; 3]| of[0] * a + of[1] * b + of[2] * c;
        let spot = Spot {
            position: mix(vertices.map(|vertex| vertex.position)),
            normal: mix(vertices.map(|vertex| vertex.normal)).normalize_or(DVec3::Y),
            part: vertices[0].part,
            along: vertices[0].along * a + vertices[1].along * b + vertices[2].along * c,
            openness: openness[corners[0]] * a + openness[corners[1]] * b + openness[corners[2]] * c,
        };
        paint(&spot, body)
    });
    painted.collect()
}

/// Width painted around each chart, in texels. Smaller than the distance between charts.
const BORDER: f64 = 2.4;

/// The triangle that a texel lies in or is nearest to, the weights of the triangle's corners, and the distance.
#[derive(Clone, Copy)]
struct Place {
    triangle: usize,
    shares: [f64; 3],
    off: f64,
}

fn places(unwrapped: &Unwrapped, texels: usize) -> Vec<Option<Place>> {
    let mut places: Vec<Option<Place>> = vec![None; texels * texels];
    for (triangle, corners) in unwrapped.mesh.triangles.iter().enumerate() {
        let [a, b, c] = corners.map(|i| unwrapped.uvs[i as usize] * texels as f64);
        let low = (a.min(b).min(c) - BORDER).max(DVec2::ZERO);
        let high = (a.max(b).max(c) + BORDER).min(DVec2::splat(texels as f64));
        for y in low.y as usize..high.y as usize {
            for x in low.x as usize..high.x as usize {
                let (shares, off) = nearest([a, b, c], DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
                let place = &mut places[y * texels + x];
                if off < place.map_or(BORDER, |place| place.off) {
                    *place = Some(Place { triangle, shares, off });
                }
            }
        }
    }
    places
}

/// Finds the point of a triangle that is nearest to `p`. Returns the weights of the corners at this point, and its distance from `p`.
fn nearest(corners: [DVec2; 3], p: DVec2) -> ([f64; 3], f64) {
    let [a, b, c] = corners;
    let area = (b - a).perp_dot(c - a);
    let shares = [(c - b).perp_dot(p - b), (a - c).perp_dot(p - c), (b - a).perp_dot(p - a)].map(|part| part / area);
    if area.abs() > 1e-9 && shares.iter().all(|share| *share >= 0.0) {
        return (shares, 0.0);
    }
    let on_edge = |i: usize| {
        let j = (i + 1) % 3;
        let edge = corners[j] - corners[i];
        let t = ((p - corners[i]).dot(edge) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let mut shares = [0.0; 3];
        (shares[i], shares[j]) = (1.0 - t, t);
        (shares, (p - corners[i] - edge * t).length())
    };
    let [first, second, third] = [0, 1, 2].map(on_edge);
    [second, third].into_iter().fold(first, |best, other| if other.1 < best.1 { other } else { best })
}

fn paint(spot: &Spot, body: &Body) -> Paint {
    let (color, roughness) = match spot.part {
        Part::Body => skin(spot, body),
        Part::Lid => (linear(MAIN).lerp(linear(BACK), 0.3), 0.42),
        Part::Tongue => (linear(TONGUE), 0.3),
        Part::Gill => gill(spot),
    };
    Paint { color, roughness, openness: spot.openness }
}

fn gill(spot: &Spot) -> (DVec3, f64) {
    let stalk = linear(MAIN).lerp(linear(BACK), 0.4);
    let frond = linear(CORAL).lerp(linear(PEACH), smoothstep(0.55, 1.0, spot.along));
    (stalk.lerp(frond, smoothstep(0.2, 0.5, spot.along)), 0.4)
}

fn skin(spot: &Spot, body: &Body) -> (DVec3, f64) {
    let (p, n) = (spot.position, spot.normal);
    let side = p.x.abs();
    let tail = smoothstep(-0.055, -0.11, p.z);
    let head = smoothstep(0.262, 0.285, p.y) * (1.0 - tail);
    let back = n.dot(DVec3::new(0.0, 0.62, -0.78)) * 0.5 + 0.5;
    let mut color = linear(MAIN).lerp(linear(BACK), smoothstep(0.45, 1.0, back) * 0.85);

    let freckle = freckles(p) * smoothstep(0.42, 0.62, back) * (1.0 - smoothstep(0.02, 0.06, p.z));
    color = color.lerp(linear(FRECKLE), 0.8 * freckle);

    // Belly, throat and lower lip, underside of the tail.
    let trunk = DVec2::new(p.x / (0.066 - 0.1 * (p.y - 0.15).max(0.0)), (p.y - 0.168) / 0.112).length();
    let belly = smoothstep(1.08, 0.9, trunk) * smoothstep(0.0, 0.03, p.z);
    let chin = head.max(smoothstep(0.235, 0.26, p.y) * smoothstep(0.055, 0.04, side))
        * smoothstep(0.002, -0.007, p.y - face::mouth_line(p.x) + 0.15 * (side - 0.04).max(0.0));
    let under = tail * smoothstep(-0.35, -0.75, n.y);
    color = color.lerp(linear(BELLY), belly.max(chin * smoothstep(0.0, 0.04, p.z)).max(0.85 * under));

    // Warm colors where the body is thin: rim of the tail, fingers, toes, cheeks.
    let rim = smoothstep(-0.2, -0.27, p.z) * smoothstep(0.72, 0.93, n.y.abs().max(-n.z * 0.98));
    let reach = side + 0.55 * (0.146 - p.y).max(0.0) + 1.4 * (p.z - 0.028).clamp(0.0, 0.02);
    let fingers = smoothstep(0.146, 0.17, reach) * smoothstep(0.122, 0.13, side) * smoothstep(0.2, 0.17, p.y);
    let toes = smoothstep(0.036, 0.064, p.z) * smoothstep(0.045, 0.025, p.y);
    color = color.lerp(linear(CORAL), (0.9 * rim).max(0.85 * fingers).max(0.85 * toes));
    let cheek = (-((side - 0.087).powi(2) + (p.y - 0.321).powi(2)) / 0.018f64.powi(2)).exp() * smoothstep(0.02, 0.05, p.z);
    color = color.lerp(linear(CORAL), 0.75 * cheek);

    let nostril = DVec2::new((side - 0.0155) / 0.0042, (p.y - 0.3455) / 0.003).length();
    color = color.lerp(linear(NOSTRIL), smoothstep(1.25, 0.8, nostril) * smoothstep(0.09, 0.1, p.z));
    // A triangle flattens the lip, so use the nearest point on the lip itself.
    let lip = if face::mouth_hollow(p).abs() < 0.008 { on_surface(|p| body.distance(p), p).0 } else { p };
    let mouth = smoothstep(-0.0035, -0.0055, body.closed_distance(lip)) * smoothstep(0.02, 0.04, p.z) * head;
    color = color.lerp(linear(MOUTH), mouth);
    let roughness = 0.43 + 0.1 * belly + 0.06 * freckle - 0.18 * mouth;
    (color, roughness)
}

/// Returns 1 inside a freckle. Balls are scattered in space, one per cell, and a freckle is the part of the skin inside a ball.
fn freckles(p: DVec3) -> f64 {
    const CELL: f64 = 0.026;
    let home = (p / CELL).floor();
    let mut strongest: f64 = 0.0;
    for i in 0..27 {
        let cell = home + DVec3::new(f64::from(i % 3 - 1), f64::from(i / 3 % 3 - 1), f64::from(i / 9 - 1));
        let mut seed = scramble(cell.x as i64 as u64 ^ scramble(cell.y as i64 as u64 ^ scramble(cell.z as i64 as u64)));
        let mut random = || {
            seed = scramble(seed);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        let center = (cell + DVec3::new(random(), random(), random())) * CELL;
        let radius = 0.0035 + 0.0065 * random() * random();
        strongest = strongest.max(smoothstep(radius + 0.0007, radius - 0.0007, (p - center).length()));
    }
    strongest
}

/// SplitMix64.
fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn linear(hex: u32) -> DVec3 {
    let channel = |shift: u32| {
        let s = f64::from(hex >> shift & 255) / 255.0;
        if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
    };
    DVec3::new(channel(16), channel(8), channel(0))
}

fn srgb(linear: f64) -> u8 {
    let s = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (s.clamp(0.0, 1.0) * 255.0).round() as u8
}
