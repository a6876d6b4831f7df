//! Background work on pictures: decodes and uploads images, reads panoramas, draws thumbnails, and simplifies the meshes of moving
//! pictures.

pub(in crate::app) mod environment;
pub(in crate::app) mod image_previews;
pub(in crate::app) mod image_upload;
pub(in crate::app) mod simplified_meshes;
pub(in crate::app) mod thumbnails;
