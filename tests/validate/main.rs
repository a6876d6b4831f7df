//! The full check of `inspect`: every code at its place, nothing in a sound file, and real files against the reference validator.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod cases;
mod cases_of_data;
mod cases_of_materials;
mod cases_of_types;
mod codes;
#[path = "../common/mod.rs"]
mod common;
mod containers;
mod samples;
mod sound;
mod uris;
