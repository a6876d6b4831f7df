//! Tests clips: the times of their frames, what the encoders write, and `sinew render` as a separate process.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod command;
mod command_line;
#[path = "../common/mod.rs"]
mod common;
mod compared;
mod ending;
mod files;
#[cfg(target_os = "linux")]
mod memory;
mod sheet;
mod times;
