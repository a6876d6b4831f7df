//! Tests the command line as a process.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

#[path = "../common/mod.rs"]
mod common;

mod argument_order;
mod bad_companions;
mod borrow;
mod contract;
mod error_dialog;
mod hostile_names;
mod limits;
mod man_pages;
mod messages;
mod missing_files;
mod odd_rigs;
mod register;
mod registry_entries;
mod render_output;
mod several_files;
mod terminal_safety;
mod thumbnail;
