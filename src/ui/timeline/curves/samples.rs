//! Samples the curves of a channel at the columns of a time axis. A column without keys is sampled at most once. A few keys in a column are
//! sampled exactly; more keys are reduced to their minimum and maximum. So a million keys take no longer than a thousand.

use egui::{Pos2, Rangef, pos2};

use crate::animation::curve;
use crate::animation::curve::survey::{KEYS_PER_BLOCK, Survey};
use crate::animation::keys::keyframe::Segment;
use crate::model::animation::Channel;
use crate::ui::timeline::time_axis::TimeAxis;

use super::value_axis::ValueAxis;

/// Columns with more keys than this are drawn as a line from the minimum to the maximum.
const MAX_EXACT_KEYS: usize = 2;
/// Largest vertical distance between a drawn line and the samples, in points.
const HEIGHT_TOLERANCE: f32 = 0.04;

/// The samples of a channel.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    /// Changes each time the samples are made.
    pub revision: u64,
    /// X coordinates of the samples, ascending, in points.
    xs: Vec<f32>,
    /// Values by part, then by sample.
    values: Vec<Vec<f64>>,
    /// The axis and the range of x coordinates that the samples were made for, and whether all keys were surveyed.
    made_for: Option<(TimeAxis, Rangef, bool)>,
}

impl Samples {
    /// Samples again if the axis or the range of x coordinates has changed, or the survey is not complete yet.
    pub fn refresh(&mut self, channel: &Channel, times: &[f32], survey: &Survey, axis: &TimeAxis, x_range: Rangef) {
        let made_for = (*axis, x_range, survey.is_complete());
        if self.made_for == Some(made_for) && survey.is_complete() {
            return;
        }
        self.made_for = Some(made_for);
        self.revision += 1;
        self.xs.clear();
        self.values = vec![Vec::new(); survey.parts()];
        let numbers = [vec![0.0; survey.parts()], vec![0.0; survey.parts()]];
        Sampler { channel, times, survey, axis, numbers, samples: self }.sample(x_range);
    }

    /// Adds a sample.
    fn push(&mut self, x: f32, numbers: &[f64]) {
        self.xs.push(x);
        for (values, number) in self.values.iter_mut().zip(numbers) {
            values.push(*number);
        }
    }

    /// Returns a curve as lines on the screen, without points that would not visibly change the picture. A value that is not finite
    /// interrupts the line.
    pub fn lines(&self, part: usize, axis: &ValueAxis) -> Vec<Vec<Pos2>> {
        let mut lines = vec![SimplifiedLine::default()];
        for (&x, &value) in self.xs.iter().zip(&self.values[part]) {
            match lines.last_mut() {
                Some(line) if value.is_finite() => line.push(pos2(x, axis.y(value))),
                _ => lines.push(SimplifiedLine::default()),
            }
        }
        lines.into_iter().map(SimplifiedLine::points).filter(|points| points.len() > 1).collect()
    }
}

/// Builds a line from left to right, and leaves out points whose vertical distance from it is at most [`HEIGHT_TOLERANCE`].
#[derive(Debug, Default)]
struct SimplifiedLine {
    /// The points that are kept for certain.
    kept: Vec<Pos2>,
    /// The last point, if it is not kept yet. It is kept if the next point is not within the slopes.
    last: Option<Pos2>,
    /// Lowest and highest slope of a segment from the last kept point that passes all points after it within the tolerance.
    slopes: [f32; 2],
}

impl SimplifiedLine {
    /// Adds a point whose x coordinate is not less than that of the last one.
    fn push(&mut self, point: Pos2) {
        if let (Some(last), Some(kept)) = (self.last, self.kept.last()) {
            let slope = (point.y - kept.y) / (point.x - kept.x);
            if !(self.slopes[0]..=self.slopes[1]).contains(&slope) {
                self.keep(last);
            }
        }
        match self.kept.last() {
            Some(kept) if point.x > kept.x => {
                let slope = |height: f32| (height - kept.y) / (point.x - kept.x);
                let [low, high] = self.slopes;
                self.slopes = [low.max(slope(point.y - HEIGHT_TOLERANCE)), high.min(slope(point.y + HEIGHT_TOLERANCE))];
                self.last = Some(point);
            }
            // The first point, or the end of a jump.
            _ => self.keep(point),
        }
    }

