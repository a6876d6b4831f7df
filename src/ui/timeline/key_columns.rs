//! Reduces keys to the marks that a time axis can show: at most one mark per point of width, and bars where keys are close together. So the
//! cost is bounded by the width of the axis, even for a million keys.

use std::ops::Range;

use super::time_axis::TimeAxis;

/// Keys that are nearer to each other than this distance, in points, merge into one bar.
const MIN_MARK_GAP: f32 = 6.0;

/// A key, or a bar from the first to the last of several keys, as x coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyMark {
    pub first: f32,
    pub last: f32,
}

/// Collects keys in columns of a time axis. A column is one point wide.
pub struct KeyColumns<'a> {
    axis: &'a TimeAxis,
    /// The x coordinate of the first key in each column. Infinite if the column has no key.
    columns: Vec<f32>,
    /// Number of columns with a key.
    filled: usize,
}

impl<'a> KeyColumns<'a> {
    /// A collection without keys.
    pub fn new(axis: &'a TimeAxis) -> Self {
        // The padding at both ends of the axis is visible too.
        Self { axis, columns: vec![f32::INFINITY; axis.width as usize + 2 * TimeAxis::PADDING as usize + 1], filled: 0 }
    }

    /// Adds the keys of this range. `times` are ascending, in seconds.
    pub fn add(&mut self, times: &[f32], keys: Range<usize>) {
        // When every column has a key, more keys change nothing.
        let Some(times) = times.get(keys).filter(|_| self.filled < self.columns.len()) else { return };
        let left = self.axis.left - TimeAxis::PADDING;
        let start = self.axis.time(left);
        let mut next = times.partition_point(|&time| f64::from(time) < start);
        while let Some(&time) = times.get(next) {
            let x = self.axis.x(time.into());
            let column = (x - left).max(0.0) as usize;
            let Some(first) = self.columns.get_mut(column) else { break };
            self.filled += usize::from(first.is_infinite());
            *first = first.min(x);
            // Skip the other keys of this column at once.
            let edge = self.axis.time(left + (column + 1) as f32);
            next += times[next..].partition_point(|&time| f64::from(time) < edge).max(1);
        }
    }

    /// The marks and bars of all keys added, from left to right.
    pub fn marks(&self) -> Vec<KeyMark> {
        let mut marks: Vec<KeyMark> = Vec::new();
        for &x in self.columns.iter().filter(|x| x.is_finite()) {
            match marks.last_mut() {
                Some(mark) if x - mark.last < MIN_MARK_GAP => mark.last = x,
                _ => marks.push(KeyMark { first: x, last: x }),
            }
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyColumns, TimeAxis};

    #[test]
    fn a_separate_key_has_a_mark_of_its_own_beside_dense_keys() {
        // One second per point, from 86 s at the left edge to 214 s at the right.
        let axis = TimeAxis { left: 14.0, width: 100.0, span: [100.0, 200.0] };
        let mut columns = KeyColumns::new(&axis);
        let dense: Vec<f32> = (172..374).map(|half| half as f32 / 2.0).collect();
        columns.add(&dense, 0..dense.len());
        columns.add(&[205.0], 0..1);
        let marks = columns.marks();
        assert_eq!((marks.len(), marks[1].first), (2, 119.0), "{marks:?}");
    }
}
