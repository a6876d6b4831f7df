//! Makes the pictures that panels show, and loads fonts and the environment light.

pub(in crate::app) mod environment;
pub(in crate::app) mod fonts;
pub(in crate::app) mod image_previews;
pub(in crate::app) mod simplified_meshes;
pub(in crate::app) mod thumbnails;
