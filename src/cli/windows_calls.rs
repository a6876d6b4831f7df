//! Calls of the Windows API that need unsafe code, because no package offers a safe version of them.
#![allow(unsafe_code)]

use std::ptr;

use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};
use windows_sys::Win32::UI::Shell::{SHCNE_ASSOCCHANGED, SHCNF_IDLIST, SHChangeNotify};

/// Closes the console window if it was opened for this program alone. Before Windows 11 24H2, Explorer opens such a console. Later versions
/// read in the program's manifest that it needs none. Returns whether the program has no console now. If so, nobody sees its output.
pub fn close_own_console() -> bool {
    let mut processes = [0u32; 2];
    // SAFETY: the pointer and the length describe one array.
    let count = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) };
    if count == 1 {
        // SAFETY: the call has no requirements.
        unsafe { FreeConsole() };
    }
    count <= 1
}

/// Tells Explorer that file types have changed.
pub fn announce_file_types() {
    // SAFETY: this event has no items, and null stands for none.
    unsafe { SHChangeNotify(SHCNE_ASSOCCHANGED as i32, SHCNF_IDLIST, ptr::null(), ptr::null()) };
}
