//! Keeps the memory of the process small.
//!
//! glibc gives each thread a heap of its own, up to eight per core. The threads that read, decode and draw models are many and short-lived,
//! so each heap keeps holes that no other thread can use. The memory of the window grew with each model, and pictures took more memory.
#![allow(unsafe_code)]

/// Heaps of the window. A single one keeps its memory from growing over many models; see docs/benchmarks.md, "Memory over many models".
pub const WINDOW_HEAPS: i32 = 1;
/// Heaps of a command. With two, pictures take about as little memory as with one, and less time, because the threads that compile
/// pipelines do not wait for each other; see docs/benchmarks.md, "Cold start to picture".
pub const COMMAND_HEAPS: i32 = 2;

/// Lets all threads allocate from at most `count` heaps. Call it before other threads start. Does nothing with other C libraries than
/// glibc.
pub fn limit_heaps(count: i32) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` only sets a limit that glibc reads when a thread allocates for the first time. It may be called at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, count);
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = count;
}
