//! Tests how animations are carried over to other skeletons: which nodes are paired, and how the target moves.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod binding;
mod borrowed_files;
mod carrying;
#[path = "../common/mod.rs"]
mod common;
mod formula;
mod hostile;
mod morph_weights;
mod rig;
mod swapping;
mod vrm;
