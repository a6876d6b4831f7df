//! The GPU device: choosing it, reading pictures back, memory it holds.

pub mod gpu;
pub mod memory;
pub mod readback;
