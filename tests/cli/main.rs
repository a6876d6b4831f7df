//! The command line as a process.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod contract;
mod register;
