//! Computes global transforms and the joint palette from a local pose.
//!
//! `schedule` orders the nodes, once per model. In each frame, `far_nodes` poses the nodes for which `f32` is too coarse, `globals`
//! computes all others and the palette, and `skinning` replaces the palette entries of joints without influence.

pub mod bind_pose;
pub mod deform;
pub mod far_nodes;
pub mod globals;
pub mod matrix_pair;
pub mod pose;
pub mod schedule;
pub mod skinning;
