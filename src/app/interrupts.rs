//! Closes the window when the process is asked to end, for example by SIGTERM or Ctrl+C, so that exports remove their partial files.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use signal_hook::consts::SIGINT;
use winit::event_loop::EventLoopProxy;

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
        if let Err(error) = listen(on_signal) {
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

/// Calls `on_signal` on a thread, with each signal that asks the process to end.
#[cfg(unix)]
fn listen(on_signal: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let ignored = ignored_signals();
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(on_signal))?;
    Ok(())
}

/// Calls `on_signal` on a thread, with SIGINT for each request to end the process.
#[cfg(not(unix))]
fn listen(mut on_signal: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::try_set_handler(move || on_signal(SIGINT))
}

/// The signals that the process ignores, as a mask: signal n has bit n - 1. 0 on systems without /proc.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
