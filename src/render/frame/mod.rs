//! What a frame consists of: its plan, and how a large one is drawn in chunks.

pub(crate) mod chunks;
pub(crate) mod plan;
pub(crate) mod progressive;
