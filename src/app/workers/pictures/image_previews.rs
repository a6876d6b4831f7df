//! Decodes images for the panels, one at a time on a background thread, because a single large image can take much memory.

use std::collections::VecDeque;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, PreviewedImage};
use crate::asset::image::{self, ImageSource};
use crate::codec::texels::{DecodeOptions, Encoding};
use crate::ui::context::request::{PreviewDetail, PreviewOrder};

use crate::app::workers::catch_panic;

/// The previews that the panels have requested.
#[derive(Default)]
pub struct PreviewWorker {
    /// Requests in the order in which they will be answered.
    waiting: VecDeque<(PreviewOrder, ImageSource)>,
    is_running: bool,
}

impl PreviewWorker {
    /// Queues a request. A large preview comes before thumbnails, because the user is waiting for it.
    pub fn start(&mut self, order: PreviewOrder, source: ImageSource, proxy: EventLoopProxy<AppEvent>) {
        match order.detail {
            PreviewDetail::Thumbnail => self.waiting.push_back((order, source)),
            PreviewDetail::Large => self.waiting.push_front((order, source)),
        }
        self.run_next(proxy);
    }

    /// Continues with the next request after one was answered.
    pub fn receive(&mut self, proxy: EventLoopProxy<AppEvent>) {
        self.is_running = false;
        self.run_next(proxy);
    }

    /// Drops the queued requests: their document was replaced.
    pub fn stop(&mut self) {
        self.waiting.clear();
    }

    /// Decodes the next image, unless one is being decoded.
    fn run_next(&mut self, proxy: EventLoopProxy<AppEvent>) {
        if self.is_running {
            return;
        }
        let Some((order, source)) = self.waiting.pop_front() else { return };
        self.is_running = true;
        std::thread::spawn(move || {
            let (encoding, max_size) = (Encoding::new(order.is_color), order.detail.longest_side());
            let options = DecodeOptions { encoding, mipmaps: false, max_size, ..DecodeOptions::default() };
            let decoded = catch_panic(|| image::decode(&source, &options).map_err(|error| error.to_string())).and_then(|decoded| decoded);
            AppEvent::ImagePreviewed(Box::new(PreviewedImage { order, decoded })).send(&proxy);
        });
    }
}
