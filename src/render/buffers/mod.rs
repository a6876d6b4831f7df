//! GPU buffers that change from frame to frame: the joint palette, its pages, staged uploads.

pub(crate) mod dynamic_buffer;
pub(crate) mod palette;
pub(crate) mod palette_pages;
pub(crate) mod staged_upload;
