//! Tests the validation that `inspect` runs: each code is reported at the right place, valid files have no findings, and the findings of
//! real files match those of the reference validator.
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
