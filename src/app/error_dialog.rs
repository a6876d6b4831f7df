//! Shows an error that ends the program before it has a window of its own.

#[cfg(all(unix, not(target_os = "macos")))]
use std::time::{Duration, Instant};

/// A program that fails sooner than this has shown nothing, because no user closes its dialog so fast. Usually, it has no display.
#[cfg(all(unix, not(target_os = "macos")))]
const MIN_DIALOG_TIME: Duration = Duration::from_secs(1);

/// Shows the error in a dialog of the first program of a list that is installed and can show one, and returns when that program ends. If
/// there is none, logs a warning.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn show(title: &str, message: &str) {
    use std::process::{Command, Stdio};
    // Programs that show a message on GNOME, KDE, plain X11, and desktops with notifications. The last one needs no display.
    let programs: [(&str, &[&str]); 4] = [
        ("zenity", &["--error", "--no-markup", "--title", title, "--text", message]),
        ("kdialog", &["--title", title, "--error", message]),
        ("xmessage", &["-center", "-title", title, message]),
        ("notify-send", &["--icon=sinew", title, message]),
    ];
    for (program, arguments) in programs {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        // A dialog that the user closes with Esc ends with a failure, too.
        if command.status().is_ok_and(|status| status.success() || start.elapsed() >= MIN_DIALOG_TIME) {
            return;
        }
    }
    log::warn!("none of zenity, kdialog, xmessage and notify-send could show the error");
}

/// Shows the error in a dialog of the system, and returns when it is closed.
#[cfg(any(windows, target_os = "macos"))]
pub fn show(title: &str, message: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title(title).set_description(message).show();
}
