//! Clips: which times their frames show, what the encoders write, and the command line as a process.
#![allow(clippy::unwrap_used)] // a test may end at any surprise

mod command;
mod command_line;
mod ending;
mod files;
#[path = "../support/mod.rs"]
mod support;
mod times;
