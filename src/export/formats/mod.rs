//! Encoders of picture and clip formats.

pub mod apng;
mod changed_area;
pub mod encoder;
pub mod gif;
pub mod png;
pub mod sequence;
pub mod video;
