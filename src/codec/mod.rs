//! Floor 1: bytes to numbers. Codecs know nothing of glTF and import nothing else of the crate.

pub mod draco;
pub mod halving;
pub mod ktx2;
pub mod meshopt;
pub mod texels;
