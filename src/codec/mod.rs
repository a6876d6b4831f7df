//! Decoders of compressed meshes and images. They know nothing about glTF, and import nothing from the rest of the crate.

pub mod draco;
pub mod halving;
pub mod ktx2;
pub mod meshopt;
pub mod texels;
