//! Tests that the window survives lost devices, odd sizes and a second window, and how it starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::pixels::differ;
use crate::harness::colors::{green, red};
use crate::harness::commands::perform;
use crate::harness::desktop::{App, Desktop, HEIGHT, WIDTH, lose_device, wait_for};
use crate::harness::fixture::in_parts;
use crate::harness::picture_parts::status;
use crate::harness::{fixture, metronome, open_metronome};

/// Starts a window with a paused metronome whose texture is a file of its own. Returns the path for [`lose_device`], too. `None` without a
/// display.
fn start_in_parts(folder: &Path) -> Option<(App, PathBuf)> {
    let (file, lose) = (in_parts(folder), folder.join("lose"));
    let args: [&Path; 2] = [&file, Path::new("--paused")];
    let app = App::start_with(tempfile::tempdir().unwrap(), &args, "metronome.gltf", &[("SINEW_LOSE_DEVICE", &lose)])?;
    Some((app, lose))
}

#[test]
fn a_lost_device_is_recreated_twice_and_the_third_loss_ends_the_program_with_advice() {
    let Some(desktop) = Desktop::for_app() else { return };
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, lose, printed) = (in_parts(folder.path()), folder.path().join("lose"), folder.path().join("printed"));
    let mut command = desktop.command(Path::new(env!("CARGO_BIN_EXE_sinew")), home.path());
    command.arg(file).arg("--paused").env("SINEW_LOSE_DEVICE", &lose).stderr(fs::File::create(&printed).unwrap());
    let app = App::attach(desktop, home, command.spawn().unwrap(), "metronome.gltf");
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    let before = app.wait_until_still();
    lose_device(&app, &lose);
    // The old picture stays until the new device draws, so go to another time.
    app.key(&["End"]);
    app.wait_until("the model on the new device, with its texture, at another time", |picture| {
        green(picture).is_some() && red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0)
    });
    app.key(&["Home"]);
    app.wait_until("it to answer", |picture| red(picture) == red(&before));

    lose_device(&app, &lose);
    wait_for("the sample model", || app.desktop.find_window("Sample model"));
    app.wait_until("the old model to be closed", |picture| red(picture).is_none());
    lose_device(&app, &lose);
    assert_eq!(app.wait_for_exit().code(), Some(1));
    let said = fs::read_to_string(&printed).unwrap();
    assert!(said.contains("lost three times") && said.contains("sinew --safe"), "{said}");
}

#[test]
fn textures_that_are_read_again_after_a_lost_device_are_no_other_version_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let Some((app, lose)) = start_in_parts(folder.path()) else { return };
    let before = app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    lose_device(&app, &lose);
    app.key(&["End"]);
    app.wait_until("the texture on the new device", |picture| red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0));
    let alone = red(&app.wait_until_still());
    perform(&app, "compare with the previous version");
    // The palette stays open if the action is disabled.
    app.key(&["Escape"]);
    assert_eq!(red(&app.wait_until_still()), alone, "nothing is compared");
}

#[test]
fn a_tiny_or_hidden_window_works_when_it_is_restored() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    app.resize(1, 1);
    app.key(&["End"]);
    app.resize(3, 700);
    app.resize(WIDTH, HEIGHT);
    app.wait_until("the whole window at the other time", |picture| {
        picture.dimensions() == before.dimensions() && red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0)
    });
    app.show(false);
    app.show(true);
    let focus = x11rb::protocol::xproto::InputFocus::PARENT;
    x11rb::protocol::xproto::ConnectionExt::set_input_focus(&app.desktop.connection, focus, app.window, x11rb::CURRENT_TIME).unwrap();
    app.key(&["Home"]);
    let left = |picture: &image::RgbaImage| red(picture).is_some_and(|at| at.0 < green(picture).unwrap_or_default().0 - 50.0);
    app.wait_until("the window back on the screen, at the first frame", left);
}

#[test]
fn two_windows_share_their_settings_without_corrupting_them() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = other.path().join("other.gltf");
    fs::rename(metronome(other.path()), &file).unwrap();
    let config = folder.path().join("config");
    let variables = [("SINEW_CONFIG_DIR", config.as_path())];
    let home = tempfile::tempdir().unwrap();
    let Some(first) = App::start_with(home, &[&metronome(folder.path())], "metronome.gltf", &variables) else { return };
    let Some(second) = App::start_with(tempfile::tempdir().unwrap(), &[&file], "other.gltf", &variables) else { return };
    second.wait_until("the red square", |picture| red(picture).is_some());
    let settings = || fs::read_to_string(config.join("settings.json")).unwrap_or_default();
    wait_for("the second window's settings", || settings().contains("other.gltf").then_some(()));
    // Both windows change a preference at the same time, several times.
    for _ in 0..3 {
        first.key(&["F11"]);
        second.key(&["F11"]);
        serde_json::from_str::<serde_json::Value>(&settings()).expect("whole settings");
    }
    second.close();
    assert_eq!(first.close().code(), Some(0));
    let settings: serde_json::Value = serde_json::from_str(&settings()).unwrap();
    let recent = settings["preferences"]["recent_files"].to_string();
    assert!(recent.contains("other.gltf") && recent.contains("metronome.gltf"), "{recent}");
    let left: Vec<_> = fs::read_dir(&config).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["settings.json"], "nothing half-written is left");
}

