//! Keyframes of a channel, interpolation between them, and the properties that animation pointers drive.

pub mod interpolate;
pub mod keyframe;
pub mod pointer_targets;
