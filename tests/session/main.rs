//! Tests the session: what the user chose, the time, and what follows from both.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod camera;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod file_list;
mod ground_grid;
mod layer_strip;
mod morph_weights;
mod motion;
mod names;
mod next_file;
mod output_name;
mod playlist;
mod reload;
mod reused_pose;
mod selector;
mod transport;
mod undo;
mod units;
mod weights;
