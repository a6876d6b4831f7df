//! A picture as a whole: coverage, shading modes, stills, pipelines and device memory, and the same on GL.

mod coverage;
mod finish;
mod gl;
mod memory;
mod modes;
mod pipelines;
mod stills;
mod switching;
mod turns;
