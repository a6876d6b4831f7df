//! Draws thumbnails for the file strip, one at a time. Its thread has a graphics device of its own, so that neither a slow file nor a lost
//! device disturbs the window. On Linux, the thread and all threads that it starts, such as those of the graphics driver, have low
//! priority.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, DrawnThumbnail};
use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::Stamp;
use crate::export::thumbnail::{self, ThumbnailError, Thumbnailer};
use crate::render::device::gpu::Gpu;

use crate::app::workers::catch_panic;

/// The device is freed after this time without a request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);
/// Niceness of the thread, from 0 to 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

/// A thumbnail to draw.
pub struct ThumbnailOrder {
    pub file: PathBuf,
    /// Files in other folders that the model may refer to.
    pub opened_together: Vec<PathBuf>,
    /// Side of the picture, in pixels.
    pub size: u32,
}

/// The window's handle of the thread. The thread runs while there are thumbnails to draw, and for [`IDLE_TIMEOUT`] after that.
#[derive(Default)]
pub struct ThumbnailWorker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// The state that the window and the thread share.
#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<ThumbnailOrder>,
    running: Option<RunningThumbnail>,
    /// Whether there is a thread that looks at the queue.
    has_thread: bool,
    /// Whether the thread is to end.
    is_ended: bool,
}

/// The thumbnail that is being drawn.
struct RunningThumbnail {
    file: PathBuf,
    /// Side of the picture, in pixels.
    size: u32,
    progress: Arc<Progress>,
}

impl Queue {
    /// Replaces the waiting orders. The thumbnail that is being drawn is finished if it is among the new orders, in the same size, and
    /// canceled otherwise.
    fn replace(&mut self, mut orders: Vec<ThumbnailOrder>) {
        if let Some(RunningThumbnail { file, size, progress }) = &self.running {
            let count = orders.len();
            orders.retain(|order| order.file != *file || order.size != *size);
            if orders.len() == count {
                progress.cancel();
            }
        }
        self.waiting = orders.into();
    }
}

impl ThumbnailWorker {
    /// Draws these thumbnails and drops all earlier requests. `gpu` tells which adapter to use.
    pub fn start(&mut self, orders: Vec<ThumbnailOrder>, gpu: &Gpu, proxy: EventLoopProxy<AppEvent>) {
        let mut queue = self.shared.lock();
        queue.replace(orders);
        if !queue.waiting.is_empty() && !queue.has_thread {
            queue.has_thread = true;
            let (shared, gpu) = (self.shared.clone(), gpu.clone());
            self.thread = Some(std::thread::spawn(move || run(&shared, &gpu, &proxy)));
        }
        drop(queue);
        self.shared.changed.notify_one();
    }

    /// Ends the thread, and waits for it: a driver must not draw while the program exits.
    pub fn stop(&mut self) {
        let mut queue = self.shared.lock();
        queue.is_ended = true;
        if let Some(running) = &queue.running {
            running.progress.cancel();
        }
        drop(queue);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next thumbnail to draw. Returns `None` if none was requested for a while, or if the worker was stopped; then the
    /// thread ends.
    fn next(&self) -> Option<(ThumbnailOrder, Arc<Progress>)> {
        let mut queue = self.lock();
        queue.running = None;
        let is_idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.is_ended;
        let (mut queue, _) = self.changed.wait_timeout_while(queue, IDLE_TIMEOUT, is_idle).unwrap_or_else(PoisonError::into_inner);
        let Some(order) = queue.waiting.pop_front().filter(|_| !queue.is_ended) else {
            queue.has_thread = false;
            return None;
        };
        let progress = Arc::<Progress>::default();
        queue.running = Some(RunningThumbnail { file: order.file.clone(), size: order.size, progress: progress.clone() });
        Some((order, progress))
    }
}

/// Draws the requested thumbnails, until the thread is to end.
fn run(shared: &Shared, gpu: &Gpu, proxy: &EventLoopProxy<AppEvent>) {
    lower_priority();
    let mut thumbnailer = None;
    while let Some((order, progress)) = shared.next() {
        // The stamp is taken before reading, so that a change in the meantime is noticed.
        let stamp = Stamp::at(&order.file);
        let drawn = catch_panic(|| draw(&mut thumbnailer, gpu, &order, &progress));
        let picture = match drawn {
            Ok(Ok(picture)) => Ok(picture),
            Ok(Err(ThumbnailError::Load(LoadError::Canceled))) => continue,
            Ok(Err(ThumbnailError::Load(error))) => Err(error.to_string()),
            // The device may be lost, so the next file is drawn on a new one.
            Ok(Err(error)) => {
                thumbnailer = None;
                Err(error.to_string())
            }
            Err(message) => {
                thumbnailer = None;
                Err(message)
            }
        };
        let ThumbnailOrder { file, size, .. } = order;
        AppEvent::ThumbnailDrawn(Box::new(DrawnThumbnail { file, size, stamp, picture })).send(proxy);
    }
}

/// Draws a thumbnail, on a new device if there is none.
fn draw(
    thumbnailer: &mut Option<Thumbnailer>,
    gpu: &Gpu,
    order: &ThumbnailOrder,
    progress: &Progress,
) -> Result<image::RgbaImage, ThumbnailError> {
    let loaded = thumbnail::read(&order.file, &order.opened_together, progress)?;
    let thumbnailer = match thumbnailer {
        Some(thumbnailer) => thumbnailer,
        None => thumbnailer.insert(Thumbnailer::new(gpu.open_second_device()?)),
    };
    Ok(thumbnailer.draw(loaded, order.size, progress)?.picture)
}

/// Lowers the priority of this thread and of all threads that it starts.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        log::debug!("thumbnails are drawn at normal priority: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(file: &str, size: u32) -> ThumbnailOrder {
        ThumbnailOrder { file: file.into(), opened_together: Vec::new(), size }
    }

    /// The files that wait after new orders, and whether the drawing of `fox.glb` in 100 pixels was canceled by them.
    fn replaced(orders: Vec<ThumbnailOrder>) -> (Vec<PathBuf>, bool) {
        let progress = Arc::<Progress>::default();
        let running = RunningThumbnail { file: "fox.glb".into(), size: 100, progress: progress.clone() };
        let mut queue = Queue { waiting: [order("old.glb", 100)].into(), running: Some(running), ..Queue::default() };
        queue.replace(orders);
        (queue.waiting.into_iter().map(|order| order.file).collect(), progress.is_canceled())
    }

    #[test]
    fn a_thumbnail_is_finished_if_it_is_wanted_in_the_same_size() {
        assert_eq!(replaced(vec![order("fox.glb", 100), order("cat.glb", 100)]), (vec!["cat.glb".into()], false));
        assert_eq!(replaced(vec![order("cat.glb", 100)]), (vec!["cat.glb".into()], true));
    }

    #[test]
    fn a_thumbnail_that_is_wanted_in_another_size_is_drawn_again() {
        assert_eq!(replaced(vec![order("fox.glb", 150)]), (vec!["fox.glb".into()], true));
    }
}
