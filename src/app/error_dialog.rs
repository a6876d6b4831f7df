//! Shows an error that ends the program before it has a window of its own.

/// Shows the error in a dialog of the first installed program of a list, and returns when that program ends. If none of them is
/// installed, shows nothing and logs a warning.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn show(title: &str, message: &str) {
    use std::process::{Command, Stdio};
    // Programs that show a message on GNOME, KDE, plain X11, and desktops with notifications. The first one that is installed is used.
    let programs: [(&str, &[&str]); 4] = [
        ("zenity", &["--error", "--no-markup", "--title", title, "--text", message]),
        ("kdialog", &["--title", title, "--error", message]),
        ("xmessage", &["-center", "-title", title, message]),
        ("notify-send", &["--icon=sinew", title, message]),
    ];
    for (program, arguments) in programs {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status().is_ok() {
            return;
        }
    }
    log::warn!("none of zenity, kdialog, xmessage and notify-send is installed");
}

/// Shows the error in a dialog of the system, and returns when it is closed.
#[cfg(any(windows, target_os = "macos"))]
pub fn show(title: &str, message: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title(title).set_description(message).show();
}
