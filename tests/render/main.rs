//! Tests the renderer with numbers worked out by hand: exact pixel counts and bytes of tiny scenes, every kind of pipeline, and the vertex
//! shader's morphing and skinning against a naive reference in f64.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

#[path = "../common/mod.rs"]
mod common;
mod geometry;
mod goldens;
mod light;
mod overlay;
mod picture;
mod scene;
mod surface;