#[test]
fn a_model_too_large_for_the_device_keeps_the_old_one_and_shows_a_message() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, other) = (metronome(folder.path()), folder.path().join("other.gltf"));
    let full = folder.path().join("full");
    let blue = fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]");
    fs::write(&other, &blue).unwrap();
    let args: [&Path; 3] = [&file, &other, Path::new("--paused")];
    let Some(app) = App::start_with(home, &args, "metronome.gltf", &[("SINEW_FULL_DEVICE", &full)]) else { return };
    let before = app.wait_until("the red square", |picture| red(picture).is_some() && green(picture).is_some());
    fs::write(&full, b"").unwrap();
    // The next file may have been loaded ahead while there was memory. A changed file is read again.
    fs::write(&other, format!("{blue}\n")).unwrap();
    app.key(&["Next"]);
    app.wait_until("the message over the old model", |picture| differ(picture, &before) > 500 && red(picture).is_some());
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0));
    fs::remove_file(&full).unwrap();
    // Step past the end of the list to its beginning, then to the next file.
    app.key(&["Next"]);
    app.key(&["Next"]);
    app.wait_until("the other model, now that there is room", |picture| red(picture).is_none() && green(picture).is_some());
}

#[test]
fn a_new_size_that_the_device_refuses_for_a_while_is_drawn_later() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, busy) = (metronome(folder.path()), folder.path().join("busy"));
    let args: [&Path; 2] = [&file, Path::new("--paused")];
    let Some(app) = App::start_with(home, &args, "metronome.gltf", &[("SINEW_BUSY_DEVICE", &busy)]) else { return };
    app.resize(WIDTH - 100, HEIGHT - 100);
    app.wait_until("the model", |picture| red(picture).is_some() && green(picture).is_some());
    let before = green(&app.wait_until_still()).unwrap();
    fs::write(&busy, b"").unwrap();
    app.resize(WIDTH, HEIGHT);
    fs::remove_file(&busy).unwrap();
    // Nothing else asks for a frame. The middle of the viewport has moved.
    app.wait_until("the model in the larger window", |picture| green(picture).is_some_and(|at| (at.0 - before.0).abs() > 20.0));
}

#[test]
fn if_not_even_the_sample_model_fits_the_window_says_so_and_esc_tries_again() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, full) = (metronome(folder.path()), folder.path().join("full"));
    fs::write(&full, b"").unwrap();
    let Some(app) = App::start_with(home, &[&file], "Sinew", &[("SINEW_FULL_DEVICE", &full)]) else { return };
    let is_text = |picture: &image::RgbaImage| {
        let background = *picture.get_pixel(2, 2);
        picture.pixels().filter(|pixel| **pixel != background).count() > 500
    };
    app.wait_until("the message", is_text);
    assert!(is_text(&app.wait_until_still()));
    fs::remove_file(&full).unwrap();
    app.key(&["Escape"]);
    wait_for("the sample model", || app.desktop.find_window("Sample model"));
}

#[test]
fn a_crash_leaves_a_report_that_the_next_start_offers() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, config, trigger) = (in_parts(folder.path()), folder.path().join("settings"), folder.path().join("panic"));
    let args: [&Path; 2] = [&file, Path::new("--paused")];
    let variables = [("SINEW_CONFIG_DIR", config.as_path()), ("SINEW_PANIC", trigger.as_path())];
    let Some(app) = App::start_with(home, &args, "metronome.gltf", &variables) else { return };
    let (new, offered) = (config.join("crash-report.txt"), config.join("last-crash-report.txt"));
    assert!(!new.exists() && !offered.exists());
    fs::write(&trigger, b"").unwrap();
    app.move_to(600, 400);
    assert!(!app.wait_for_exit().success());
    let report = fs::read_to_string(&new).unwrap();
    let version = format!("Sinew {}", env!("CARGO_PKG_VERSION"));
    for expected in [&*version, "System: linux", "File: metronome.gltf", "a simulated fault", "simulated_faults.rs"] {
        assert!(report.contains(expected), "{expected} is missing in\n{report}");
    }
    assert!(report.lines().any(|line| line.starts_with("Graphics: ") && line.len() > 20), "{report}");

    let home = tempfile::tempdir().unwrap();
    let Some(app) = App::start_with(home, &args, "metronome.gltf", &variables) else { return };
    wait_for("the report to be offered", || offered.exists().then_some(()));
    assert!(!new.exists(), "the report is offered only once");
    assert_eq!(fs::read_to_string(&offered).unwrap(), report);
    assert!(app.close().success());
}

