//! Lanes between the ruler and the rows, on the same axis.

use egui::{Rect, Ui};

use super::Frame;
use super::time_axis::TimeAxis;

/// Of all of them; 0 where there are none.
pub fn height(_frame: &Frame) -> f32 {
    0.0
}

pub fn lanes_ui(_ui: &mut Ui, _frame: &mut Frame, _names: Rect, _tracks: Rect, _axis: &TimeAxis) {}
