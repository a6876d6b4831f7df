//! Opening a file, off the main thread: read and decode geometry, then (once there is a GPU) upload it, then decode the
//! images, several at once, each shown as it arrives. The open model stays until the new one is ready. A file that is read again
//! is ready when its images are: nobody wants to see it white in between. Those that did not change are neither decoded nor
//! uploaded again.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Instant;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;
use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::asset::image::ImageSource;
use crate::asset::{self, LoadOptions, Loaded};
use crate::model::Model;
use crate::render::device::gpu::Gpu;
#[cfg(debug_assertions)]
use crate::render::error::RenderError;
use crate::render::material::images::{self, Holds};
use crate::render::material::mipmap;
use crate::render::model::GpuModel;
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::file::file_list::Place;
use crate::session::view::View;

/// The first thing every user sees.
static SAMPLE: &[u8] = include_bytes!("../../../assets/sample/sample.glb");
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

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadReason {
    /// A person opens it.
    Opened,
    /// The open file once more: the view stays as it is.
    Again,
    /// The open file once more, since it changed. `last`: it is as it will be; until then what is wrong with it is not said.
    Changed { last: bool },
}

/// A file on its way into the window.
pub struct Job {
    pub id: u64,
    pub source: Source,
    /// Of the file among those given with it.
    pub place: Option<Place>,
    pub why: LoadReason,
    /// It was come to by stepping through a list.
    pub stepped: bool,
    /// Bytes of decoded pixels; none: the usual.
    pub image_limit: Option<u64>,
    pub progress: Arc<Progress>,
    pub started: Instant,
}

/// Read, posed and measured, not yet on the GPU.
pub struct Read {
    pub job: u64,
    pub why: LoadReason,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    pub images: Images,
    pub files: Vec<SourceFile>,
    /// Of the job: whether it still goes on.
    pub progress: Arc<Progress>,
}

/// What the textures are made of.
pub struct Images {
    pub sources: Vec<ImageSource>,
    pub fingerprints: Fingerprints,
}

/// Of each image; worked out beside the decoding.
pub type Fingerprints = Arc<OnceLock<Vec<Option<u64>>>>;

/// The open model, whose textures a new one may share.
pub struct PreviousModel {
    pub model: Arc<Model>,
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub fingerprints: Fingerprints,
}

/// The device that a model goes to.
pub struct Target {
    pub gpu: Gpu,
    /// See [`crate::app::window::Shell::device`].
    pub device: u64,
    pub before: Option<PreviousModel>,
}

/// Ready to be shown. Of a file that was read again with its textures; else these come later.
pub struct Ready {
    pub read: Box<Read>,
    pub gpu_model: GpuModel,
    /// The device that holds it: see [`crate::app::window::Shell::device`].
    pub device: u64,
}

impl Job {
    pub fn new(id: u64, source: Source, why: LoadReason) -> Self {
        Self { id, source, place: None, why, stepped: false, image_limit: None, progress: Arc::default(), started: Instant::now() }
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
    let Job { id, why, image_limit, .. } = *job;
    let (source, progress) = (job.source.clone(), job.progress.clone());
    std::thread::spawn(move || {
        let mut opened = None;
        let event = caught(|| match read(&source, image_limit, &progress) {
            Ok(Loaded { model, images, files, .. }) => {
                let view = view(&model);
                let document = Document::new(Arc::new(model), source.name(), source.path().map(Path::to_owned));
                let analyses = Analyses::new(&document, &view);
                opened = Some((document.clone(), analyses.clone()));
                let images = Images { sources: images, fingerprints: Fingerprints::default() };
                Some(AppEvent::Read(Box::new(Read { job: id, why, document, analyses, view, images, files, progress: progress.clone() })))
            }
            Err(LoadError::Cancelled) => None,
            Err(error) => Some(AppEvent::Failed { job: id, message: error.to_string() }),
        });
        if let Some(event) = event.unwrap_or_else(|message| Some(AppEvent::Failed { job: id, message })) {
            // The window may be gone by now; then nobody waits for it.
            let _ = proxy.send_event(event);
        }
        // What a panel lists holds up no picture.
        if let Some((document, analyses)) = opened.filter(|_| !progress.is_cancelled()) {
            let looked_at = caught(|| {
                analyses.check_weights(&document);
            });
            match looked_at {
                Ok(()) => drop(proxy.send_event(AppEvent::WeightsLookedAt)),
                Err(message) => log::error!("the weights could not be looked at: {message}"),
            }
        }
    });
}

/// What a worker makes, or in words that it met a mistake of ours: else the window would wait for it for ever.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        format!(
            "a mistake in Sinew itself, not in what you did ({}). Please report it with this file",
            text.unwrap_or("no reason is given")
        )
    })
}

fn read(source: &Source, image_limit: Option<u64>, progress: &Progress) -> Result<Loaded, LoadError> {
    match source {
        Source::Sample => asset::load_bytes(SAMPLE.to_vec(), SAMPLE_NAME),
        Source::File { path, beside } => asset::load(path, &LoadOptions { beside, progress: Some(progress), image_limit }),
    }
}

