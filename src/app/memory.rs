//! Sets up the heaps of the process, so that it needs little memory and does not ask the system for the same memory in each frame.
//!
//! glibc gives each thread a heap of its own, up to eight per core. The threads that read, decode and draw models are many and short-lived,
//! so each heap keeps holes that no other thread can use. The memory of the window grew with each model, and pictures took more memory.
//!
//! glibc also returns freed memory at the end of a heap to the system as soon as there are 128 KiB of it. Software drivers allocate memory
//! for each draw and free it after the frame, so the system had to provide and clear the same pages again in each frame; see
//! docs/benchmarks.md, "Frame time".
#![allow(unsafe_code)]

/// Heaps of the window. A single one keeps its memory from growing over many models; see docs/benchmarks.md, "Memory over many models".
pub const WINDOW_HEAPS: i32 = 1;
/// Heaps of a command. With two, pictures take about as little memory as with one, and less time, because the threads that compile
/// pipelines do not wait for each other; see docs/benchmarks.md, "Cold start to picture".
pub const COMMAND_HEAPS: i32 = 2;

/// Lets all threads allocate from at most `count` heaps, and lets the heaps keep the memory that a frame needs. Call it before other
/// threads start. Does nothing with other C libraries than glibc.
pub fn set_up_heaps(count: i32) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Freed bytes that a heap keeps at its end. A software driver needs 52 MB for a frame of 5,000 meshes.
        const KEPT: i32 = 64 << 20;
        /// Blocks of this many bytes and more lie outside of the heaps and return to the system when they are freed. These are files,
        /// images and vertices, which are allocated seldom.
        const SEPARATE: i32 = 8 << 20;
        for (setting, value) in [(libc::M_ARENA_MAX, count), (libc::M_TRIM_THRESHOLD, KEPT), (libc::M_MMAP_THRESHOLD, SEPARATE)] {
            // SAFETY: `mallopt` only sets limits that glibc reads when memory is allocated or freed. It may be called at any time.
            unsafe { libc::mallopt(setting, value) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = count;
}
