//! The bytes of a file: the GLB container, URIs, buffers, images, and numbers that JSON cannot hold.

pub mod glb;
pub mod image_header;
pub mod number;
pub mod resource;
pub mod uri;