#[test]
fn the_addresses_in_the_report_of_a_program_without_symbols_lead_to_the_fault() {
    let Some(desktop) = Desktop::for_app() else { return };
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (symbols, program, trigger) = (env!("CARGO_BIN_EXE_sinew"), folder.path().join("sinew"), folder.path().join("panic"));
    assert!(Command::new("strip").arg("-o").args([&program, Path::new(symbols)]).status().unwrap().success());
    fs::write(&trigger, b"").unwrap();
    let mut command = desktop.command(&program, home.path());
    let output = command.arg(metronome(folder.path())).env("SINEW_PANIC", &trigger).output().unwrap();
    assert!(!output.status.success());
    let report = fs::read_to_string(home.path().join("config/crash-report.txt")).unwrap();
    assert!(!report.contains("simulated_faults::"), "the program has symbols");
    let number = |text: &str| u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
    let start = report.lines().find_map(|line| line.strip_prefix("Program loaded at: ")).map(number).unwrap();
    let addresses = report.lines().filter_map(|line| Some(line.split_once(": ")?.1.trim_start().split_once(" - ")?.0));
    // Each address is that of the instruction after a call. The last one may be 0.
    let offsets = addresses.filter_map(|address| number(address).checked_sub(start + 1)).map(|offset| format!("{offset:#x}"));
    let found = Command::new("addr2line").args(["--inlines", "--exe", symbols]).args(offsets).output().unwrap();
    let found = String::from_utf8_lossy(&found.stdout);
    assert!(found.contains("simulated_faults.rs"), "{found}\n{report}");
}

#[test]
fn a_full_stderr_does_not_keep_a_file_from_being_opened_and_drawn() {
    let Some(desktop) = Desktop::for_app() else { return };
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut command = desktop.command(Path::new(env!("CARGO_BIN_EXE_sinew")), home.path());
    command.args(["--timings", "--paused", "--animation", "no such animation"]).arg(metronome(folder.path()));
    let process = command.stderr(fs::File::options().write(true).open("/dev/full").unwrap()).spawn().unwrap();
    let app = App::attach(desktop, home, process, "metronome.gltf");
    app.wait_until("the model", |picture| green(picture).is_some());
    assert!(app.close().success());
}

#[test]
fn a_crash_report_does_not_name_a_file_whose_reload_was_given_up_as_loading() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (file, config, trigger) = (in_parts(folder.path()), folder.path().join("settings"), folder.path().join("panic"));
    let args: [&Path; 2] = [&file, Path::new("--paused")];
    let variables = [("SINEW_CONFIG_DIR", config.as_path()), ("SINEW_PANIC", trigger.as_path())];
    let Some(app) = App::start_with(home, &args, "metronome.gltf", &variables) else { return };
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    let before = app.wait_until_still();
    // While a texture is incomplete, the file is read again and not shown. Once the file is gone, it is not read any more.
    let texture = folder.path().join("textures/color.png");
    let bytes = fs::read(&texture).unwrap();
    fs::write(&texture, &bytes[..bytes.len() / 2]).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    fs::remove_file(&file).unwrap();
    app.wait_until("the message that the file is gone", |picture| differ(&status(picture), &status(&before)) > 100);
    fs::write(&trigger, b"").unwrap();
    app.move_to(600, 400);
    assert!(!app.wait_for_exit().success());
    let report = fs::read_to_string(config.join("crash-report.txt")).unwrap();
    assert!(report.contains("File: metronome.gltf") && !report.contains("Loading: "), "{report}");
}

/// Runs the program with arguments and environment variables. Returns its exit code and its output, or `None` without a display.
fn fails_to_start(args: &[&str], variables: &[(&str, &str)]) -> Option<(Option<i32>, String)> {
    let desktop = Desktop::for_app()?;
    let home = tempfile::tempdir().unwrap();
    let mut command = desktop.command(Path::new(env!("CARGO_BIN_EXE_sinew")), home.path());
    let output = command.args(args).envs(variables.iter().copied()).output().unwrap();
    Some((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Variables that hide all Vulkan drivers, and those that hide all GL drivers.
const NO_VULKAN: (&str, &str) = ("VK_DRIVER_FILES", "/nonexistent");
const NO_GL: [(&str, &str); 2] = [("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent"), ("LIBGL_DRIVERS_PATH", "/nonexistent")];

#[test]
fn without_any_driver_the_window_says_what_to_install() {
    let hidden = [&[NO_VULKAN][..], &NO_GL].concat();
    let Some((code, message)) = fails_to_start(&[], &hidden) else { return };
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("or mesa-vulkan-drivers, which draws without one") && !message.contains("{}"), "{message}");
    // The GL library is found, but no GL driver.
    let Some((code, message)) = fails_to_start(&[], &[NO_VULKAN, NO_GL[1]]) else { return };
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("or mesa-vulkan-drivers, which draws without one"), "{message}");

    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/sample.glb");
    let Some((code, message)) = fails_to_start(&["render", sample, "-o", "out.png"], &hidden) else { return };
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("vulkan") && message.contains("gl ") && !message.contains("not requested"), "{message}");
}

