//! Models Ripple's body: rounded solids blended into one skin, each bound to a chain of joints.
//!
//! The skin weights come from the same distances as the shape, so that parts bend together where they blend.

use glam::DVec3;

use super::face;
use super::mesh::Weights;
use super::shape::{Shape, smooth_max, smooth_min, smoothstep};
use super::skeleton::{SIDES, Skeleton};

pub struct Body {
    parts: Vec<Part>,
    head: usize,
    jaw: usize,
}

struct Part {
    shape: Shape,
    /// Width of the blend with the parts before it, in meters.
    melt: f64,
    /// The joints that move it, from its root outwards, and where each begins.
    chain: Vec<(usize, DVec3)>,
}

/// Distance over which the skin weights of neighboring parts overlap, in meters.
const WEIGHT_OVERLAP: f64 = 0.0065;

impl Body {
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut parts = Vec::new();
        let mut add = |shape: Shape, melt: f64, joints: &[&str]| {
            let chain = joints.iter().map(|name| (skeleton.index(name), skeleton.position(name))).collect();
            parts.push(Part { shape, melt, chain });
        };
        let v = DVec3::new;
        let ellipsoid = |center: DVec3, radii: DVec3| Shape::Ellipsoid { center, radii };

        let trunk = ["Hips", "Spine", "Chest", "Neck"];
        add(ellipsoid(v(0.0, 0.158, 0.006), v(0.086, 0.084, 0.074)), 0.01, &trunk);
        add(ellipsoid(v(0.0, 0.218, 0.0), v(0.061, 0.055, 0.052)), 0.04, &trunk);
        add(
            Shape::RoundCone { from: v(0.0, 0.24, -0.002), to: v(0.0, 0.29, 0.0), radii: [0.054, 0.062] },
            0.03,
            &["Chest", "Neck", "Head"],
        );

        add(ellipsoid(v(0.0, 0.354, 0.0), v(0.119, 0.085, 0.094)), 0.025, &["Head"]);
        add(ellipsoid(v(0.0, 0.322, 0.048), v(0.094, 0.05, 0.066)), 0.045, &["Head"]);
        for (_, sign) in SIDES {
            add(ellipsoid(v(sign * 0.072, 0.316, 0.034), v(0.046, 0.037, 0.05)), 0.04, &["Head"]);
            let (eye, look) = face::eye(sign);
            let collar = Shape::Ellipsoid { center: eye - look * 0.014, radii: DVec3::splat(face::EYE_RADIUS + 0.0035) };
            add(collar, 0.022, &["Head"]);
        }

        for (side, sign) in SIDES {
            let at = |name: &str| skeleton.position(&format!("{name}.{side}"));
            let named = |names: &[&str]| names.iter().map(|name| format!("{name}.{side}")).collect::<Vec<_>>();
            let mut limb = |shape: Shape, melt: f64, names: &[&str]| {
                let names = named(names);
                add(shape, melt, &names.iter().map(String::as_str).collect::<Vec<_>>());
            };
            let arm =
                Shape::Chain { points: vec![at("UpperArm"), at("Forearm"), at("Hand")], radii: vec![0.027, 0.023, 0.02], flatness: 1.0 };
            limb(arm, 0.022, &["UpperArm", "Forearm", "Hand"]);
            let palm = at("Hand").lerp(at("Fingers"), 0.55);
            limb(ellipsoid(palm, DVec3::splat(0.0235)), 0.015, &["Hand"]);
            for [x, y, z] in [[0.178, 0.146, 0.029], [0.172, 0.124, 0.034], [0.153, 0.115, 0.033]] {
                let tip = v(sign * x, y, z);
                limb(Shape::RoundCone { from: palm, to: tip, radii: [0.011, 0.0115] }, 0.008, &["Hand", "Fingers"]);
            }
            limb(Shape::RoundCone { from: palm, to: v(sign * 0.143, 0.146, 0.048), radii: [0.012, 0.011] }, 0.008, &["Hand"]);

            let leg = Shape::Chain { points: vec![at("Thigh"), at("Shin"), at("Foot")], radii: vec![0.045, 0.037, 0.03], flatness: 1.0 };
            limb(leg, 0.02, &["Thigh", "Shin", "Foot"]);
            let heel = at("Foot") + v(0.0, -0.01, -0.004);
            let ball = v(sign * 0.064, 0.013, 0.042);
            limb(Shape::RoundCone { from: heel, to: ball, radii: [0.025, 0.021] }, 0.014, &["Foot", "Toes"]);
            for (x, z) in [(0.041, 0.056), (0.066, 0.064), (0.09, 0.053)] {
                let toe = v(sign * x, 0.012, z);
                limb(Shape::RoundCone { from: ball, to: toe, radii: [0.012, 0.0125] }, 0.008, &["Foot", "Toes"]);
            }
        }

