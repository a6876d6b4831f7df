//! Turns a model and a time into matrices, in three steps.
//!
//! 1. [`compiled::sample`]: keyframes become local transforms and morph weights ([`hierarchy::pose::Pose`]). [`mixer`] blends several
//!    animations.
//! 2. [`hierarchy::globals`]: local transforms become global ones, two nodes at a time in the order of the [`hierarchy::schedule`].
//! 3. In the same pass, global transforms are multiplied by the inverse bind matrices, which gives the palette that the vertex shader
//!    reads.
//!
//! [`crowd`] does all three for eight characters at once. Loops that run once per joint process eight numbers at a time ([`simd`]).
//! Nodes far from the origin are posed in f64 ([`hierarchy::far_nodes`]), and so are all results that are shown as numbers rather than
//! drawn: [`hierarchy::pose::global_transforms`], [`hierarchy::skinning::joint_transforms`], [`hierarchy::deform`], [`curve`].

pub mod compiled;
pub mod crowd;
pub mod curve;
pub mod frame_rate;
pub mod hierarchy;
pub mod keys;
pub mod mixer;
pub mod playback;
pub mod simd;
