//! Tests light: punctual lights, the environment map, and shadows.

mod environment;
mod image_based;
mod punctual;
mod shadow;
