//! What can go wrong while a model or an environment is uploaded.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error("mesh {mesh}, primitive {primitive}: {what} need {bytes} bytes, more than the graphics driver's limit of {limit}")]
    TooLarge { mesh: usize, primitive: usize, what: &'static str, bytes: u64, limit: u64 },
    #[error("out of graphics memory: {0}. Close other programs that use it, or reduce the model's meshes and textures")]
    OutOfMemory(String),
}
