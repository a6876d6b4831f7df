//! Writes pictures, clips and contact sheets.

pub(in crate::app) mod clip_export;
pub(in crate::app) mod export;
pub(in crate::app) mod export_scene;
pub(in crate::app) mod picture_file;
pub(in crate::app) mod screenshot;
pub(in crate::app) mod sheet_export;
