//! Loads the file that the open one is compared with, and measures the comparison, each on a background thread. A new job replaces the
//! previous one.

use std::path::Path;
use std::sync::{Arc, RwLock};

use winit::event_loop::EventLoopProxy;

use crate::app::comparison::open_comparison::{CompareKey, LoadedComparison, OpenComparison, OtherDocument, OtherSource};
use crate::app::documents::load_job::{LoadLimits, LoadReason, Source};
use crate::app::ids::{DeviceNumber, LoadJobId};
use crate::app::worker_events::{AppEvent, LoadedOther, MeasuredComparison};
use crate::asset::Loaded;
use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::borrowed::FileRequest;
use crate::cancel::Cancel;
use crate::compare::counterpart::{self, Pair};
use crate::compare::node_pairs::NodePairs;
use crate::compare::{self, Choices, pairing};
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;
use crate::ui::context::comparison::{CompareChoices, OtherAnimation};

use crate::app::workers::pictures::image_upload::upload_images;
use crate::app::workers::{DeviceThreads, catch_panic};

/// The jobs of a comparison: one file is loaded and one comparison measured at a time.
#[derive(Default)]
pub struct ComparisonWorker {
    loading: Option<LoadingOther>,
    /// The threads that load files.
    threads: DeviceThreads,
    measuring: Option<Measuring>,
    /// The comparison that could not be measured. It is not tried again.
    failed: Option<CompareKey>,
}

/// The file that is being loaded.
pub struct LoadingOther {
    pub job: LoadJobId,
    pub source: Source,
    pub reason: LoadReason,
    /// The choices to start the comparison with, unless the file is read again.
    pub choices: CompareChoices,
    pub progress: Arc<Progress>,
}

/// The comparison that is being measured.
struct Measuring {
    key: CompareKey,
    cancel: Cancel,
}

/// The data for loading a file to compare with: the open document, its view and the device.
pub struct OtherContext {
    pub open: Document,
    pub view: View,
    pub gpu: Gpu,
    pub device: DeviceNumber,
    /// Limit on decoded pixels, in bytes; `None` is the default limit.
    pub image_limit: Option<u64>,
    pub choices: CompareChoices,
    /// The files whose animations B borrows.
    pub borrowed: Vec<(FileRequest, Retarget)>,
    /// The previous model of B, if its file is read again.
    pub previous: Option<Arc<Model>>,
}

impl ComparisonWorker {
    /// The file that is being loaded.
    pub fn loading(&self) -> Option<&LoadingOther> {
        self.loading.as_ref()
    }

    /// Starts loading a file to compare with. A load that is still running is canceled.
    pub fn load(&mut self, source: Source, reason: LoadReason, context: OtherContext, proxy: EventLoopProxy<AppEvent>) {
        self.stop_loading();
        let (job, progress) = (LoadJobId::next(), Arc::<Progress>::default());
        self.loading = Some(LoadingOther { job, source: source.clone(), reason, choices: context.choices, progress: progress.clone() });
        let thread = std::thread::spawn(move || {
            let read =
                catch_panic(|| read_and_upload(source, reason, &context, &progress, job)).unwrap_or_else(|message| Err(Some(message)));
            let loaded = match read {
                Ok(loaded) => Ok(loaded),
                Err(Some(message)) => Err(message),
                // The job was canceled, so no event is expected.
                Err(None) => return,
            };
            AppEvent::OtherLoaded(Box::new(LoadedOther { job, device: context.device, loaded })).send(&proxy);
        });
        self.threads.add(thread);
    }

    /// Takes the load with this id, which has ended. `None` if that load was canceled.
    pub fn finish_loading(&mut self, job: LoadJobId) -> Option<LoadingOther> {
        self.loading.take_if(|loading| loading.job == job)
    }

    /// Cancels loading, and returns what was being loaded.
    pub fn stop_loading(&mut self) -> Option<LoadingOther> {
        self.loading.take().inspect(|loading| loading.progress.cancel())
    }

    /// Starts measuring the comparison, unless the result for `key` is known. Cancels a measurement of another key.
    pub fn update(&mut self, open: &Document, comparison: &OpenComparison, key: CompareKey, proxy: &EventLoopProxy<AppEvent>) {
        let is_done = comparison.found.as_ref().is_some_and(|(measured, _)| *measured == key) || self.has_failed(key);
        if let Some(measuring) = &self.measuring {
            if measuring.key != key {
                measuring.cancel.cancel();
            }
        } else if !is_done {
            self.measure(open.clone(), comparison, key, proxy.clone());
        }
    }

