//! Tests surfaces: textures, materials and their extensions, variants, transparency, energy.

mod alpha_mask;
mod blocks;
pub mod driven;
pub mod energy;
mod layers;
mod materials;
mod transmission;
mod unsorted;
mod variants;
