//! Holds the data for drawing pictures and clips, and uploads models to the GPU.

use anyhow::Context;

use crate::asset::file::progress::Progress;
use crate::asset::image::ImageSource;
use crate::export;
use crate::export::upload::Uploaded;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::render::renderer::Renderer;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::view::View;

use super::render::compared_scene::ComparedScene;

/// The data for drawing a picture or a clip.
pub struct Scene {
    /// The graphics device.
    pub gpu: Gpu,
    /// The renderer, on that device.
    pub renderer: Renderer,
    /// The uploaded model.
    pub gpu_model: GpuModel,
    /// The open document.
    pub document: Document,
    /// The cached analyses of the document.
    pub analyses: Analyses,
    /// The view to draw.
    pub view: View,
    /// The file that the document is compared with.
    pub compared: Option<ComparedScene>,
}

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
        eprintln!("warning: {}", terminal::escape(warning, MAX_MESSAGE_CHARS));
    }
}
