//! The light from all around: its map against integrals worked out otherwise, and the files that it is read from.

mod files;
mod map;
