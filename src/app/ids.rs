//! Numbers that tell load jobs and graphics devices apart. Results of background threads contain them, so that results that are out of date
//! can be recognized.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a load job within this process: of the open file, of a file loaded ahead, or of a file to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadJobId(u64);

impl LoadJobId {
    /// An identifier that this process has not used before.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The number of the window's graphics device. It increases with each loss of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceNumber(pub u64);
