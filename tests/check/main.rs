//! Tests the checks: each one runs on a generated file with its fault, and on a file that nearly has the fault.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

#[path = "../common/mod.rs"]
mod common;
mod configuration;
mod keys;
mod motion;
mod page;
mod profiles;
mod properties;
mod rig;
mod rotation;
mod skin;
mod wording;
