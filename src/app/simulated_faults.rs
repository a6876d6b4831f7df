//! Faults that tests provoke through environment variables: a lost device, a full or busy device, a panic. They exist in debug builds only.

use std::path::Path;

/// Destroys the device when the file named by `SINEW_LOSE_DEVICE` appears, and deletes that file.
pub fn lose_device_on_request(device: &wgpu::Device) {
    if std::env::var_os("SINEW_LOSE_DEVICE").is_some_and(|path| std::fs::remove_file(path).is_ok()) {
        device.destroy();
    }
}

/// Returns whether uploads are to fail as if the device were out of memory: true while the file named by `SINEW_FULL_DEVICE` exists.
pub fn is_device_full() -> bool {
    std::env::var_os("SINEW_FULL_DEVICE").is_some_and(|path| Path::new(&path).exists())
}

/// Returns whether configuring the window's surface is to fail: true while the file named by `SINEW_BUSY_DEVICE` exists.
pub fn is_device_busy() -> bool {
    std::env::var_os("SINEW_BUSY_DEVICE").is_some_and(|path| Path::new(&path).exists())
}

/// Panics when the file named by `SINEW_PANIC` appears, and deletes that file.
pub fn panic_on_request() {
    assert!(std::env::var_os("SINEW_PANIC").is_none_or(|path| std::fs::remove_file(path).is_err()), "a simulated fault");
}
