//! The steps of loading a file: read it and decode the geometry; then, each on a thread, measure the model, upload the geometry once there
//! is a GPU, and decode the images. Each image is shown as soon as it is ready. A reload is ready only with its images, so that the model
//! is never shown without them; images that did not change are neither decoded nor uploaded again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use winit::event_loop::EventLoopProxy;

use crate::app::documents::load_job::{
    Fingerprints, Images, LoadJob, LoadReason, MeasuredDocument, Measuring, PreviousModel, ReadFile, ReadyFile, Source, UploadTarget,
};
use crate::app::startup_timings::Step;
use crate::app::worker_events::AppEvent;
use crate::app::workers::catch_panic;
use crate::app::workers::pictures::image_upload::upload_images;
use crate::asset::Loaded;
use crate::asset::error::LoadError;
use crate::asset::image::{self, ImageSource};
use crate::borrowed::FileRequest;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
#[cfg(debug_assertions)]
use crate::render::error::RenderError;
use crate::render::material::images::{self, ImageSupport};
use crate::render::material::mipmap;
use crate::render::model::GpuModel;
use crate::session::analyses::Analyses;
use crate::session::bounds;
use crate::session::document::Document;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;

/// Reads the file on a thread, and measures the model. Sends the file or an error as an event, but nothing if the job was canceled. The
/// file is sent before the model is measured, so that it can be uploaded at the same time.
pub fn spawn_read(
    job: &LoadJob,
    wanted: Vec<(FileRequest, Retarget)>,
    proxy: EventLoopProxy<AppEvent>,
    view: impl FnOnce(&Model) -> View + Send + 'static,
) {
    let job = job.clone();
    std::thread::spawn(move || {
        let (sender, measuring) = Measuring::channel();
        let read = match catch_panic(|| read_file(&job, wanted, measuring, view)).flatten() {
            Ok(Some(read)) => read,
            Ok(None) => return,
            Err(message) => return AppEvent::FileFailed { job: job.id, message }.send(&proxy),
        };
        let (model, view) = (read.model.clone(), read.view.clone());
        AppEvent::FileRead(Box::new(read)).send(&proxy);
        if job.progress.is_canceled() {
            return;
        }
        let measured = catch_panic(|| measure(model, &job.source, &view, job.may_estimate_bounds()));
        let opened = measured.as_ref().ok().map(|measured| (measured.document.clone(), measured.analyses.clone()));
        // The receiver no longer exists if the job was canceled.
        let _ = sender.send(measured);
        // The findings about weights are needed only by a panel, so they are computed last.
        if let Some((document, analyses)) = opened.filter(|_| !job.progress.is_canceled()) {
            check_weights(&document, &analyses, &proxy);
        }
    });
}

