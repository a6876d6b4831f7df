//! Finds the key under the pointer in the curve editor, or the curve if there is no key.

use egui::{Pos2, pos2};

use crate::animation::curve;
use crate::model::animation::Animation;

use super::channel::ShownChannel;
use super::marks;
use super::state::CurvesState;
use super::value_axis::{PlotAxes, ValueAxis};

/// Maximum distance from the pointer at which a key or curve is hit, in points.
const MAX_HIT_DISTANCE: f32 = 8.0;
/// Horizontal offsets from the pointer, in points, at which a curve is tested. They are needed for steep curves, which may pass beside the
/// pointer.
const TEST_OFFSETS: [f32; 3] = [-3.0, 0.0, 3.0];

/// A key or curve under the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Index into the channels shown.
    pub channel: usize,
    /// Index of the curve in the channel.
    pub part: usize,
    /// Index of the key. `None` if only the curve was hit.
    pub key: Option<usize>,
    /// Time of the key, or of the pointer if no key was hit, in seconds.
    pub time: f64,
}

/// The key or curve nearest to the pointer. `None` if nothing is near.
pub fn under(state: &CurvesState, animation: &Animation, axes: PlotAxes, pointer: Pos2) -> Option<Hit> {
    let PlotAxes { time: axis, values } = axes;
    let mut found: Vec<(f32, Hit)> = Vec::new();
    for (channel, shown) in state.channels.iter().enumerate() {
        let tested = TEST_OFFSETS.map(|offset| heights(shown, animation, axis.time(pointer.x + offset), values));
        let key = (!state.velocity).then(|| key_at(shown, animation, axes, pointer.x)).flatten();
        for part in state.drawn(shown) {
            // A steep curve covers all heights between the tested columns.
            let low = tested.iter().flatten().map(|heights| heights[part]).fold(f32::INFINITY, f32::min);
            let high = tested.iter().flatten().map(|heights| heights[part]).fold(f32::NEG_INFINITY, f32::max);
            let time = axis.time(pointer.x);
            let distance = (low - pointer.y).max(pointer.y - high).max(0.0);
            found.push((distance, Hit { channel, part, key: None, time }));
            if let Some((key, time, heights)) = &key {
                let distance = (pointer - pos2(axis.x(*time), heights[part])).length();
                // Every key within reach ranks before any curve.
                let distance = if distance < MAX_HIT_DISTANCE { distance - MAX_HIT_DISTANCE } else { distance };
                found.push((distance, Hit { channel, part, key: Some(*key), time: *time }));
            }
        }
    }
    found.into_iter().filter(|(distance, _)| *distance < MAX_HIT_DISTANCE).min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, hit)| hit)
}

/// The y coordinates of a channel's curves at a time, in points. `None` if the survey has not reached that time yet.
fn heights(shown: &ShownChannel, animation: &Animation, time: f64, values: &ValueAxis) -> Option<Vec<f32>> {
    let (channel, times) = shown.data(animation);
    let mut numbers = vec![0.0; shown.curves.len()];
    let is_known = shown.survey.write(channel, &curve::at(channel, times, time), &mut numbers);
    is_known.then(|| numbers.into_iter().map(|number| values.y(number)).collect())
}

/// The nearest key with its time and the y coordinates of its marks. `None` if its mark is not drawn.
fn key_at(shown: &ShownChannel, animation: &Animation, axes: PlotAxes, x: f32) -> Option<(usize, f64, Vec<f32>)> {
    let (channel, times) = shown.data(animation);
    let key = nearest_key(times, axes.time.time(x));
    let mut numbers = vec![0.0; shown.curves.len()];
    let is_marked = marks::is_isolated(times, key, axes.time, marks::SIZE);
    let is_known = is_marked && shown.survey.write(channel, &curve::between(times, key, 0.0), &mut numbers);
    is_known.then(|| (key, f64::from(times[key]), numbers.into_iter().map(|number| axes.values.y(number)).collect()))
}

/// The key whose time is nearest.
fn nearest_key(times: &[f32], time: f64) -> usize {
    let after = times.partition_point(|&key| f64::from(key) < time).min(times.len() - 1);
    let before = after.saturating_sub(1);
    if time - f64::from(times[before]) < f64::from(times[after]) - time { before } else { after }
}
