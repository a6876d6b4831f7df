//! The playback time and the modules that depend on it.
//!
//! In each frame, `playlist` advances `transport` and changes the animation at its end. The result is a `moment`, the only time that a pose
//! depends on. `clip` lists the moments of an export, and `layer_strip` tells when a layer plays on the clock of the layers.

pub mod clip;
pub mod layer_strip;
pub mod moment;
pub mod playlist;
pub mod transport;
