//! From a local pose to global transforms to the joint palette.

pub mod bind_pose;
pub mod deform;
pub mod far_nodes;
pub mod globals;
pub mod matrix_pair;
pub mod pose;
pub mod schedule;
pub mod skinning;
