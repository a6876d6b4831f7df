//! The renderer against numbers worked out by hand: exact pixel counts and bytes of tiny scenes, every kind of pipeline, and
//! the vertex shader's morphing and skinning against a naive reference in f64.

#![allow(clippy::unwrap_used)] // what helpers of tests fail at, the tests fail at

#[path = "../ktx2/encode.rs"]
mod encode;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "../support/mod.rs"]
mod support;

mod blocks;
mod crowd;
mod deform;
mod driven;
mod goldens;
mod instancing;
mod light;
mod materials;
mod memory;
mod modes;
mod over;
mod pipelines;
mod pixels;
mod samples;
mod scene;
mod skeleton;
mod stills;
