//! Simplifies the meshes of a model in the background, for moving pictures on a software rasterizer. The pictures use the simplified
//! meshes as soon as they are there.

use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::asset::file::progress::Progress;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::{GpuModel, simplification};

use crate::app::workers::catch_panic;

/// Starts simplifying the meshes of a model on a thread. `None` if the model has too few triangles. Ends early if `progress` is canceled,
/// so that a replaced model does not stay in memory.
pub fn start(gpu: Gpu, model: Arc<Model>, gpu_model: Arc<RwLock<GpuModel>>, progress: Arc<Progress>) -> Option<JoinHandle<()>> {
    if !simplification::is_worthwhile(&model) {
        return None;
    }
    Some(std::thread::spawn(move || {
        let result = catch_panic(|| {
            let start = Instant::now();
            let lists = simplification::simplified_lists(&model, || progress.is_canceled());
            let Some(lists) = lists.filter(|_| !progress.is_canceled()) else { return };
            log::debug!("simplified the meshes in {} ms", start.elapsed().as_millis());
            gpu_model.read().unwrap_or_else(PoisonError::into_inner).set_simplified(&gpu, &lists);
        });
        // The model is drawn in full, only more slowly.
        if let Err(message) = result {
            log::warn!("cannot simplify the meshes: {message}");
        }
    }))
}
