//! Shows an error that ends the program before it has a window of its own.

/// A program that fails sooner than this has shown nothing, for example because there is no display. Some programs also fail if the user
/// closes the dialog with Esc, which takes longer.
#[cfg(all(unix, not(target_os = "macos")))]
const MIN_SHOWN_DURATION: std::time::Duration = std::time::Duration::from_secs(1);

/// Shows the error in a dialog of the first program of a list that is installed and works, and returns when that program ends. If there is
/// none, shows nothing and logs a warning.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn show(title: &str, message: &str) {
    use std::process::{Command, Stdio};
    // Programs that show a message on GNOME, KDE, plain X11, and desktops with notifications.
    let programs: [(&str, &[&str]); 4] = [
        ("zenity", &["--error", "--no-markup", "--title", title, "--text", message]),
        ("kdialog", &["--title", title, "--error", message]),
        ("xmessage", &["-center", "-title", title, message]),
        ("notify-send", &["--icon=sinew", title, message]),
    ];
    for (program, arguments) in programs {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = std::time::Instant::now();
        if command.status().is_ok_and(|status| status.success() || start.elapsed() > MIN_SHOWN_DURATION) {
            return;
        }
    }
    log::warn!("none of zenity, kdialog, xmessage and notify-send is installed and works");
}

/// Shows the error in a dialog of the system, and returns when it is closed.
#[cfg(any(windows, target_os = "macos"))]
pub fn show(title: &str, message: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title(title).set_description(message).show();
}
