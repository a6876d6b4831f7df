//! Tests the session: what the user chose, the time, and what follows from both.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod camera;
#[path = "../common/mod.rs"]
mod common;
mod file;
mod ground_grid;
mod motion;
mod names;
mod pose;
mod time;
mod units;
mod view;
mod weights;
