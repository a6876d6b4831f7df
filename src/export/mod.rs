//! Floor 5: pictures of a document without a window, and their files.

pub mod png;
pub mod still;