    /// Measures the comparison on a thread.
    fn measure(&mut self, open: Document, comparison: &OpenComparison, key: CompareKey, proxy: EventLoopProxy<AppEvent>) {
        let cancel = Cancel::default();
        self.measuring = Some(Measuring { key, cancel: cancel.clone() });
        let other = comparison.other.document.clone();
        std::thread::spawn(move || {
            let keep_going = || !cancel.is_canceled();
            let result = catch_panic(|| compare::compare(&open, &other, &key.choices, &keep_going).map(Arc::new));
            AppEvent::Compared(Box::new(MeasuredComparison { key, result })).send(&proxy);
        });
    }

    /// Stores a result in the comparison that it belongs to. Errors with a message for the user if it could not be measured.
    pub fn receive(&mut self, measured: MeasuredComparison, comparison: Option<&mut OpenComparison>) -> Result<(), String> {
        let MeasuredComparison { key, result } = measured;
        let running = self.measuring.take();
        if running.is_some_and(|running| running.cancel.is_canceled()) && !matches!(result, Ok(Some(_))) {
            return Ok(());
        }
        self.failed = result.is_err().then_some(key);
        let comparison = comparison.filter(|comparison| comparison.other.document.id == key.documents[1]);
        if let (Some(found), Some(comparison)) = (result?, comparison) {
            comparison.found = Some((key, found));
            comparison.forget_view();
        }
        Ok(())
    }

    /// Returns whether measuring this comparison has failed.
    pub fn has_failed(&self, key: CompareKey) -> bool {
        self.failed == Some(key)
    }

    /// Cancels all jobs.
    pub fn stop(&mut self) {
        self.stop_loading();
        if let Some(measuring) = &self.measuring {
            measuring.cancel.cancel();
        }
    }

    /// Cancels all jobs, and waits until nothing of them uses the device.
    pub fn join(&mut self) {
        self.stop();
        self.threads.join();
    }
}

/// Reads a file, measures it in the view that corresponds to the view of the open document, uploads it with its images, and compares it.
/// Errors with a message for the user, or with `None` if the job was canceled.
fn read_and_upload(
    source: Source,
    reason: LoadReason,
    context: &OtherContext,
    progress: &Progress,
    job: LoadJobId,
) -> Result<LoadedComparison, Option<String>> {
    let limits = LoadLimits { image_limit: context.image_limit, byte_limit: None };
    let (Loaded { model, images, files, .. }, borrowed) =
        source.read(context.borrowed.clone(), limits, progress).map_err(|error| match error {
            LoadError::Canceled => None,
            error => Some(error.to_string()),
        })?;
    let borrow_failure = borrowed.failures.first().cloned();
    // Another program may still be writing the borrowed file, as for the open model.
    if let (LoadReason::Changed { last: false }, Some((_, message))) = (reason, &borrow_failure) {
        return Err(Some(message.clone()));
    }
    let mut document = Document::new(Arc::new(model), source.name(), source.path().map(Path::to_owned));
    let (a, model) = (&context.open.model, document.model.clone());
    let node_pairs = NodePairs::new(a, &model);
    let played = a.existing_animation(context.view.animation);
    let animation = played.and_then(|played| match (context.choices.animation, &context.previous) {
        (OtherAnimation::Chosen(chosen), Some(previous)) => pairing::animation(previous, &model, chosen),
        (OtherAnimation::Chosen(chosen), None) => model.existing_animation(Some(chosen)),
        _ => pairing::animation(a, &model, played),
    });
    let view = counterpart::view(&context.view, Pair { a, b: &model, node_pairs: &node_pairs }, animation);
    let analyses = Analyses::new(&document, &view);
    let mut gpu_model = GpuModel::new(&context.gpu, &model).map_err(|error| Some(error.to_string()))?;
    upload_images(&context.gpu, &mut gpu_model, &mut document, images, progress);
    let choices = Choices { animations: [played, animation], timing: context.choices.timing, scene: context.view.scene };
    let found = compare::compare(&context.open, &document, &choices, &|| !progress.is_canceled()).ok_or(None)?;
    let key = CompareKey { documents: [context.open.id, document.id], choices };
    let gpu_model = Arc::new(RwLock::new(gpu_model));
    let source = Some(OtherSource { source, files, borrowed, job });
    let other = OtherDocument { document, analyses, gpu_model, source };
    Ok(LoadedComparison { other, found: (key, Arc::new(found)), borrow_failure })
}
