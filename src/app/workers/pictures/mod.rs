//! Makes pictures that panels show, and what drawing needs: fonts and the environment.

pub(in crate::app) mod environment;
pub(in crate::app) mod fonts;
pub(in crate::app) mod image_previews;
pub(in crate::app) mod thumbnails;
