//! Holds what pictures and clips are drawn from, and uploads models to the GPU.

use std::sync::mpsc;

use anyhow::Context;

use crate::asset::error::Location;
use crate::asset::image::ImageSource;
use crate::model::Model;
use crate::model::texture::Image;
use crate::render::device::gpu::Gpu;
use crate::render::material::images;
use crate::render::model::GpuModel;
use crate::render::renderer::Renderer;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::view::View;

use super::render::compared_scene::ComparedScene;

/// Everything that a picture or a clip is drawn from.
pub struct Scene {
    /// The graphics device.
    pub gpu: Gpu,
    /// The renderer, on that device.
    pub renderer: Renderer,
    /// The uploaded model.
    pub gpu_model: GpuModel,
    /// The open document.
    pub document: Document,
    /// The caches over the document.
    pub analyses: Analyses,
    /// The view to draw.
    pub view: View,
    /// The file that it is compared with.
    pub compared: Option<ComparedScene>,
}

/// Uploads a model. Its images are decoded while its geometry is uploaded. Errors if the model does not fit on the GPU.
pub fn upload(gpu: &Gpu, model: &Model, images: Vec<ImageSource>) -> anyhow::Result<GpuModel> {
    // At most two decoded images wait for their upload, so that a file with many images does not fill the memory.
    let (sender, receiver) = mpsc::sync_channel(2);
    let image_support = gpu.image_support();
    std::thread::scope(|scope| {
        scope.spawn(move || images::prepare(model, images, image_support, |index, image| sender.send((index, image)).is_ok()));
        let mut gpu_model = GpuModel::new(gpu, model).context("cannot upload the model")?;
        for (index, image) in receiver {
            if let Err(error) = gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())) {
                let Location { words, .. } = Location::image(index, model.images.get(index).unwrap_or(&Image::default()));
                let message = format!("{words}: {error}; color textures show a checkerboard instead");
                eprintln!("warning: {}", terminal::escape(&message, MAX_MESSAGE_CHARS));
            }
            gpu.settle();
        }
        Ok(gpu_model)
    })
}
