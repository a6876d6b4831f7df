//! The clock and everything placed on it: transport, playlist, layer strips, the range of an export.

pub mod clip;
pub mod layer_strip;
pub mod moment;
pub mod playlist;
pub mod transport;
