//! Tests whole pictures: coverage, shading modes, stills, pipelines, device memory, and the same on GL.

mod coverage;
mod finish;
mod gl;
mod material_values;
mod memory;
mod modes;
mod pipelines;
mod progressive;
mod stills;
mod switching;
