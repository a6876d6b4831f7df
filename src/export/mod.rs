//! Exports pictures and clips of a document to files, without a window. In the order of imports, this is floor 6.

mod annotations;
mod apng;
pub mod atomic_file;
mod changed_area;
pub mod clip;
pub mod encoder;
mod gif;
pub mod png;
pub mod sequence;
pub mod still;
pub mod video;
