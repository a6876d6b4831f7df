//! Lists the graphics adapters for the settings. Asking all drivers takes long, so it runs on a background thread.

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;
use crate::render::device::gpu;

use super::catch_panic;

/// Starts listing the adapters.
pub fn list(proxy: EventLoopProxy<AppEvent>) {
    std::thread::spawn(move || match catch_panic(gpu::adapter_names) {
        Ok(names) => AppEvent::AdaptersListed(names).send(&proxy),
        // The settings then offer only the default adapter.
        Err(message) => log::warn!("the graphics adapters cannot be listed: {message}"),
    });
}
