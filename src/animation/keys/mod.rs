//! Keyframes of a channel, interpolation between them, and the pointer targets that they drive.

pub mod interpolate;
pub mod keyframe;
pub mod pointer_targets;
