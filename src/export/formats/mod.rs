//! Encoders of picture and clip formats. Encoders of clips implement the trait in `encoder`: they take pictures one by one, and write a
//! file, or the numbered files of a sequence, which appear only when they are complete.

pub mod apng;
mod changed_area;
pub mod encoder;
pub mod gif;
pub mod png;
pub mod sequence;
pub mod video;
