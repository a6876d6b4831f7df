//! Tests vertices and draws: deformation, instances, crowds, shared meshes, frustum culling.

mod crowd;
mod culling;
pub mod deform;
mod instancing;
mod samples;
mod sharing;