    /// Keeps a point, at which the next segment starts.
    fn keep(&mut self, point: Pos2) {
        self.kept.push(point);
        self.last = None;
        self.slopes = [f32::NEG_INFINITY, f32::INFINITY];
    }

    /// Returns the points that are kept, and the last one.
    fn points(mut self) -> Vec<Pos2> {
        self.kept.extend(self.last);
        self.kept
    }
}

/// Makes the samples from left to right. Functions return false if the survey has not reached the value yet.
struct Sampler<'a> {
    channel: &'a Channel,
    times: &'a [f32],
    survey: &'a Survey,
    axis: &'a TimeAxis,
    /// Buffers for the values before and after a jump, or for minimum and maximum.
    numbers: [Vec<f64>; 2],
    samples: &'a mut Samples,
}

impl Sampler<'_> {
    /// Samples all columns that the survey has reached.
    fn sample(&mut self, x_range: Rangef) {
        // Straight curves need no samples between keys.
        let is_curved = !self.survey.quantity().is_straight(self.channel);
        let mut key = self.first_key_from(0, x_range.min);
        let mut was_dense = true;
        // A column is a point wide.
        for column in 0..x_range.span().ceil() as usize {
            let (left, right) = (x_range.min + column as f32, (x_range.min + column as f32 + 1.0).min(x_range.max));
            let next = self.first_key_from(key, right);
            let is_dense = next - key > MAX_EXACT_KEYS;
            let is_known = if is_dense {
                self.extremes(left, key..next)
            } else {
                (!(is_curved || was_dense) || self.at_x(left)) && (key..next).all(|key| self.at_key(key))
            };
            if !is_known {
                return;
            }
            (key, was_dense) = (next, is_dense);
        }
        self.at_x(x_range.max);
    }

    /// The first key at or right of `x`, starting the search at `from`.
    fn first_key_from(&self, from: usize, x: f32) -> usize {
        let time = self.axis.time(x);
        from + self.times[from..].partition_point(|&key| f64::from(key) < time)
    }

    /// Samples at an x coordinate.
    fn at_x(&mut self, x: f32) -> bool {
        let segment = curve::at(self.channel, self.times, self.axis.time(x));
        self.at_segment(x, &segment)
    }

    /// Samples on a segment between keys.
    fn at_segment(&mut self, x: f32, segment: &Segment) -> bool {
        let is_known = self.survey.write(self.channel, segment, &mut self.numbers[0]);
        if is_known {
            self.samples.push(x, &self.numbers[0]);
        }
        is_known
    }

    /// Samples at a key. A jump becomes a vertical line.
    fn at_key(&mut self, key: usize) -> bool {
        let x = self.axis.x(self.times[key].into());
        let after = curve::between(self.times, key, 0.0);
        // Before the first key, its value is held.
        let held = Segment { key, next: key, u: 0.0, dt: 0.0 };
        let before = key.checked_sub(1).map_or(held, |before| curve::between(self.times, before, 1.0));
        let [left, right] = &mut self.numbers;
        let is_known = self.survey.write(self.channel, &before, left) && self.survey.write(self.channel, &after, right);
        if is_known {
            let has_jump = left.iter().zip(&*right).any(|(a, b)| (a - b).abs() > 1e-6 * (1.0 + b.abs()));
            if has_jump {
                self.samples.push(x, &self.numbers[0]);
            }
            self.samples.push(x, &self.numbers[1]);
        }
        is_known
    }

    /// Adds the minimum and the maximum of these keys.
    fn extremes(&mut self, x: f32, keys: std::ops::Range<usize>) -> bool {
        let parts = self.survey.parts();
        let [min, max] = &mut self.numbers;
        // The survey knows the range of whole blocks of keys.
        if keys.len() > 2 * KEYS_PER_BLOCK {
            for part in 0..parts {
                let Some([low, high]) = self.survey.range_around(part, keys.clone()) else { return false };
                (min[part], max[part]) = (low, high);
            }
        } else {
            let mut numbers = vec![0.0; parts];
            min.fill(f64::INFINITY);
            max.fill(f64::NEG_INFINITY);
            for key in keys {
                if !self.survey.write(self.channel, &curve::between(self.times, key, 0.0), &mut numbers) {
                    return false;
                }
                for part in 0..parts {
                    min[part] = min[part].min(numbers[part]);
                    max[part] = max[part].max(numbers[part]);
                }
            }
        }
        self.samples.push(x, &self.numbers[0]);
        self.samples.push(x, &self.numbers[1]);
        true
    }
}
