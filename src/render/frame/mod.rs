//! Requests the pipelines that a frame needs, and draws heavy pictures in chunks or over several frames.

pub(crate) mod chunks;
pub(crate) mod needed_pipelines;
pub(crate) mod progressive;
