//! Floor 5: pictures of a document without a window, and their files.

mod names;
pub mod png;
pub mod still;
