//! GPU buffers: ranges of shared buffers for meshes, buffers that change from frame to frame (the joint palette and its pages), and staged
//! uploads while a model loads.

pub(crate) mod arena;
pub(crate) mod dynamic_buffer;
pub(crate) mod palette;
pub(crate) mod palette_pages;
pub(crate) mod staged_upload;