#[test]
fn an_unknown_adapter_is_an_error_that_lists_the_known_ones() {
    let Some((code, message)) = fails_to_start(&["--adapter", "no such card"], &[]) else { return };
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("\"no such card\"") && message.contains("Available: ") && !message.trim_end().ends_with(':'), "{message}");
}

#[test]
fn a_window_opens_with_gl_alone_and_a_safe_start_leaves_the_settings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let home = tempfile::tempdir().unwrap();
    let no_vulkan = (NO_VULKAN.0, Path::new(NO_VULKAN.1));
    let Some(app) = App::start_with(home, &[&file], "metronome.gltf", &[no_vulkan]) else { return };
    app.wait_until("the model, drawn by GL", |picture| green(picture).is_some());
    assert!(app.close().success());

    let config = folder.path().join("settings");
    fs::create_dir(&config).unwrap();
    let settings = config.join("settings.json");
    fs::write(&settings, r#"{"preferences":{"left_panel":false,"scale":3.0}}"#).unwrap();
    let before = fs::read(&settings).unwrap();
    let variables = [("SINEW_CONFIG_DIR", config.as_path())];
    let home = tempfile::tempdir().unwrap();
    let Some(app) = App::start_with(home, &[Path::new("--safe"), &file], "metronome.gltf", &variables) else { return };
    app.wait_until("the model", |picture| green(picture).is_some());
    // Change something that would be written to the settings: the size of the window. The list of recent files has changed, too.
    app.resize(1000, 700);
    app.settle();
    assert!(app.close().success());
    assert_eq!(fs::read(&settings).unwrap(), before);
}

#[test]
fn timings_prints_when_each_step_of_the_start_began_and_ended() {
    let Some(desktop) = Desktop::for_app() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, printed) = (in_parts(folder.path()), folder.path().join("printed"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.arg("--timings").arg(&file).env("DISPLAY", &desktop.name).env("SINEW_CONFIG_DIR", folder.path()).env_remove("WAYLAND_DISPLAY");
    // Without this folder, a library prints an error before the table.
    command.env("XDG_RUNTIME_DIR", folder.path());
    let mut program = command.stderr(fs::File::create(&printed).unwrap()).spawn().unwrap();
    let table = wait_for("the steps", || fs::read_to_string(&printed).ok().filter(|table| table.contains("first frame")));
    program.kill().unwrap();
    program.wait().unwrap();
    let mut last_start = 0.0;
    let mut names = Vec::new();
    for row in table.lines().skip(1) {
        let (name, times) = row.split_at(22);
        let times: Vec<f64> = times.split_whitespace().map(|time| time.parse().unwrap()).collect();
        let [start, end, duration] = times[..] else { panic!("{table}") };
        assert!(last_start <= start && start <= end && (end - start - duration).abs() < 0.11, "{table}");
        last_start = start;
        names.push(name.trim_end());
    }
    let files = ["read the file", "upload the model", "decode images", "upload images"];
    for step in ["process", "display", "window", "adapter", "device", "compile pipelines", "first frame"].into_iter().chain(files) {
        assert!(names.contains(&step), "{step} is missing in\n{table}");
    }
}

#[test]
fn undo_goes_on_if_a_panorama_cannot_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (file, view, panorama) = (metronome(folder.path()), folder.path().join("view.json"), folder.path().join("sky.hdr"));
    image::ImageBuffer::from_pixel(64, 32, image::Rgb([0.5f32; 3])).save(&panorama).unwrap();
    let state = serde_json::json!({ "display": { "environment": { "file": panorama } } });
    fs::write(&view, state.to_string()).unwrap();
    let args: [&Path; 4] = [&file, Path::new("--paused"), Path::new("--state"), &view];
    let Some(app) = App::start(&args, "metronome.gltf") else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    app.wait_until_still();
    app.key(&["3"]);
    app.wait_until("clay", |picture| red(picture).is_none());
    perform(&app, "use studio");
    app.wait_until_still();
    fs::remove_file(&panorama).unwrap();
    app.key(&["Control_L", "z"]);
    app.wait_until_still();
    app.key(&["Control_L", "z"]);
    app.wait_until("the colors to return", |picture| red(picture).is_some());
}
