//! Checks of the model at rest: skins, skeleton, scale and axes.

pub mod scale_and_axis;
pub mod skeleton;
pub mod skin;
