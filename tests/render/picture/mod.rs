//! Tests whole pictures: coverage, shading modes, stills, pipelines and device memory, and that GL draws the same pictures as Vulkan.

mod composite;
mod coverage;
mod gl;
mod material_values;
mod memory;
mod modes;
mod pipelines;
mod progressive;
mod resolution;
mod stills;
mod switching;
