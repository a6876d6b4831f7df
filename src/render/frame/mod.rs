//! Plans which pipelines a frame needs, and draws heavy pictures in chunks or over several frames.

pub(crate) mod chunks;
pub(crate) mod plan;
pub(crate) mod progressive;
