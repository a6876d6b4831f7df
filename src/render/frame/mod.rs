//! Plans a frame, and draws heavy ones in chunks or over several frames.

pub(crate) mod chunks;
pub(crate) mod plan;
pub(crate) mod progressive;