        let tail = ["Tail1", "Tail2", "Tail3", "Tail4", "Tail5", "Tail6", "Tail7", "Tail8"];
        let mut points = vec![v(0.0, 0.135, -0.02)];
        points.extend(tail.map(|name| skeleton.position(name)));
        points.push(v(0.0, 0.214, -0.408));
        let radii = vec![0.06, 0.05, 0.042, 0.039, 0.042, 0.047, 0.05, 0.045, 0.03, 0.012];
        let mut chain = vec!["Hips"];
        chain.extend(tail);
        add(Shape::Chain { points, radii, flatness: 1.7 }, 0.04, &chain);
        Self { parts, head: skeleton.index("Head"), jaw: skeleton.index("Jaw") }
    }

    pub fn distance(&self, p: DVec3) -> f64 {
        smooth_max(self.closed_distance(p), -face::mouth_hollow(p), 0.012)
    }

    /// Returns the distance to the body without the mouth.
    pub fn closed_distance(&self, p: DVec3) -> f64 {
        let melted = self.parts.iter().map(|part| (part.shape.distance(p), part.melt));
        let melted = melted.reduce(|(sum, _), (distance, melt)| (smooth_min(sum, distance, melt), melt));
        // Flatten the soles.
        smooth_max(melted.map_or(f64::INFINITY, |(sum, _)| sum), -p.y, 0.006)
    }

    /// Returns the skin weights at `p`.
    pub fn weights(&self, p: DVec3) -> Weights {
        let distances: Vec<f64> = self.parts.iter().map(|part| part.shape.distance(p)).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let mut weights = Weights::default();
        for (part, distance) in self.parts.iter().zip(distances) {
            let hold = (-(distance - nearest) / WEIGHT_OVERLAP).exp();
            if hold > 1e-4 {
                part.along_chain(p, hold, &mut weights);
            }
        }
        let lower_lip = face::jaw_share(p) * weights.weight(self.head);
        weights.add(self.head, -lower_lip);
        weights.add(self.jaw, lower_lip);
        weights.strongest_four()
    }
}

impl Part {
    /// Distributes the weight `hold` among the part's joints. Where a joint begins, it shares the weight equally with the joint before it.
    /// In the middle of a joint, that joint gets the whole weight.
    fn along_chain(&self, p: DVec3, hold: f64, weights: &mut Weights) {
        let mut passed = 1.0;
        for (i, &(joint, from)) in self.chain.iter().enumerate() {
            let next = self.chain.get(i + 1).map_or(0.0, |&(_, to)| {
                let before = to - from;
                let after = self.chain.get(i + 2).map_or(before, |&(_, end)| end - to);
                let axis = before.normalize() + after.normalize();
                let half = 0.45 * before.length().min(after.length());
                smoothstep(-half, half, (p - to).dot(axis.normalize())).min(passed)
            });
            weights.add(joint, hold * (passed - next));
            passed = next;
        }
    }
}
