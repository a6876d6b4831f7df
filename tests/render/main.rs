//! Tests the renderer. Pixel counts and bytes of tiny scenes are compared with numbers worked out by hand, every kind of pipeline is built,
//! and the vertex shader's morphing and skinning are compared with a naive reference in f64.
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
