//! Floor 2: bytes to a model. Each rule of the specification that loaders get wrong, with values worked out by hand.

mod accessors;
mod animations;
mod container;
mod extensions;
mod files;
mod materials;
mod meshes;
mod nodes;
mod skins;
#[path = "../support/mod.rs"]
mod support;
mod tangents;
