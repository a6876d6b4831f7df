//! The light from all around: its map against integrals worked out otherwise, and the files that it is read from.

#![allow(clippy::unwrap_used)] // a test may end at any surprise

mod files;
mod map;
