//! Reports tests that are skipped because the machine lacks something.
//!
//! The messages are written past the test harness, which hides what passing tests print.

use std::io::Write;

/// Reports that a test is skipped because something is missing that `scripts/test` installs, such as a graphics adapter. In CI it must be
/// there, so the test fails instead.
#[track_caller]
pub fn skip_outside_ci(missing: &str) {
    assert!(std::env::var_os("CI").is_none(), "{missing}, and CI must not skip this test");
    skip(missing);
}

/// Reports that a test is skipped for a reason that is accepted in CI too: this driver, this container or this machine cannot do it.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {reason}", thread.name().unwrap_or("a test"));
}
