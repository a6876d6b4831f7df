//! Closes the window when the process is asked to end, for example by SIGTERM or Ctrl+C, so that exports remove their partial files.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use signal_hook::consts::SIGINT;
use winit::event_loop::EventLoopProxy;

use crate::end_signals;

use super::worker_events::AppEvent;

/// The last signal that asked the process to end.
#[derive(Clone)]
pub struct Interrupt {
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Closes the window at the first request to end the process. A second request ends the process at once, because closing waits for the
    /// graphics driver. Signals that the process ignores, for example SIGHUP below `nohup`, stay ignored.
    pub fn handle(proxy: EventLoopProxy<AppEvent>) -> Self {
        let interrupt = Self { signal: Arc::new(AtomicI32::new(SIGINT)) };
        let handled = interrupt.clone();
        let mut is_interrupted = false;
        let on_signal = move |signal| {
            handled.signal.store(signal, Ordering::SeqCst);
            if std::mem::replace(&mut is_interrupted, true) || proxy.send_event(AppEvent::Interrupted).is_err() {
                handled.end_process();
            }
        };
        if let Err(error) = end_signals::listen(on_signal) {
            log::debug!("requests to end the process are not handled: {error}");
        }
        interrupt
    }

    /// Ends the process as the signal would have done without a handler, so that a shell loop around Sinew ends, too. No exit handlers run:
    /// they would free a driver that may be drawing.
    pub fn end_process(&self) -> ! {
        #[cfg(unix)]
        if let Err(error) = signal_hook::low_level::emulate_default_handler(self.signal.load(Ordering::SeqCst)) {
            log::debug!("the process does not end by a signal: {error}");
        }
        signal_hook::low_level::exit(1);
    }
}
