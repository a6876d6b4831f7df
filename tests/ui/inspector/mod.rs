//! Tests the sections of the inspector.

mod checks;
mod comparison;
mod crowd;
mod display;
mod joints;
mod locomotion;
mod materials;
mod trails;
mod values;
mod weights;
