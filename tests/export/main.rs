//! Tests clips: the times of their frames, what the encoders write, and `sinew render` as a separate process.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod clip_process;
#[path = "../common/mod.rs"]
mod common;
mod compared;
mod failures;
mod files;
#[cfg(target_os = "linux")]
mod memory;
mod render_command;
mod sheet;
mod times;
