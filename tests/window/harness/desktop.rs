//! Runs the program on a virtual display, and controls it with keys, mouse and screenshots through the X protocol.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use image::RgbaImage;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConfigureWindowAux, ConnectionExt as _, ImageFormat, InputFocus, MapState, Window};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::common::skip::skip_outside_ci;

/// Timeout of every wait, long enough for a busy machine that draws in software. Waits end as soon as they can.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// A program that uses at most this much processor time while the picture stays the same is idle. In clock ticks.
const MAX_IDLE_TICKS: u64 = 3;
/// The sizes of the program's window and its screen, in pixels.
pub const WIDTH: u32 = 1140;
pub const HEIGHT: u32 = 700;
const KEY_PRESS: u8 = 2;
const KEY_RELEASE: u8 = 3;
const BUTTON_PRESS: u8 = 4;
const BUTTON_RELEASE: u8 = 5;
const MOTION: u8 = 6;

pub struct Desktop {
    server: Child,
    pub name: String,
    pub connection: RustConnection,
    pub root: Window,
}

impl Desktop {
    /// Starts a virtual display of this size in pixels. Returns `None` if Xvfb is not installed.
    pub fn start(width: u32, height: u32) -> Option<Self> {
        // Xvfb picks a free display number and writes it to the descriptor it is given.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &format!("{width}x{height}x24"), "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take()?), &mut number).ok()?;
        let name = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&name)).expect("connect to Xvfb");
        let root = connection.setup().roots[screen].root;
        Some(Self { server, name, connection, root })
    }

    /// Starts a display of the size of the program's window. Returns `None`, with a message, if Xvfb is not installed.
    pub fn for_app() -> Option<Self> {
        let desktop = Self::start(WIDTH, HEIGHT);
        if desktop.is_none() {
            skip_outside_ci("Xvfb is not installed");
        }
        desktop
    }

    pub fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// The command that starts a program on this display, with a folder as its home. Its settings are in `config` there.
    pub fn command(&self, program: &Path, home: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("SINEW_CONFIG_DIR", home.join("config"))
            .env("XDG_RUNTIME_DIR", home)
            .env("HOME", home)
            // The software driver keeps compiled shaders below the home. All tests share them, because compiling takes half a second.
            .env("MESA_SHADER_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/shaders"))
            .env("WINIT_X11_SCALE_FACTOR", "1")
            // There is no portal. The machine must have no dialog program either, except the `zenity` of a test.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .current_dir(home);
        command
    }

    /// Asks a window to close, as a window manager does.
    pub fn ask_to_close(&self, window: Window) {
        let data = [self.atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let event = x11rb::protocol::xproto::ClientMessageEvent::new(32, window, self.atom("WM_PROTOCOLS"), data);
        self.connection.send_event(false, window, x11rb::protocol::xproto::EventMask::NO_EVENT, event).unwrap();
        self.connection.flush().unwrap();
    }

    /// Finds the visible window whose title begins with `title`.
    pub fn find_window(&self, title: &str) -> Option<Window> {
        let name = self.atom("_NET_WM_NAME");
        let children = self.connection.query_tree(self.root).ok()?.reply().ok()?.children;
        children.into_iter().find(|&window| {
            let property =
                self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1024).ok().and_then(|reply| reply.reply().ok());
            let visible = self.connection.get_window_attributes(window).ok().and_then(|reply| reply.reply().ok());
            property.is_some_and(|property| String::from_utf8_lossy(&property.value).starts_with(title))
                && visible.is_some_and(|attributes| attributes.map_state == MapState::VIEWABLE)
        })
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program, running on its own desktop with its own settings.
pub struct App {
    pub desktop: Desktop,
    pub window: Window,
    pub folder: tempfile::TempDir,
    process: Child,
}

impl App {
    /// Starts `sinew ARGS` and waits for its window to show `title`. Returns `None`, with a message, if Xvfb is not installed.
    pub fn start(args: &[&Path], title: &str) -> Option<Self> {
        Self::start_in(tempfile::tempdir().unwrap(), args, title)
    }

    /// Starts the program with `folder` as its home. Its settings are in `config` there.
    pub fn start_in(folder: tempfile::TempDir, args: &[&Path], title: &str) -> Option<Self> {
        Self::start_with(folder, args, title, &[])
    }

    /// Starts the program with this text as its settings.
    pub fn with_settings(settings: &str, args: &[&Path], title: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("config")).unwrap();
        std::fs::write(folder.path().join("config/settings.json"), settings).unwrap();
        Self::start_in(folder, args, title)
    }

    /// Starts the program with these environment variables.
    pub fn start_with(folder: tempfile::TempDir, args: &[&Path], title: &str, variables: &[(&str, &Path)]) -> Option<Self> {
        Some(Self::start_on(Desktop::for_app()?, folder, args, title, variables))
    }

    /// Starts the program on an existing desktop.
    pub fn start_on(desktop: Desktop, folder: tempfile::TempDir, args: &[&Path], title: &str, variables: &[(&str, &Path)]) -> Self {
        let mut command = desktop.command(Path::new(env!("CARGO_BIN_EXE_sinew")), folder.path());
        let process = command.args(args).envs(variables.iter().copied()).spawn().expect("start sinew");
        Self::attach(desktop, folder, process, title)
    }

    /// Waits for the window of a process that was started on this desktop.
    pub fn attach(desktop: Desktop, folder: tempfile::TempDir, process: Child, title: &str) -> Self {
        let mut app = Self { desktop, window: 0, folder, process };
        app.window = wait_for("the window", || app.desktop.find_window(title));
        // There is no window manager, so give the window its place and the keyboard focus.
        let place = ConfigureWindowAux::new().x(0).y(0).width(WIDTH).height(HEIGHT);
        app.desktop.connection.configure_window(app.window, &place).unwrap();
        app.desktop.connection.set_input_focus(InputFocus::PARENT, app.window, x11rb::CURRENT_TIME).unwrap();
        app.desktop.connection.flush().unwrap();
        app.settle();
        app
    }

    /// Waits until the window's title begins with `title`.
    pub fn wait_for_title(&self, title: &str) {
        wait_for(title, || self.desktop.find_window(title));
    }

    /// Waits for a few frames of a software renderer.
    pub fn settle(&self) {
        std::thread::sleep(Duration::from_millis(400));
    }

    /// Presses keys together ("Control_L", "s") and releases them.
    pub fn key(&self, keys: &[&str]) {
        let codes: Vec<u8> = keys.iter().map(|key| self.keycode(key)).collect();
        for &code in &codes {
            self.send_input(KEY_PRESS, code, 0, 0);
        }
        std::thread::sleep(Duration::from_millis(30));
        for &code in codes.iter().rev() {
            self.send_input(KEY_RELEASE, code, 0, 0);
        }
        self.settle();
    }

    /// Runs `act` while a key is pressed.
    pub fn hold(&self, key: &str, act: impl FnOnce()) {
        let code = self.keycode(key);
        self.send_input(KEY_PRESS, code, 0, 0);
        act();
        self.send_input(KEY_RELEASE, code, 0, 0);
        self.settle();
    }

    /// Types lower-case letters, digits and spaces.
    pub fn text(&self, text: &str) {
        for character in text.chars() {
            self.key(&[&character.to_string()]);
        }
    }

    pub fn move_to(&self, x: i32, y: i32) {
        self.send_input(MOTION, 0, x as i16, y as i16);
        std::thread::sleep(Duration::from_millis(250));
    }

    pub fn press(&self, button: u8) {
        self.send_input(BUTTON_PRESS, button, 0, 0);
        std::thread::sleep(Duration::from_millis(150));
    }

    pub fn release(&self, button: u8) {
        self.send_input(BUTTON_RELEASE, button, 0, 0);
        self.settle();
    }

    pub fn click(&self, x: i32, y: i32) {
        self.move_to(x, y);
        self.press(1);
        self.release(1);
    }

    /// Drags along the points and presses a key, faster than the window draws.
    pub fn at_once(&self, points: &[(i32, i32)], key: &str) {
        let code = self.keycode(key);
        for (number, &(x, y)) in points.iter().enumerate() {
            self.send_input(MOTION, 0, x as i16, y as i16);
            if number == 0 {
                self.send_input(BUTTON_PRESS, 1, 0, 0);
            }
        }
        self.send_input(BUTTON_RELEASE, 1, 0, 0);
        self.send_input(KEY_PRESS, code, 0, 0);
        self.send_input(KEY_RELEASE, code, 0, 0);
        self.settle();
    }

    /// Presses keys one after the other, faster than the window draws. Keys that are held together ("Control_L z") are one entry.
    pub fn keys_at_once(&self, keys: &[&str]) {
        for held in keys {
            let codes: Vec<u8> = held.split(' ').map(|key| self.keycode(key)).collect();
            codes.iter().for_each(|&code| self.send_input(KEY_PRESS, code, 0, 0));
            codes.iter().rev().for_each(|&code| self.send_input(KEY_RELEASE, code, 0, 0));
        }
        self.settle();
    }

    fn send_input(&self, kind: u8, detail: u8, x: i16, y: i16) {
        self.desktop.connection.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, self.desktop.root, x, y, 0).unwrap();
        self.desktop.connection.flush().unwrap();
    }

    fn keycode(&self, name: &str) -> u8 {
        let keysym = match name {
            "space" => 0x20,
            "Home" => 0xff50,
            "Left" => 0xff51,
            "Up" => 0xff52,
            "Right" => 0xff53,
            "Down" => 0xff54,
            "End" => 0xff57,
            "Prior" => 0xff55,
            "Next" => 0xff56,
            "Return" => 0xff0d,
            "Escape" => 0xff1b,
            "BackSpace" => 0xff08,
            "Tab" => 0xff09,
            "Control_L" => 0xffe3,
            "Shift_L" => 0xffe1,
            "Alt_L" => 0xffe9,
            "F4" => 0xffc1,
            "F5" => 0xffc2,
            "F11" => 0xffc8,
            "F12" => 0xffc9,
            _ => name.chars().next().filter(|_| name.chars().count() == 1).unwrap_or_else(|| panic!("no key {name}")) as u32,
        };
        let setup = self.desktop.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = self.desktop.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let per = mapping.keysyms_per_keycode as usize;
        let place = mapping.keysyms.chunks(per).position(|symbols| symbols[0] == keysym).unwrap_or_else(|| panic!("no key {name}"));
        first + place as u8
    }

    /// Returns the processor time that the program has used, in clock ticks.
    pub fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        // The name of the program, in parentheses, is the second field. The times are the fields 14 and 15.
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }

    /// Returns the size of the window in pixels.
    pub fn size(&self) -> [u16; 2] {
        let geometry = self.desktop.connection.get_geometry(self.window).unwrap().reply().unwrap();
        [geometry.width, geometry.height]
    }

    /// Takes a picture of the window.
    pub fn screenshot(&self) -> RgbaImage {
        let [width, height] = self.size();
        let image =
            self.desktop.connection.get_image(ImageFormat::Z_PIXMAP, self.window, 0, 0, width, height, !0).unwrap().reply().unwrap();
        // The server sends blue, green, red and an unused byte.
        let mut rgba = image.data;
        for pixel in rgba.as_chunks_mut::<4>().0 {
            *pixel = [pixel[2], pixel[1], pixel[0], 255];
        }
        RgbaImage::from_raw(width.into(), height.into(), rgba).expect("32 bits a pixel")
    }

    /// Waits until the window's picture satisfies `holds`. On failure the last picture is saved.
    pub fn wait_until(&self, what: &str, mut holds: impl FnMut(&RgbaImage) -> bool) -> RgbaImage {
        let start = Instant::now();
        loop {
            let picture = self.screenshot();
            if holds(&picture) {
                return picture;
            }
            if start.elapsed() > PATIENCE {
                let path =
                    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.png", std::thread::current().name().unwrap_or("window")));
                let _ = picture.save(&path);
                panic!("waited in vain for: {what}; the window is in {}", path.display());
            }
            std::thread::sleep(Duration::from_millis(250));
        }
    }

    /// Waits until the picture has not changed for a while and the program is idle. A picture may stay the same for long while the
    /// pipelines of the next one are made. Returns the last picture.
    pub fn wait_until_still(&self) -> RgbaImage {
        // Longer than a frame takes on a busy machine.
        const STILL: Duration = Duration::from_millis(1200);
        let (mut before, mut ticks, mut since) = (self.screenshot(), self.processor_ticks(), Instant::now());
        self.wait_until("the window to stand still", |picture| {
            let now = self.processor_ticks();
            if *picture != before || now > ticks + MAX_IDLE_TICKS {
                (ticks, since) = (now, Instant::now());
                before.clone_from(picture);
            }
            since.elapsed() > STILL
        })
    }

    /// Asks the window to close, as a window manager does, and waits for the process to end.
    pub fn close(self) -> ExitStatus {
        self.ask_to_close();
        self.wait_for_exit()
    }

    /// Asks the window to close, as a window manager does.
    pub fn ask_to_close(&self) {
        self.desktop.ask_to_close(self.window);
        self.settle();
    }

    /// Sends a signal to the process.
    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args(["-s", name, &self.process.id().to_string()]).status().unwrap().success());
    }

    /// Waits for the process to end by itself.
    pub fn wait_for_exit(mut self) -> ExitStatus {
        wait_for("the process to end", || self.process.try_wait().unwrap())
    }

    pub fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.desktop.connection.configure_window(self.window, &size).unwrap();
        self.desktop.connection.flush().unwrap();
        self.settle();
    }

    /// Hides the window, as when it is minimized, or shows it again.
    pub fn show(&self, shown: bool) {
        let connection = &self.desktop.connection;
        if shown {
            connection.map_window(self.window).unwrap()
        } else {
            connection.unmap_window(self.window).unwrap()
        };
        connection.flush().unwrap();
        self.settle();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Lets the program lose its device. It was started with `SINEW_LOSE_DEVICE` set to `lose`.
pub fn lose_device(app: &App, lose: &Path) {
    std::fs::write(lose, b"").unwrap();
    // Move the pointer, so that a frame is drawn.
    app.move_to(600, 400);
    app.move_to(610, 410);
    wait_for("the device to be lost", || (!lose.exists()).then_some(()));
}
