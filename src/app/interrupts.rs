//! Closes the window when the process is asked to end, for example by SIGTERM or Ctrl+C, so that exports remove their partial files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::SIGINT;
use winit::event_loop::EventLoopProxy;

use super::worker_events::AppEvent;

/// The last signal that asked the process to end.
#[derive(Clone)]
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Closes the window at the first request to end the process. A second request ends the process at once, because closing waits for the
    /// graphics driver. Signals that the process ignores, for example below `nohup`, stay ignored.
    pub fn handle(proxy: EventLoopProxy<AppEvent>) -> Self {
        // On Windows, every request counts as SIGINT.
        let interrupt = Self { signal: Arc::new(AtomicUsize::new(SIGINT as usize)) };
        let handled = interrupt.clone();
        let mut is_interrupted = false;
        let handler = move || {
            if std::mem::replace(&mut is_interrupted, true) || proxy.send_event(AppEvent::Interrupted).is_err() {
                handled.end_process();
            }
        };
        match ctrlc::try_set_handler(handler) {
            #[cfg(unix)]
            Ok(()) => interrupt.record_signals(),
            #[cfg(not(unix))]
            Ok(()) => {}
            Err(error) => log::debug!("requests to end the process are not handled: {error}"),
        }
        interrupt
    }

    /// Records which signal arrives, besides the handler, which does not know it.
    #[cfg(unix)]
    fn record_signals(&self) {
        for signal in [SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            if let Err(error) = signal_hook::flag::register_usize(signal, self.signal.clone(), signal as usize) {
                log::debug!("signal {signal} is not recorded: {error}");
            }
        }
    }

    /// Ends the process as the signal would have done without a handler, so that a shell loop around Sinew ends, too. No exit handlers run:
    /// they would free a driver that may be drawing.
    pub fn end_process(&self) -> ! {
        #[cfg(unix)]
        if let Err(error) = signal_hook::low_level::emulate_default_handler(self.signal.load(Ordering::SeqCst) as i32) {
            log::debug!("the process does not end by a signal: {error}");
        }
        signal_hook::low_level::exit(1);
    }
}
