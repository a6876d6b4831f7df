//! Opening a file, off the main thread: read and decode geometry, then (once there is a GPU) upload it, then decode the
//! images, several at once, each shown as it arrives. The open model stays until the new one is ready.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use winit::event_loop::EventLoopProxy;

use crate::asset::error::LoadError;
use crate::asset::image::ImageSource;
use crate::asset::progress::Progress;
use crate::asset::{self, LoadOptions, Loaded};
use crate::model::Model;
use crate::render::gpu::Gpu;
use crate::render::images::{self, Holds};
use crate::render::upload::GpuModel;
use crate::session::document::Document;
use crate::session::file_list::Place;
use crate::session::view::View;

use super::events::AppEvent;

/// The first thing every user sees.
static SAMPLE: &[u8] = include_bytes!("../../assets/sample/sample.glb");
pub const SAMPLE_NAME: &str = "Sample model";

/// What is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Sample,
    /// A file, and those given together with it: a .gltf finds its buffers and images among them, too.
    File {
        path: PathBuf,
        beside: Vec<PathBuf>,
    },
}

impl Source {
    pub fn name(&self) -> String {
        match self {
            Self::Sample => SAMPLE_NAME.into(),
            Self::File { path, .. } => file_name(path),
        }
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample => None,
            Self::File { path, .. } => Some(path),
        }
    }
}

/// A file on its way into the window.
pub struct Job {
    pub id: u64,
    pub source: Source,
    /// Of the file among those given with it.
    pub place: Option<Place>,
    /// The same file again: the view stays as it is.
    pub reload: bool,
    /// Bytes of decoded pixels; none: the usual.
    pub image_limit: Option<u64>,
    pub progress: Arc<Progress>,
    pub started: Instant,
}

/// Read, posed and measured, not yet on the GPU.
pub struct Read {
    pub job: u64,
    pub document: Document,
    pub view: View,
    pub images: Vec<ImageSource>,
}

/// Ready to be shown; its textures come later.
pub struct Ready {
    pub job: u64,
    pub document: Document,
    pub view: View,
    pub images: Vec<ImageSource>,
    pub gpu_model: GpuModel,
}

impl Job {
    pub fn new(id: u64, source: Source, reload: bool) -> Self {
        Self { id, source, place: None, reload, image_limit: None, progress: Arc::default(), started: Instant::now() }
    }

    /// What the window calls the file: "fox.glb", "fox.glb (2 of 5)".
    pub fn label(&self) -> String {
        labelled(&self.source.name(), self.place)
    }
}

/// A file's name, and where it stands among those given with it.
pub fn labelled(name: &str, place: Option<Place>) -> String {
    place.map_or_else(|| name.to_owned(), |place| format!("{name} ({place})"))
}

/// Starts reading. `view` makes the new file's view from its model.
pub fn start(job: &Job, proxy: EventLoopProxy<AppEvent>, view: impl FnOnce(&Model) -> View + Send + 'static) {
    let (id, source, image_limit, progress) = (job.id, job.source.clone(), job.image_limit, job.progress.clone());
    std::thread::spawn(move || {
        let event = match read(&source, image_limit, &progress) {
            Ok(Loaded { model, images, .. }) => {
                let view = view(&model);
                let document = Document::new(Arc::new(model), source.name(), source.path().map(Path::to_owned), &view);
                AppEvent::Read(Box::new(Read { job: id, document, view, images }))
            }
            Err(LoadError::Cancelled) => return,
            Err(error) => AppEvent::Failed { job: id, message: error.to_string() },
        };
        // The window may be gone by now; then nobody waits for it.
        let _ = proxy.send_event(event);
    });
}

fn read(source: &Source, image_limit: Option<u64>, progress: &Progress) -> Result<Loaded, LoadError> {
    match source {
        Source::Sample => asset::load_bytes(SAMPLE.to_vec(), SAMPLE_NAME),
        Source::File { path, beside } => asset::load(path, &LoadOptions { beside, progress: Some(progress), image_limit }),
    }
}

/// Uploads what was read, on a thread of its own.
pub fn upload(read: Box<Read>, gpu: Gpu, proxy: EventLoopProxy<AppEvent>) {
    std::thread::spawn(move || {
        let Read { job, document, view, images } = *read;
        let event = match GpuModel::new(&gpu, &document.model) {
            Ok(gpu_model) => AppEvent::Ready(Box::new(Ready { job, document, view, images, gpu_model })),
            Err(error) => AppEvent::Failed { job, message: error.to_string() },
        };
        let _ = proxy.send_event(event);
    });
}

/// Decodes the images on all cores; each comes as an event.
pub fn decode_images(job: u64, source: Vec<ImageSource>, model: Arc<Model>, holds: Holds, proxy: EventLoopProxy<AppEvent>) {
    std::thread::spawn(move || {
        images::prepare(&model, source, holds, |index, image| {
            proxy.send_event(AppEvent::Image { job, index, image: image.map_err(|error| error.to_string()) }).is_ok()
        });
    });
}

pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
