//! The playback time and the modules that depend on it: transport, playlist, layer strips, and the frames of a clip.

pub mod clip;
pub mod layer_strip;
pub mod moment;
pub mod playlist;
pub mod transport;
