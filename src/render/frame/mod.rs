//! Requests the pipelines that a frame needs, decides what is drawn until they are made, and draws heavy pictures in chunks or over several
//! frames.

pub(crate) mod chunks;
pub(crate) mod needed_pipelines;
pub(crate) mod plan;
pub(crate) mod progressive;
