//! Tests screens that are disconnected, changes of their scale, and the remembered place of the window.

use std::path::Path;

use serde_json::{Value, json};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{
    CONFIGURE_NOTIFY_EVENT, ChangeWindowAttributesAux, ConfigureNotifyEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use crate::harness::colors::{green, red};
use crate::harness::desktop::{App, Desktop, HEIGHT, WIDTH, wait_for};
use crate::harness::{metronome, open_metronome};

/// The settings of a desktop, as its settings daemon publishes them (the XSETTINGS protocol).
struct Settings(Window);

impl Settings {
    fn publish(desktop: &Desktop, dots_per_inch: u32) -> Self {
        let connection = &desktop.connection;
        let window = connection.generate_id().unwrap();
        let none = CreateWindowAux::new();
        connection.create_window(0, window, desktop.root, 0, 0, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &none).unwrap();
        connection.set_selection_owner(window, desktop.atom("_XSETTINGS_S0"), x11rb::CURRENT_TIME).unwrap();
        let settings = Self(window);
        settings.set(desktop, dots_per_inch);
        settings
    }

    /// Sets the only setting, the resolution.
    fn set(&self, desktop: &Desktop, dots_per_inch: u32) {
        let name = b"Xft/DPI";
        // The header: the byte order (least significant byte first), a serial number, and the number of settings.
        let mut bytes = vec![0, 0, 0, 0];
        bytes.extend([1u32, 1].into_iter().flat_map(u32::to_le_bytes));
        // The setting: its type (integer), its name padded to four bytes, a serial number, and its value.
        bytes.extend([0, 0, name.len() as u8, 0]);
        bytes.extend(name);
        bytes.push(0);
        bytes.extend([1, dots_per_inch * 1024].into_iter().flat_map(u32::to_le_bytes));
        let property = desktop.atom("_XSETTINGS_SETTINGS");
        desktop.connection.change_property8(PropMode::REPLACE, self.0, property, property, &bytes).unwrap();
        desktop.connection.flush().unwrap();
    }
}

#[test]
fn a_change_of_scale_resizes_everything_and_can_be_reverted() {
    let Some(desktop) = Desktop::for_app() else { return };
    let settings = Settings::publish(&desktop, 96);
    let folder = tempfile::tempdir().unwrap();
    let args: [&Path; 2] = [&metronome(folder.path()), Path::new("--paused")];
    // The tests normally set their own scale, which would override that of the desktop.
    let by_settings = [("WINIT_X11_SCALE_FACTOR", Path::new(""))];
    let app = App::start_on(desktop, tempfile::tempdir().unwrap(), &args, "metronome.gltf", &by_settings);
    let before = app.wait_until_still();
    // The window grows with its scale. No window manager limits its size to that of the screen, so the test does.
    let grow = || {
        settings.set(&app.desktop, 192);
        wait_for("the window to grow", || (app.size() == [WIDTH, HEIGHT].map(|size| 2 * size as u16)).then_some(()));
        app.resize(WIDTH, HEIGHT);
        // The left panel takes twice the space.
        app.wait_until("the squares beside a larger panel", |picture| {
            picture.dimensions() == (WIDTH, HEIGHT) && red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 150.0)
        });
        app.wait_until_still()
    };
    grow();
    settings.set(&app.desktop, 96);
    wait_for("the window to shrink", || (app.size() == [WIDTH, HEIGHT].map(|size| size as u16 / 2)).then_some(()));
    app.resize(WIDTH, HEIGHT);
    app.wait_until("everything as it was", |picture| red(picture) == red(&before) && green(picture) == green(&before));
    let large = grow();
    // At twice the scale, this click hits the row of the rest pose.
    app.click(210, 155);
    app.wait_until("the rest pose, in which the green square is far to the right", |picture| {
        green(&large).is_some() && red(picture).is_some() && green(picture).is_none()
    });
}

#[test]
fn the_window_works_after_its_screen_was_disconnected() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    let (connection, root) = (&app.desktop.connection, app.desktop.root);
    let resources = connection.randr_get_screen_resources_current(root).unwrap().reply().unwrap();
    let crtc = resources.crtcs[0];
    let lit = connection.randr_get_crtc_info(crtc, 0).unwrap().reply().unwrap();
    let show = |mode, outputs: &[u32]| {
        let set = connection.randr_set_crtc_config(crtc, x11rb::CURRENT_TIME, 0, 0, 0, mode, lit.rotation, outputs).unwrap();
        set.reply().unwrap();
    };
    show(0, &[]);
    app.key(&["End"]);
    show(lit.mode, &lit.outputs);
    app.wait_until("the window at the other time", |picture| {
        picture.dimensions() == before.dimensions() && red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0)
    });
    app.key(&["Home"]);
    app.wait_until("everything as it was", |picture| red(picture) == red(&before) && green(picture) == green(&before));
}

#[test]
fn a_window_that_was_maximized_asks_for_it_once_it_is_shown() {
    let Some(desktop) = Desktop::for_app() else { return };
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("config")).unwrap();
    let settings = r#"{ "version": 1, "window": { "width": 900, "height": 600, "maximized": true } }"#;
    std::fs::write(home.path().join("config/settings.json"), settings).unwrap();
    // Requests to the window manager are sent to the root window.
    let listen = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
    desktop.connection.change_window_attributes(desktop.root, &listen).unwrap();
    let app = App::start_on(desktop, home, &[Path::new("--paused")], "Sample model", &[]);
    let maximized = app.desktop.atom("_NET_WM_STATE_MAXIMIZED_VERT");
    let mut is_shown = false;
    wait_for("the request", || {
        while let Some(event) = app.desktop.connection.poll_for_event().unwrap() {
            match event {
                Event::MapNotify(event) if event.window == app.window => is_shown = true,
                Event::ClientMessage(event) if is_shown && event.data.as_data32()[1..3].contains(&maximized) => return Some(()),
                _ => {}
            }
        }
        None
    });
}

#[test]
fn the_window_opens_where_it_was_unless_that_is_outside_of_all_screens() {
    for (remembered, is_on_screen) in [([130, 70], true), ([5000, 70], false)] {
        let Some(desktop) = Desktop::for_app() else { return };
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config/settings.json");
        std::fs::create_dir(home.path().join("config")).unwrap();
        let settings = json!({"version": 1, "window": {"width": 500, "height": 400, "position": remembered}});
        std::fs::write(&file, settings.to_string()).unwrap();
        let mut process = desktop.command(Path::new(env!("CARGO_BIN_EXE_sinew")), home.path()).arg("--paused").spawn().unwrap();
        let window = wait_for("the window", || desktop.find_window("Sample model"));
        let geometry = desktop.connection.get_geometry(window).unwrap().reply().unwrap();
        assert_eq!([geometry.x, geometry.y] == remembered, is_on_screen, "at {}, {}", geometry.x, geometry.y);
        // A window manager tells a window the position on the desktop (ICCCM, section 4.1.5).
        let moved = ConfigureNotifyEvent {
            response_type: CONFIGURE_NOTIFY_EVENT,
            sequence: 0,
            event: window,
            window,
            above_sibling: x11rb::NONE,
            x: 210,
            y: 95,
            width: geometry.width,
            height: geometry.height,
            border_width: 0,
            override_redirect: false,
        };
        desktop.connection.send_event(false, window, EventMask::STRUCTURE_NOTIFY, moved).unwrap();
        desktop.ask_to_close(window);
        wait_for("the process to end", || process.try_wait().unwrap());
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(saved["window"]["position"], json!([210, 95]));
    }
}
