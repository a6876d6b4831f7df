//! Floor 1: decoders of compressed data. They know no glTF and import nothing else of the crate.

pub mod draco;
pub mod halving;
pub mod ktx2;
pub mod meshopt;
pub mod texels;
