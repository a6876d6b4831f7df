//! The dope sheet: a row for each animated node and each of its channels, with a mark where a key is.

use egui::{Rect, Ui};

use super::Frame;
use super::time_axis::TimeAxis;

pub fn sheet_ui(_ui: &mut Ui, _frame: &mut Frame, _names: Rect, _tracks: Rect, _axis: &TimeAxis) {}
