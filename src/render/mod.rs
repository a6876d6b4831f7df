//! Turns models and the description of a picture into pixels, with wgpu. [`renderer::Renderer::draw`] shows the steps of a frame
//! in order. A model is uploaded once ([`model::GpuModel`]); a frame uploads only what may have changed, such as palettes and morph
//! weights.

pub mod actor;
pub mod annotations;
pub(crate) mod bind_groups;
pub mod buffers;
pub mod device;
pub(crate) mod draw_list;
pub mod environment;
pub mod error;
pub mod frame;
pub mod light;
pub mod material;
pub mod model;
pub(crate) mod passes;
pub mod picture;
pub(crate) mod pipelines;
pub mod renderer;
pub mod shaders;
