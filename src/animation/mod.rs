//! Floor 2: model and time to matrices, in three hops.
//!
//! 1. [`sample`]: keyframes, compiled to [`rows`], to local transforms and morph weights ([`crate::animation::hierarchy::pose::Pose`]); several animations are
//!    blended by [`mixer`].
//! 2. [`place`]: local transforms to global ones, a [`pair`] at a time in the [`order`] that suits the processor, and
//! 3. by the inverse bind matrices to the palette that the vertex shader reads.
//!
//! [`crowd`] does all three for eight characters at once. Everything that runs for each joint is written over [`lanes`] of eight
//! numbers. What is far from the origin goes by [`trunk`], and numbers that are read rather than drawn are f64:
//! [`crate::animation::hierarchy::pose::global_transforms`], [`crate::animation::hierarchy::skinning::joint_transforms`], [`deform`], [`curve`].

pub mod compiled;
pub mod crowd;
pub mod curve;
pub mod hierarchy;
pub mod keys;
pub mod mixer;
pub mod playback;
pub mod simd;
