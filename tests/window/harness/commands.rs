//! Performs actions through the command palette, reads the clipboard, and runs copied commands.

use std::path::Path;
use std::process::Command;

use image::RgbaImage;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, WindowClass};

use super::desktop::App;

/// Performs an action by the first words of its name.
pub fn perform(app: &App, words: &str) {
    app.key(&["Control_L", "k"]);
    app.text(words);
    app.key(&["Return"]);
}

/// Runs a copied command in a folder, and reads the picture that it writes.
pub fn run(line: &str, folder: &Path) -> RgbaImage {
    let ours = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::join_paths(std::iter::once(ours).chain(std::env::split_paths(&others))).unwrap();
    let status = Command::new("sh").args(["-c", line]).current_dir(folder).env("PATH", programs).status().unwrap();
    assert!(status.success(), "{line}");
    let output = line.rsplit_once(" -o ").unwrap().1.trim_matches('\'');
    image::open(folder.join(output)).unwrap().to_rgba8()
}

/// Returns the picture on the clipboard as PNG bytes. `None` while there is none.
pub fn clipboard_picture(app: &App) -> Option<Vec<u8>> {
    clipboard(app, "image/png")
}

/// Returns the content of the clipboard in this format, read as another program would read it. `None` while there is none.
pub fn clipboard(app: &App, format: &str) -> Option<Vec<u8>> {
    let connection = &app.desktop.connection;
    let [clipboard, format, answer] = ["CLIPBOARD", format, "SINEW_TEST"].map(|name| app.desktop.atom(name));
    let window = connection.generate_id().unwrap();
    let aux = CreateWindowAux::new();
    connection.create_window(0, window, app.desktop.root, 0, 0, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &aux).unwrap();
    connection.convert_selection(window, clipboard, format, answer, x11rb::CURRENT_TIME).unwrap();
    connection.flush().unwrap();
    // The owner of the clipboard answers, or the server reports that there is none.
    let answered = loop {
        if let Event::SelectionNotify(event) = connection.wait_for_event().unwrap() {
            break event.property != 0;
        }
    };
    let property = connection.get_property(false, window, answer, AtomEnum::ANY, 0, u32::MAX / 4).unwrap().reply().unwrap();
    connection.destroy_window(window).unwrap();
    answered.then_some(property.value)
}
