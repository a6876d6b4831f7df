//! Tests surfaces: textures, materials and their extensions, variants, transparency, energy.

mod alpha_mask;
pub mod animated_properties;
mod blocks;
pub mod energy;
mod layers;
mod materials;
mod transmission;
mod unsorted;
mod variants;
