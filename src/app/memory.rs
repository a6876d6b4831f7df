//! Keeps the memory of the process small.
//!
//! glibc gives each thread a heap of its own, up to eight per core. The threads that read, decode and draw models are many and short-lived,
//! so each heap keeps holes that no other thread can use. The memory of the window grew with each model, and pictures took more memory. A
//! single heap avoids this; see docs/benchmarks.md, "Memory over many models".
#![allow(unsafe_code)]

/// Lets all threads allocate from the same heap. Call it before other threads start. Does nothing with other C libraries than glibc.
pub fn use_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` only sets a limit that glibc reads when a thread allocates for the first time. It may be called at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
