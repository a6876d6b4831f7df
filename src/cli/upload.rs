//! Uploads models to the GPU, and prints warnings about them.

use anyhow::Context;

use crate::asset::file::progress::Progress;
use crate::asset::image::ImageSource;
use crate::export;
use crate::export::upload::Uploaded;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};

use super::messages;

/// Uploads a model with its images, and prints which images cannot be shown. Errors if the model does not fit on the GPU.
pub fn upload(gpu: &Gpu, model: &Model, images: Vec<ImageSource>) -> anyhow::Result<GpuModel> {
    let Uploaded { gpu_model, warnings } =
        export::upload::upload(gpu, model, images, &Progress::default()).context("cannot upload the model")?;
    print_warnings(&warnings);
    Ok(gpu_model)
}

/// Prints warnings about a file.
pub fn print_warnings(warnings: &[String]) {
    for warning in warnings {
        messages::warning(terminal::escape(warning, MAX_MESSAGE_CHARS));
    }
}
