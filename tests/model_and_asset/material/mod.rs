//! Tests materials with their extensions and variants, and the images that they use.

mod extensions;
mod images;
mod materials;
mod variants;
