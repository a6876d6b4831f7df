//! Signals that ask the process to end: SIGINT (Ctrl+C), SIGTERM, SIGHUP. On Windows, console events that end a process count as SIGINT.

#[cfg(unix)]
use std::sync::Arc;

use signal_hook::consts::SIGINT;

/// Calls `on_signal` on a thread, with each signal that asks the process to end. The process no longer ends by itself. Signals that it
/// ignores, for example SIGHUP below `nohup`, stay ignored.
#[cfg(unix)]
pub fn listen(on_signal: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let ignored = ignored_signals();
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(on_signal))?;
    Ok(())
}

/// Calls `on_signal` on a thread, with SIGINT for each request to end the process. The process no longer ends by itself.
#[cfg(not(unix))]
pub fn listen(mut on_signal: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::try_set_handler(move || on_signal(SIGINT))
}

/// Makes a write beyond the size limit of files (`ulimit -f`) fail with an error. Otherwise, SIGXFSZ would end the process at once, and
/// leave an unfinished file.
#[cfg(unix)]
pub fn turn_size_limit_into_error() {
    // If the handler cannot be installed, the signal ends the process, as it does by default.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// The signals that the process ignores, as a mask: signal n has bit n - 1. 0 on systems without /proc.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
