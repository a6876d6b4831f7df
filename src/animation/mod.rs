//! Floor 2: model and time to matrices. Three hops, each a free function from slices to slices that allocates nothing:
//! [`sample::sample`] (keyframes to local transforms), [`pose::global_transforms`] (parents first),
//! [`skinning::joint_transforms`] and [`skinning::joint_matrices`] (the palette that the vertex shader reads).

pub mod deform;
pub mod interpolate;
pub mod keyframe;
pub mod playback;
pub mod pose;
pub mod sample;
pub mod skinning;
