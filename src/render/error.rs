//! What can go wrong while a model or an environment is uploaded.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error("mesh {mesh}, primitive {primitive}: {what} take {bytes} bytes, more than the {limit} that the graphics driver allows")]
    TooLarge { mesh: usize, primitive: usize, what: &'static str, bytes: u64, limit: u64 },
    #[error("graphics memory ran out: {0}. Close what else uses it, or make the model's meshes and textures smaller")]
    OutOfMemory(String),
}
