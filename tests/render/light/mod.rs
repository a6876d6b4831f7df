//! Tests light: punctual lights, the environment map, and shadows.

mod around;
mod environment;
mod lamps;
mod shadow;