/// Reads the model with its borrowed animations. `Ok(None)` if the job was canceled. An error is a message for the user.
fn read_file(
    job: &LoadJob,
    wanted: Vec<(FileRequest, Retarget)>,
    measuring: Measuring,
    view: impl FnOnce(&Model) -> View,
) -> Result<Option<ReadFile>, String> {
    let (Loaded { model, mut images, files, .. }, borrowed) = match job.source.read(wanted, job.limits, &job.progress) {
        Ok(read) => read,
        Err(LoadError::Canceled) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let steps = vec![Step::since("read the file", job.started)];
    image::detach(&mut images, model.asset.bytes);
    // If a borrowed file cannot be read, another program may still be writing it. Then the model and all borrowed files are read again
    // later.
    if let (LoadReason::Changed { last: false }, Some((_, message))) = (job.reason, borrowed.failures.first()) {
        return Err(message.clone());
    }
    Ok(Some(ReadFile {
        job: job.id,
        reason: job.reason,
        view: View { retarget: borrowed.choices.clone(), ..view(&model) },
        model: Arc::new(model),
        measuring,
        images: Images { sources: images, fingerprints: Fingerprints::default() },
        borrowed,
        files,
        steps,
        progress: job.progress.clone(),
    }))
}

/// Finds possible mistakes in the skin weights. The analyses keep them.
fn check_weights(document: &Document, analyses: &Analyses, proxy: &EventLoopProxy<AppEvent>) {
    let checked = catch_panic(|| {
        analyses.find_weight_faults(document);
    });
    match checked {
        Ok(()) => AppEvent::WeightsChecked.send(proxy),
        Err(message) => log::error!("the skin weights could not be checked: {message}"),
    }
}

/// Makes and measures the document of a model. If `may_estimate` is set, a large model is measured only in its first pose.
fn measure(model: Arc<Model>, source: &Source, view: &View, may_estimate: bool) -> MeasuredDocument {
    let started = Instant::now();
    let document = Document::new(model, source.name(), source.path().map(Path::to_owned));
    let is_whole = !may_estimate || view.in_place || !bounds::is_slow(&document.model, view, &document.mesh_bounds);
    let analyses = if is_whole { Analyses::new(&document, view) } else { Analyses::of_first_pose(&document, view) };
    MeasuredDocument { document, analyses, step: Step::since("measure the model", started) }
}

/// Uploads the model, and waits until it is measured. If the user opened the file, its images are decoded at the same time and sent as
/// separate events. After a reload, or if [`UploadTarget::with_images`] is set, the images are decoded and uploaded before the model is
/// sent.
pub fn spawn_upload(mut read: Box<ReadFile>, target: UploadTarget, proxy: EventLoopProxy<AppEvent>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let UploadTarget { gpu, device, previous, with_images } = target;
        let job = read.job;
        // Decoding images takes longest, so it starts before the upload.
        let decoded = (!read.reason.is_reload() && !with_images).then(|| decode_images(&read, gpu.image_support(), &proxy));
        let started = Instant::now();
        let uploaded = catch_panic(|| {
            #[cfg(debug_assertions)]
            if crate::app::simulated_faults::is_device_full() {
                return Err(RenderError::OutOfMemory("SINEW_FULL_DEVICE says so".into()).to_string());
            }
            let mut gpu_model = GpuModel::new(&gpu, &read.model).map_err(|error| error.to_string())?;
            read.steps.push(Step::since("upload the model", started));
            let mut measured = read.measuring.wait()?;
            read.steps.push(measured.step);
            if decoded.is_none() {
                upload_changed_images(&read, &mut measured.document, &mut gpu_model, &gpu, previous.as_ref());
            }
            Ok(ReadyFile { read, measured, gpu_model, device })
        });
        let (event, images) = match uploaded.and_then(|uploaded| uploaded) {
            Ok(ready) => (AppEvent::FileReady(Box::new(ready)), DecodedImages::Sent),
            Err(message) => (AppEvent::FileFailed { job, message }, DecodedImages::Unwanted),
        };
        event.send(&proxy);
        if let Some(decoded) = decoded {
            release(&decoded, images, |image| image.send(&proxy));
        }
    })
}

/// Sends the images that were held back, after their model. `next` decides what happens to later ones. They wait until these are sent: an
/// image may refer to the textures of an earlier one.
fn release(decoded: &Mutex<DecodedImages>, next: DecodedImages, send: impl Fn(AppEvent)) {
    let mut decoded = decoded.lock().unwrap_or_else(PoisonError::into_inner);
    if let DecodedImages::HeldBack(images) = std::mem::replace(&mut *decoded, next) {
        images.into_iter().for_each(send);
    }
}

/// How decoded images are handled.
enum DecodedImages {
    /// They are kept until the window has their model.
    HeldBack(Vec<AppEvent>),
    /// They are sent to the window at once.
    Sent,
    /// They are dropped, because the upload failed.
    Unwanted,
}

