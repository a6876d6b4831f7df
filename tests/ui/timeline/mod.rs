//! Tests the timeline: transport row, ruler, dope sheet, curves, and the lanes of layers.

mod curves;
mod dope_sheet;
mod layer_strips;
mod transport;
