//! Measures how much two values of a channel differ. Translations are compared in world space and scales relative to the scale at rest,
//! because a parent's scale may make the unit of its children any length.

use glam::{DMat3, DVec3, DVec4};

use crate::animation::keys::interpolate::degrees_between;
use crate::check::context::{CheckContext, quaternion, vector};
use crate::model::animation::{Channel, Interpolation, Target};
use crate::numbers;

/// Maximum difference between two values that count as equal: of translations, as a fraction of the rig's size; of scales, as a fraction of
/// the scale at rest; of other numbers, relative to the first number, or absolute if that number is below 1.
const ROUNDING_TOLERANCE: f64 = 1e-5;
/// The same for translations, as a fraction of their length: the rounding error of a large number is large.
const LENGTH_TOLERANCE: f64 = 1e-6;

/// Measures the differences between values of a channel.
#[derive(Debug, Clone, Copy)]
pub struct ValueMeasure {
    target: Target,
    /// The rest transform of the node's parent, without translation.
    global_from_parent: DMat3,
    /// The scale of the node at rest. 1 for an axis whose scale is 0.
    rest_scale: DVec3,
}

impl ValueMeasure {
    /// The measure of a channel's values.
    pub fn new(context: &CheckContext, channel: &Channel) -> Self {
        let (target, hierarchy) = (channel.target, &context.model.hierarchy);
        let node = context.model.target_node(target);
        let parent = node.and_then(|node| hierarchy.parent(node));
        let parent = parent.map(|parent| context.rest.compiled.rest_globals[parent.index()].matrix3);
        // A parent that is flat at rest may grow in the animation.
        let global_from_parent = parent.filter(|matrix| matrix.determinant() != 0.0).unwrap_or(DMat3::IDENTITY);
        let rest_scale = node.map_or(DVec3::ONE, |node| hierarchy.rest[node.index()].scale.as_dvec3().abs());
        Self { target, global_from_parent, rest_scale: DVec3::select(rest_scale.cmpgt(DVec3::ZERO), rest_scale, DVec3::ONE) }
    }

    /// The distance between two translations, in meters.
    pub fn distance(&self, from: DVec3, to: DVec3) -> f64 {
        (self.global_from_parent * (to - from)).length()
    }

    /// The largest difference between two scales along an axis, as a fraction of the scale at rest.
    pub fn scale_ratio(&self, from: DVec3, to: DVec3) -> f64 {
        ((to - from).abs() / self.rest_scale).max_element()
    }

    /// The difference between two values: meters, degrees, a fraction of the scale at rest, or the number itself for other targets.
    pub fn difference(&self, from: &[f32], to: &[f32]) -> f64 {
        let rotation = |value: &[f32]| quaternion(value).unwrap_or(DVec4::W);
        match (self.target, vector(from).zip(vector(to))) {
            (Target::Rotation(_), _) => degrees_between(rotation(from), rotation(to)),
            (Target::Translation(_), Some((from, to))) => self.distance(from, to),
            (Target::Scale(_), Some((from, to))) => self.scale_ratio(from, to),
            _ => from.iter().zip(to).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max),
        }
    }

    /// Returns whether two values differ only by rounding. `size` is that of the rig, in meters.
    fn is_same(&self, from: &[f32], to: &[f32], size: f64) -> bool {
        let is_near = |(a, b): (&f32, &f32)| f64::from((a - b).abs()) <= ROUNDING_TOLERANCE * f64::from(a.abs().max(1.0));
        match (self.target, vector(from)) {
            (Target::Translation(_), Some(vector)) => {
                let length = self.distance(DVec3::ZERO, vector);
                self.difference(from, to) <= ROUNDING_TOLERANCE * size + LENGTH_TOLERANCE * length
            }
            (Target::Scale(_), Some(_)) => self.difference(from, to) <= ROUNDING_TOLERANCE,
            _ => from.iter().zip(to).all(is_near),
        }
    }
}

/// Returns whether a channel keeps its value at all times. Differences that nobody sees do not count, because such keys can be removed
/// as well. (The dope sheet dims only channels whose keys are exactly equal.) A quaternion and its negative are the same rotation. `keys`
/// is the number of keys.
pub fn is_nearly_constant(context: &CheckContext, channel: &Channel, keys: usize) -> bool {
    let (measure, first) = (ValueMeasure::new(context, channel), channel.value(0));
    let is_same = |a: &[f32], b: &[f32]| measure.is_same(a, b, context.rest.size);
    let may_have_other_sign = matches!(channel.target, Target::Rotation(_)) && channel.interpolation != Interpolation::CubicSpline;
    let opposite: Vec<f32> = first.iter().map(|x| -x).collect();
    let is_first = |key: usize| is_same(first, channel.value(key)) || (may_have_other_sign && is_same(&opposite, channel.value(key)));
    let zero = vec![0.0; channel.components];
    let is_flat = |key: usize| {
        let n = channel.components;
        let group = |group: usize| channel.output.get((key * 3 + group) * n..(key * 3 + group + 1) * n).unwrap_or_default();
        is_same(&zero, group(0)) && is_same(&zero, group(2))
    };
    (1..keys).all(is_first) && (channel.interpolation != Interpolation::CubicSpline || keys < 2 || (0..keys).all(is_flat))
}

/// A change of scale in words, along the axis that changes most: "from 1.000 to 2.000".
pub fn scale_words(from: &[f32], to: &[f32]) -> String {
    let axes = from.iter().zip(to).max_by(|a, b| (a.1 - a.0).abs().total_cmp(&(b.1 - b.0).abs()));
    let [from, to] = axes.map_or([0.0; 2], |(&from, &to)| [from, to].map(f64::from));
    format!("from {} to {}", numbers::fixed(from, 3), numbers::fixed(to, 3))
}
