//! Floor 5: pictures and clips of a document without a window, and their files.

mod apng;
mod changes;
pub mod clip;
mod gif;
mod names;
pub mod png;
pub mod sequence;
pub mod still;
pub mod video;
pub mod whole;
