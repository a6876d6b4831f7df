//! Tests of `check`: every check on a generated file that has the fault, and on one that nearly has it.
#![allow(clippy::unwrap_used)] // a failed unwrap fails the test

#[path = "../common/mod.rs"]
mod common;

mod character;
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
