//! Tests the report that `inspect` prints.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

#[path = "../common/mod.rs"]
mod common;
mod inspect;
