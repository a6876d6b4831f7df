//! The renderer against numbers worked out by hand: exact pixel counts and bytes of tiny scenes, every kind of pipeline, and
//! the vertex shader's morphing and skinning against a naive reference in f64.

mod deform;
mod light;
mod materials;
mod pipelines;
mod pixels;
mod scene;
mod stills;
