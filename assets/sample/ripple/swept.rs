//! Models the parts that are swept or turned instead of blended: gills, eyelids, eyes, tongue.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::face::{self, EYE_RADIUS};
use super::mesh::{Mesh, Part, Vertex, Weights};
use super::shape::smoothstep;
use super::skeleton::{SIDES, Skeleton};

/// Returns three fronds on each side of the head: flat leaves with a wavy edge, along a curve through their two joints.
pub fn gills(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh::default();
    for (side, sign) in SIDES {
        for (name, width) in [("GillTop", 0.026), ("GillMiddle", 0.028), ("GillLow", 0.023)] {
            let joints = [format!("{name}.{side}"), format!("{name}Tip.{side}")].map(|name| skeleton.index(&name));
            let [root, bend] = joints.map(|joint| skeleton.joints[joint].position);
            let curl = DVec3::new(sign * 0.012, 0.012, -0.012);
            let points = [root - (bend - root) * 0.45, bend, bend + (bend - root) * 0.95 + curl];
            mesh.append(frond(points, width, joints, skeleton.index("Head")));
        }
    }
    mesh
}

const FROND_RINGS: usize = 32;
const FROND_SIDES: usize = 6;

fn frond([from, over, to]: [DVec3; 3], width: f64, [root, tip]: [usize; 2], head: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for ring in 0..FROND_RINGS {
        // Rings are denser towards the round tip.
        let t = 1.0 - (1.0 - ring as f64 / (FROND_RINGS - 1) as f64).powf(1.5);
        // A quadratic Bezier curve through `over` at its middle.
        let control = over * 2.0 - (from + to) / 2.0;
        let center = from.lerp(control, t).lerp(control.lerp(to, t), t);
        let along = (control - from).lerp(to - control, t).normalize();
        let across = along.cross(DVec3::new(0.0, 0.2, 1.0)).normalize();
        let envelope = (0.4 + 0.6 * smoothstep(0.08, 0.55, t)) * (1.0 - smoothstep(0.62, 1.0, t).powi(2)).max(0.0).sqrt();
        let wave = 1.0 + 0.15 * smoothstep(0.2, 0.35, t) * (TAU * (3.9 * t + 0.15)).cos();
        let half = (width * envelope * wave).max(2e-4);
        let thick = (0.0085 * envelope).max(2e-4);
        let mut weights = Weights::default();
        let hold = smoothstep(0.1, 0.34, t);
        let bent = smoothstep(0.38, 0.66, t);
        weights.add(head, 1.0 - hold);
        weights.add(root, hold * (1.0 - bent));
        weights.add(tip, hold * bent);
        let weights = weights.strongest_four();
        for side in 0..FROND_SIDES {
            let (sin, cos) = (TAU * side as f64 / FROND_SIDES as f64).sin_cos();
            let position = center + across * (half * cos) + across.cross(along) * (thick * sin);
            mesh.vertices.push(Vertex { position, normal: DVec3::Y, part: Part::Gill, along: t, weights: weights.clone() });
        }
    }
    mesh.triangles = tube_triangles(FROND_RINGS, FROND_SIDES);
    mesh.smooth_normals();
    mesh
}