/// Decodes the images on all cores. Each image becomes an event. The returned value decides whether events are held back or sent.
fn decode_images(read: &ReadFile, image_support: ImageSupport, proxy: &EventLoopProxy<AppEvent>) -> Arc<Mutex<DecodedImages>> {
    let (job, model, progress, proxy) = (read.job, read.model.clone(), read.progress.clone(), proxy.clone());
    let (sources, fingerprints) = (read.images.sources.clone(), read.images.fingerprints.clone());
    let decoded = Arc::new(Mutex::new(DecodedImages::HeldBack(Vec::new())));
    let shared = decoded.clone();
    std::thread::spawn(move || {
        let started = Instant::now();
        images::prepare(&model, sources.clone(), image_support, |index, image| {
            if progress.is_canceled() {
                return false;
            }
            let decoding = Step::since("decode images", started);
            let event = AppEvent::ImageDecoded { job, index, image: image.map_err(|error| error.to_string()), decoding };
            match &mut *shared.lock().unwrap_or_else(PoisonError::into_inner) {
                DecodedImages::HeldBack(held_back) => held_back.push(event),
                DecodedImages::Sent => return proxy.send_event(event).is_ok(),
                DecodedImages::Unwanted => return false,
            }
            true
        });
        let _ = fingerprints.set(sources.iter().map(ImageSource::fingerprint).collect());
    });
    decoded
}

/// Uploads the images of a reloaded file, except those that the previous model already has.
fn upload_changed_images(read: &ReadFile, document: &mut Document, gpu_model: &mut GpuModel, gpu: &Gpu, previous: Option<&PreviousModel>) {
    let fingerprints: Vec<_> = read.images.sources.iter().map(ImageSource::fingerprint).collect();
    let shared = share_images(gpu_model, gpu, &read.model, &fingerprints, previous);
    let mut sources = read.images.sources.clone();
    for (index, source) in sources.iter_mut().enumerate().filter(|(index, _)| shared[*index]) {
        // An image that is shared needs no decoding.
        *source = ImageSource::default();
        document.image_done(index, Ok(()));
    }
    let _ = read.images.fingerprints.set(fingerprints);
    upload_images(gpu, gpu_model, document, sources, &read.progress);
}

/// Takes over the textures of images that did not change. Returns for each image whether its texture was taken over.
fn share_images(
    gpu_model: &mut GpuModel,
    gpu: &Gpu,
    model: &Model,
    fingerprints: &[Option<u64>],
    previous: Option<&PreviousModel>,
) -> Vec<bool> {
    let previous = previous.and_then(|previous| Some((previous, previous.fingerprints.get()?)));
    let Some((previous, previous_fingerprints)) = previous else { return vec![false; fingerprints.len()] };
    let with_index = previous_fingerprints.iter().enumerate();
    let indices: HashMap<_, _> = with_index.filter_map(|(index, fingerprint)| Some(((*fingerprint)?, index))).collect();
    // A texture depends on how the materials use its image, so both models must use it in the same way.
    let previous_uses = mipmap::image_uses(&previous.model, previous_fingerprints.len());
    let uses = mipmap::image_uses(model, fingerprints.len());
    let previous_gpu_model = previous.gpu_model.read().unwrap_or_else(PoisonError::into_inner);
    let mut share = |(image, fingerprint): (usize, &Option<u64>)| {
        let source = fingerprint.and_then(|fingerprint| indices.get(&fingerprint).copied());
        let source = source.filter(|&source| previous_uses[source] == uses[image]);
        source.is_some_and(|source| gpu_model.share_image(gpu, image, &previous_gpu_model, source))
    };
    fingerprints.iter().enumerate().map(&mut share).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn images_that_were_held_back_are_sent_before_later_ones() {
        let decoded = Mutex::new(DecodedImages::HeldBack(vec![AppEvent::PipelineMade, AppEvent::PipelineMade]));
        let sent = Cell::new(0);
        release(&decoded, DecodedImages::Sent, |_| {
            sent.set(sent.get() + 1);
            assert!(decoded.try_lock().is_err(), "a decoding thread has to wait");
        });
        assert_eq!(sent.get(), 2);
        assert!(matches!(*decoded.lock().unwrap(), DecodedImages::Sent));
    }
}
