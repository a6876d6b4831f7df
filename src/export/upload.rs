//! Uploads a model with its images, for pictures without a window.

use std::sync::mpsc;

use crate::asset::error::Location;
use crate::asset::file::progress::Progress;
use crate::asset::image::{self, ImageSource};
use crate::model::Model;
use crate::model::texture::Image;
use crate::render::device::gpu::Gpu;
use crate::render::error::RenderError;
use crate::render::material::images;
use crate::render::model::GpuModel;

/// A model on the device.
pub struct Uploaded {
    pub gpu_model: GpuModel,
    /// A message for each image that cannot be shown although its header could be read. The findings of the model list the other ones.
    pub warnings: Vec<String>,
}

/// Uploads a model. Its images are decoded while its geometry is uploaded. Once `progress` is canceled, images are left out. Errors if the
/// model does not fit on the device.
pub fn upload(gpu: &Gpu, model: &Model, mut images: Vec<ImageSource>, progress: &Progress) -> Result<Uploaded, RenderError> {
    // The bytes of each image can then be freed once it is decoded. Otherwise the whole file would stay in memory until the last one.
    image::detach(&mut images, model.asset.bytes);
    let (sender, receiver) = mpsc::sync_channel(0);
    let image_support = gpu.image_support();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            images::prepare(model, images, image_support, |index, image| {
                // Each thread waits until its image is uploaded before it decodes the next one, so that a file with many images does not
                // fill the memory.
                let (done, uploaded) = mpsc::sync_channel(1);
                !progress.is_canceled() && sender.send((index, image, done)).is_ok() && uploaded.recv().is_ok()
            });
        });
        let mut gpu_model = GpuModel::new(gpu, model)?;
        let mut warnings = Vec::new();
        for (index, image, done) in receiver {
            let shown = gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string()));
            if let (Err(error), Some(image @ Image { width: 1.., .. })) = (shown, model.images.get(index)) {
                let Location { words, .. } = Location::image(index, image);
                warnings.push(format!("{words}: {error}; color textures show a checkerboard instead"));
            }
            gpu.wait_idle();
            // The thread waits for this, so it still listens.
            let _ = done.send(());
        }
        Ok(Uploaded { gpu_model, warnings })
    })
}
