//! The renderer against numbers worked out by hand: exact pixel counts and bytes of tiny scenes, every kind of pipeline, and
//! the vertex shader's morphing and skinning against a naive reference in f64.

#![allow(clippy::unwrap_used)] // what helpers of tests fail at, the tests fail at

#[path = "../ktx2/encode.rs"]
mod encode;
#[path = "../reference/mod.rs"]
mod reference;
#[path = "../support/mod.rs"]
mod support;

mod around;
mod blocks;
mod crowd;
mod culling;
mod deform;
mod driven;
mod energy;
mod finish;
mod ghosts;
mod goldens;
mod instancing;
mod layers;
mod light;
mod materials;
mod memory;
mod modes;
mod over;
mod pipelines;
mod pixels;
mod samples;
mod scene;
mod shadow;
mod sharing;
mod skeleton;
mod stills;
mod switching;
mod transmission;
mod turns;
mod unsorted;
mod variants;
mod weights;
