//! Floor 5: pictures and clips of a document without a window, and their files.

mod annotations;
mod apng;
pub mod atomic_file;
mod changed_area;
pub mod clip;
mod gif;
pub mod png;
pub mod sequence;
pub mod still;
pub mod video;
