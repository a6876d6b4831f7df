//! The CPU time of the thread that measures, which other processes hardly affect.

use std::time::Duration;

/// The CPU time that this thread has used so far.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // Both numbers of a clock are at least 0.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The wall time since the first call, because this system's CPU time of threads is too coarse.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
