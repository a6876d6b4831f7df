//! The reasons why a model or an environment cannot be uploaded. The messages are shown to the user.

use thiserror::Error;

use crate::numbers::grouped;

/// The reason why an upload failed.
#[derive(Debug, Error)]
pub enum RenderError {
    /// A buffer exceeds the device's limit. Sizes are in bytes. `place` names the part of the file, and `what` the buffer, in the plural.
    #[error("{place}: {what} need {} bytes, more than the graphics driver's limit of {}", grouped(*bytes), grouped(*limit))]
    TooLarge { place: String, what: &'static str, bytes: u64, limit: u64 },
    /// The device has no memory left. Holds the driver's message.
    #[error("out of graphics memory: {0}. Close other programs that use it, or reduce the model's meshes and textures")]
    OutOfMemory(String),
}
