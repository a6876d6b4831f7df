//! Fails a test whose work takes far too long, because its time grows with the square of the input.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Time limit, in seconds. It is generous, because machines differ: the input of the test must be so large that the right work takes about
/// a second, and the work that the test guards against takes minutes.
const SECONDS: u64 = 30;

/// Returns the result of `work`. Panics if there is none after half a minute, without waiting for it any longer.
#[track_caller]
pub fn within_half_a_minute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::spawn(move || sender.send(work()));
    match receiver.recv_timeout(Duration::from_secs(SECONDS)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("the work takes longer than {SECONDS} s"),
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => unreachable!("the work sends its result or panics"),
        },
    }
}
