//! Floor 2: model and time to matrices, in three hops.
//!
//! 1. [`sample`]: keyframes, compiled to [`rows`], to local transforms and morph weights ([`pose::Pose`]); several animations are
//!    blended by [`mixer`].
//! 2. [`place`]: local transforms to global ones, a [`pair`] at a time in the [`order`] that suits the processor, and
//! 3. by the inverse bind matrices to the palette that the vertex shader reads.
//!
//! [`crowd`] does all three for eight characters at once. Everything that runs for each joint is written over [`lanes`] of eight
//! numbers. What is far from the origin goes by [`trunk`], and numbers that are read rather than drawn are f64:
//! [`pose::global_transforms`], [`skinning::joint_transforms`], [`deform`], [`curve`].

pub mod bind_pose;
pub mod compile;
pub mod crowd;
pub mod curve;
pub mod deform;
pub mod driven;
pub mod evaluate;
pub mod interpolate;
pub mod keyframe;
pub mod lanes;
pub mod mixer;
pub mod order;
mod packing;
pub mod pair;
pub mod place;
pub mod playback;
pub mod pose;
pub mod prepared;
pub mod rows;
pub mod sample;
pub mod skinning;
pub mod trunk;
