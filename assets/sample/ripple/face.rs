//! Models Ripple's face: eyes, mouth and expressions. An expression is a field that displaces points of space; a morph target is that
//! field at the vertices of the skin.

use glam::{DMat3, DVec3};

use super::shape::smoothstep;

pub const EYE_RADIUS: f64 = 0.0355;

/// Displacement of a point of the rest shape, in meters.
pub type Expression = fn(DVec3) -> DVec3;

/// Morph targets, in file order.
pub const EXPRESSIONS: [(&str, Expression); 5] =
    [("mouthClosed", mouth_closed), ("smile", smile), ("surprise", surprise), ("sad", sad), ("cheekPuff", cheek_puff)];

/// Half the width of the mouth, in meters.
const MOUTH_HALF_WIDTH: f64 = 0.06;

/// Returns center and gaze direction of the eye on the side of `sign`.
pub fn eye(sign: f64) -> (DVec3, DVec3) {
    (DVec3::new(sign * 0.078, 0.366, 0.064), DVec3::new(sign * 0.46, 0.1, 0.88).normalize())
}

/// Returns the height of the line between the lips, which smiles even at rest.
pub fn mouth_line(x: f64) -> f64 {
    0.314 + 5.0 * x * x
}

/// Returns half the distance between the lips at rest.
fn mouth_gap(x: f64) -> f64 {
    0.0105 * (1.0 - (x / MOUTH_HALF_WIDTH).powi(2)).max(0.0).sqrt()
}

/// Returns the distance to the mouth cavity: an ellipsoid bent into the smile.
pub fn mouth_hollow(p: DVec3) -> f64 {
    let radii = DVec3::new(MOUTH_HALF_WIDTH, 0.0105, 0.052);
    let q = DVec3::new(p.x, p.y - mouth_line(p.x), p.z - 0.088);
    let (scaled, slope) = ((q / radii).length(), (q / (radii * radii)).length());
    if slope < 1e-9 { -radii.y } else { scaled * (scaled - 1.0) / slope }
}

/// Returns the part of the head's skin weight at `p` that belongs to the jaw: lower lip and chin, fading at the corners of the mouth.
pub fn jaw_share(p: DVec3) -> f64 {
    let soft = 0.003 + 0.022 * smoothstep(0.045, 0.08, p.x.abs());
    let below = smoothstep(soft, -soft, p.y - mouth_line(p.x));
    below * smoothstep(0.01, 0.06, p.z) * smoothstep(0.105, 0.06, p.x.abs())
}

/// Returns the displacement of a point and its normal by an expression.
pub fn moved(expression: Expression, p: DVec3, normal: DVec3) -> (DVec3, DVec3) {
    let step = 5e-4;
    let slope = |axis: DVec3| (expression(p + axis * step) - expression(p - axis * step)) / (2.0 * step);
    let jacobian = DMat3::IDENTITY + DMat3::from_cols(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
    let turned = if jacobian.determinant().abs() < 1e-3 { normal } else { jacobian.inverse().transpose() * normal };
    (expression(p), turned.normalize_or(normal) - normal)
}

/// Returns a soft push around a point and its mirror image.
fn push(p: DVec3, [x, y, z]: [f64; 3], radius: f64, by: [f64; 3]) -> DVec3 {
    let one = |sign: f64| {
        let near = (-(p - DVec3::new(sign * x, y, z)).length_squared() / (radius * radius)).exp();
        near * DVec3::new(sign * by[0], by[1], by[2])
    };
    one(1.0) + one(-1.0)
}

/// Limits expressions to the front of the head.
fn front(p: DVec3) -> f64 {
    smoothstep(0.0, 0.045, p.z) * smoothstep(0.255, 0.28, p.y)
}

/// Closes the mouth: heights between the lips shrink to zero, those around them stretch.
fn mouth_closed(p: DVec3) -> DVec3 {
    let above = p.y - mouth_line(p.x);
    let shrunk = 0.97 * (-(above / (1.8 * mouth_gap(p.x) + 0.003)).powi(4)).exp();
    DVec3::Y * (-above * shrunk) * smoothstep(MOUTH_HALF_WIDTH + 0.014, MOUTH_HALF_WIDTH - 0.004, p.x.abs()) * front(p)
}

/// Smiles: the corners of the mouth move out and up, the cheeks swell.
fn smile(p: DVec3) -> DVec3 {
    let corners = push(p, [0.056, 0.325, 0.085], 0.026, [0.008, 0.0125, -0.003]);
    let cheeks = push(p, [0.08, 0.33, 0.07], 0.03, [0.004, 0.003, 0.005]);
    (corners + cheeks + push(p, [0.0, 0.312, 0.11], 0.024, [0.0, -0.0015, 0.0])) * front(p)
}

/// Surprise: a small round "o", raised brows.
fn surprise(p: DVec3) -> DVec3 {
    let near = |radius: f64| push(p, [0.0, 0.317, 0.105], radius, [0.0, 0.5, 0.0]).y;
    let above = 0.016 * ((p.y - mouth_line(p.x)) / 0.016).tanh();
    let lips = DVec3::new(-0.55 * p.x * near(0.085), 0.65 * above * near(0.06) - 7.0 * p.x * p.x * near(0.085), 0.004 * near(0.03));
    (lips + push(p, [0.075, 0.405, 0.06], 0.028, [0.0, 0.006, 0.002])) * front(p)
}

/// Sadness: the corners of the mouth hang, the middle is pushed up.
fn sad(p: DVec3) -> DVec3 {
    let corners = push(p, [0.056, 0.325, 0.085], 0.026, [-0.004, -0.018, 0.002]);
    (corners + push(p, [0.0, 0.314, 0.11], 0.028, [0.0, 0.0035, 0.0])) * front(p)
}

fn cheek_puff(p: DVec3) -> DVec3 {
    push(p, [0.078, 0.315, 0.06], 0.04, [0.017, 0.002, 0.011]) * front(p)
}
