//! Tests the checks in the real window: they run again for a reloaded file, for animations that are added and removed, and for another file,
//! and what they found before is gone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use image::RgbaImage;
use serde_json::json;

use super::character::{Character, Clip, HEAD, SPINE, about_x, character, frames};
use super::desktop::App;
use super::drag::Drag;
use super::{HEIGHT, WIDTH};
use crate::common::pixels::differ;

/// The color of warnings in the dark theme.
const WARNING: [u8; 3] = [0xF2, 0xB8, 0x4B];

/// The width of the count of warnings in the status bar, in pixels. 0 without warnings.
fn warning_width(picture: &RgbaImage) -> u32 {
    let is_warning = |x: u32, y: u32| picture.get_pixel(x, y).0.iter().zip(WARNING).all(|(a, b)| a.abs_diff(b) < 12);
    let columns: Vec<u32> = (WIDTH / 2..WIDTH).filter(|&x| (HEIGHT - 24..HEIGHT).any(|y| is_warning(x, y))).collect();
    columns.first().map_or(0, |first| columns[columns.len() - 1] + 1 - first)
}

/// The clean character, and the same with an animation that begins late, which is a warning.
fn clean() -> Character {
    character()
}

fn faulty() -> Character {
    let mut faulty = character();
    faulty.clips[0].name = Some("Late");
    faulty.clips[0].channels.iter_mut().flat_map(|channel| &mut channel.times).for_each(|time| *time += 0.5);
    faulty
}

/// A clean character whose checks take long: an animation of ten minutes, with a thousand nodes in the scene.
fn heavy() -> Character {
    let mut heavy = character();
    for node in 0..1000 {
        heavy.roots.push(heavy.nodes.len());
        heavy.nodes.push(json!({ "name": format!("Prop{node}") }));
    }
    for (channel, joint) in heavy.clips[0].channels.iter_mut().skip(1).zip([SPINE, HEAD]) {
        assert_eq!(channel.node, joint);
        channel.times = frames(24 * 600 + 1);
        channel.values = channel.times.iter().flat_map(|time| about_x(8.0 * (std::f32::consts::TAU * time).sin())).collect();
    }
    heavy
}

fn write(folder: &Path, name: &str, character: &Character) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, character.gltf().to_glb()).unwrap();
    path
}

#[test]
fn a_reloaded_file_is_checked_again_and_nothing_old_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "idle.glb", &clean());
    let Some(app) = App::start(&[Path::new("--paused"), &file], "idle.glb") else { return };
    assert_eq!(warning_width(&app.still()), 0, "the clean file has no warnings");
    write(folder.path(), "idle.glb", &faulty());
    let one = warning_width(&app.wait_until("the warning", |picture| warning_width(picture) > 0));
    let mut twice = faulty();
    twice.clips.push(Clip { name: Some("Late too"), ..twice.clips[0].clone() });
    write(folder.path(), "idle.glb", &twice);
    app.wait_until("two warnings", |picture| warning_width(picture) > one + 3);
    write(folder.path(), "idle.glb", &clean());
    app.wait_until("no warning", |picture| warning_width(picture) == 0);
    assert_eq!(warning_width(&app.still()), 0);
}

#[test]
fn animations_that_are_added_while_the_checks_run_are_checked_too() {
    let folder = tempfile::tempdir().unwrap();
    let (file, late) = (write(folder.path(), "heavy.glb", &heavy()), write(folder.path(), "late.glb", &faulty()));
    let Some(app) = App::start(&[Path::new("--paused"), &file], "heavy.glb") else { return };
    // The checks of the heavy file run now.
    let before = app.screenshot();
    Drag::over(&app, &[&late]).drop();
    app.wait_until("the question", |picture| differ(picture, &before) > 100_000);
    app.key(&["a"]);
    app.wait_until("the warning about the added animation", |picture| warning_width(picture) > 0);
    assert!(app.close().success());
}

#[test]
fn opening_another_file_cancels_the_checks_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let (file, late) = (write(folder.path(), "heavy.glb", &heavy()), write(folder.path(), "late.glb", &faulty()));
    let start = Instant::now();
    let checked = Command::new(env!("CARGO_BIN_EXE_sinew")).arg("check").arg(&file).output().unwrap();
    assert!(checked.status.success());
    let alone = start.elapsed();
    let Some(app) = App::start(&[Path::new("--paused"), &file, &late], "heavy.glb") else { return };
    app.key(&["Next"]);
    let stepped = Instant::now();
    app.wait_until("the warning about the second file", |picture| warning_width(picture) > 0);
    assert!(stepped.elapsed() < alone / 2 + Duration::from_secs(1), "{:?}, the first file alone takes {alone:?}", stepped.elapsed());
    // Back at the first file its checks start anew, and nothing of the second stays.
    app.key(&["Prior"]);
    app.wait_until("no warning", |picture| warning_width(picture) == 0);
    assert_eq!(warning_width(&app.still()), 0);
}
