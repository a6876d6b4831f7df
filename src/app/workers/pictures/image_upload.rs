//! Uploads the images of a model that is not shown yet.

use std::sync::{Mutex, PoisonError};

use crate::asset::file::progress::Progress;
use crate::asset::image::ImageSource;
use crate::render::device::gpu::Gpu;
use crate::render::material::images;
use crate::render::model::GpuModel;
use crate::session::document::{Document, ImageState};

/// Decodes the images on all cores and uploads each as soon as it is ready, unless the document has it already. Stops when `progress` is
/// canceled.
pub fn upload_images(gpu: &Gpu, gpu_model: &mut GpuModel, document: &mut Document, sources: Vec<ImageSource>, progress: &Progress) {
    let model = document.model.clone();
    let uploading = Mutex::new((gpu_model, document));
    images::prepare(&model, sources, gpu.image_support(), |index, image| {
        let mut uploading = uploading.lock().unwrap_or_else(PoisonError::into_inner);
        let (gpu_model, document) = &mut *uploading;
        if progress.is_canceled() {
            return false;
        }
        if document.image_states.get(index) == Some(&ImageState::Pending) {
            document.image_done(index, gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())));
        }
        true
    });
}
