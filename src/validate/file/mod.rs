//! The bytes of a file: the GLB container, URIs, buffers and images.

pub mod glb;
pub mod image_header;
pub mod resource;
pub mod uri;
