//! Tests that a file's bytes become the right model: the rules of the specification that loaders often get wrong, with values worked out
//! by hand.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod accessors;
mod animations;
#[path = "../common/mod.rs"]
mod common;
mod extensions;
mod file;
mod instancing;
mod material;
mod meshes;
mod nodes;
mod sample_model;
mod skins;
mod tangents;
