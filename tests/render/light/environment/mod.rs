//! Tests the environment: its map against integrals that are computed in another way, and the files that it is read from.

mod files;
mod map;
