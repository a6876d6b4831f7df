//! Sets up the heaps of the process, so that it needs little memory and does not ask the system for the same memory in each frame.
//!
//! glibc gives each thread a heap of its own, up to eight per core. The threads that read, decode and draw models are many and short-lived,
//! so each heap keeps holes that no other thread can use. The memory of the window grew with each model, and pictures took more memory.
//!
//! glibc also returns freed memory at the end of a heap to the system, by default from 128 KiB on. Software drivers allocate memory for
//! each draw and free it after the frame, so the system had to provide and clear the same pages again in each frame; see
//! docs/benchmarks.md, "Frame time".
#![allow(unsafe_code)]

/// The heaps of a process.
pub struct Heaps {
    /// Maximum number of heaps.
    count: i32,
    /// Blocks of this many bytes and more lie outside of the heaps, and return to the system when they are freed.
    separate_block_bytes: i32,
}

/// The heaps of the window. A single heap, without large blocks, keeps the memory from growing over many models; see docs/benchmarks.md,
/// "Memory over many models".
pub const WINDOW: Heaps = Heaps { count: 1, separate_block_bytes: 4 << 20 };
/// The heaps of a command. With two, pictures take about as little memory as with one, and less time, because the threads that compile
/// pipelines do not wait for each other. With smaller separate blocks, files with many textures take more time, and with larger ones, large
/// meshes take more memory; see docs/benchmarks.md, "Cold start to picture".
pub const COMMAND: Heaps = Heaps { count: 2, separate_block_bytes: 8 << 20 };

/// Lets all threads allocate from these heaps, and lets the heaps keep the memory that a frame needs. Call it before other threads start.
/// Does nothing with other C libraries than glibc.
pub fn set_up_heaps(heaps: &Heaps) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Freed memory that a heap keeps at its end. A software driver needs 52 MB for a frame of 5,000 meshes.
        const KEPT_BYTES: i32 = 64 << 20;
        let settings =
            [(libc::M_ARENA_MAX, heaps.count), (libc::M_TRIM_THRESHOLD, KEPT_BYTES), (libc::M_MMAP_THRESHOLD, heaps.separate_block_bytes)];
        for (setting, value) in settings {
            // SAFETY: `mallopt` only sets limits that glibc reads when memory is allocated or freed. It may be called at any time.
            unsafe { libc::mallopt(setting, value) };
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let Heaps { count: _, separate_block_bytes: _ } = heaps;
}
