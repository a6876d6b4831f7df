//! Floor 1: bytes to numbers. Decoders of compressed data; they know no glTF and import nothing of the crate.

pub mod halving;
pub(crate) mod ktx2;
pub mod meshopt;
pub mod texels;
