//! Drags files over a window and drops them, as an XDND source (freedesktop.org, version 5).

use std::path::Path;
use std::time::{Duration, Instant};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
    SelectionRequestEvent, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::desktop::App;

/// Characters that a file URI must escape.
const NOT_IN_URIS: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'#').add(b'?').add(b'"').add(b'<').add(b'>');

pub struct Drag<'a> {
    app: &'a App,
    source: Window,
    uris: String,
}

impl<'a> Drag<'a> {
    /// Starts dragging files and moves them over the window.
    pub fn over(app: &'a App, files: &[&Path]) -> Self {
        let connection = &app.desktop.connection;
        let source = connection.generate_id().unwrap();
        let aux = CreateWindowAux::new();
        connection.create_window(0, source, app.desktop.root, -10, -10, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &aux).unwrap();
        connection.set_selection_owner(source, app.desktop.atom("XdndSelection"), x11rb::CURRENT_TIME).unwrap();
        let uri = |file: &&Path| format!("file://{}\r\n", utf8_percent_encode(file.to_str().unwrap(), NOT_IN_URIS));
        let drag = Self { app, source, uris: files.iter().map(uri).collect() };
        drag.send("XdndEnter", [5 << 24, app.desktop.atom("text/uri-list"), 0, 0]);
        for step in 1..=3u32 {
            drag.send("XdndPosition", [0, (300 + step * 40) << 16 | 300, x11rb::CURRENT_TIME, app.desktop.atom("XdndActionCopy")]);
            drag.answer("XdndStatus");
        }
        drag
    }

    /// Drops the files on the window.
    pub fn drop(self) {
        self.send("XdndDrop", [0, x11rb::CURRENT_TIME, 0, 0]);
        self.answer("XdndFinished");
    }

    /// Moves the files out of the window again.
    pub fn leave(self) {
        self.send("XdndLeave", [0; 4]);
    }

    fn send(&self, kind: &str, [a, b, c, d]: [u32; 4]) {
        let desktop = &self.app.desktop;
        let event = ClientMessageEvent::new(32, self.app.window, desktop.atom(kind), [self.source, a, b, c, d]);
        desktop.connection.send_event(false, self.app.window, EventMask::NO_EVENT, event).unwrap();
        desktop.connection.flush().unwrap();
    }

    /// Hands over the files on request, until the window sends a message of type `kind`.
    fn answer(&self, kind: &str) {
        let (connection, kind_atom) = (&self.app.desktop.connection, self.app.desktop.atom(kind));
        let start = Instant::now();
        while start.elapsed() < super::desktop::PATIENCE {
            match connection.poll_for_event().unwrap() {
                Some(Event::SelectionRequest(request)) => self.hand_over(&request),
                Some(Event::ClientMessage(message)) if message.type_ == kind_atom => return,
                Some(_) => {}
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        panic!("no {kind} from the window");
    }

    fn hand_over(&self, request: &SelectionRequestEvent) {
        let connection = &self.app.desktop.connection;
        let list = self.app.desktop.atom("text/uri-list");
        let property = if request.target == list {
            connection.change_property8(PropMode::REPLACE, request.requestor, request.property, list, self.uris.as_bytes()).unwrap();
            request.property
        } else {
            AtomEnum::NONE.into()
        };
        let notify = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property,
        };
        connection.send_event(false, request.requestor, EventMask::NO_EVENT, notify).unwrap();
        connection.flush().unwrap();
    }
}
