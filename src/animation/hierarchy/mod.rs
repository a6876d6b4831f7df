//! Computes global transforms and the joint palette from a local pose.

pub mod bind_pose;
pub mod deform;
pub mod far_nodes;
pub mod globals;
pub mod matrix_pair;
pub mod pose;
pub mod schedule;
pub mod skinning;
