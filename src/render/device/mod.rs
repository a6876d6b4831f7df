//! The GPU device: opening it, reading pictures back, and the memory that textures take.

pub mod gpu;
pub mod memory;
pub mod readback;
