//! Tests the checks in the real window: they run again for a reloaded file, after animations were added and for another file, and
//! their earlier findings disappear.

use std::path::{Path, PathBuf};

use image::{RgbaImage, imageops};
use serde_json::json;

use crate::common::character::{Character, Clip, HEAD, SPINE, about_x, character, frames};

use crate::common::pixels::count_near;
use crate::harness::desktop::{App, HEIGHT, WIDTH};
use crate::harness::drag::Drag;

/// The color of warnings in the dark theme.
const WARNING: [u8; 3] = [0xF2, 0xB8, 0x4B];

/// The width of the count of warnings in the status bar, in pixels. 0 without warnings.
fn warning_width(picture: &RgbaImage) -> u32 {
    let is_warning = |x: u32, y: u32| picture.get_pixel(x, y).0.iter().zip(WARNING).all(|(a, b)| a.abs_diff(b) < 12);
    let columns: Vec<u32> = (WIDTH / 2..WIDTH).filter(|&x| (HEIGHT - 24..HEIGHT).any(|y| is_warning(x, y))).collect();
    columns.first().map_or(0, |first| columns[columns.len() - 1] + 1 - first)
}

/// The color of the default button in the dark theme.
const DEFAULT_BUTTON: [u8; 4] = [0x38, 0xD1, 0xCF, 0xFF];

/// Returns whether the window asks what to do with a dropped file: the default button of the question is in the middle of the window.
fn asks_about_the_drop(picture: &RgbaImage) -> bool {
    let (width, height) = (WIDTH / 2, HEIGHT / 4);
    let middle = imageops::crop_imm(picture, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
    count_near(&middle.to_image(), DEFAULT_BUTTON) > 500
}

/// Builds a clean character, which causes no warnings.
fn clean() -> Character {
    character()
}

/// Builds the clean character with an animation that begins late, which is a warning.
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
    assert_eq!(warning_width(&app.wait_until_still()), 0, "the clean file has no warnings");
    write(folder.path(), "idle.glb", &faulty());
    let one = warning_width(&app.wait_until("the warning", |picture| warning_width(picture) > 0));
    let mut twice = faulty();
    twice.clips.push(Clip { name: Some("Late too"), ..twice.clips[0].clone() });
    write(folder.path(), "idle.glb", &twice);
    app.wait_until("two warnings", |picture| warning_width(picture) > one + 3);
    write(folder.path(), "idle.glb", &clean());
    app.wait_until("no warning", |picture| warning_width(picture) == 0);
    assert_eq!(warning_width(&app.wait_until_still()), 0);
}

#[test]
fn checks_start_again_if_animations_are_added_while_they_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut heavy = heavy();
    heavy.clips.extend(faulty().clips);
    let (file, late) = (write(folder.path(), "heavy.glb", &heavy), write(folder.path(), "late.glb", &clean()));
    let Some(app) = App::start(&[Path::new("--paused"), &file], "heavy.glb") else { return };
    // The checks of the heavy file run now.
    Drag::over(&app, &[&late]).drop();
    app.wait_until("the question", asks_about_the_drop);
    app.key(&["a"]);
    app.wait_until("the warning about the file's own animation", |picture| warning_width(picture) > 0);
    assert!(app.close().success());
}

#[test]
fn a_file_opened_during_the_checks_of_another_is_checked_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (file, late) = (write(folder.path(), "heavy.glb", &heavy()), write(folder.path(), "late.glb", &faulty()));
    let Some(app) = App::start(&[Path::new("--paused"), &file, &late], "heavy.glb") else { return };
    app.key(&["Next"]);
    app.wait_until("the warning about the second file", |picture| warning_width(picture) > 0);
    // After a step back to the first file, its checks start anew, and no finding of the second file stays.
    app.key(&["Prior"]);
    app.wait_until("no warning", |picture| warning_width(picture) == 0);
    assert_eq!(warning_width(&app.wait_until_still()), 0);
}
