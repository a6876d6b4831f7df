//! Tests sampling, mixing and skinning against the f64 reference, the formulas of the specification, and hand-made values.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod bind_pose;
#[path = "../common/mod.rs"]
mod common;
mod curve;
mod frame_rate;
mod kernels;
mod mixer;
mod pointer;
mod properties;
mod sampling;
mod worked_examples;