/// Returns the triangles between `rings` consecutive closed rings of `sides` vertices.
fn tube_triangles(rings: usize, sides: usize) -> Vec<[u32; 3]> {
    let at = |ring: usize, side: usize| (ring * sides + side % sides) as u32;
    let quads = (1..rings).flat_map(|ring| (0..sides).map(move |side| (ring, side)));
    quads
        .flat_map(|(ring, side)| {
            let [a, b, c, d] = [at(ring - 1, side), at(ring, side), at(ring, side + 1), at(ring - 1, side + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect()
}

/// Returns a surface of revolution: a profile of (radius, height, along) turned about `axis`. The profile must start at the
/// tip of the axis, so that the triangles face outwards.
fn turned(center: DVec3, axis: DVec3, profile: &[(f64, f64, f64)], sides: usize, part: Part, weights: &Weights) -> Mesh {
    let turn = DQuat::from_rotation_arc(DVec3::Z, axis);
    let mut mesh = Mesh::default();
    for &(radius, height, along) in profile {
        for side in 0..sides {
            let (sin, cos) = (TAU * side as f64 / sides as f64).sin_cos();
            let position = center + turn * DVec3::new(radius * cos, radius * sin, height);
            mesh.vertices.push(Vertex { position, normal: axis, part, along, weights: weights.clone() });
        }
    }
    mesh.triangles = tube_triangles(profile.len(), sides);
    mesh.smooth_normals();
    mesh
}

/// Rest angles of the lids in radians: rotation about the eye's left-right axis, upwards from the gaze.
const UPPER_LID_OPEN: f64 = 2.42;
const LOWER_LID_OPEN: f64 = -2.95;
/// Extent of a lid in radians: slightly less than half a shell, so that the corners lie back.
const LID_REACH: f64 = 1.47;

/// Returns half shells over the upper and lower halves of the eyes, each turned by its own joint.
pub fn lids(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh::default();
    for (side, sign) in SIDES {
        let (center, look) = face::eye(sign);
        for (name, open, outer) in [("UpperLid", UPPER_LID_OPEN, 1.105), ("LowerLid", LOWER_LID_OPEN, 1.085)] {
            let right = DVec3::Y.cross(look).normalize();
            let pole = DQuat::from_axis_angle(right, -open) * look;
            let (outer, inner) = (EYE_RADIUS * outer, EYE_RADIUS * 1.035);
            let mut profile: Vec<_> =
                (0..=6).map(|i| LID_REACH * f64::from(i) / 6.0).map(|a| (outer * a.sin().max(0.005), outer * a.cos(), a)).collect();
            // A round rim, and a small part of the inside.
            let (middle, half) = ((outer + inner) / 2.0, (outer - inner) / 2.0);
            let (sin, cos) = LID_REACH.sin_cos();
            let rim = |radius: f64, over: f64| (radius * sin + over * cos, radius * cos - over * sin, 2.0);
            profile.extend([45f64, 90.0, 135.0].map(f64::to_radians).map(|a| rim(middle + half * a.cos(), half * a.sin() * 1.3)));
            profile.extend([rim(inner, 0.0), rim(inner, -0.3 * inner)]);
            let weights = Weights::single(skeleton.index(&format!("{name}.{side}")));
            mesh.append(turned(center, pole, &profile, 18, Part::Lid, &weights));
        }
    }
    mesh
}

pub fn tongue(skeleton: &Skeleton) -> Mesh {
    let weights = Weights::single(skeleton.index("Jaw"));
    let profile: Vec<_> = (0..=8).map(|i| PI * f64::from(i) / 8.0).map(|a| (0.026 * a.sin().max(0.005), 0.026 * a.cos(), 0.0)).collect();
    let mut mesh = turned(DVec3::ZERO, DVec3::Z, &profile, 14, Part::Tongue, &weights);
    for vertex in &mut mesh.vertices {
        let p = vertex.position;
        let groove = 0.002 * (-(p.x / 0.006).powi(2)).exp();
        vertex.position = DVec3::new(p.x * 1.25, 0.3055 + p.y * 0.26 - groove, 0.082 + p.z) + DVec3::Y * 3.0 * p.x * p.x;
    }
    mesh.smooth_normals();
    mesh
}

/// Rings of the eye: angle from the gaze in radians, and linear color.
const EYE_RINGS: [(f64, [f64; 3]); 12] = [
    (0.0, [0.004, 0.006, 0.008]),
    (0.25, [0.004, 0.006, 0.008]),
    (0.5, [0.004, 0.006, 0.008]),
    (0.53, [0.03, 0.24, 0.26]),
    (0.68, [0.08, 0.55, 0.52]),
    (0.8, [0.4, 0.85, 0.6]),
    (0.86, [0.06, 0.3, 0.3]),
    (0.92, [0.006, 0.018, 0.022]),
    (1.1, [0.005, 0.012, 0.016]),
    (1.4, [0.005, 0.012, 0.016]),
    (1.8, [0.005, 0.012, 0.016]),
    (PI, [0.005, 0.012, 0.016]),
];

/// Returns both eyes with vertex colors: pupil, iris, dark rim. The iris is lighter below, as if translucent.
pub fn eyes(skeleton: &Skeleton) -> (Mesh, Vec<[f64; 3]>) {
    let (mut mesh, mut colors) = (Mesh::default(), Vec::new());
    for (side, sign) in SIDES {
        let (center, look) = face::eye(sign);
        let profile: Vec<_> = EYE_RINGS.iter().map(|(a, _)| (EYE_RADIUS * a.sin().max(0.002), EYE_RADIUS * a.cos(), 0.0)).collect();
        let mut eye = turned(center, look, &profile, 28, Part::Lid, &Weights::single(skeleton.index(&format!("Eye.{side}"))));
        for (i, vertex) in eye.vertices.iter_mut().enumerate() {
            let out = (vertex.position - center) / EYE_RADIUS;
            vertex.normal = out.normalize();
            let lit = 1.0 - 0.75 * smoothstep(-0.5, 0.6, out.y);
            colors.push(EYE_RINGS[i / 28].1.map(|channel| channel * lit));
        }
        mesh.append(eye);
    }
    (mesh, colors)
}

/// Returns the highlights of the eyes: a large and a small white cap just outside the surface of each eye. They are bound to the head,
/// so that they stay while the eye turns.
pub fn sparks(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh::default();
    for (_, sign) in SIDES {
        let (center, look) = face::eye(sign);
        for (across, up, size) in [(0.24, 0.36, 0.29), (-0.3, -0.34, 0.12)] {
            let right = DVec3::Y.cross(look).normalize();
            let axis = (look + right * across + look.cross(right) * up).normalize();
            let profile: Vec<_> =
                [0.002, 0.5, 1.0].map(|a: f64| a * size).map(|a| (EYE_RADIUS * 1.008 * a.sin(), EYE_RADIUS * 1.008 * a.cos(), 0.0)).into();
            mesh.append(turned(center, axis, &profile, 14, Part::Lid, &Weights::single(skeleton.index("Head"))));
        }
    }
    for vertex in &mut mesh.vertices {
        let sign = vertex.position.x.signum();
        vertex.normal = (vertex.position - face::eye(sign).0).normalize();
    }
    mesh
}
