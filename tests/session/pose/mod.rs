//! Tests poses: crowds, morph weights, and buffers that are used again.

mod crowd;
mod morph_weights;
mod reused_pose;