/// Uploads what was read, on a thread of its own; of a file that a person opens, the images are decoded meanwhile, and follow.
pub fn upload(mut read: Box<Read>, target: Target, proxy: EventLoopProxy<AppEvent>) {
    std::thread::spawn(move || {
        let Target { gpu, device, before } = target;
        let job = read.job;
        let decoded = (read.why == LoadReason::Opened).then(|| decode_images(&read, gpu.holds(), &proxy));
        let uploaded = caught(|| {
            #[cfg(debug_assertions)]
            if crate::app::device_loss::is_full_on_request() {
                return Err(RenderError::OutOfMemory("SINEW_FULL_DEVICE says so".into()).to_string());
            }
            let gpu_model = GpuModel::new(&gpu, &read.document.model).map_err(|error| error.to_string())?;
            Ok(if decoded.is_some() { gpu_model } else { with_images(&mut read, gpu_model, &gpu, before.as_ref()) })
        });
        let (event, images) = match uploaded.and_then(|uploaded| uploaded) {
            Ok(gpu_model) => (AppEvent::Ready(Box::new(Ready { read, gpu_model, device })), Decoded::Sent),
            Err(message) => (AppEvent::Failed { job, message }, Decoded::Unwanted),
        };
        let _ = proxy.send_event(event);
        if let Some(decoded) = decoded {
            let before = std::mem::replace(&mut *decoded.lock().unwrap_or_else(PoisonError::into_inner), images);
            if let Decoded::HeldBack(images) = before {
                images.into_iter().for_each(|image| drop(proxy.send_event(image)));
            }
        }
    });
}

/// What becomes of a decoded image.
enum Decoded {
    /// Until the window has the model that it belongs to.
    HeldBack(Vec<AppEvent>),
    Sent,
    Unwanted,
}

/// Decodes the images on all cores; each comes as an event.
fn decode_images(read: &Read, holds: Holds, proxy: &EventLoopProxy<AppEvent>) -> Arc<Mutex<Decoded>> {
    let (job, model, progress, proxy) = (read.job, read.document.model.clone(), read.progress.clone(), proxy.clone());
    let (sources, fingerprints) = (read.images.sources.clone(), read.images.fingerprints.clone());
    let decoded = Arc::new(Mutex::new(Decoded::HeldBack(Vec::new())));
    let becomes = decoded.clone();
    std::thread::spawn(move || {
        images::prepare(&model, sources.clone(), holds, |index, image| {
            if progress.is_cancelled() {
                return false;
            }
            let event = AppEvent::Image { job, index, image: image.map_err(|error| error.to_string()) };
            match &mut *becomes.lock().unwrap_or_else(PoisonError::into_inner) {
                Decoded::HeldBack(held_back) => held_back.push(event),
                Decoded::Sent => return proxy.send_event(event).is_ok(),
                Decoded::Unwanted => return false,
            }
            true
        });
        let _ = fingerprints.set(sources.iter().map(ImageSource::fingerprint).collect());
    });
    decoded
}

/// Decodes the images and uploads them, too.
fn with_images(read: &mut Read, mut gpu_model: GpuModel, gpu: &Gpu, before: Option<&PreviousModel>) -> GpuModel {
    let (model, progress) = (read.document.model.clone(), read.progress.clone());
    let fingerprints: Vec<_> = read.images.sources.iter().map(ImageSource::fingerprint).collect();
    let shared = share_images(&mut gpu_model, gpu, &model, &fingerprints, before);
    // What is there already is not decoded.
    let wanted = |(source, shared): (&ImageSource, &bool)| if *shared { ImageSource::default() } else { source.clone() };
    let sources: Vec<_> = read.images.sources.iter().zip(&shared).map(wanted).collect();
    let _ = read.images.fingerprints.set(fingerprints);
    let done = Mutex::new((gpu_model, &mut read.document));
    images::prepare(&model, sources, gpu.holds(), |index, image| {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        let (gpu_model, document) = &mut *done;
        if progress.is_cancelled() {
            return false;
        }
        if shared[index] {
            document.image_done(index, Ok(()));
            return true;
        }
        document.image_done(index, gpu_model.receive_image(gpu, index, image.map_err(|error| error.to_string())));
        true
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).0
}

/// Takes over the textures of images that are as they were. Tells of each image whether it did.
fn share_images(gpu_model: &mut GpuModel, gpu: &Gpu, model: &Model, images: &[Option<u64>], before: Option<&PreviousModel>) -> Vec<bool> {
    let known = before.and_then(|before| Some((before, before.fingerprints.get()?)));
    let Some((before, known)) = known else { return vec![false; images.len()] };
    let numbers: HashMap<_, _> = known.iter().enumerate().filter_map(|(i, fingerprint)| Some(((*fingerprint)?, i))).collect();
    let was_used = mipmap::image_uses(&before.model.materials, known.len());
    let is_used = mipmap::image_uses(&model.materials, images.len());
    let from = before.gpu_model.read().unwrap_or_else(PoisonError::into_inner);
    let mut share = |(image, fingerprint): (usize, &Option<u64>)| {
        let other = fingerprint.and_then(|fingerprint| numbers.get(&fingerprint).copied());
        let other = other.filter(|&other| was_used[other] == is_used[image]);
        other.is_some_and(|other| gpu_model.share_image(gpu, image, &from, other))
    };
    images.iter().enumerate().map(&mut share).collect()
}

pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_panics_ends_in_words() {
        assert_eq!(caught(|| 7), Ok(7));
        let nothing: [u8; 0] = [];
        let message = caught(|| nothing[std::hint::black_box(0)]).unwrap_err();
        assert!(message.contains("index out of bounds") && message.contains("report"), "{message}");
    }
}
