//! Tests the codecs: KHR_draco_mesh_compression, KTX2 textures and EXT_meshopt_compression.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

#[path = "../common/mod.rs"]
mod common;
mod draco;
mod ktx2;
mod meshopt;
