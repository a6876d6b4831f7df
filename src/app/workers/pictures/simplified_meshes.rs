//! Simplifies the meshes of a large model in the background, for moving pictures on a software rasterizer. The pictures use the simplified
//! meshes as soon as they are there.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::{GpuModel, simplified};

use crate::app::workers::catch_panic;

/// Starts simplifying the meshes of a model. Does nothing if the model is small.
pub fn start(gpu: Gpu, model: Arc<Model>, gpu_model: Arc<RwLock<GpuModel>>) {
    if !simplified::is_worthwhile(&model) {
        return;
    }
    std::thread::spawn(move || {
        let result = catch_panic(|| {
            let start = Instant::now();
            let lists = simplified::simplified_lists(&model);
            log::debug!("simplified the meshes in {} ms", start.elapsed().as_millis());
            gpu_model.read().unwrap_or_else(PoisonError::into_inner).set_simplified(&gpu, &lists);
        });
        // The model is drawn in full, only more slowly.
        if let Err(message) = result {
            log::warn!("cannot simplify the meshes: {message}");
        }
    });
}
