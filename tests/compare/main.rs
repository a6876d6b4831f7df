//! Tests the comparison of two models: which nodes belong together, how far they are apart, and what else differs.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod animations;
mod bounds;
#[path = "../common/mod.rs"]
mod common;
mod deformation;
mod differences;
mod heat;
mod laws;
mod node_pairs;
mod numbers;
mod report;
mod rig;
mod time_map;
