//! Code that several test binaries share. Each `tests/*/main.rs` that needs this module names it by path; all other files write
//! `crate::common`.
#![allow(dead_code)] // each test binary uses only a part

pub mod character;
pub mod gltf_builder;
pub mod hand_made;
pub mod ktx2_encode;
pub mod odd_rigs;
pub mod pixels;
pub mod reference;
pub mod skip;
pub mod sphere;
pub mod time_limit;
pub mod ui_harness;
